#include "planner/rows_plan.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "planner/signed_weights.hpp"

namespace apsp::planner {
namespace {

// Of one thread, measured (bench/sparse/run) and rounded to the slow side.
constexpr double kSwept = 5e10;          // relaxations of sweeps over values of two bytes, a second
constexpr double kEliminated = 1e10;     // relaxations of eliminations over them
constexpr double kSupernode = 3e-8;      // s, of a sweep of a block
constexpr double kVertex = 8e-8;         // s, of a sweep of a block, beside its relaxations
constexpr double kPairs = 8e8;           // values turned into rows, a second
constexpr double kCacheBytes = 2 << 20;  // of the second level
constexpr double kReferenceBytes = 2;    // wider values take that much longer
constexpr double kVertexOfDijkstra = 25e-9, kArcOfDijkstra = 5e-9;  // s, a source
constexpr double kLine = 3e-9;  // s, to look at 512 sources across an arc on one level
constexpr std::int64_t kSourcesAtOnce = 512;
constexpr std::int64_t kLineBytes = kSourcesAtOnce / 8;

/// Relaxations of a sweep down from every source and of a sweep up from each to its root.
double sweep_relaxations(const elimination::Tree& tree) {
  std::vector<double> subtree(static_cast<std::size_t>(tree.supernodes()));
  double up = 0;
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    const double width = tree.width(s);
    subtree[i] += width;
    up += subtree[i] * width * (width + static_cast<double>(tree.upper_count(s)));
    if (tree.parent(s) >= 0) subtree[static_cast<std::size_t>(tree.parent(s))] += subtree[i];
  }
  return up + static_cast<double>(tree.vertices()) * static_cast<double>(tree.upper_entries());
}

std::int64_t blocks_bytes(std::int64_t n, std::int64_t block_rows, const RowsProblem& problem) {
  return problem.threads * std::min(n, block_rows) * n * size_of(problem.type);
}

/// What a search by arcs finds.
struct Found {
  std::int64_t levels = 0, vertices = 0, arcs = 0;
};

Found look_around(const Graph& graph, Vertex start) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.vertex_count()));
  std::vector<Vertex> frontier = {start}, next;
  seen[start] = true;
  Found found;
  for (; !frontier.empty(); ++found.levels, frontier.swap(next)) {
    next.clear();
    found.vertices += std::ssize(frontier);
    for (const Vertex v : frontier) {
      found.arcs += graph.out_degree(v);
      graph.for_each_arc(v, [&](Vertex to, double) {
        if (seen[to]) return;
        seen[to] = true;
        next.push_back(to);
      });
    }
  }
  return found;
}

/// What a search finds on average, by some evenly spaced sources.
Found look_around(const Graph& graph) {
  constexpr std::int64_t kSources = 8;
  const std::int64_t n = graph.vertex_count(), count = std::min(n, kSources);
  Found all;
  for (std::int64_t i = 0; i < count; ++i) {
    const Found found = look_around(graph, static_cast<Vertex>(i * n / count));
    all.levels += found.levels;
    all.vertices += found.vertices;
    all.arcs += found.arcs;
  }
  if (count == 0) return all;
  return {all.levels / count, all.vertices / count, all.arcs / count};
}

RowsPlan plan_dissection(const Graph& graph, const RowsProblem& problem) {
  const elimination::Pattern pattern = elimination::pattern_of(graph);
  RowsPlan plan;
  plan.tree =
      std::make_shared<const elimination::Tree>(pattern, elimination::nested_dissection(pattern));
  const elimination::Tree& tree = *plan.tree;
  const double swept = sweep_relaxations(tree), eliminated = tree.elimination_relaxations();
  plan.making_relaxations = eliminated;
  plan.rows_relaxations = swept;
  const std::int64_t block = elimination::FactorRows::block_rows(problem.type);
  const auto n = static_cast<double>(graph.vertex_count());
  const double blocks = std::ceil(n / static_cast<double>(block));
  const double wider = size_of(problem.type) / kReferenceBytes;
  // The path from the root is read again and again: beyond the cache, that is slower.
  const double path_bytes = static_cast<double>(tree.height() * elimination::kBlockBytes);
  const double slower = 1 + path_bytes / kCacheBytes;
  const double sweeps =
      blocks * (tree.supernodes() * kSupernode + n * kVertex) + swept / kSwept * wider * slower;
  plan.making_seconds = eliminated / kEliminated * wider / problem.threads;
  plan.rows_seconds = (sweeps + n * n / kPairs) / problem.threads;
  plan.columns_seconds = sweeps / (graph.symmetric() ? 2 : 1) / problem.threads;
  plan.source_bytes = elimination::Factor::bytes(tree, problem.type, graph.symmetric());
  plan.making_bytes = elimination::elimination_bytes(graph, tree, problem.type, problem.threads);
  plan.worker_bytes = problem.threads * elimination::FactorRows::worker_bytes(tree, problem.type);
  plan.columns_worker_bytes =
      problem.threads * elimination::FactorRows::worker_bytes(tree, problem.type, true);
  plan.block_bytes = blocks_bytes(graph.vertex_count(), block, problem);
  return plan;
}

