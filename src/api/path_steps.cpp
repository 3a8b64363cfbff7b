// Paths of many pairs (apsp/path_steps.hpp): a tree for each source, and the ways back in it.
#include <algorithm>
#include <apsp/path_steps.hpp>
#include <apsp/snap.hpp>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "api/ordered_rows.hpp"
#include "api/result.hpp"
#include "base/control.hpp"
#include "flow/pairs_by_source.hpp"
#include "flow/row_sink.hpp"
#include "graph/arc_walk.hpp"
#include "graph/vertex_states.hpp"
#include "near/places.hpp"
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

/// Numbers of edges in the order of `visit_all`, an undirected edge at its lesser end. With turn
/// states: arcs between different vertices, in the order of their ends.
class EdgeNumbers {
 public:
  EdgeNumbers(const Graph& graph, const graph::VertexStates& states)
      : graph_(graph), states_(states) {
    first_.push_back(0);
    for (Vertex u = 0; u < states.vertices(); ++u) {
      std::int64_t edges = first_.back();
      graph.for_each_arc(u, [&](Vertex v, double) {
        edges += states.has_turns() ? states.vertex_of(v) != u : graph.directed() || u <= v;
      });
      first_.push_back(edges);
    }
  }

  /// The best edge from u to v, or −1 for the loop of a graph with turns. Requires: there is one.
  std::int64_t operator()(Vertex u, Vertex v, bool least) const {
    if (states_.has_turns()) return between_states(states_.vertex_of(u), states_.vertex_of(v));
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
  /// Not sorted by these ends in the graph.
  std::int64_t between_states(Vertex u, Vertex v) const {
    if (u == v) return -1;
    std::int64_t number = first_[u];
    graph_.for_each_arc(u, [&](Vertex to, double) {
      const Vertex end = states_.vertex_of(to);
      number += end != u && end < v;
    });
    return number;
  }

  const Graph& graph_;
  const graph::VertexStates& states_;
  std::vector<std::int64_t> first_;  // [n + 1]
};

constexpr std::int64_t kStep = sizeof(Vertex) + sizeof(std::int64_t) + sizeof(double);

/// Takes rows of the pairs' sources.
class StepFinder final : public flow::RowSink {
 public:
  StepFinder(const Result& result, std::span<const VertexPair> pairs,
             const flow::PairsBySource& by_source, ValueType type, const Control& control)
      : RowSink(result.vertex_count(), type, {by_source.sources(), {}}),
        pairs_(pairs),
        by_source_(by_source),
        graph_(result.graph()),
        states_(graph_),
        semiring_(result.semiring()),
        control_(control),
        numbers_(graph_, states_),
        least_(semiring_ == Semiring::min_plus || semiring_ == Semiring::min_max),
        progress_(control, "paths", static_cast<double>(by_source.sources().size()), "source"),
        parts_(by_source.sources().size()),
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
    system::parallel_for(std::ssize(parts_), threads, 1, [&](std::int64_t i) {
      place(by_source_.of(i), parts_[static_cast<std::size_t>(i)]);
    });
    return std::move(found_);
  }

 private:
  /// The beginning of an earlier path of the same source.
  struct Shared {
    std::size_t pair = 0;
    std::int64_t steps = 0;
  };

  /// The steps of one source's paths, without the beginnings that they share.
  struct Part {
    std::vector<Vertex> vertices;
    std::vector<std::int64_t> edges;
    std::vector<double> distances;
    std::vector<Shared> shared;  // [pairs]

    void clear() {
      vertices.clear();
      edges.clear();
      distances.clear();
      shared.clear();
    }
  };

  /// The first path of a source that leads over a vertex, up to there.
  struct Seen {
    std::int64_t source = -1;
    Shared path{};
  };

  struct Tree {
    Tree(const StepFinder& of, ValueType type)
        : seen(static_cast<std::size_t>(of.graph_.vertex_count())) {
      if (of.arcs_) {
        backward.emplace(*of.arcs_, type);
      } else {
        whole.emplace(of.graph_, of.semiring_, type);
      }
    }
    std::optional<paths::BackwardPaths> backward;
    std::optional<paths::PredecessorTree> whole;  // without `backward`
    std::vector<Seen> seen;                       // [n]
    std::vector<Vertex> walk;
    Part part;
  };

  void accept(const RowBlock& block) override {
    const auto* row = static_cast<const std::byte*>(block.values);
    for (const Vertex source : block.sources) {
      base::check_cancelled(control_);
      const std::int64_t i = by_source_.place(source);
      trees_.use([&](Tree& tree) {
        parts_[static_cast<std::size_t>(i)] = search(tree, i, row, block.type);
      });
      row += block.stride * size_of(block.type);
      progress_.advance(1);
    }
  }

