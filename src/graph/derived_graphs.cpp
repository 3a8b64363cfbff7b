#include "graph/derived_graphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/joined.hpp"
#include "base/units.hpp"
#include "graph/components.hpp"
#include "graph/search.hpp"

namespace apsp {
namespace {

class NewRows {
 public:
  explicit NewRows(std::int64_t most_arcs)
      : targets_(std::make_unique_for_overwrite<Vertex[]>(static_cast<std::size_t>(most_arcs))),
        weights_(std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(most_arcs))) {}

  /// Ignores infinite weights. Requires: targets increase within a row.
  void put(Vertex to, double weight) {
    if (std::isinf(weight)) return;
    targets_[arcs_] = to;
    weights_[arcs_++] = weight;
  }

  void end_row() {
    base::poll(offsets_.size(), 64);
    const auto first = static_cast<std::size_t>(offsets_.back());
    for (std::size_t begin = first, end = first; begin < arcs_; begin = end) {
      while (end < arcs_ && targets_[end] == targets_[begin]) ++end;
      if (end - begin > 1) std::sort(&weights_[begin], &weights_[begin] + (end - begin));
    }
    offsets_.push_back(static_cast<std::int64_t>(arcs_));
  }

  Graph build(const Graph& like) && {
    GraphBuilder builder(like.vertex_count(), like.directed());
    builder.set_first_id(like.first_id());
    if (!like.labels().empty()) {
      builder.set_distinct_labels({like.labels().begin(), like.labels().end()});
    }
    return std::move(*this).build(std::move(builder));
  }
  Graph build(GraphBuilder builder) && {
    const auto bytes = static_cast<std::int64_t>(arcs_ * (sizeof(Vertex) + sizeof(double)));
    builder.set_rows(
        std::move(offsets_),
        {.targets = std::move(targets_), .weights = std::move(weights_), .memory = bytes});
    return std::move(builder).build();
  }

 private:
  std::vector<std::int64_t> offsets_ = {0};
  std::shared_ptr<Vertex[]> targets_;
  std::shared_ptr<double[]> weights_;
  std::size_t arcs_ = 0;
};

void require_number(const Graph& graph, Vertex from, Vertex to, double weight) {
  if (!std::isnan(weight)) return;
  throw Error(ErrorKind::usage,
              fmt::format("the weight of {} → {} is no number", graph.name(from), graph.name(to)));
}

/// Both directions of undirected edges, sorted by ends; changes of the same ends keep their order.
std::vector<WeightChange> sorted_changes(const Graph& graph,
                                         std::span<const WeightChange> changes) {
  std::vector<WeightChange> arcs;
  for (const WeightChange& change : changes) {
    for (const Vertex end : {change.from, change.to}) {
      if (end < graph.vertex_count()) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("vertex number {} is outside a graph of {} vertices", end,
                              graph.vertex_count()));
    }
    require_number(graph, change.from, change.to, change.weight);
    arcs.push_back(change);
    arcs.back().weight += 0.0;
    if (graph.directed() || change.from == change.to) continue;
    arcs.push_back(arcs.back());
    std::swap(arcs.back().from, arcs.back().to);
  }
  std::stable_sort(arcs.begin(), arcs.end(), [](const WeightChange& a, const WeightChange& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  return arcs;
}

[[noreturn]] void fail_change(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

std::string arc_text(const Graph& graph, const WeightChange& change) {
  return fmt::format("{} → {}", graph.name(change.from), graph.name(change.to));
}

std::string weights_text(std::span<const double> weights) {
  constexpr std::size_t kShown = 8;
  const std::span<const double> shown = weights.first(std::min(weights.size(), kShown));
  const std::string text = base::joined(shown, ", ");
  return weights.size() <= kShown ? text
                                  : fmt::format("{} and {} more", text, weights.size() - kShown);
}

void change_only_arc(const Graph& graph, const WeightChange& change, std::vector<double>& weights) {
  if (weights.size() > 1) {
    fail_change(fmt::format(
        "the graph has {} parallel arcs {}, of the weights {}, and the change does not say which "
        "one it is about: add the old weight of the arc behind its new one (a change of each arc "
        "changes all of them)",
        weights.size(), arc_text(graph, change), weights_text(weights)));
  }
  if (weights.empty() && std::isinf(change.weight)) {
    fail_change(
        fmt::format("the graph has no arc {} that could be removed", arc_text(graph, change)));
  }
  weights.assign(1, change.weight);
}

/// The weights of all arcs of a pair after its changes. `before`: increasing.
std::vector<double> changed_pair(const Graph& graph, std::span<const double> before,
                                 std::span<const WeightChange> changes) {
  std::vector<double> weights(before.begin(), before.end());
  std::vector<bool> changed(before.size());
  for (const WeightChange& change : changes) {
    if (!change.old) {
      change_only_arc(graph, change, weights);
      continue;
    }
    std::size_t arc = 0;
    while (arc < before.size() && (changed[arc] || before[arc] != *change.old)) ++arc;
    if (arc == before.size()) {
      const auto named = std::count_if(changes.begin(), changes.end(),
                                       [&](const WeightChange& c) { return c.old == change.old; });
      fail_change(before.empty()
                      ? fmt::format("the graph has no arc {}, so none of the old weight {}",
                                    arc_text(graph, change), *change.old)
                      : fmt::format("{} of {} with the old weight {}, but the graph has there: {}",
                                    base::counted(named, "change", "changes"),
                                    arc_text(graph, change), *change.old, weights_text(before)));
    }
    changed[arc] = true;
    weights[arc] = change.weight;
  }
  return weights;
}

Graph in_rows(const Graph& graph) {
  if (graph.matrix() == nullptr) return graph;
  NewRows rows(graph.arc_count());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    graph.for_each_arc(v, [&](Vertex to, double weight) { rows.put(to, weight); });
    rows.end_row();
  }
  return std::move(rows).build(graph);
}

}  // namespace

Graph with_weights(const Graph& of, std::span<const double> weights) {
  const Graph graph = in_rows(of);
  if (std::ssize(weights) != graph.edge_count()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} weights for a graph of {} edges: give one of each edge, in the order "
                    "of the graph (apsp convert writes its edges in this order)",
                    weights.size(), graph.edge_count()));
  }
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  const std::span<const Vertex> targets = graph.targets();
  std::vector<double> of_arcs(targets.size());
  // Rows are sorted, so the arcs to lesser ends that lack a weight come first.
  std::vector<std::int64_t> next(graph.offsets().begin(),
                                 graph.offsets().begin() + static_cast<std::ptrdiff_t>(n));
  std::size_t edge = 0;
  for (Vertex v = 0; v < n; ++v) {
    base::poll(v);
    for (auto a = static_cast<std::size_t>(next[v]);
         a < static_cast<std::size_t>(graph.offsets()[v + std::size_t{1}]); ++a) {
      require_number(graph, v, targets[a], weights[edge]);
      of_arcs[a] = weights[edge++] + 0.0;
      if (!graph.directed() && targets[a] != v) {
        of_arcs[static_cast<std::size_t>(next[targets[a]]++)] = of_arcs[a];
      }
    }
  }
  NewRows rows(graph.arc_count());
  for (Vertex v = 0; v < n; ++v) {
    for (auto a = static_cast<std::size_t>(graph.offsets()[v]);
         a < static_cast<std::size_t>(graph.offsets()[v + std::size_t{1}]); ++a) {
      rows.put(targets[a], of_arcs[a]);
    }
    rows.end_row();
  }
  return std::move(rows).build(graph);
}

