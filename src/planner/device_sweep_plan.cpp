#include "planner/device_sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "base/units.hpp"
#include "flow/row_source.hpp"
#include "kernels/listed_rows.hpp"
#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/value_type.hpp"
#include "sparse/device_down_sweep.hpp"
#include "sparse/device_front.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/device_sweep.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/sweep_parts.hpp"

namespace apsp::planner {

namespace {

using sparse::FrontBuffers;
using sparse::SupernodeId;

/// A device takes a front if that takes at most this share of the host's time: models are rough.
constexpr double kShareOfHost = 0.8;
/// Opening the device and loading kernels; s.
constexpr double kOpened = 5e-3;

class EliminationShare {
 public:
  EliminationShare(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                   const DevicePlan& plan, const RowCosts& costs)
      : problem_(problem),
        tree_(*by.tree),
        plan_(plan),
        costs_(costs),
        symmetric_(by.symmetric),
        sizes_(there.devices.sizes(problem.semiring, problem.type, problem.sign)),
        tile_(choose_device_tile(widest(false), sizes_->granule(), 0)),
        buffers_(*sizes_, problem.value_bytes(), tile_) {}

  std::int64_t tile() const { return tile_; }
  const FrontBuffers& buffers() const { return buffers_; }
  /// Host memory in addition to that of the host's fronts: strides are larger, and roots are
  /// copied.
  std::int64_t more_bytes() const {
    std::int64_t largest = 0;
    for (const SupernodeId s : shared_by_threads()) {
      const std::int64_t side = tree_.width(s) + tree_.structure_size(s);
      if (side > tree_.width(s)) largest = std::max(largest, side * side * problem_.value_bytes());
    }
    return std::max<std::int64_t>(0, buffers_.host_bytes() - largest);
  }

  /// Returns the fronts that the device eliminates completely. Roots are in the factor: they are
  /// included only if pinned memory for them is little more than for other fronts.
  std::vector<SupernodeId> fronts() {
    std::vector<SupernodeId> taken;
    double saved = -kOpened;
    for (const bool roots : {false, true}) {
      for (const SupernodeId s : shared_by_threads()) {
        const bool root = tree_.structure_size(s) == 0;
        if (root != roots || !pays(s) || !fits(s)) continue;
        buffers_.add(tree_.width(s), tree_.structure_size(s));
        saved += here(s) - on_device(s);
        taken.push_back(s);
      }
    }
    if (saved <= pinning(buffers_.host_bytes())) {
      buffers_ = FrontBuffers(*sizes_, problem_.value_bytes(), tile_);
      return {};
    }
    std::sort(taken.begin(), taken.end());
    return taken;
  }

  double here(SupernodeId s) const {
    const auto side = static_cast<double>(tree_.width(s) + tree_.structure_size(s));
    return static_cast<double>(tree_.width(s)) * side * side * costs_.front_relaxation;
  }
  double on_device(SupernodeId s) const {
    return front_seconds(plan_, {tree_.width(s), tree_.structure_size(s), bytes_of(s),
                                 buffers_.closed_at_once(), symmetric_});
  }
  double pinning(std::int64_t bytes) const {
    return static_cast<double>(bytes) / plan_.link.pinned;
  }

  // Seconds of a supernode that is only closed, in memory that is pinned for it.
  double closed_here(std::int64_t width) const {
    const auto side = static_cast<double>(width);
    return side * side * side * costs_.front_relaxation;
  }
  double closed_on_device(std::int64_t width) const {
    const std::int64_t bytes = width * width * problem_.value_bytes();
    return closing_seconds(plan_, width, sizes_->whole_side()) + pinning(bytes) +
           static_cast<double>(bytes) * (1 / plan_.link.in + 1 / plan_.link.out);
  }
  /// Returns the least width for which closing pays; 0: none here.
  std::int64_t closed_from(bool roots_only) const {
    constexpr std::int64_t kStep = 64;
    const std::int64_t most = widest(roots_only);
    if (closing_bytes(most) + buffers_.device_bytes() > plan_.bytes_allowed) return 0;
    for (std::int64_t width = kStep; width <= most; width += kStep) {
      if (closed_on_device(width) + kOpened <= kShareOfHost * closed_here(width)) return width;
    }
    return 0;
  }
  std::int64_t closing_bytes(std::int64_t width) const {
    return sparse::DeviceShare::closing_bytes(*sizes_, width, tile_, problem_.type);
  }
  std::int64_t widest(bool roots_only) const {
    std::int64_t widest = 0;
    for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
      if (roots_only && tree_.structure_size(s) > 0) continue;
      widest = std::max<std::int64_t>(widest, tree_.width(s));
    }
    return widest;
  }

