#include "graph/components.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "base/control.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kNone = -1;

/// Renumbers classes, given by any numbers below n, in the order of their least vertices.
Components numbered(std::vector<std::int64_t> of) {
  Components result{0, std::move(of)};
  std::vector<std::int64_t> number(result.of.size(), kNone);
  for (std::int64_t& component : result.of) {
    std::int64_t& known = number[static_cast<std::size_t>(component)];
    if (known == kNone) known = result.count++;
    component = known;
  }
  return result;
}

/// Tarjan's algorithm. `low[v]` is the least index reached from v's subtree among vertices without
/// a component; v is the root of a component if that is its own index.
class StrongSearch {
 public:
  explicit StrongSearch(const Graph& graph)
      : graph_(graph),
        n_(static_cast<std::size_t>(graph.vertex_count())),
        place_(n_, 0),
        index_(n_, kNone),
        low_(n_, 0),
        component_(n_, kNone) {}

  std::vector<std::int64_t> run() {
    for (Vertex v = 0; v < n_; ++v) {
      if (index_[v] == kNone) search_from(v);
    }
    return std::move(component_);
  }
  std::int64_t closed() const { return closed_; }

 private:
  void search_from(Vertex root) {
    enter(root);
    while (!path_.empty()) {
      const Vertex v = path_.back();
      if (const std::optional<Vertex> to = next(v)) {
        if (index_[*to] == kNone) {
          enter(*to);
        } else if (component_[*to] == kNone) {
          low_[v] = std::min(low_[v], index_[*to]);
        }
      } else {
        leave(v);
      }
    }
  }

  std::optional<Vertex> next(Vertex v) {
    if (graph_.matrix() != nullptr) {
      const std::optional<Arc> arc = graph_.next_arc(v, place_[v]);
      return arc ? std::optional(arc->to) : std::nullopt;
    }
    const std::span<const Vertex> targets = graph_.targets(v);
    const auto place = static_cast<std::size_t>(place_[v]++);
    return place < targets.size() ? std::optional(targets[place]) : std::nullopt;
  }

  void enter(Vertex v) {
    base::poll(static_cast<std::size_t>(entered_));
    index_[v] = low_[v] = entered_++;
    path_.push_back(v);
    open_.push_back(v);
  }

  void leave(Vertex v) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
    if (low_[v] != index_[v]) return;
    Vertex member = v;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = closed_;
    } while (member != v);
    ++closed_;
  }

  const Graph& graph_;
  std::size_t n_;
  std::vector<std::int64_t> place_;
  std::vector<std::int64_t> index_;
  std::vector<std::int64_t> low_;
  std::vector<std::int64_t> component_;  // [n] in the order of closing; kNone: open
  std::vector<Vertex> path_;
  std::vector<Vertex> open_;
  std::int64_t entered_ = 0, closed_ = 0;
};

}  // namespace

Components weak_components(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::int64_t> parent(n);
  std::iota(parent.begin(), parent.end(), std::int64_t{0});
  const auto root = [&](std::int64_t v) {
    const auto up = [&](std::int64_t x) -> std::int64_t& {
      return parent[static_cast<std::size_t>(x)];
    };
    while (up(v) != v) v = up(v) = up(up(v));
    return v;
  };
  for (Vertex v = 0; v < n; ++v) {
    base::poll(v);
    graph.for_each_arc(v, [&](Vertex to, double) {
      const std::int64_t a = root(v), b = root(to);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    });
  }
  for (Vertex v = 0; v < n; ++v) parent[v] = root(v);
  return numbered(std::move(parent));
}

Components strong_components(const Graph& graph) {
  if (graph.symmetric()) return weak_components(graph);
  return numbered(StrongSearch(graph).run());
}

Components ordered_strong_components(const Graph& graph) {
  StrongSearch search(graph);
  Components found{0, search.run()};
  found.count = search.closed();
  for (std::int64_t& component : found.of) component = found.count - 1 - component;
  return found;
}

}  // namespace apsp