Graph with_changes(const Graph& of, std::span<const WeightChange> changes) {
  const Graph graph = in_rows(of);
  const std::vector<WeightChange> arcs = sorted_changes(graph, changes);
  NewRows rows(graph.arc_count() + std::ssize(arcs));
  auto change = arcs.begin();
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const std::span<const Vertex> targets = graph.targets(v);
    const std::span<const double> weights = graph.weights(v);
    std::size_t a = 0;
    while (change != arcs.end() && change->from == v) {
      const auto first = change;
      const Vertex to = first->to;
      while (change != arcs.end() && change->from == v && change->to == to) ++change;
      for (; a < targets.size() && targets[a] < to; ++a) rows.put(targets[a], weights[a]);
      const std::size_t begin = a;
      while (a < targets.size() && targets[a] == to) ++a;
      for (const double weight :
           changed_pair(graph, weights.subspan(begin, a - begin), {first, change})) {
        rows.put(to, weight);
      }
    }
    for (; a < targets.size(); ++a) rows.put(targets[a], weights[a]);
    rows.end_row();
  }
  return std::move(rows).build(graph);
}

Graph with_changes(const Graph& graph, std::span<const Edge> changes) {
  std::vector<WeightChange> of;
  of.reserve(changes.size());
  for (const Edge& edge : changes) of.push_back({edge.from, edge.to, edge.weight});
  return with_changes(graph, std::span<const WeightChange>(of));
}

namespace graph {

Graph numbered_as(const Graph& graph, const Graph& like) {
  if (graph.vertex_count() != like.vertex_count()) {
    throw Error(ErrorKind::usage,
                fmt::format("a graph of {} vertices has not the order of one of {}: solve it",
                            graph.vertex_count(), like.vertex_count()));
  }
  if (graph.labels().empty() && like.labels().empty() && graph.first_id() == like.first_id()) {
    return in_rows(graph);
  }
  std::vector<Vertex> number_of(static_cast<std::size_t>(graph.vertex_count()));
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    base::poll(v);
    const auto found = like.find(graph.name(v));
    if (!found) {
      throw Error(
          ErrorKind::usage,
          fmt::format("vertex '{}' is none of the graph that was solved: solve the new graph",
                      graph.name(v)));
    }
    number_of[v] = *found;
  }
  GraphBuilder builder(like.vertex_count(), graph.directed());
  builder.forget_order();
  builder.reserve(graph.edge_count());
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (graph.directed() || from <= to) builder.add_edge(number_of[from], number_of[to], weight);
  });
  builder.set_first_id(like.first_id());
  if (!like.labels().empty()) {
    builder.set_distinct_labels({like.labels().begin(), like.labels().end()});
  }
  return std::move(builder).build();
}

