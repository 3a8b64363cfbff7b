#include "planner/device_search_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/double_double.hpp"
#include "base/units.hpp"
#include "dense/device_blocks.hpp"
#include "planner/device_model.hpp"
#include "planner/eligibility.hpp"
#include "planner/row_costs.hpp"
#include "search/device_hops.hpp"
#include "search/device_search.hpp"
#include "search/searched_graph.hpp"
#include "sparse/device_rows.hpp"

namespace apsp::planner {
namespace {

// rows: large enough that a launch's last searches matter little
constexpr std::int64_t kBatch = 4096;

/// The division of a multiprocessor's memory among searches with `row` bytes of distances, in
/// graphs of this mean degree.
struct SearchShape {
  double row = 1, vertices = 1, degree = 1;

  static constexpr double kShared = search::kNearBytes;  // bytes of rows on a multiprocessor
  static constexpr double kMostConcurrent = 16, kOfSmallSets = 4, kLargeDegree = 4;

  bool is_shared() const { return row <= kShared; }
  double concurrent() const {
    if (is_shared()) return std::clamp(kShared / row, 1.0, kMostConcurrent);
    return degree < kLargeDegree ? kOfSmallSets : 1.0;
  }
  /// Returns the number of searches with memory of their own, at least as many as the kernel takes:
  /// two if sets of vertices exceed a multiprocessor's memory too.
  std::int64_t at_once() const {
    constexpr double kMemory = 232e3, kSetsBeyond = 2;
    if (is_shared())
      return static_cast<std::int64_t>(std::min(kMostConcurrent, std::ceil(kMemory / row)));
    return static_cast<std::int64_t>(vertices / 8 > kShared ? std::max(concurrent(), kSetsBeyond)
                                                            : concurrent());
  }
};

SearchShape shape_of(std::int64_t vertices, std::int64_t arcs, const search::SearchKeys& keys) {
  const auto n = static_cast<double>(std::max<std::int64_t>(1, vertices));
  return {n * keys.bytes(), n, static_cast<double>(arcs) / n};
}

/// Returns seconds of all searches: scanned arcs and visited vertices, slower by the part of a row
/// outside of the multiprocessor's memory, or rounds of a search that wait for each other.
double near_far_seconds(const DevicePlan& plan, double relaxations, double sources, double levels,
                        const SearchShape& shape) {
  // An arc outside of that memory, and a vertex, as multiples of an arc inside.
  constexpr double kOutside = 4.8, kVisited = 2.67;
  constexpr double kLevel = 6e-6;  // s: rounds of a level
  const double devices = plan.devices();
  const double held = std::min(1.0, SearchShape::kShared / shape.row);
  const double looks = relaxations * (held + (1 - held) * kOutside);
  const double visits = sources * static_cast<double>(plan.n) * kVisited;
  const double at_once = shape.concurrent() * plan.device.multiprocessors * devices;
  const double rounds = std::ceil(sources / at_once) * levels * kLevel;
  return kRowsSetupSeconds + std::max((looks + visits) / plan.row_rates.searched / devices, rounds);
}

/// Returns seconds of all breadth-first searches: scanned masks of each level, after which all
/// blocks wait for each other; lines that are read for each arc on as many levels as the sources of
/// a line are apart, from the second-level cache as far as it holds the lines of all vertices;
/// written distances.
double hopping_seconds(const DevicePlan& plan, const RowsByBreadthFirst& by, double sources,
                       double arcs) {
  constexpr double kCache = 50e6;                       // bytes
  constexpr double kCached = 6e12, kUncached = 0.8e12;  // bytes a second
  constexpr double kWaited = 38e-6;                     // s a level: blocks of threads wait for all
  constexpr double kWritten = 2.5e11;                   // pairs a second
  const double size = plan.row_rates.speed(&DeviceRowRates::hopped);
  const auto n = static_cast<double>(plan.n), lanes = static_cast<double>(by.on_device->lanes);
  const double blocks = std::ceil(sources / lanes / plan.devices());
  const double looks = blocks * by.levels * (n + arcs) / plan.row_rates.hopped;
  const double held = std::min(1.0, kCache / std::max(1.0, n * lanes / 8));
  // Fewer sources are further apart: as in the plane, by the square root.
  const double spread = by.line_levels * std::sqrt(std::max(1.0, n / std::max(1.0, sources)));
  const double reads =
      sources / 8 * arcs * std::min(by.levels, spread) * (held / kCached + (1 - held) / kUncached);
  return kRowsSetupSeconds + blocks * by.levels * kWaited + looks +
         (reads + sources * n / kWritten) / size / plan.devices();
}

/// Searches on all of the devices, of as many sources at a time as fit. Calls set the engine's part
/// on a device, `plan` and `pinned`; if the least does not fit, only bytes.
struct DeviceSearches {
  const Graph& graph;
  const Problem& problem;
  const DeviceMeans& means;
  const statistics::CountMethod& counting;
  const RowUses& uses;
  RowCosts& costs;
  DevicePlan& plan;
  std::int64_t pinned = 0;  // bytes of the host for each device, that rows pass through
  std::int64_t n = graph.vertex_count(), m = graph.arc_count();
  std::int64_t sources = problem.sources(), columns = problem.targets();
  double pairs = static_cast<double>(sources) * static_cast<double>(n);

