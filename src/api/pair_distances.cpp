// Distances of pairs, by rows of their sources, reversed rows of their targets, or a factor.
#include <algorithm>
#include <numeric>

#include "api/result.hpp"
#include "graph/derived_graphs.hpp"
#include "paths/paths.hpp"
#include "planner/rows_plan.hpp"

namespace apsp {
namespace {

/// The distinct vertices at one end of the pairs, sorted.
std::vector<Vertex> ends_of(std::span<const VertexPair> pairs, Vertex VertexPair::*end) {
  std::vector<Vertex> ends;
  ends.reserve(pairs.size());
  for (const VertexPair& pair : pairs) ends.push_back(pair.*end);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

class PickedPairs {
 public:
  PickedPairs(std::span<const VertexPair> pairs, Semiring semiring, std::int64_t n,
              const store::VertexList& targets)
      : pairs_(pairs),
        semiring_(semiring),
        columns_(n, targets),
        order_(pairs.size()),
        distances_(pairs.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return pairs[a].from < pairs[b].from; });
  }

  void take(const RowBlock& rows) {
    const auto* row = static_cast<const std::byte*>(rows.values);
    for (const Vertex source : rows.sources) {
      auto at = std::lower_bound(order_.begin(), order_.end(), source,
                                 [&](std::size_t i, Vertex of) { return pairs_[i].from < of; });
      for (; at != order_.end() && pairs_[*at].from == source; ++at) {
        const Vertex target = pairs_[*at].to;
        const auto* const value = row + *columns_.of(target) * size_of(rows.type);
        distances_[*at] = paths::as_double(semiring_, rows.type, value, source == target);
      }
      row += rows.stride * size_of(rows.type);
    }
  }
  std::vector<double> distances() && { return std::move(distances_); }

 private:
  std::span<const VertexPair> pairs_;
  Semiring semiring_;
  store::Positions columns_;
  std::vector<std::size_t> order_;  // [pairs] indices, sorted by source
  std::vector<double> distances_;   // [pairs]
};

/// Whether reversed rows of the targets cost less. Not if a negative cycle may have to be reported.
bool fewer_against(const Graph& graph, Semiring semiring, std::size_t sources,
                   std::size_t targets) {
  constexpr std::size_t kRowsOfTurning = 2;  // reversing the graph costs some searches
  return !graph.symmetric() && graph.matrix() == nullptr && targets * kRowsOfTurning < sources &&
         !planner::needs_potentials(graph, semiring);
}

/// Memory for labels of the pairs, in addition to that of the solve.
std::int64_t memory_left(const SolveOptions& options, const SolveReport& report) {
  if (options.memory == 0) return 0;
  return std::max<std::int64_t>(1, options.memory - report.bytes_planned);
}

std::vector<double> found_along(const Graph& graph, std::span<const VertexPair> pairs,
                                SolveOptions options) {
  PickedPairs picked(pairs, options.semiring, graph.vertex_count(), options.targets);
  options.pairs = std::ssize(pairs);
  options.on_rows = [&](const RowBlock& rows) { picked.take(rows); };
  const Result result = solve(graph, options);
  if (result.kept() == Keep::factor) {
    return result.distances(pairs, {.memory = memory_left(options, result.report()),
                                    .threads = options.threads,
                                    .control = options.control});
  }
  return std::move(picked).distances();
}

}  // namespace

std::vector<double> distances(const Graph& graph, std::span<const VertexPair> pairs,
                              const SolveOptions& options) {
  for (const VertexPair& pair : pairs) {
    api::check_vertex(graph, pair.from);
    api::check_vertex(graph, pair.to);
  }
  if (pairs.empty()) return {};
  SolveOptions asked = options;
  asked.output.clear();
  asked.keep = asked.stored = Keep::automatic;
  asked.predecessors = asked.via = asked.hops = asked.statistics = asked.verify = false;
  asked.into = {};
  asked.on_device_rows = {};
  if (asked.memory > 0) {
    constexpr std::int64_t kPair = 48;  // ends, twice if reversed; index, distance
    asked.memory = std::max<std::int64_t>(1, asked.memory - kPair * std::ssize(pairs));
  }
  asked.sources = ends_of(pairs, &VertexPair::from);
  asked.targets = ends_of(pairs, &VertexPair::to);
  if (!fewer_against(graph, options.semiring, asked.sources.size(), asked.targets.size())) {
    return found_along(graph, pairs, std::move(asked));
  }
  std::swap(asked.sources, asked.targets);
  std::vector<VertexPair> reversed_pairs(pairs.begin(), pairs.end());
  for (VertexPair& pair : reversed_pairs) std::swap(pair.from, pair.to);
  if (asked.memory > 0) {
    asked.memory = std::max<std::int64_t>(1, asked.memory - graph.memory_bytes());
  }
  return found_along(graph::reversed(graph), reversed_pairs, std::move(asked));
}

}  // namespace apsp