  /// Returns the steps of all pairs of one source.
  const Part& search(Tree& tree, std::int64_t number, const std::byte* row, ValueType type) {
    const std::span<const std::size_t> pairs = by_source_.of(number);
    const Vertex source = pairs_[pairs.front()].from;
    if (tree.backward) {
      tree.backward->begin(source, row);
      for (const std::size_t pair : pairs) tree.backward->reach(pairs_[pair].to);
    }
    const std::span<const std::int64_t> before =
        tree.backward ? tree.backward->before() : tree.whole->of(source, row);
    Part& part = tree.part;
    part.clear();
    std::int64_t steps = 0;
    for (const std::size_t pair : pairs) {
      const Vertex target = pairs_[pair].to;
      part.shared.emplace_back();
      if (target != source && before[target] < 0) continue;
      tree.walk.clear();
      std::int64_t v = target != source && states_.is_end(target) ? before[target] : target;
      for (; v >= 0 && tree.seen[static_cast<std::size_t>(v)].source != number;
           v = before[static_cast<std::size_t>(v)]) {
        tree.walk.push_back(static_cast<Vertex>(v));
      }
      if (v >= 0) part.shared.back() = tree.seen[static_cast<std::size_t>(v)].path;
      std::int64_t& count = found_.first[pair + 1];
      count = part.shared.back().steps;
      for (; !tree.walk.empty(); tree.walk.pop_back()) {
        const Vertex at = tree.walk.back();
        const std::size_t offset = at * static_cast<std::size_t>(size_of(type));
        tree.seen[at] = {number, {pair, ++count}};
        part.vertices.push_back(states_.vertex_of(at));
        part.edges.push_back(v < 0 ? -1 : numbers_(static_cast<Vertex>(v), at, least_));
        part.distances.push_back(paths::as_double(semiring_, type, row + offset, at == source));
        v = at;
      }
      steps += count;
    }
    plan(steps);
    return part;
  }

  /// Counts the steps of a source, at most twice, because they are copied into their order.
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
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Shared& begun = part.shared[i];
      const std::int64_t first = found_.first[pairs[i]];
      const auto own = static_cast<std::size_t>(found_.first[pairs[i] + 1] - first - begun.steps);
      const auto put = [&](auto& steps, const auto& tail) {
        auto* const to = steps.data() + first;
        std::copy_n(steps.data() + found_.first[begun.pair], begun.steps, to);
        std::copy_n(tail.data() + from, own, to + begun.steps);
      };
      put(found_.vertices, part.vertices);
      put(found_.edges, part.edges);
      put(found_.distances, part.distances);
      from += own;
    }
    part = {};
  }

  std::span<const VertexPair> pairs_;
  const flow::PairsBySource& by_source_;
  const Graph& graph_;
  graph::VertexStates states_;
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
  const flow::PairsBySource by_source(pairs);
  const auto rows = api::rows_of(result.state(), {}, threads, options.control);
  StepFinder finder(result, pairs, by_source, rows->type(), options.control);
  rows->give(by_source.sources(), finder);
  return finder.put(threads);
}

PathSteps path_steps(const Graph& graph, std::span<const VertexPair> pairs,
                     const SolveOptions& solving) {
  if (pairs.empty()) return {};
  SolveOptions asked = api::for_answers(solving, Keep::matrix);
  asked.question.sources = flow::PairsBySource(pairs).sources();
  asked.question.targets.clear();
  const Result result = solve(graph, asked);
  return path_steps(result, pairs,
                    {.threads = solving.machine.threads, .control = solving.control});
}

PathSteps place_paths(const Graph& graph, std::span<const Place> from, std::span<const Place> to,
                      const std::function<PathSteps(std::span<const VertexPair>)>& paths) {
  const near::PlacePairs pairs(graph, from, to);
  const PathSteps between = paths(pairs.vertices());
  const graph::VertexStates states(graph);
  const EdgeNumbers numbers(graph, states);
  const auto edge_of = [&](const near::PartOfArc& part) {
    return part.from == part.to ? -1 : numbers(part.from, part.to, true);
  };
  PathSteps found;
  const auto put = [&](Vertex vertex, std::int64_t edge, double distance) {
    found.vertices.push_back(vertex);
    found.edges.push_back(edge);
    found.distances.push_back(distance);
  };
  auto place = static_cast<Vertex>(graph.vertex_count());
  for (std::size_t i = 0; i < from.size(); ++i, ++place) {
    const auto [distance, way] = pairs.best(i, [&](std::size_t k) {
      const auto first = between.first[k], last = between.first[k + 1];
      return first == last ? std::numeric_limits<double>::infinity()
                           : between.distances[static_cast<std::size_t>(last) - 1];
    });
    if (way) {
      const near::PartOfArc &exit = pairs.way(*way).exit, &entry = pairs.way(*way).entry;
      put(place, -1, 0);
      for (auto at = static_cast<std::size_t>(between.first[*way]);
           at < static_cast<std::size_t>(between.first[*way + 1]); ++at) {
        const bool begins = at == static_cast<std::size_t>(between.first[*way]);
        put(between.vertices[at], begins ? edge_of(exit) : between.edges[at],
            exit.weight + between.distances[at]);
      }
      put(place + static_cast<Vertex>(from.size()), edge_of(entry), distance);
    } else if (distance < std::numeric_limits<double>::infinity()) {
      put(place, -1, 0);
      put(place + static_cast<Vertex>(from.size()), edge_of(pairs.direct(i)), distance);
    }
    found.first.push_back(std::ssize(found.vertices));
  }
  return found;
}

}  // namespace apsp