RowsPlan plan_dijkstra(const Graph& graph, const RowsProblem& problem) {
  // Bytes as search/dijkstra_rows.hpp says them.
  constexpr std::int64_t kArcKept = 8, kVertexKept = 12, kArcOfWorker = 17, kVertexOfWorker = 21;
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool long_sums = problem.type == ValueType::i32 &&
                         graph.weight_facts().longest_path > largest_distance(ValueType::i32);
  const std::int64_t wide =
      problem.type == ValueType::f64 || problem.of_both_signs || long_sums ? 2 : 1;
  const auto sources = static_cast<double>(n);
  const Found found = look_around(graph);
  const double a_source = static_cast<double>(found.vertices) * kVertexOfDijkstra +
                          static_cast<double>(found.arcs) * kArcOfDijkstra + sources / kPairs;
  RowsPlan plan;
  plan.rows_relaxations = sources * static_cast<double>(found.arcs);
  plan.rows_seconds = sources * a_source / problem.threads;
  plan.source_bytes = wide * (m * kArcKept + n * kVertexKept);
  plan.making_bytes = plan.source_bytes;
  plan.worker_bytes =
      problem.threads * wide * (m * kArcOfWorker + n * (kVertexOfWorker + kVertexKept));
  plan.block_bytes = blocks_bytes(n, 1, problem);
  return plan;
}

RowsPlan plan_breadth_first(const Graph& graph, const RowsProblem& problem) {
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool reachability = problem.semiring == Semiring::or_and;
  const std::int64_t whole_blocks = (n + kSourcesAtOnce - 1) / kSourcesAtOnce;
  const auto blocks = static_cast<double>(whole_blocks);
  // The first and last levels see few vertices.
  const double full_levels =
      reachability ? 1 : 1.2 * static_cast<double>(look_around(graph).levels);
  RowsPlan plan;
  plan.rows_relaxations = static_cast<double>(n) * static_cast<double>(m);
  plan.rows_seconds = (blocks * full_levels * static_cast<double>(n + m) * kLine +
                       static_cast<double>(n) * static_cast<double>(n) / kPairs) /
                      problem.threads;
  plan.source_bytes = 8 * m + 16 * n;
  plan.making_bytes = plan.source_bytes;
  const std::int64_t lines =
      reachability ? 2
                   : 3 + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n)));
  plan.worker_bytes = problem.threads * n * (lines * kLineBytes + 9);
  plan.block_bytes = blocks_bytes(n, kSourcesAtOnce, problem);
  return plan;
}

}  // namespace

std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const RowsProblem& problem) {
  if (options.via || options.hops) return "keeps no intermediate vertices (--via, --hops)";
  if (options.device == Device::cuda) return "does not run on a GPU";
  if (graph.matrix() != nullptr) return "does not take matrices";
  const bool reachability = problem.semiring == Semiring::or_and;
  switch (algorithm) {
    case Algorithm::nested_dissection:
      return problem.of_both_signs ? "does not take real weights of both signs" : "";
    case Algorithm::johnson:
      if (reachability) return "does not search for reachability; bfs does";
      if (problem.semiring == Semiring::max_plus) return "does not look for longest paths";
      return problem.of_both_signs ? "does not take real weights of both signs" : "";
    default:
      if (reachability) return {};
      if (problem.semiring != Semiring::min_plus) return "finds shortest paths and reachability";
      return graph.weight_facts().unit || graph.arc_count() == 0
                 ? ""
                 : "takes weights of 1 only; johnson takes others";
  }
}

bool takes_factor(const Graph& graph, const SolveOptions& options) {
  const ValueType type =
      options.value_type.value_or(graph.weight_facts().integral ? ValueType::i32 : ValueType::f32);
  return why_not(Algorithm::nested_dissection, graph, options,
                 {.semiring = options.semiring,
                  .type = type,
                  .of_both_signs = sums_may_cancel(graph, options.semiring, type)})
      .empty();
}

bool looks_sparse(std::int64_t vertices, std::int64_t arcs) {
  constexpr double kLeastVertices = 1000, kLeastTimes = 32;
  const auto n = static_cast<double>(vertices);
  return n >= kLeastVertices && static_cast<double>(arcs) * kLeastTimes <= n * n;
}

RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const RowsProblem& problem) {
  RowsPlan plan = algorithm == Algorithm::nested_dissection ? plan_dissection(graph, problem)
                  : algorithm == Algorithm::johnson         ? plan_dijkstra(graph, problem)
                                                            : plan_breadth_first(graph, problem);
  plan.algorithm = algorithm;
  return plan;
}

}  // namespace apsp::planner
