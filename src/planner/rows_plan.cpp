#include "planner/rows_plan.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "elimination/boundary_order.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "planner/breadth_first_model.hpp"
#include "planner/elimination_model.hpp"
#include "planner/search_model.hpp"
#include "planner/signed_weights.hpp"

namespace apsp::planner {
namespace {

std::int64_t blocks_bytes(std::int64_t n, std::int64_t block_rows, const RowsProblem& problem) {
  return problem.threads * std::min(n, block_rows) * n * size_of(problem.type);
}

RowsPlan plan_factor(const Graph& graph, const RowsProblem& problem,
                     std::shared_ptr<const elimination::Tree> of,
                     const EliminationRates& rates = {}) {
  RowsPlan plan;
  plan.tree = std::move(of);
  const elimination::Tree& tree = *plan.tree;
  const std::int64_t block = elimination::FactorRows::block_rows(problem.type);
  const EliminationCounts counts = counts_of(tree, block);
  const double sweeps = sweeping_seconds(counts, problem.type, block, rates);
  plan.making_relaxations = counts.eliminated;
  plan.rows_relaxations = counts.swept;
  plan.making_seconds = eliminating_seconds(counts, problem.type, rates) / problem.threads;
  plan.rows_seconds = (sweeps + turning_seconds(counts, rates)) / problem.threads;
  plan.columns_seconds = sweeps / (graph.symmetric() ? 2 : 1) / problem.threads;
  plan.source_bytes = elimination::Factor::bytes(tree, problem.type, graph.symmetric());
  plan.making_bytes = elimination::elimination_bytes(graph, tree, problem.type, problem.threads);
  plan.worker_bytes = problem.threads * elimination::FactorRows::worker_bytes(tree, problem.type);
  plan.columns_worker_bytes =
      problem.threads * elimination::FactorRows::worker_bytes(tree, problem.type, true);
  plan.block_bytes = blocks_bytes(graph.vertex_count(), block, problem);
  return plan;
}

RowsPlan plan_dissection(const Graph& graph, const RowsProblem& problem) {
  const elimination::Pattern pattern = elimination::pattern_of(graph);
  return plan_factor(
      graph, problem,
      std::make_shared<const elimination::Tree>(pattern, elimination::nested_dissection(pattern)));
}

/// √n parts suit graphs whose boundaries are as small as those of planar ones (Xia 2021, §IV-B).
/// From there it goes on to twice or half as many, as long as what their elimination and sweeps
/// count promises less.
RowsPlan plan_boundary(const Graph& graph, const RowsProblem& problem) {
  const elimination::Pattern pattern = elimination::pattern_of(graph);
  EliminationRates rates;
  rates.eliminated = rates.closed;
  const auto in_parts = [&](std::int64_t parts) {
    elimination::BoundaryOrder found = elimination::boundary_order(pattern, parts);
    return plan_factor(graph, problem,
                       std::make_shared<const elimination::Tree>(pattern, std::move(found.order),
                                                                 std::move(found.first)),
                       rates);
  };
  const auto n = std::max<std::int64_t>(1, graph.vertex_count());
  const std::int64_t start = std::llround(std::sqrt(static_cast<double>(n)));
  RowsPlan best = in_parts(start);
  const auto go_on = [&](const auto& next) {
    bool moved = false;
    for (std::int64_t parts = next(start); parts >= 1 && parts <= n; parts = next(parts)) {
      RowsPlan plan = in_parts(parts);
      if (plan.seconds() >= best.seconds()) break;
      best = std::move(plan);
      moved = true;
    }
    return moved;
  };
  if (!go_on([](std::int64_t parts) { return 2 * parts; })) {
    go_on([](std::int64_t parts) { return parts / 2; });
  }
  return best;
}

/// Whether searches reduce weights by potentials first.
bool needs_potentials(const Graph& graph, Semiring semiring) {
  const WeightFacts& facts = graph.weight_facts();
  if (semiring == Semiring::max_plus) return facts.greatest > 0;
  return semiring == Semiring::min_plus && facts.least < 0;
}

RowsPlan plan_dijkstra(const Graph& graph, const RowsProblem& problem) {
  // Bytes as search/dijkstra_rows.hpp says them.
  constexpr std::int64_t kArcKept = 8, kVertexKept = 12, kArcOfWorker = 17, kVertexOfWorker = 21;
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool long_sums = problem.type == ValueType::i32 &&
                         graph.weight_facts().longest_path > largest_distance(ValueType::i32);
  const bool reduced = needs_potentials(graph, problem.semiring);
  const bool wide_sums = reduced ? problem.type != ValueType::i32 : long_sums;
  const std::int64_t wide = problem.type == ValueType::f64 || wide_sums ? 2 : 1;
  const std::int64_t potentials = reduced ? n * static_cast<std::int64_t>(2 * sizeof(double)) : 0;
  const auto sources = static_cast<double>(n);
  const Found found = look_around(graph);
  RowsPlan plan;
  plan.rows_relaxations = sources * found.arcs;
  plan.rows_seconds = searching_seconds(found, sources, sources, {}) / problem.threads;
  plan.source_bytes = wide * (m * kArcKept + n * kVertexKept) + potentials;
  plan.making_bytes = plan.source_bytes;
  plan.worker_bytes =
      problem.threads * wide * (m * kArcOfWorker + n * (kVertexOfWorker + kVertexKept));
  plan.block_bytes = blocks_bytes(n, 1, problem);
  return plan;
}

RowsPlan plan_breadth_first(const Graph& graph, const RowsProblem& problem) {
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool reachability = problem.semiring == Semiring::or_and;
  const auto vertices = static_cast<double>(n), arcs = static_cast<double>(m);
  const double seconds = reachability
                             ? reaching_seconds(vertices, arcs, {})
                             : breadth_first_seconds(look_around(graph), vertices, arcs, {});
  RowsPlan plan;
  plan.rows_relaxations = vertices * arcs;
  plan.rows_seconds = seconds / problem.threads;
  plan.source_bytes = 8 * m + 16 * n;
  plan.making_bytes = plan.source_bytes;
  const std::int64_t lines =
      reachability ? 2
                   : 3 + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n)));
  plan.worker_bytes = problem.threads * n * (lines * (kSourcesAtOnce / 8) + 9);
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
    case Algorithm::boundary:
      return problem.of_both_signs ? "does not take real weights of both signs" : "";
    case Algorithm::johnson:
      if (reachability) return "does not search for reachability; bfs does";
      // Reduced lengths of rounded weights would lose digits that the plan promises.
      if (problem.semiring == Semiring::max_plus && !graph.weight_facts().integral) {
        return "looks for longest paths over integer weights only";
      }
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
  const auto plan_by = algorithm == Algorithm::nested_dissection ? plan_dissection
                       : algorithm == Algorithm::boundary        ? plan_boundary
                       : algorithm == Algorithm::johnson         ? plan_dijkstra
                                                                 : plan_breadth_first;
  RowsPlan plan = plan_by(graph, problem);
  plan.algorithm = algorithm;
  return plan;
}

}  // namespace apsp::planner
