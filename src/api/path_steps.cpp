// Paths of many pairs (apsp/near.hpp): a tree for each source, and the ways back in it.
#include <algorithm>
#include <apsp/near.hpp>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "api/ordered_rows.hpp"
#include "api/result.hpp"
#include "base/control.hpp"
#include "flow/row_sink.hpp"
#include "graph/arc_walk.hpp"
#include "paths/backward_paths.hpp"
#include "paths/path_trees.hpp"
#include "paths/paths.hpp"
#include "planner/value_type.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/pool.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

/// Numbers of edges in the order of `visit_all`, an undirected edge at its lesser end.
class EdgeNumbers {
 public:
  explicit EdgeNumbers(const Graph& graph) : graph_(graph) {
    first_.push_back(0);
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      std::int64_t edges = first_.back();
      graph.for_each_arc(u, [&](Vertex v, double) { edges += graph.directed() || u <= v; });
      first_.push_back(edges);
    }
  }

  /// The best edge from u to v. Requires: there is one.
  std::int64_t operator()(Vertex u, Vertex v, bool least) const {
    if (!graph_.directed() && u > v) std::swap(u, v);
    std::int64_t number = first_[u], best = -1;
    double best_weight = 0;
    const auto look = [&](double weight) {
      if (best < 0 || (least ? weight < best_weight : weight > best_weight)) {
        best = number;
        best_weight = weight;
      }
    };
    if (graph_.matrix() != nullptr) {
      graph_.for_each_arc(u, [&](Vertex to, double weight) {
        if (to == v) look(weight);
        number += graph_.directed() || u <= to;
      });
      return best;
    }
    const std::span<const Vertex> heads = graph_.targets(u);
    const auto begin = graph_.directed() ? heads.begin() : std::ranges::lower_bound(heads, u);
    const auto at = std::lower_bound(begin, heads.end(), v);
    number += at - begin;
    graph_.for_each_arc_between(u, v, [&](double weight) {
      look(weight);
      ++number;
    });
    return best;
  }

 private:
  const Graph& graph_;
  std::vector<std::int64_t> first_;  // [n + 1]
};

/// The pairs of one source after another.
class PairsBySource {
 public:
  explicit PairsBySource(std::span<const VertexPair> pairs) : order_(pairs.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return pairs[i].from; });
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Vertex source = pairs[order_[i]].from;
      if (!vertices_.empty() && vertices_.back() == source) continue;
      groups_.push_back(i);
      vertices_.push_back(source);
    }
  }
  std::int64_t sources() const { return std::ssize(groups_); }
  /// Ascending.
  const std::vector<Vertex>& vertices() const { return vertices_; }
  std::int64_t place(Vertex source) const {
    return std::ranges::lower_bound(vertices_, source) - vertices_.begin();
  }
  std::span<const std::size_t> of(std::int64_t source) const {
    const auto i = static_cast<std::size_t>(source);
    const std::size_t end = i + 1 < groups_.size() ? groups_[i + 1] : order_.size();
    return std::span(order_).subspan(groups_[i], end - groups_[i]);
  }

 private:
  std::vector<std::size_t> order_, groups_;
  std::vector<Vertex> vertices_;
};

constexpr std::int64_t kStep = sizeof(Vertex) + sizeof(std::int64_t) + sizeof(double);

/// Takes rows of the pairs' sources.
class StepFinder final : public flow::RowSink {
 public:
  StepFinder(const Result& result, std::span<const VertexPair> pairs,
             const PairsBySource& by_source, ValueType type, const Control& control)
      : RowSink(result.vertex_count(), type, {by_source.vertices(), {}}),
        pairs_(pairs),
        by_source_(by_source),
        graph_(result.graph()),
        semiring_(result.semiring()),
        control_(control),
        numbers_(graph_),
        least_(semiring_ == Semiring::min_plus || semiring_ == Semiring::min_max),
        progress_(control, "paths", static_cast<double>(by_source.sources()), "source"),
        parts_(static_cast<std::size_t>(by_source.sources())),
        trees_([this, type] { return std::make_unique<Tree>(*this, type); }) {
    found_.first.resize(pairs.size() + 1);
    const bool exact = semiring_ == Semiring::min_plus && graph_.weight_facts().least > 0 &&
                       planner::unit_roundoff(graph_, semiring_, type) == 0;
    if (exact)
      arcs_.emplace(graph_, graph::all_vertices(graph_.vertex_count()), graph_.vertex_count());
  }

  flow::RowPreference preference() const override { return {}; }
  flow::RowTask task() const override { return {"paths"}; }

  /// Requires: `finish` was called.
  PathSteps put(int threads) {
    std::partial_sum(found_.first.begin(), found_.first.end(), found_.first.begin());
    const auto steps = static_cast<std::size_t>(found_.first.back());
    found_.vertices.resize(steps);
    found_.edges.resize(steps);
    found_.distances.resize(steps);
    system::parallel_for(by_source_.sources(), threads, 1, [&](std::int64_t i) {
      place(by_source_.of(i), parts_[static_cast<std::size_t>(i)]);
    });
    return std::move(found_);
  }

 private:
  /// Steps of some pairs in the order in which their sources were searched.
  struct Part {
    std::vector<Vertex> vertices;
    std::vector<std::int64_t> edges;
    std::vector<double> distances;
  };

