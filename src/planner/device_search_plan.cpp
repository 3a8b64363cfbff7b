#include "planner/device_search_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "elimination/device_rows.hpp"
#include "places/row_pieces.hpp"
#include "planner/device_model.hpp"
#include "search/device_hops.hpp"

namespace apsp::planner {
namespace {

constexpr std::int64_t kBatch = 4096;  // rows: a launch's last searches wait for few of the others
constexpr std::int64_t kSearchesAtOnce = 16;  // of a multiprocessor
constexpr double kShareForSearches = 0.95;

/// Seconds of all searches: looks at an arc and visits of a vertex, dearer by the part of a row
/// that the multiprocessor's own memory does not hold, or rounds of a search that wait for each
/// other; and rows that are written. `degree`: of a vertex.
double searching_seconds(const DevicePlan& plan, const RowsPlan& rows, double sources,
                         double degree) {
  constexpr double kShared = 200e3;                 // bytes of rows on a multiprocessor
  constexpr double kNear = 7.5e-12, kFar = 36e-12;  // s, a look at an arc
  constexpr double kVisited = 20e-12;               // s, a vertex
  constexpr double kMostBeside = 16, kOfSmallSets = 4, kLargeDegree = 4;  // searches
  constexpr double kLevel = 6e-6;                                         // s: rounds of a level
  const double size = beside_h200(plan.device);
  const auto n = static_cast<double>(plan.n);
  const double row = std::max(1.0, n * size_of(plan.kernel.type));
  const double held = std::min(1.0, kShared / row);
  const double beside = row <= kShared          ? std::clamp(kShared / row, 1.0, kMostBeside)
                        : degree < kLargeDegree ? kOfSmallSets
                                                : 1.0;
  const double looks = rows.rows_relaxations * (held * kNear + (1 - held) * kFar);
  const double rounds =
      std::ceil(sources / (beside * plan.device.multiprocessors)) * rows.levels * kLevel;
  return kBesideRowsSeconds + std::max((looks + sources * n * kVisited) / size, rounds);
}

/// Seconds of all breadth-first searches: masks that are looked at on each level, behind which all
/// blocks wait for each other; lines that are read of each arc on as many levels as the sources of
/// a line are apart, from the second-level cache as far as it holds the lines of all vertices;
/// distances that are written.
double hopping_seconds(const DevicePlan& plan, const RowsPlan& rows, double sources, double arcs) {
  constexpr double kLooked = 1e11;               // masks a second
  constexpr double kCache = 50e6;                // bytes
  constexpr double kNear = 6e12, kFar = 0.8e12;  // bytes a second
  constexpr double kWaited = 38e-6;              // s a level: blocks of threads wait for all
  constexpr double kWritten = 2.5e11;            // pairs a second
  const double size = beside_h200(plan.device);
  const auto n = static_cast<double>(plan.n), lanes = static_cast<double>(rows.lanes);
  const double blocks = std::ceil(sources / lanes / plan.devices());
  const double looks = blocks * rows.levels * (n + arcs) / (kLooked * size);
  const double held = std::min(1.0, kCache / std::max(1.0, n * lanes / 8));
  const double reads = sources / 8 * arcs * std::min(rows.levels, rows.line_levels) *
                       (held / kNear + (1 - held) / kFar);
  return kBesideRowsSeconds + blocks * rows.levels * kWaited + looks +
         (reads + sources * n / kWritten) / size / plan.devices();
}

/// A plan that has no times yet. `devices`: of those that are named, the first so many.
DevicePlan plan_on_device(const RowsProblem& problem, std::int64_t vertices, std::int64_t memory,
                          const NamedDevice& there, std::size_t devices) {
  std::int64_t free = there.taken.front().memory_free;
  DevicePlan plan{.device = there.taken.front(),
                  .kernel = {problem.semiring, problem.type, problem.sign, false},
                  .n = vertices,
                  .link = there.link,
                  .open = there.devices.open};
  for (std::size_t i = 1; i < devices; ++i) {
    plan.peers.push_back(there.taken[i].ordinal);
    free = std::min(free, there.taken[i].memory_free);
  }
  const auto usable = static_cast<std::int64_t>(kShareForSearches * static_cast<double>(free));
  plan.bytes_allowed = memory > 0 ? std::min(memory, usable) : usable;
  return plan;
}

void require_fitting(const Graph& graph, const DevicePlan& plan, bool asked) {
  if (plan.bytes <= plan.bytes_allowed) return;
  throw DeviceTooSmall(
      fmt::format("searches of {} vertices and {} arcs need at least {} of device memory "
                  "on {}, and {} {}",
                  base::format_count(graph.vertex_count()), base::format_count(graph.arc_count()),
                  base::format_bytes(plan.bytes), plan.title(),
                  base::format_bytes(plan.bytes_allowed), asked ? "may be used" : "are free"),
      plan.device.ordinal, plan.bytes);
}

/// Once its searches' seconds are known: what copies add, and memory of the host beside the arcs
/// and the pieces of rows.
void set_uses_of_host(const RowsProblem& problem, std::int64_t pieces, bool counts,
                      DevicePlan& plan, RowsPlan& rows) {
  constexpr std::int64_t kVertexCounted = 160, kPlaceCounted = 24;
  rows.making_bytes = 0;
  rows.block_bytes = 0;
  rows.columns_worker_bytes =
      plan.devices() * (plan.n * kVertexCounted + rows.count_limit * kPlaceCounted);
  rows.worker_bytes = plan.devices() * pieces;
  if (!counts) {
    const double out = plan.link.out * plan.devices();
    const auto pairs = static_cast<double>(problem.sources) * static_cast<double>(plan.n);
    plan.seconds = std::max(plan.seconds, pairs * size_of(problem.type) / out) +
                   static_cast<double>(rows.worker_bytes) / plan.link.pinned;
  }
  rows.columns_seconds = rows.rows_seconds = plan.seconds;
  rows.making_seconds = 0;
  rows.counted_swept = 0;  // counted meanwhile
  rows.measured.clear();
}

}  // namespace

std::string why_not_searched(const Graph& graph, const SolveOptions& options,
                             const RowsProblem& problem) {
  const WeightFacts& facts = graph.weight_facts();
  const bool better_by_going_on = (problem.semiring == Semiring::min_plus && facts.least < 0) ||
                                  (problem.semiring == Semiring::max_plus && facts.greatest > 0);
  if (better_by_going_on) {
    return "runs on a GPU only where no arc makes a path better (no negative weight; none above 0 "
           "of longest paths)";
  }
  if (graph.vertex_count() > kernels::kSearchedVertices) {
    return fmt::format("runs on a GPU for at most {} vertices, and there are {}",
                       base::format_count(kernels::kSearchedVertices),
                       base::format_count(graph.vertex_count()));
  }
  return why_no_whole_rows(options);
}

std::string why_no_whole_rows(const SolveOptions& options) {
  if (options.targets.empty() && !options.predecessors) return {};
  return fmt::format("runs on a GPU for whole rows of distances, without {}",
                     options.predecessors ? "--predecessors" : "--targets");
}

bool counts_searched(const RowsProblem& problem, std::int64_t vertices) {
  const bool integers = problem.type == ValueType::u16 || problem.type == ValueType::i32;
  return problem.semiring == Semiring::min_plus && integers && problem.sources == vertices &&
         vertices <= kernels::kCountedRows &&
         problem.distance_bound < static_cast<double>(kernels::kCountLimit - 1);
}

DevicePlan search_on_device(const Graph& graph, const RowsProblem& problem, std::int64_t memory,
                            const NamedDevice& there, RowsPlan& rows) {
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  DevicePlan plan = plan_on_device(problem, n, memory, there, 1);  // of several the first alone
  const bool counts = rows.gives_columns;
  if (counts) rows.count_limit = static_cast<std::int64_t>(std::ceil(problem.distance_bound)) + 1;
  search::SearchBatches how;
  how.step = search::search_step(graph);
  const std::int64_t sources = problem.sources;
  for (std::int64_t batch = std::clamp<std::int64_t>(sources, 1, kBatch);; batch = batch / 2) {
    how.batch = batch;
    how.searches = std::min(batch, plan.device.multiprocessors * kSearchesAtOnce);
    how.piece = places::RowPieces::rows_of(n, size_of(problem.type), batch);
    plan.bytes = counts ? how.bytes_of_counts(n, m, problem.type, rows.count_limit)
                        : how.bytes_of_rows(n, m, sources, problem.type);
    if (plan.bytes <= plan.bytes_allowed || batch == 1) break;
  }
  require_fitting(graph, plan, memory > 0);
  plan.seconds =
      searching_seconds(plan, rows, static_cast<double>(sources),
                        static_cast<double>(m) / static_cast<double>(std::max<std::int64_t>(1, n)));
  rows.batches = how;
  rows.source_bytes = m * (problem.type == ValueType::f64 ? 16 : 8) + n * 12;
  set_uses_of_host(problem, how.host_bytes(n, problem.type), counts, plan, rows);
  return plan;
}

DevicePlan hops_on_device(const Graph& graph, const RowsProblem& problem, std::int64_t memory,
                          const NamedDevice& there, RowsPlan& rows) {
  const std::int64_t n = graph.vertex_count(), m = graph.arc_count(), sources = problem.sources;
  DevicePlan plan = plan_on_device(problem, n, memory, there, there.taken.size());
  const bool counts = rows.gives_columns;
  if (counts) rows.count_limit = static_cast<std::int64_t>(std::ceil(problem.distance_bound)) + 1;
  elimination::DeviceRows how;
  const std::int64_t most = search::DeviceHops::most_of(n, problem.distance_bound);
  for (rows.lanes = search::DeviceHops::lanes_of(sources);;) {
    how = elimination::DeviceRows::of(rows.lanes, n, problem.type);
    plan.bytes = search::DeviceHops::device_bytes(n, m, sources, problem.type, rows.lanes, most) +
                 (counts ? elimination::DeviceCount::device_bytes(n, n, rows.count_limit)
                         : how.device_bytes(n, problem.type));
    if (plan.bytes <= plan.bytes_allowed || rows.lanes == kernels::kLevelLine) break;
    rows.lanes = search::DeviceHops::lanes_of(rows.lanes / 2);
  }
  require_fitting(graph, plan, memory > 0);
  const auto rows_found = static_cast<double>(sources);
  plan.seconds = hopping_seconds(plan, rows, rows_found, static_cast<double>(m));
  if (counts) plan.seconds += counting_seconds(plan, rows_found * static_cast<double>(n));
  rows.source_bytes = 3 * (m + n) * std::int64_t{sizeof(Vertex)};
  set_uses_of_host(problem, how.host_bytes(n, problem.type), counts, plan, rows);
  return plan;
}

}  // namespace apsp::planner