Graph with_vertices_of(const Graph& before, const Graph& graph) {
  std::vector<std::string> names(before.labels().begin(), before.labels().end());
  std::int64_t n = std::max(before.vertex_count(), graph.vertex_count());
  if (!names.empty()) {
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      if (!before.find(graph.name(v))) names.push_back(graph.name(v));
    }
    n = std::ssize(names);
  }
  if (n == before.vertex_count()) return before;
  GraphBuilder builder(n, before.directed());
  builder.forget_order();
  builder.reserve(before.edge_count());
  before.visit_all([&](Vertex from, Vertex to, double weight) {
    if (before.directed() || from <= to) builder.add_edge(from, to, weight);
  });
  builder.set_first_id(before.first_id());
  if (!names.empty()) builder.set_distinct_labels(std::move(names));
  return std::move(builder).build();
}

std::vector<VertexPair> differing_arcs(const Graph& one, const Graph& other) {
  const Graph before = in_rows(one), after = in_rows(other);
  std::vector<VertexPair> arcs;
  for (Vertex v = 0; v < before.vertex_count(); ++v) {
    base::poll(v);
    const std::span<const Vertex> old_targets = before.targets(v), targets = after.targets(v);
    const std::span<const double> old_weights = before.weights(v), weights = after.weights(v);
    std::size_t i = 0, j = 0;
    while (i < old_targets.size() || j < targets.size()) {
      const bool old_first = i < old_targets.size();
      const Vertex to = !old_first            ? targets[j]
                        : j == targets.size() ? old_targets[i]
                                              : std::min(old_targets[i], targets[j]);
      const std::size_t old_begin = i, begin = j;
      while (i < old_targets.size() && old_targets[i] == to) ++i;
      while (j < targets.size() && targets[j] == to) ++j;
      const auto part = [](std::span<const double> of, std::size_t first, std::size_t last) {
        return of.subspan(first, last - first);
      };
      if (!std::ranges::equal(part(old_weights, old_begin, i), part(weights, begin, j))) {
        arcs.push_back({v, to});
      }
    }
  }
  return arcs;
}

}  // namespace graph
}  // namespace apsp

namespace apsp::graph {

Graph with_reduced_weights(const Graph& graph, std::span<const base::Potential> h, double sign) {
  NewRows rows(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    graph.for_each_arc(
        u, [&](Vertex v, double weight) { rows.put(v, base::reduced(sign * weight, h[u], h[v])); });
    rows.end_row();
  }
  return std::move(rows).build(GraphBuilder(graph.vertex_count(), graph.directed()));
}

GraphBuilder reversed_arcs(const Graph& graph) {
  ReversedArcs arcs(in_rows(graph));
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  // Arcs come by increasing origin, parallel ones by increasing weight, so rows are filled in
  // order.
  builder.set_rows(std::move(arcs.offsets),
                   {.targets = std::move(arcs.tails),
                    .weights = std::move(arcs.weights),
                    .memory = graph.arc_count() * std::int64_t{sizeof(Vertex) + sizeof(double)}});
  return builder;
}
Graph reversed(const Graph& graph) { return reversed_arcs(graph).build(); }

GraphBuilder subgraph(const Graph& graph, std::span<const Vertex> vertices,
                      std::vector<Vertex>& number) {
  for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<Vertex>(i);
  const auto is_inside = [&](Vertex v) {
    return number[v] < vertices.size() && vertices[number[v]] == v;
  };
  GraphBuilder builder(std::ssize(vertices), graph.directed());
  for (const Vertex from : vertices) {
    base::poll(number[from]);
    graph.for_each_arc(from, [&](Vertex to, double weight) {
      const bool once = graph.directed() || from <= to;
      if (once && is_inside(to)) builder.add_edge(number[from], number[to], weight);
    });
  }
  return builder;
}

}  // namespace apsp::graph

namespace apsp {

Graph largest_component(const Graph& graph) {
  const auto largest = graph::largest_of_several(graph);
  if (!largest) return graph;
  std::vector<Vertex> number(static_cast<std::size_t>(graph.vertex_count()));
  GraphBuilder builder = graph::subgraph(graph, largest->vertices, number);
  std::vector<std::string> names;
  for (const Vertex v : largest->vertices) names.push_back(graph.name(v));
  builder.set_distinct_labels(std::move(names));
  Graph found = std::move(builder).build();
  for (const std::string& remark : graph.remarks()) found = found.with_remark(remark);
  return found.with_remark(fmt::format("{} of {} vertices are kept: the largest of {} components",
                                       largest->size(), graph.vertex_count(), largest->components));
}

}  // namespace apsp