  struct Tree {
    Tree(const StepFinder& of, ValueType type) {
      if (of.arcs_) {
        backward.emplace(*of.arcs_, type);
      } else {
        whole.emplace(of.graph_, of.semiring_, type);
      }
    }
    std::optional<paths::BackwardPaths> backward;
    std::optional<paths::PredecessorTree> whole;  // without `backward`
  };

  void accept(const RowBlock& block) override {
    const auto* row = static_cast<const std::byte*>(block.values);
    for (const Vertex source : block.sources) {
      base::check_cancelled(control_);
      const std::int64_t i = by_source_.place(source);
      trees_.lend([&](Tree& tree) {
        search(tree, by_source_.of(i), row, block.type, parts_[static_cast<std::size_t>(i)]);
      });
      row += block.stride * size_of(block.type);
      progress_.advance(1);
    }
  }

  void search(Tree& tree, std::span<const std::size_t> pairs, const std::byte* row, ValueType type,
              Part& part) {
    const Vertex source = pairs_[pairs.front()].from;
    if (tree.backward) {
      tree.backward->begin(source, row);
      for (const std::size_t pair : pairs) tree.backward->reach(pairs_[pair].to);
    }
    const std::span<const std::int64_t> before =
        tree.backward ? tree.backward->before() : tree.whole->of(source, row);
    for (const std::size_t pair : pairs) {
      const Vertex target = pairs_[pair].to;
      if (target != source && before[target] < 0) continue;
      const std::size_t begin = part.vertices.size();
      for (std::int64_t v = target; v >= 0; v = before[static_cast<std::size_t>(v)]) {
        part.vertices.push_back(static_cast<Vertex>(v));
      }
      std::reverse(part.vertices.begin() + static_cast<std::ptrdiff_t>(begin), part.vertices.end());
      part.edges.push_back(-1);
      for (std::size_t at = begin + 1; at < part.vertices.size(); ++at) {
        part.edges.push_back(numbers_(part.vertices[at - 1], part.vertices[at], least_));
      }
      for (std::size_t at = begin; at < part.vertices.size(); ++at) {
        const Vertex v = part.vertices[at];
        const std::size_t offset = v * static_cast<std::size_t>(size_of(type));
        part.distances.push_back(paths::as_double(semiring_, type, row + offset, v == source));
      }
      found_.first[pair + 1] = static_cast<std::int64_t>(part.vertices.size() - begin);
    }
    plan(std::ssize(part.vertices));
  }

  /// Counts the steps of a source, twice, because they are copied into their order.
  void plan(std::int64_t steps) {
    const std::lock_guard lock(planning_);
    steps_ += steps;
    if (steps_ <= planned_) return;
    planned_ = std::max<std::int64_t>(2 * steps_, 1 << 20);
    system::plan_memory(static_cast<double>(kStep * (2 * planned_ - steps_)), "the paths",
                        "ask for fewer pairs at a time");
  }

  void place(std::span<const std::size_t> pairs, Part& part) {
    std::size_t from = 0;
    for (const std::size_t pair : pairs) {
      const auto at = static_cast<std::ptrdiff_t>(found_.first[pair]);
      const auto count = static_cast<std::size_t>(found_.first[pair + 1] - found_.first[pair]);
      std::copy_n(part.vertices.data() + from, count, found_.vertices.begin() + at);
      std::copy_n(part.edges.data() + from, count, found_.edges.begin() + at);
      std::copy_n(part.distances.data() + from, count, found_.distances.begin() + at);
      from += count;
    }
    part = {};
  }

  std::span<const VertexPair> pairs_;
  const PairsBySource& by_source_;
  const Graph& graph_;
  Semiring semiring_;
  const Control& control_;
  EdgeNumbers numbers_;
  bool least_;
  base::ProgressTask progress_;
  std::vector<Part> parts_;                         // [sources]
  std::optional<paths::CountedArcs<double>> arcs_;  // of `BackwardPaths`
  system::Pool<Tree> trees_;
  PathSteps found_;
  std::mutex planning_;
  std::int64_t steps_ = 0, planned_ = 0;
};

}  // namespace

PathSteps path_steps(const Result& result, std::span<const VertexPair> pairs,
                     const PairsOptions& options) {
  const Cancellable listening(options.control.cancellation);
  for (const VertexPair& pair : pairs) {
    api::check_vertex(result.graph(), pair.from);
    api::check_vertex(result.graph(), pair.to);
  }
  if (pairs.empty()) return {};
  result.state().require_whole_rows("a path");
  const int threads = system::thread_count(options.threads);
  const PairsBySource by_source(pairs);
  const auto rows = api::rows_of(result.state(), {}, threads, options.control);
  StepFinder finder(result, pairs, by_source, rows->type(), options.control);
  rows->give(by_source.vertices(), finder);
  return finder.put(threads);
}

PathSteps path_steps(const Graph& graph, std::span<const VertexPair> pairs,
                     const SolveOptions& solving) {
  if (pairs.empty()) return {};
  SolveOptions asked = solving;
  std::vector<Vertex> sources;
  for (const VertexPair& pair : pairs) sources.push_back(pair.from);
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  asked.question.sources = std::move(sources);
  asked.question.targets.clear();
  asked.question.statistics = false;
  asked.storage.output.clear();
  asked.storage.keep = Keep::matrix;
  const Result result = solve(graph, asked);
  return path_steps(result, pairs,
                    {.threads = solving.machine.threads, .control = solving.control});
}

}  // namespace apsp