namespace apsp::graph {

namespace {

/// Whether vertex 0 reaches all others. Stops when it has.
bool first_reaches_all(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<bool> met(n);
  std::vector<Vertex> queue(1, 0);
  met[0] = true;
  for (std::size_t next = 0; next < queue.size() && queue.size() < n; ++next) {
    std::int64_t place = 0;
    while (queue.size() < n) {
      const std::optional<Arc> arc = graph.next_arc(queue[next], place);
      if (!arc) break;
      if (met[arc->to]) continue;
      met[arc->to] = true;
      queue.push_back(arc->to);
    }
  }
  return queue.size() == n;
}

/// Whether a few passes over the first arcs of each vertex show that all vertices reach vertex 0.
bool all_reach_first(const Graph& graph) {
  constexpr int kPasses = 3;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<bool> reaches(n);
  reaches[0] = true;
  std::size_t count = 1;
  for (int pass = 0; pass < kPasses && count < n; ++pass) {
    for (Vertex v = 0; v < n; ++v) {
      std::int64_t place = 0;
      while (!reaches[v]) {
        const std::optional<Arc> arc = graph.next_arc(v, place);
        if (!arc) break;
        reaches[v] = reaches[arc->to];
      }
    }
    count = static_cast<std::size_t>(std::count(reaches.begin(), reaches.end(), true));
  }
  return count == n;
}

/// Whether the graph is shown in O(n) steps, as most dense graphs are, to be one component.
bool is_seen_to_be_one(const Graph& graph) {
  constexpr std::int64_t kArcsOfDense = 32;
  const std::int64_t n = graph.vertex_count();
  // Avoids reading the file of a complete matrix, whose pages would stay in memory.
  if (graph.matrix() != nullptr && graph.arc_count() - graph.loop_count() == n * (n - 1)) {
    return true;
  }
  if (graph.arc_count() < kArcsOfDense * n) return false;
  return first_reaches_all(graph) && (graph.symmetric() || all_reach_first(graph));
}

}  // namespace

std::optional<LargestComponent> largest_of_several(const Graph& graph) {
  if (graph.vertex_count() <= 1 || is_seen_to_be_one(graph)) return std::nullopt;
  const Components all = strong_components(graph);
  if (all.count <= 1) return std::nullopt;
  const std::vector<std::int64_t> sizes = all.sizes();
  const std::int64_t largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  LargestComponent found{.components = all.count, .vertices = {}, .holds = {}};
  for (Vertex v = 0; v < all.of.size(); ++v) {
    const bool holds = all.of[v] == largest;
    found.holds.push_back(holds ? 1 : 0);
    if (holds) found.vertices.push_back(v);
  }
  return found;
}

Condensation::Condensation(const Graph& graph, bool whole)
    : graph_(graph),
      components_(whole ? Components{.count = 1,
                                     .of = std::vector<std::int64_t>(
                                         static_cast<std::size_t>(graph.vertex_count()))}
                        : strong_components(graph)),
      begin_(count() + 1) {
  for (const std::int64_t c : components_.of) ++begin_[static_cast<std::size_t>(c) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  vertices_.resize(components_.of.size());
  for (Vertex v = 0; v < vertices_.size(); ++v) vertices_[next[of(v)]++] = v;
}

double Condensation::longest_path(const std::vector<double>& inside) const {
  if (count() == 1) return inside.front();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> entering(count(), 0);
  for (std::size_t c = 0; c < count(); ++c) {
    for_each_arc_from(c, [&](std::size_t to, double) { ++entering[to]; });
  }
  std::vector<std::size_t> ready, met;
  for (std::size_t c = 0; c < count(); ++c) {
    if (entering[c] == 0) ready.push_back(c);
  }
  std::vector<double> before(count(), 0);  // the longest path to each
  std::vector<double> lightest(count(), kInfinity);
  double longest = 0;
  while (!ready.empty()) {
    const std::size_t c = ready.back();
    ready.pop_back();
    const double length = before[c] + inside[c];
    longest = std::max(longest, length);
    for_each_arc_from(c, [&](std::size_t to, double weight) {
      if (lightest[to] == kInfinity) met.push_back(to);
      lightest[to] = std::min(lightest[to], weight);
      if (--entering[to] == 0) ready.push_back(to);
    });
    for (const std::size_t to : met) {
      before[to] = std::max(before[to], length + lightest[to]);
      lightest[to] = kInfinity;
    }
    met.clear();
  }
  return longest;
}

}  // namespace apsp::graph
