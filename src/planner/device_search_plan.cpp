#include "planner/device_search_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "planner/device_model.hpp"

namespace apsp::planner {
namespace {

constexpr std::int64_t kBatch = 4096;  // rows: a launch's last searches wait for few of the others
constexpr std::int64_t kSearchesAtOnce = 16;  // of a multiprocessor
constexpr std::int64_t kPieceBytes = std::int64_t{64} << 20;
constexpr double kShareForSearches = 0.95;

/// Seconds of all searches, from figures of one H200: looks at an arc, by where distances lie, or
/// rounds of a search that wait for each other; and rows that are written. `degree`: of a vertex.
double searching_seconds(const DevicePlan& plan, const RowsPlan& rows, double sources,
                         double degree) {
  constexpr double kAssumedOn = 132.0 * 1980;  // multiprocessors × MHz
  constexpr double kShared = 200e3;            // bytes of rows that a multiprocessor holds
  constexpr double kNear = 1e11, kFar = 5e10;  // looks at an arc a second
  constexpr double kMostBeside = 16, kOfSmallSets = 4, kLargeDegree = 4;  // searches
  constexpr double kLevel = 6e-6;                     // s: the rounds of a level
  constexpr double kWritten = 5e11, kBeside = 10e-3;  // pairs a second; s
  const double size =
      static_cast<double>(plan.device.multiprocessors) * plan.device.clock_mhz / kAssumedOn;
  const auto n = static_cast<double>(plan.n);
  const double row = std::max(1.0, n * size_of(plan.kernel.type));
  const bool near = row <= kShared;
  const double beside = near                    ? std::clamp(kShared / row, 1.0, kMostBeside)
                        : degree < kLargeDegree ? kOfSmallSets
                                                : 1.0;
  const double looks = rows.rows_relaxations / ((near ? kNear : kFar) * size);
  const double rounds =
      std::ceil(sources / (beside * plan.device.multiprocessors)) * rows.levels * kLevel;
  return kBeside + std::max(looks, rounds) + sources * n / (kWritten * size);
}

}  // namespace

std::string why_not_searched(const Graph& graph, const SolveOptions& options,
                             const RowsProblem& problem) {
  const WeightFacts& facts = graph.weight_facts();
  const bool better_by_going_on = (problem.semiring == Semiring::min_plus && facts.least < 0) ||
                                  (problem.semiring == Semiring::max_plus && facts.greatest > 0);
  if (better_by_going_on) {
    return "runs on a GPU where no arc makes a path better alone (no negative weight; none above 0 "
           "of longest paths); --device cpu takes others";
  }
  if (graph.vertex_count() > kernels::kSearchedVertices) {
    return fmt::format("runs on a GPU for up to {} vertices; --device cpu takes more",
                       base::format_count(kernels::kSearchedVertices));
  }
  if (!options.targets.empty() || options.predecessors) {
    return "runs on a GPU for whole rows of distances; --device cpu takes --targets and "
           "--predecessors";
  }
  return {};
}

bool counts_searched(const RowsProblem& problem, std::int64_t vertices) {
  const bool integers = problem.type == ValueType::u16 || problem.type == ValueType::i32;
  return problem.semiring == Semiring::min_plus && integers && problem.sources == vertices &&
         problem.distance_bound < static_cast<double>(kernels::kCountLimit - 1);
}

DevicePlan search_on_device(const Graph& graph, const RowsProblem& problem, std::int64_t memory,
                            const NamedDevice& there, RowsPlan& rows) {
  const DeviceFacts& device = there.taken.front();  // of several the first alone
  const auto usable =
      static_cast<std::int64_t>(kShareForSearches * static_cast<double>(device.memory_free));
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  const int size = size_of(problem.type);
  DevicePlan plan{.device = device,
                  .kernel = {problem.semiring, problem.type, problem.sign, false},
                  .n = n,
                  .open = there.devices.open};
  plan.bytes_allowed = memory > 0 ? std::min(memory, usable) : usable;
  const bool counts = rows.gives_columns;
  if (counts) rows.count_limit = static_cast<std::int64_t>(std::ceil(problem.distance_bound)) + 1;
  const std::int64_t row = std::max<std::int64_t>(1, n) * size;
  algorithms::SearchBatches how;
  how.step = algorithms::search_step(graph);
  const std::int64_t sources = problem.sources;
  for (std::int64_t batch = std::clamp<std::int64_t>(sources, 1, kBatch);; batch = batch / 2) {
    how.batch = batch;
    how.searches = std::min(batch, device.multiprocessors * kSearchesAtOnce);
    how.piece = std::clamp<std::int64_t>(kPieceBytes / row, 1, batch);
    plan.bytes = counts ? how.bytes_of_counts(n, m, problem.type, rows.count_limit)
                        : how.bytes_of_rows(n, m, sources, problem.type);
    if (plan.bytes <= plan.bytes_allowed || batch == 1) break;
  }
  if (plan.bytes > plan.bytes_allowed) {
    throw Error(
        ErrorKind::does_not_fit,
        fmt::format("searches of {} vertices and {} arcs need at least {} of device memory "
                    "on {}, and {} {}; --device cpu needs none",
                    base::format_count(n), base::format_count(m), base::format_bytes(plan.bytes),
                    plan.title(), base::format_bytes(plan.bytes_allowed),
                    memory > 0 ? "may be used" : "are free"));
  }
  plan.seconds =
      searching_seconds(plan, rows, static_cast<double>(sources),
                        static_cast<double>(m) / static_cast<double>(std::max<std::int64_t>(1, n)));
  rows.batches = how;
  constexpr std::int64_t kVertexCounted = 160, kPlaceCounted = 24;
  const std::int64_t arcs = m * (problem.type == ValueType::f64 ? 16 : 8) + n * 12;
  rows.source_bytes = arcs;
  rows.making_bytes = 0;
  rows.block_bytes = 0;
  rows.columns_worker_bytes = n * kVertexCounted + rows.count_limit * kPlaceCounted;
  rows.worker_bytes = how.host_bytes(n, problem.type);
  if (!counts) {
    const double out = assumed_offload_rates(plan.kernel, plan.device).out;
    const auto pairs = static_cast<double>(sources) * static_cast<double>(n);
    plan.seconds = std::max(plan.seconds, pairs * size / out) +
                   static_cast<double>(rows.worker_bytes) / kPinned;
  }
  rows.columns_seconds = rows.rows_seconds = plan.seconds;
  rows.making_seconds = 0;
  rows.counted_swept = 0;  // counted meanwhile
  rows.measured.clear();
  return plan;
}

}  // namespace apsp::planner