 private:
  std::vector<SupernodeId> shared_by_threads() const {
    if (problem_.threads > 1) return sparse::subtrees_of(tree_, problem_.threads).above;
    std::vector<SupernodeId> all(static_cast<std::size_t>(tree_.supernodes()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::int64_t bytes_of(SupernodeId s) const {
    const std::int64_t side = tree_.width(s) + tree_.structure_size(s);
    return side * sizes_->stride(side) * problem_.value_bytes();
  }
  bool pays(SupernodeId s) const {
    if (tree_.structure_size(s) > 0) return on_device(s) <= kShareOfHost * here(s);
    const std::int64_t more = std::max<std::int64_t>(0, bytes_of(s) - buffers_.host_bytes());
    return on_device(s) + pinning(more) <=
           kShareOfHost * std::min(here(s), closed_on_device(tree_.width(s)));
  }
  bool fits(SupernodeId s) const {
    FrontBuffers with = buffers_;
    with.add(tree_.width(s), tree_.structure_size(s));
    return with.device_bytes() <= plan_.bytes_allowed;
  }

  const Problem& problem_;
  const sparse::Tree& tree_;
  const DevicePlan& plan_;
  const RowCosts& costs_;
  bool symmetric_;
  std::unique_ptr<kernels::DeviceSizes> sizes_;
  std::int64_t tile_;
  FrontBuffers buffers_;
};

std::vector<Vertex> sources_of(const sparse::Tree& tree, const store::VertexList& sources,
                               std::int64_t band) {
  const std::vector<Vertex>& order = tree.order().vertex_at;
  if (band == 0 && sources.is_all()) return order;
  return flow::in_bands(order, sources.of(tree.vertices()), band);
}

/// Returns the longest path to a root, in supernodes: launches of a downward sweep.
std::int64_t levels_of(const sparse::Tree& tree) {
  std::vector<std::int64_t> levels(static_cast<std::size_t>(tree.supernodes()));
  std::int64_t most = 0;
  for (sparse::SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const sparse::SupernodeId above = tree.parent(s);
    std::int64_t& level = levels[static_cast<std::size_t>(s)];
    level = above < 0 ? 1 : levels[static_cast<std::size_t>(above)] + 1;
    most = std::max(most, level);
  }
  return most;
}

/// Seconds of writing distances from so many sources on the device, in values of `type`.
double written_seconds(const DevicePlan& plan, ValueType type, double sources) {
  return sources * static_cast<double>(plan.n) * size_of(type) / plan.row_rates.swept /
         plan.devices();
}

/// Returns seconds of all sweeps and counts, so many sources at a time, from figures of one H200:
/// written rows, relaxations at shares of the product's rate, launches, packing and copying the
/// factor.
double all_sweeps_seconds(const sparse::Tree& tree, const DevicePlan& plan,
                          const KernelKind& kernel, int threads, std::int64_t lanes,
                          std::span<const Vertex> sources,
                          const statistics::CountMethod& counting) {
  constexpr double kNarrow = 0.3, kWide = 0.7;  // of the product
  constexpr double kPacked = 1e9;               // bytes a second and thread
  constexpr double kCopied = 4e9;               // bytes a second
  // s of a block for each vertex of the longest path, however few sources it has.
  constexpr double kOfPath = 0.36e-6;
  const auto n = static_cast<double>(tree.vertices());
  const auto from = static_cast<double>(sources.size());
  const double devices = plan.devices();  // each has the factor, and takes blocks of sources
  const double blocks = std::ceil(from / static_cast<double>(lanes) / devices);
  double wide = 0;  // entries
  for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const std::int64_t width = tree.width(s), upper = tree.structure_size(s);
    if (sparse::rows_of_item(tree.width(s), width + upper) > kernels::kListedRows) {
      wide += static_cast<double>(width * upper);
    }
  }
  const double narrow = static_cast<double>(tree.upper_entries()) - wide;
  const double up = sparse::UpSweepLists::relaxations(tree, sources, lanes);
  const double rate = swept_relaxations(plan, kernel);
  const ValueType type = kernel.type;
  const double bytes =
      static_cast<double>(sparse::DownSweepLists::weights_of(tree)) * size_of(type);
  const double work = written_seconds(plan, type, from) +
                      (from * narrow / kNarrow + (from * wide + up) / kWide) / rate / devices +
                      counting_seconds(plan, from * n, counting, type);
  return kRowsSetupSeconds + bytes * (1 / (kPacked * threads) + 1 / kCopied) +
         blocks * static_cast<double>(3 * levels_of(tree)) * plan.link.launch +
         std::max(work, blocks * static_cast<double>(tree.height()) * kOfPath);
}

/// Seconds of an elimination in addition to its relaxations, for any number of threads: first touch
/// of fronts and factor, and lists of all vertices.
double filling_seconds(const RowsPlan& rows) {
  constexpr double kTouched = 2.5e9, kVertex = 0.12e-6;  // bytes a second; s
  return 2 * static_cast<double>(rows.costs.source_bytes) / kTouched +
         static_cast<double>(rows.tree()->vertices()) * kVertex;
}

struct SweepSize {
  std::int64_t lanes = 0;
  sparse::UpwardSize largest{};
  sparse::DeviceRows how{};
  sparse::FactorPartition partition{};
  std::int64_t bytes = 0, host_bytes = 0;
  std::int64_t passing = 0;  // bytes of the factor that every block copies
  double seconds = 0;
};

struct SweepSizes {
  const Problem& problem;
  const DevicePlan& plan;
  const RowsPlan& rows;
  const statistics::CountMethod& counting;
  std::int64_t arcs;
  std::span<const Vertex> sources;
  const sparse::Tree& tree = *rows.tree();
  const ValueType type = swept_kernel(problem).type;  // of rows on the device
  std::optional<sparse::DownSweepLists> lists{};      // if the factor streams

  SweepSize best() {
    const std::int64_t most =
        lanes_of(std::clamp<std::int64_t>(std::ssize(sources), 1, kMostLanes));
    const std::int64_t resident_lanes = sparse::DeviceSweep::lanes_within(
        plan.bytes_allowed, most, type,
        [&](std::int64_t lanes) { return bytes_of(begun(lanes, false), nullptr); });
    std::optional<SweepSize> best;
    if (resident_lanes > 0) best = resident(resident_lanes);
    SweepSize size;
    for (std::int64_t lanes = most; lanes > resident_lanes; lanes = lanes_of(lanes / 2)) {
      const bool least = lanes == lanes_of(1);
      if (!least && plan.n * lanes * size_of(type) > plan.bytes_allowed) continue;
      size = streamed(lanes);
      if (fits(size) && (!best || size.seconds < best->seconds)) best = size;
      if (least) break;
    }
    if (best) return *best;
    const SweepSize there = resident(lanes_of(1));
    return there.bytes < size.bytes ? there : size;
  }

  std::int64_t lanes_of(std::int64_t count) const {
    return sparse::DeviceSweep::lanes_of(count, type);
  }
  bool fits(const SweepSize& size) const { return size.bytes <= plan.bytes_allowed; }
  /// Whether rows of so many sources may be reduced: they are only counted, and what reducing takes
  /// is less than the half of a matrix that it saves.
  bool reduces(std::int64_t lanes) const {
    return problem.semiring == Semiring::min_plus && problem.type == ValueType::i32 &&
           problem.sign == kernels::Sign::non_negative && rows.uses.gives_columns &&
           counting.limit > 0 && !counting.binned &&
           sparse::DeviceSweep::reducing_bytes(tree, lanes) <=
               plan.n * lanes * (size_of(ValueType::i32) - size_of(ValueType::u16));
  }
  /// Whether that works for most blocks, as their sources are likely near each other in a plane.
  bool mostly_reduced(std::int64_t lanes) const {
    const double part = static_cast<double>(lanes) / static_cast<double>(plan.n);
    return 2 * problem.distance_bound * std::sqrt(part) <= kernels::kMostReduced;
  }

  SweepSize begun(std::int64_t lanes, bool streams) const {
    SweepSize size{.lanes = lanes};
    size.largest = sparse::UpSweepLists::largest(tree, sources, lanes, streams);
    const std::int64_t columns = problem.selection.targets.size(plan.n);
    size.how = sparse::DeviceRows::of(lanes, columns, problem.type);
    if (counting.counts()) size.bytes = statistics::device_count_bytes(plan.n, plan.n, counting);
    if (!rows.uses.gives_columns) size.bytes += size.how.device_bytes(columns, problem.type);
    size.bytes += predecessors(size.how.piece).device_bytes;
    return size;
  }

  PredecessorCosts predecessors(std::int64_t piece) const {
    return predecessor_costs(plan, rows.uses, arcs, std::ssize(sources), piece);
  }

  std::int64_t bytes_of(const SweepSize& begun, const sparse::SweepParts* parts) const {
    return begun.bytes +
           sparse::DeviceSweep::device_bytes(tree, type, begun.lanes, begun.largest, parts);
  }

  void add_sweeps(SweepSize& size, const sparse::SweepParts* parts) const {
    size.bytes = bytes_of(size, parts);
    size.host_bytes = sparse::DeviceSweep::host_bytes(tree, type, size.lanes, size.largest, parts);
    if (parts == nullptr && reduces(size.lanes)) {
      size.host_bytes += sparse::DeviceSweep::reducing_host_bytes(tree, size.lanes);
    }
    if (!fits(size)) return;
    // Measured against u16, 1.28 million vertices: a tenth of the blocks is not reduced, and each
    // has potentials.
    constexpr double kMoreThanNarrow = 1.3;
    KernelKind kernel = swept_kernel(problem);
    const bool reduced = parts == nullptr && reduces(size.lanes) && mostly_reduced(size.lanes);
    if (reduced) kernel.type = kernels::listed_type(kernels::ListedForm::reduced, problem.type);
    size.seconds =
        all_sweeps_seconds(tree, plan, kernel, problem.threads, size.lanes, sources, counting);
    if (reduced) size.seconds *= kMoreThanNarrow;
    size.seconds += predecessors(size.how.piece).seconds;
    if (parts != nullptr) size.seconds += streaming_seconds(size, *parts);
  }

  SweepSize resident(std::int64_t lanes) const {
    SweepSize size = begun(lanes, false);
    add_sweeps(size, nullptr);
    return size;
  }

  /// The factor gets the memory that blocks leave: two parts pass through it, the others stay.
  SweepSize streamed(std::int64_t lanes) {
    constexpr std::int64_t kMostOfPart = std::int64_t{64} << 20, kPartsThere = 8;
    if (!lists) lists.emplace(tree, true);
    SweepSize size = begun(lanes, true);
    const std::int64_t least = sparse::SweepParts::least_part(*lists, tree, type);
    const sparse::SweepParts smallest(*lists, tree, type, {0, least});
    const std::int64_t others =
        sparse::DeviceSweep::device_bytes(tree, type, lanes, size.largest, &smallest) -
        2 * smallest.buffer_bytes();
    const std::int64_t left = plan.bytes_allowed - size.bytes - others;
    size.partition.part = std::clamp(left / kPartsThere, least, std::max(least, kMostOfPart));
    // Larger parts have more groups that wait for each other.
    const std::int64_t waiting =
        sparse::DeviceSweep::waiting_bytes(sparse::DownSweepLists::waiting_of(tree), lanes, type);
    size.partition.resident = std::max<std::int64_t>(0, left - 2 * size.partition.part - waiting);
    const sparse::SweepParts parts(*lists, tree, type, size.partition);
    size.passing = parts.bytes() - parts.resident_bytes();
    add_sweeps(size, &parts);
    return size;
  }

  /// Copies of parts, and of what blocks copy, overlap with sweeps; the excess counts.
  double streaming_seconds(const SweepSize& size, const sparse::SweepParts& parts) const {
    constexpr double kPart = 15e-6;
    const dense::OffloadRates each =
        rates_of_each(assumed_offload_rates(plan.kernel, plan.device), plan.devices());
    const double in = std::min(each.in, plan.link.in);
    const std::int64_t taken = (size.largest.passing + size.largest.weights) * size_of(type);
    const auto bytes = static_cast<double>(size.passing + taken);
    const double blocks = std::ceil(static_cast<double>(sources.size()) /
                                    static_cast<double>(size.lanes * plan.devices()));
    const auto pinned = static_cast<double>(
        parts.bytes() + sparse::DownSweepLists::weights_of(tree, true) * size_of(type));
    return pinned / plan.link.pinned + blocks * static_cast<double>(parts.parts().size()) * kPart +
           std::max(0.0, blocks * bytes / in - size.seconds);
  }
};

}  // namespace

void eliminate_on_device(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                         SweepsOnDevice& sweeps, DevicePlan& plan, RowCosts& costs) {
  const sparse::Tree& tree = *by.tree;
  const RowCosts by_host = costs;
  EliminationShare share(problem, there, by, plan, by_host);
  sweeps.fronts = share.fronts();
  std::int64_t bytes = share.buffers().device_bytes();
  if (!sweeps.fronts.empty()) {
    costs.making_seconds += kOpened + share.pinning(share.buffers().host_bytes());
    costs.making_bytes += share.more_bytes();
  }
  for (const SupernodeId s : sweeps.fronts) {
    costs.making_seconds += share.on_device(s) - share.here(s);
  }
  std::int64_t widest = 0;
  const std::int64_t from = share.closed_from(!sweeps.fronts.empty());
  for (SupernodeId s = 0; s < tree.supernodes() && from > 0; ++s) {
    const std::int64_t width = tree.width(s);
    const bool taken = std::binary_search(sweeps.fronts.begin(), sweeps.fronts.end(), s);
    const bool left_to_host = !sweeps.fronts.empty() && tree.structure_size(s) > 0;
    if (width < from || taken || left_to_host) continue;
    widest = std::max(widest, width);
    costs.making_seconds += share.closed_on_device(width) - share.closed_here(width);
  }
  if (widest > 0) {
    sweeps.closed_from = from;
    if (sweeps.fronts.empty()) costs.making_seconds += kOpened;
    bytes += share.closing_bytes(widest);
  }
  if (sweeps.eliminates()) sweeps.closed_tile = share.tile();
  plan.bytes = std::max(plan.bytes, bytes);
}

double swept_relaxations(const DevicePlan& plan, const KernelKind& kernel) {
  return assumed_offload_rates(kernel, plan.device).relaxations /
         speed_relative_to_h200(plan.device) * plan.row_rates.speed(&DeviceRowRates::swept);
}

kernels::ListedForm swept_form(const Problem& problem) {
  const bool whole = problem.semiring == Semiring::min_plus && problem.type == ValueType::f64 &&
                     problem.sign == kernels::Sign::non_negative && problem.whole &&
                     problem.distance_bound <= kernels::kMostWhole;
  return whole ? kernels::ListedForm::whole : kernels::ListedForm::values;
}

KernelKind swept_kernel(const Problem& problem) {
  KernelKind kernel = problem.kernel();
  kernel.type = kernels::listed_type(swept_form(problem), problem.type);
  return kernel;
}

double least_sweeping_seconds(const Problem& problem, bool counted, const DevicePlan& plan) {
  const auto from = static_cast<double>(problem.sources());
  const ValueType type = swept_kernel(problem).type;
  const bool counts = counted && count_method(problem).counts();
  return kRowsSetupSeconds + written_seconds(plan, type, from) +
         (counts ? counting_seconds(plan, from * static_cast<double>(plan.n), 1, type) : 0);
}

RowsOnDevices sweeps_on_devices(std::int64_t arcs, const Problem& problem, const DeviceMeans& means,
                                const NamedDevice& there, RowsPlan rows) {
  const sparse::Tree& tree = *rows.tree();
  RowsOnDevices on{begun_rows(problem, tree.vertices(), means, there), std::move(rows)};
  const RowUses& uses = on.rows.uses;
  RowCosts& costs = on.rows.costs;
  DevicePlan& plan = on.devices;
  SweepsOnDevice sweeps;
  const auto eliminate = [&] {
    auto& by = std::get<RowsByFactor>(on.rows.by);
    eliminate_on_device(problem, there, by, sweeps, plan, costs);
    costs.making_seconds += filling_seconds(on.rows);
    by.on_device = sweeps;
  };
  if (!uses.computes_rows) {  // the factor answers queries later, on the host
    eliminate();
    return on;
  }
  if (uses.gives_columns || uses.counts_columns) sweeps.counting = count_method(problem);
  const std::vector<Vertex> sources =
      sources_of(tree, problem.selection.sources, uses.keeps_matrix ? 0 : means.band);
  const std::int64_t columns = problem.selection.targets.size(tree.vertices());
  SweepSizes sizes{problem, plan, on.rows, sweeps.counting, arcs, sources};
  const SweepSize size = sizes.best();
  sweeps.lanes = size.lanes;
  sweeps.reduces = !size.partition.streams() && sizes.reduces(size.lanes);
  sweeps.form = swept_form(problem);
  sweeps.partition = size.partition;
  sweeps.passing_bytes = size.passing;
  plan.bytes = size.bytes;
  plan.streamed = size.partition.streams();
  if (plan.bytes > plan.bytes_allowed) {
    plan.refuse(fmt::format("sweeps over a factor of {} vertices need", base::format_count(plan.n)),
                plan.bytes);
    return on;
  }
  eliminate();
  plan.seconds = size.seconds;
  const std::int64_t pinned =
      (uses.stays_on_device ? 0 : size.how.host_bytes(columns, problem.type)) +
      sizes.predecessors(size.how.piece).host_bytes;
  add_host_costs(std::ssize(sources), columns, pinned, sweeps.counting, on);
  costs.columns_worker_bytes += plan.devices() * size.host_bytes;
  costs.worker_bytes = costs.columns_worker_bytes + plan.devices() * pinned +
                       std::ssize(sources) * std::int64_t{2 * sizeof(Vertex)};
  return on;
}

}  // namespace apsp::planner
