#include "planner/sparse_candidates.hpp"

#include <cmath>
#include <utility>

#include "planner/elimination_model.hpp"
#include "planner/findings.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/order.hpp"
#include "sparse/pairs_method.hpp"
#include "sparse/target_selection.hpp"
#include "sparse/trimmed_rows.hpp"
#include "system/child_process.hpp"
#include "system/machine.hpp"

namespace apsp::planner {
namespace {

/// Whole parts and boundaries are wide: their relaxations are so much faster than those of fronts.
constexpr double kClosedFaster = 5;

/// Ordered pairs that statistics count in the time of one, if both directions come together.
constexpr double kPairsTogether = 1.5;

RowsPlan plan_factor(const Graph& graph, const Problem& problem, const RowsMeans& means,
                     const Findings::Tree& of, bool in_parts = false,
                     std::shared_ptr<const sparse::TreeShare> share = {}) {
  const sparse::Tree& tree = *of;
  RowsPlan plan{
      .by = RowsByFactor{.tree = of, .share = std::move(share), .symmetric = graph.symmetric()}};
  const std::int64_t block = sparse::FactorRows::block_rows(problem.type);
  const EliminationCounts counts =
      counts_of(tree, block, sparse::ways_to(tree, problem.selection.targets.listed()));
  const auto sources = static_cast<double>(problem.sources());
  const bool once = graph.symmetric() && problem.selection.all();
  const auto making = [&](const EliminationRates& rates) {
    return eliminating_seconds(counts, graph.symmetric(), problem.threads, rates);
  };
  const auto sweeping = [&](const EliminationRates& rates, bool pairs_once, std::int64_t together) {
    return sweeping_seconds(counts, {together, problem.threads, pairs_once, sources}, rates);
  };
  const EliminationRates assumed = assumed_elimination_rates(problem.semiring, problem.type);
  EliminationRates rates = known_or(assumed, means.rates.elimination, problem,
                                    making(assumed) + sweeping(assumed, false, block));
  if (in_parts) rates.eliminated *= kClosedFaster;
  plan.costs.making_relaxations = counts.eliminated;
  plan.costs.rows_relaxations = (counts.all.alone + counts.all.together + counts.upward) *
                                (sources / std::max(1.0, counts.vertices));
  plan.costs.making_seconds = making(rates);
  plan.costs.front_relaxation = relaxation_seconds(graph.symmetric(), problem.threads, rates);
  plan.costs.rows_seconds =
      sweeping(rates, false, block) +
      sources * static_cast<double>(problem.targets()) / rates.transposed / problem.threads;
  const std::int64_t column_sources =
      sparse::FactorRows::column_sources(problem.type, problem.sources(), problem.threads);
  plan.costs.columns_seconds = sweeping(rates, once, column_sources);
  if (problem.pairs > 0) {
    const std::int64_t memory =
        means.pairs_memory > 0 ? means.pairs_memory : system::available_memory() / 2;
    const auto pairs = static_cast<double>(problem.pairs);
    plan.costs.asking_seconds =
        sparse::method_of_random_pairs(tree, problem.type, pairs, memory).seconds / problem.threads;
  }
  plan.costs.counted = rates.counted * problem.threads;
  plan.costs.counted_with_rows = rates.counted_swept * problem.threads;
  plan.costs.counted_swept = plan.costs.counted_with_rows * (once ? kPairsTogether : 1);
  plan.costs.measured = rates.measured;
  plan.costs.source_bytes = sparse::Factor::bytes(tree, problem.type, graph.symmetric());
  if (!problem.selection.targets.is_all())
    plan.costs.source_bytes += sparse::TargetSelection::bytes(tree);
  plan.costs.making_bytes = sparse::elimination_bytes(graph, tree, problem.type, problem.threads,
                                                      plan.factor()->share.get());
  plan.costs.worker_bytes =
      problem.threads *
      sparse::FactorRows::worker_bytes(tree, problem.type, problem.sources(), problem.targets());
  plan.costs.columns_worker_bytes = problem.threads * sparse::FactorRows::columns_worker_bytes(
                                                          tree, problem.type, column_sources);
  plan.costs.block_bytes = blocks_bytes(problem.targets(), block, problem);
  return plan;
}

/// Plans nested dissection with an estimated tree, or that of an order.
RowsPlan plan_dissection(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  const int processes = system::processes_for(problem.threads);
  if (problem.estimates) {
    const sparse::TreeSamples& samples = problem.estimates->trees;
    RowsPlan plan = plan_factor(graph, problem, means, means.findings.promised(samples));
    std::get<RowsByFactor>(plan.by).estimated = true;
    plan.costs.ordering_bytes = sparse::ordering_bytes(samples.sizes(), processes);
    plan.costs.ordering_seconds =
        estimate_ordering(samples, problem.threads, problem.estimates->found).seconds;
    return plan;
  }
  const Findings::Dissection found = means.findings.dissection(graph, processes, means.control);
  RowsPlan plan = plan_factor(graph, problem, means, found.tree);
  plan.costs.ordering_bytes = found.bytes;
  return plan;
}

/// Whether a directed graph may be ordered without its acyclic fringe. Reverse arcs make a cycle of
/// each pair of neighbours, so there is none.
bool may_leave_core(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  return means.may_trim && problem.selection.all() && !graph.symmetric() &&
         !(problem.estimates && problem.estimates->trees.both_ways());
}

/// Plans nested dissection of the core, if at least one vertex in so many is outside of it.
RowsPlan plan_trimmed(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  constexpr std::int64_t kFewestTrimmed = 8;
  if (!may_leave_core(graph, problem, means)) return plan_dissection(graph, problem, means);
  const Findings::Peeled& found = means.findings.peeled(graph);
  const sparse::Trim& trim = *found.trim;
  const std::int64_t core = std::ssize(trim.core), n = trim.vertices();
  const auto entering = static_cast<double>(core + std::ssize(trim.starts));
  if ((n - core) * kFewestTrimmed < n) return plan_dissection(graph, problem, means);
  Problem inner = problem;
  inner.n = core;
  inner.estimates = nullptr;
  const RowsMeans of_core{.findings = *found.findings,
                          .rates = means.rates,
                          .control = means.control,
                          .pairs_memory = means.pairs_memory};
  RowsPlan plan = plan_dissection(trim.core_graph, inner, of_core);
  // Each start is a source of the core too; ends cost an arc for each source, and reach next to
  // nothing.
  const double more = entering / static_cast<double>(std::max<std::int64_t>(core, 1));
  const auto arcs = static_cast<double>(graph.arc_count() - trim.core_graph.arc_count());
  const EliminationRates rates = known_or(assumed_elimination_rates(problem.semiring, problem.type),
                                          means.rates.elimination, problem, 0);
  const double visits = entering * static_cast<double>(n - core) /
                        static_cast<double>(sparse::FactorRows::block_rows(problem.type));
  const double outside =
      (entering * arcs / rates.swept_alone + visits * rates.vertex) / problem.threads;
  plan.costs.rows_relaxations = plan.costs.rows_relaxations * more + entering * arcs;
  plan.costs.rows_seconds = plan.costs.rows_seconds * more + outside;
  plan.costs.columns_seconds = plan.costs.columns_seconds * more + outside;
  plan.costs.counted_swept =
      plan.costs.counted_with_rows * static_cast<double>(n) / std::max(entering, 1.0);
  plan.costs.making_bytes += trim.bytes() + trim.core_graph.memory_bytes();
  plan.costs.source_bytes += sparse::TrimmedRows::bytes(trim, problem.type);
  plan.costs.worker_bytes =
      problem.threads * sparse::TrimmedRows::worker_bytes(trim, *plan.tree(), problem.type);
  plan.costs.columns_worker_bytes = plan.costs.worker_bytes;
  plan.costs.block_bytes = blocks_bytes(n, sparse::FactorRows::block_rows(problem.type), problem);
  plan.by = RowsByFactor{plan.factor()->tree, found.trim};
  return plan;
}

/// √n parts suit boundaries as small as those of planar graphs (Xia 2021, §IV-B). The search
/// starts there and tries twice or half as many as long as the prediction improves.
RowsPlan plan_boundary(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  Findings::Tree& known = means.findings.boundary();
  if (known) return plan_factor(graph, problem, means, known, true);
  const sparse::Pattern pattern = sparse::pattern_of(graph);
  const auto in_parts = [&](std::int64_t parts) {
    sparse::BoundaryOrder found = sparse::boundary_order(pattern, parts);
    return plan_factor(graph, problem, means,
                       std::make_shared<const sparse::Tree>(pattern, std::move(found.order),
                                                            std::move(found.first)),
                       true);
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
  known = best.factor()->tree;
  return best;
}

}  // namespace

RowsPlan plan_share(const Graph& graph, const Problem& problem, const RateSource& rates,
                    const std::shared_ptr<const sparse::TreeShare>& share) {
  Findings none;
  RowsPlan plan = plan_factor(graph, problem, {.findings = none, .rates = rates, .control = {}},
                              share->tree, false, share);
  const auto own = static_cast<double>(share->tree->vertices());
  plan.costs.counted_swept *= static_cast<double>(problem.n) / std::max(1.0, own);
  return plan;
}

RowsPlan plan_elimination(Algorithm algorithm, const Graph& graph, const Problem& problem,
                          const RowsMeans& means) {
  return algorithm == Algorithm::boundary ? plan_boundary(graph, problem, means)
                                          : plan_trimmed(graph, problem, means);
}

}  // namespace apsp::planner