  bool fits() const { return plan.bytes <= plan.bytes_allowed; }

  void operator()(RowsByFactor&) {}

  /// Near-far searches.
  void operator()(RowsBySearches& by) {
    const search::SearchKeys keys{problem.type, needs_potentials(graph, problem.semiring)};
    const SearchShape shape = shape_of(n, m, keys);
    search::SearchBatches& how =
        by.on_device.emplace(SearchesOnDevice{.counting = counting}).batches;
    const std::int64_t share = (sources + plan.devices() - 1) / plan.devices();
    for (how.batch = std::clamp<std::int64_t>(share, 1, kBatch);; how.batch /= 2) {
      how.searches = std::min(how.batch, plan.device.multiprocessors * shape.at_once());
      how.piece = dense::RowPieces::rows_of(columns, problem.value_bytes(), how.batch);
      plan.bytes = uses.gives_columns ? how.bytes_of_counts(n, m, keys, counting)
                                      : how.bytes_of_rows(n, m, sources, columns, keys);
      if (fits() || how.batch == 1) break;
    }
    if (!fits()) return;
    const auto rows = static_cast<double>(sources);
    plan.seconds = near_far_seconds(plan, costs.rows_relaxations, rows, by.levels, shape);
    if (!keys.reduced && may_sample(how, by.levels)) {
      const DeviceSearchSample asked{plan.open, plan.device.ordinal, plan.bytes_allowed,
                                     plan.kernel, how};
      if (const auto row = means.sample(graph, asked, plan.seconds)) {
        plan.seconds = kRowsSetupSeconds + *row * rows / plan.devices();
      }
    }
    // Short integer distances are counted within the time of searches.
    if (counting.binned) plan.seconds += counting_seconds(plan, pairs, counting, problem.type);
    pinned = how.host_bytes(columns, problem.type);
    // Memory in addition to the graph: temporary arrays, and numbers of sources and columns of each
    // device.
    const std::int64_t making = n * std::int64_t{2 * sizeof(Vertex)} +
                                (keys.reduced ? n * std::int64_t{sizeof(base::Potential)} : 0);
    costs.source_bytes = search::SearchedGraph::bytes(n, m, keys) + making +
                         plan.devices() * (sources + columns) * std::int64_t{sizeof(Vertex)};
  }

  void operator()(RowsByBreadthFirst& by) {
    std::int64_t& lanes = by.on_device.emplace(HopsOnDevice{.counting = counting}).lanes;
    sparse::DeviceRows how;
    PredecessorCosts predecessors;
    const std::int64_t most = search::DeviceHops::most_of(n, problem.distance_bound);
    for (lanes = search::DeviceHops::lanes_of(sources);;) {
      how = sparse::DeviceRows::of(lanes, columns, problem.type);
      predecessors = predecessor_costs(plan, uses, m, sources, how.piece);
      plan.bytes = search::DeviceHops::device_bytes(n, m, sources, problem.type, lanes, most) +
                   (uses.gives_columns ? statistics::device_count_bytes(n, n, counting)
                                       : how.device_bytes(columns, problem.type)) +
                   predecessors.device_bytes;
      if (fits() || lanes == kernels::kLevelLine) break;
      lanes = search::DeviceHops::lanes_of(lanes / 2);
    }
    if (!fits()) return;
    plan.seconds = hopping_seconds(plan, by, static_cast<double>(sources), static_cast<double>(m)) +
                   predecessors.seconds;
    plan.seconds += counting_seconds(plan, pairs, counting, problem.type);
    pinned = how.host_bytes(columns, problem.type) + predecessors.host_bytes;
    costs.source_bytes = 3 * (m + n) * std::int64_t{sizeof(Vertex)};
  }

  /// Whether sampled searches are a small part of all, and short by the model.
  bool may_sample(const search::SearchBatches& how, double levels) const {
    constexpr std::int64_t kSmallPart = 24;  // three times as many as run at once are sampled
    constexpr double kMostLevels = 1500;
    return means.sample && sources >= kSmallPart * how.searches && levels <= kMostLevels &&
           plan.seconds <= kHopeless * means.best;
  }
};

}  // namespace

RowsOnDevices searches_on_devices(const Graph& graph, const Problem& problem,
                                  const DeviceMeans& means, const NamedDevice& there,
                                  RowsPlan rows) {
  RowsOnDevices on{begun_rows(problem, graph.vertex_count(), means, there), std::move(rows)};
  const auto counting =
      on.rows.uses.gives_columns ? count_method(problem) : statistics::CountMethod();
  RowCosts& costs = on.rows.costs;
  DeviceSearches searches{graph, problem, means, counting, on.rows.uses, costs, on.devices};
  std::visit(searches, on.rows.by);
  if (!searches.fits()) {
    on.devices.refuse(fmt::format("searches of {} vertices and {} arcs need",
                                  base::format_count(graph.vertex_count()),
                                  base::format_count(graph.arc_count())),
                      on.devices.bytes);
    return on;
  }
  costs.making_bytes = 0;
  costs.making_seconds = 0;
  costs.worker_bytes = on.rows.uses.stays_on_device ? 0 : on.devices.devices() * searches.pinned;
  add_host_costs(problem.sources(), problem.targets(), searches.pinned, counting, on);
  return on;
}

}  // namespace apsp::planner
