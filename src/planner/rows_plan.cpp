#include "planner/rows_plan.hpp"

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "graph/whole_weights.hpp"
#include "planner/device_search_plan.hpp"
#include "planner/device_sweep_plan.hpp"
#include "planner/elimination_model.hpp"
#include "planner/findings.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/order.hpp"
#include "sparse/pairs_way.hpp"
#include "sparse/target_selection.hpp"
#include "sparse/trimmed_rows.hpp"
#include "system/child_process.hpp"
#include "system/machine.hpp"

namespace apsp::planner {
namespace {

/// Whole parts and boundaries are wide: their relaxations are so much faster than those of fronts.
constexpr double kClosedFaster = 5;

/// Bytes of all threads' blocks: whole rows, and a copy of the wanted columns.
std::int64_t blocks_bytes(std::int64_t n, std::int64_t block_rows, const Problem& problem) {
  const std::int64_t picked = problem.targets() < n ? problem.targets() : 0;
  return problem.threads * std::min(problem.sources(), block_rows) * (n + picked) *
         problem.value_bytes();
}

constexpr const char* kBothSigns = "does not take real weights of both signs, whose sums cancel";

/// A method that takes so many times as long as the best plan is not measured.
constexpr double kHopeless = 3;

/// Returns the source's rates, or those assumed. `guess`: s of the whole work at assumed rates; 0:
/// nothing is measured.
template <class Rates>
Rates known_or(Rates assumed, const AskRates<Rates>& ask, const Problem& problem, double guess) {
  if (!ask) return assumed;
  return ask({.kernel = problem.kernel(), .threads = problem.threads, .guess = guess})
      .value_or(std::move(assumed));
}

/// Returns measured seconds of a row. `together`: rows that a thread computes at once, the fewest
/// that it measures.
std::optional<double> sampled(Algorithm algorithm, const Graph& graph, const Problem& problem,
                              const RowsMeans& means, double guess, std::int64_t together) {
  constexpr std::int64_t kSmallPart = 16;  // measuring more would be a solve, not a sample
  if (problem.threads * together * kSmallPart > problem.sources()) return std::nullopt;
  if (!means.rates.sample || needs_potentials(graph, problem.semiring)) return std::nullopt;
  if (guess > kHopeless * means.best) return std::nullopt;
  guess = std::min(guess, means.best);
  return means.rates.sample(
      graph, {algorithm, problem.kernel(), problem.distance_bound, problem.threads}, guess);
}

/// Ordered pairs that statistics count in the time of one, if both directions come together.
constexpr double kPairsTogether = 1.5;

RowsPlan plan_factor(const Graph& graph, const Problem& problem, const RowsMeans& means,
                     const Findings::Tree& of, bool in_parts = false) {
  const sparse::Tree& tree = *of;
  RowsPlan plan{.by = RowsByFactor{.tree = of, .symmetric = graph.symmetric()}};
  const std::int64_t block = sparse::FactorRows::block_rows(problem.type);
  const EliminationCounts counts =
      counts_of(tree, block, sparse::ways_to(tree, problem.selection.targets.listed()));
  const auto sources = static_cast<double>(problem.sources());
  const bool once = graph.symmetric() && problem.selection.all();
  const auto making = [&](const EliminationRates& rates) {
    return eliminating_seconds(counts, graph.symmetric(), problem.threads, rates);
  };
  const auto sweeping = [&](const EliminationRates& rates, bool pairs_once) {
    return sweeping_seconds(counts, {block, problem.threads, pairs_once, sources}, rates);
  };
  const EliminationRates assumed = assumed_elimination_rates(problem.semiring, problem.type);
  EliminationRates rates = known_or(assumed, means.rates.elimination, problem,
                                    making(assumed) + sweeping(assumed, false));
  if (in_parts) rates.eliminated *= kClosedFaster;
  plan.costs.making_relaxations = counts.eliminated;
  plan.costs.rows_relaxations = (counts.all.alone + counts.all.together + counts.upward) *
                                (sources / std::max(1.0, counts.vertices));
  plan.costs.making_seconds = making(rates);
  plan.costs.front_relaxation = relaxation_seconds(graph.symmetric(), problem.threads, rates);
  plan.costs.rows_seconds = sweeping(rates, false) + sources *
                                                         static_cast<double>(problem.targets()) /
                                                         rates.transposed / problem.threads;
  plan.costs.columns_seconds = sweeping(rates, once);
  if (problem.pairs > 0) {
    plan.costs.asking_seconds =
        sparse::seconds_of_random_pairs(
            tree, problem.type, graph.symmetric(), static_cast<double>(problem.pairs),
            means.pairs_memory > 0 ? means.pairs_memory : system::available_memory() / 2) /
        problem.threads;
  }
  plan.costs.counted = rates.counted * problem.threads;
  plan.costs.counted_beside = rates.counted_swept * problem.threads;
  plan.costs.counted_swept = plan.costs.counted_beside * (once ? kPairsTogether : 1);
  plan.costs.measured = rates.measured;
  plan.costs.source_bytes = sparse::Factor::bytes(tree, problem.type, graph.symmetric());
  if (!problem.selection.targets.is_all())
    plan.costs.source_bytes += sparse::TargetSelection::bytes(tree);
  plan.costs.making_bytes = sparse::elimination_bytes(graph, tree, problem.type, problem.threads);
  plan.costs.worker_bytes =
      problem.threads *
      sparse::FactorRows::worker_bytes(tree, problem.type, problem.sources(), problem.targets());
  plan.costs.columns_worker_bytes =
      problem.threads * sparse::FactorRows::columns_worker_bytes(tree, problem.type);
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
  const Findings::Core& found = means.findings.core(graph);
  const sparse::Trim& trim = *found.trim;
  const std::int64_t core = std::ssize(trim.core), n = trim.vertices();
  const auto entering = static_cast<double>(core + std::ssize(trim.starts));
  if ((n - core) * kFewestTrimmed < n) return plan_dissection(graph, problem, means);
  Problem inner = problem;
  inner.n = core;
  inner.estimates = nullptr;
  const RowsMeans of_core{*found.findings, means.rates, means.control, false, means.pairs_memory};
  RowsPlan plan = plan_dissection(trim.core_graph, inner, of_core);
  // Each start is a source of the core too; ends cost an arc for each source, and reach next to
  // nothing.
  const double more = entering / static_cast<double>(std::max<std::int64_t>(core, 1));
  const auto arcs = static_cast<double>(graph.arc_count() - trim.core_graph.arc_count());
  const EliminationRates rates = known_or(assumed_elimination_rates(problem.semiring, problem.type),
                                          means.rates.elimination, problem, 0);
  const double visits = entering * static_cast<double>(n - core) /
                        static_cast<double>(sparse::FactorRows::block_rows(problem.type));
  const double beside =
      (entering * arcs / rates.swept_alone + visits * rates.vertex) / problem.threads;
  plan.costs.rows_relaxations = plan.costs.rows_relaxations * more + entering * arcs;
  plan.costs.rows_seconds = plan.costs.rows_seconds * more + beside;
  plan.costs.columns_seconds = plan.costs.columns_seconds * more + beside;
  plan.costs.counted_swept =
      plan.costs.counted_beside * static_cast<double>(n) / std::max(entering, 1.0);
  plan.costs.making_bytes += trim.bytes() + trim.core_graph.memory_bytes();
  plan.costs.source_bytes += sparse::TrimmedRows::bytes(trim, problem.type);
  plan.costs.worker_bytes =
      problem.threads * sparse::TrimmedRows::worker_bytes(trim, *plan.tree(), problem.type);
  plan.costs.columns_worker_bytes = plan.costs.worker_bytes;
  plan.costs.block_bytes = blocks_bytes(n, sparse::FactorRows::block_rows(problem.type), problem);
  plan.by = RowsByFactor{plan.factor()->tree, found.trim};
  return plan;
}

/// √n parts suit boundaries as small as those of planar graphs (Xia 2021, §IV-B). From there, twice
/// or half as many are tried as long as the prediction improves.
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

const SampledSearches& found_by_searches(const Graph& graph, const Problem& problem,
                                         const RowsMeans& means) {
  return problem.estimates ? problem.estimates->found : means.findings.searches(graph);
}

/// Sets costs that depend only on rates. `together`: sources of one search; `block_seconds`: of one
/// thread for so many, by some rates.
template <class Rates, class Seconds>
RowCosts searching_costs(Algorithm algorithm, const Graph& graph, const Problem& problem,
                         const RowsMeans& means, const AskRates<Rates>& ask, std::int64_t together,
                         const Seconds& block_seconds) {
  const double n = std::max(1.0, static_cast<double>(graph.vertex_count()));
  const double blocks =
      std::ceil(static_cast<double>(problem.sources()) / static_cast<double>(together));
  const double uneven = together > 1 ? unevenness(blocks, problem.threads) : 1;
  const auto seconds = [&](const Rates& rates) {
    return blocks * block_seconds(rates) / problem.threads * uneven;
  };
  // Known rates are used, and nothing is measured for hopeless searches.
  const double guess = seconds(Rates());
  Rates rates = known_or(Rates(), ask, problem, guess > kHopeless * means.best ? 0 : guess);
  if (const auto row = sampled(algorithm, graph, problem, means, seconds(rates), together)) {
    rates = slower(rates, *row * std::min(static_cast<double>(together), n) / block_seconds(rates));
  }
  const double share = std::min(1.0, found_by_searches(graph, problem, means).vertices / n);
  RowCosts costs;
  costs.rows_seconds = seconds(rates);
  costs.counted = pairs_by_rows(rates.counted, rates.passed, share) * problem.threads;
  costs.measured = rates.measured;
  costs.block_bytes = blocks_bytes(graph.vertex_count(), together, problem);
  return costs;
}

RowsPlan plan_dijkstra(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  constexpr std::int64_t kArcKept = 8, kVertexKept = 12, kEntry = 17, kKey = 4;
  constexpr std::int64_t kBuckets = 4096, kChunk = 128;
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool long_sums = problem.type == ValueType::i32 &&
                         graph.weight_facts().longest_path > largest_distance(ValueType::i32);
  const bool reduced = needs_potentials(graph, problem.semiring);
  const bool wide_sums = reduced ? problem.type != ValueType::i32 : long_sums;
  const std::int64_t wide = problem.type == ValueType::f64 || wide_sums ? 2 : 1;
  const std::int64_t potentials = reduced ? n * static_cast<std::int64_t>(2 * sizeof(double)) : 0;
  const SampledSearches& found = found_by_searches(graph, problem, means);
  const std::int64_t entries = n + std::min(m, n);
  RowsPlan plan{.by = RowsBySearches{found.levels}};
  plan.costs = searching_costs(Algorithm::johnson, graph, problem, means, means.rates.search, 1,
                               [&](const SearchRates& rates) {
                                 return searching_seconds(found, static_cast<double>(n), rates);
                               });
  plan.costs.rows_relaxations = static_cast<double>(problem.sources()) * found.arcs;
  plan.costs.source_bytes = wide * (m * kArcKept + n * kVertexKept) + potentials;
  plan.costs.making_bytes = plan.costs.source_bytes;
  plan.costs.worker_bytes =
      problem.threads *
      (wide * (entries * kEntry + n * (kKey + kVertexKept)) + std::min(entries, kBuckets) * kChunk);
  return plan;
}

RowsPlan plan_breadth_first(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  const SampledSearches& found = found_by_searches(graph, problem, means);
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const bool reachability = problem.semiring == Semiring::or_and;
  const auto vertices = static_cast<double>(n), arcs = static_cast<double>(m);
  const BlockCounts counts =
      reachability ? BlockCounts{1, vertices, arcs} : block_counts(found, vertices, arcs);
  RowsPlan plan{.by = RowsByBreadthFirst{found.most_levels, counts.levels}};
  plan.costs = searching_costs(
      Algorithm::breadth_first, graph, problem, means, means.rates.breadth_first, kSourcesAtOnce,
      [&](const BreadthFirstRates& rates) { return breadth_first_seconds(counts, rates); });
  plan.costs.rows_relaxations = static_cast<double>(problem.sources()) * arcs;
  plan.costs.source_bytes = 8 * m + 16 * n;
  plan.costs.making_bytes = plan.costs.source_bytes;
  const std::int64_t lines =
      reachability ? 2
                   : 3 + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n)));
  plan.costs.worker_bytes = problem.threads * n * (lines * (kSourcesAtOnce / 8) + 9);
  return plan;
}

/// Sums of reduced weights stay integers of f64. They may be three times as long as distances.
bool whole_when_reduced(const Graph& graph, Semiring semiring) {
  return graph.weight_facts().integral && 3 * distance_bound(graph, semiring) <= graph::kMostExact;
}

}  // namespace

std::int64_t RowsPlan::solving_bytes() const {
  if (!uses.computes_rows) return costs.source_bytes + costs.making_bytes;
  const std::int64_t workers = uses.gives_columns ? costs.columns_worker_bytes : costs.worker_bytes;
  const bool in_place = uses.keeps_matrix || uses.gives_columns || uses.fills_rooms;
  return costs.source_bytes +
         std::max(costs.making_bytes, workers + (in_place ? 0 : costs.block_bytes));
}

std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem) {
  if (options.question.via || options.question.hops)
    return "keeps no intermediate vertices (`via`, `hops`)";
  const bool on_cuda = options.machine.device == Device::cuda;
  if (graph.matrix() != nullptr) return "does not take matrices";
  const bool reachability = problem.semiring == Semiring::or_and;
  switch (algorithm) {
    case Algorithm::nested_dissection:
    case Algorithm::boundary:
      if (problem.signed_weights) return kBothSigns;
      return on_cuda ? why_not_swept(problem) : "";
    case Algorithm::johnson:
      if (reachability) return "does not search for reachability; bfs does";
      if (problem.semiring == Semiring::max_plus && !graph.weight_facts().integral) {
        return "looks for longest paths over integer weights only";
      }
      if (problem.signed_weights) return kBothSigns;
      if (needs_potentials(graph, problem.semiring) && !graph.weight_facts().integral) {
        return "takes negative weights only if they are integers: reduced by potentials, real ones "
               "lose digits of short distances";
      }
      if (needs_potentials(graph, problem.semiring) &&
          !whole_when_reduced(graph, problem.semiring)) {
        return "reduces weights by potentials, and sums of these integers are too long for that: "
               "short distances would lose digits";
      }
      return on_cuda ? why_not_searched(graph) : "";
    default:
      if (reachability) {
        return on_cuda ? "searches for reachability only on the CPU" : "";
      }
      if (problem.semiring != Semiring::min_plus) return "finds shortest paths and reachability";
      if (!graph.weight_facts().unit && graph.arc_count() > 0) {
        return "takes weights of 1 only; johnson takes others";
      }
      return "";
  }
}

bool needs_potentials(const Graph& graph, Semiring semiring) {
  const WeightFacts& facts = graph.weight_facts();
  if (semiring == Semiring::max_plus) return facts.greatest > 0;
  return semiring == Semiring::min_plus && facts.least < 0;
}

RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const Problem& problem,
                      const RowsMeans& means) {
  const auto plan_by = algorithm == Algorithm::nested_dissection ? plan_trimmed
                       : algorithm == Algorithm::boundary        ? plan_boundary
                       : algorithm == Algorithm::johnson         ? plan_dijkstra
                                                                 : plan_breadth_first;
  RowsPlan plan = plan_by(graph, problem, means);
  plan.algorithm = algorithm;
  return plan;
}

}  // namespace apsp::planner
