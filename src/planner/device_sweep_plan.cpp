#include "planner/device_sweep_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/units.hpp"
#include "elimination/device_rows.hpp"
#include "elimination/front.hpp"
#include "elimination/sweep_lists.hpp"
#include "elimination/sweep_parts.hpp"
#include "kernels/listed_rows.hpp"
#include "planner/device_model.hpp"
#include "store/row_source.hpp"

namespace apsp::planner {
namespace {

/// Sources at a time: launches are few, and the part of a block that sweeps upward is small. More
/// were no faster on any graph that was measured (bench/attempts-gpu.md) and take as many times the
/// memory.
constexpr std::int64_t kLanes = 4096;
constexpr double kShareForSweeps = 0.95;

/// All vertices in the order in which they are swept.
std::vector<Vertex> sources_of(const elimination::Tree& tree, std::int64_t band) {
  const std::vector<Vertex>& order = tree.order().vertex_at;
  if (band == 0) return order;
  std::vector<Vertex> all(order.size());
  std::iota(all.begin(), all.end(), Vertex{0});
  return store::in_bands(order, all, band);
}

/// The longest way to a root, in supernodes: launches of a sweep down.
std::int64_t levels_of(const elimination::Tree& tree) {
  std::vector<std::int64_t> levels(static_cast<std::size_t>(tree.supernodes()));
  std::int64_t most = 0;
  for (elimination::SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const elimination::SupernodeId above = tree.parent(s);
    std::int64_t& level = levels[static_cast<std::size_t>(s)];
    level = above < 0 ? 1 : levels[static_cast<std::size_t>(above)] + 1;
    most = std::max(most, level);
  }
  return most;
}

/// Seconds in which all rows are written on the device.
double written_seconds(const DevicePlan& plan) {
  constexpr double kWritten = 2.4e12;  // bytes a second
  const auto n = static_cast<double>(plan.n);
  return n * n * size_of(plan.kernel.type) / kWritten / beside_h200(plan.device) / plan.devices();
}

/// Seconds of all sweeps and counts, so many sources at a time, from figures of one H200: rows that
/// are written, relaxations at shares of the product's rate, launches, the factor that is packed
/// and copied.
double sweeping_seconds(const elimination::Tree& tree, const DevicePlan& plan, std::int64_t lanes,
                        std::span<const Vertex> sources, int threads, bool counts) {
  constexpr double kNarrow = 0.3, kWide = 0.7;  // of the product
  constexpr double kPacked = 1e9;               // bytes a second and thread
  constexpr double kCopied = 4e9;               // bytes a second
  // A block takes so long for each vertex of the longest path, however few sources it has; s.
  constexpr double kOfPath = 0.36e-6;
  const auto n = static_cast<double>(tree.vertices());
  const double devices = plan.devices();  // each has the factor, and takes blocks of sources
  const double blocks = std::ceil(n / static_cast<double>(lanes) / devices);
  double wide = 0;  // entries
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const std::int64_t width = tree.width(s), upper = tree.structure_size(s);
    if (elimination::rows_of_item(tree.width(s), width + upper) > kernels::kListedRows) {
      wide += static_cast<double>(width * upper);
    }
  }
  const double narrow = static_cast<double>(tree.upper_entries()) - wide;
  const double up = elimination::UpwardLists::relaxations(tree, sources, lanes);
  const double rate = assumed_offload_rates(plan.kernel, plan.device).relaxations;
  const double bytes =
      static_cast<double>(elimination::SweepLists::weights_of(tree)) * size_of(plan.kernel.type);
  const double work = written_seconds(plan) +
                      (n * narrow / kNarrow + (n * wide + up) / kWide) / rate / devices +
                      (counts ? counting_seconds(plan, n * n) : 0);
  return kBesideRowsSeconds + bytes * (1 / (kPacked * threads) + 1 / kCopied) +
         blocks * static_cast<double>(3 * levels_of(tree)) * plan.link.launch +
         std::max(work, blocks * static_cast<double>(tree.height()) * kOfPath);
}

/// What an elimination takes beside its relaxations, however many threads there are: memory of
/// fronts and of the factor that is touched for the first time, and lists of all vertices.
double filling_seconds(const RowsPlan& rows) {
  constexpr double kTouched = 2.5e9, kVertex = 0.12e-6;  // bytes a second; s
  return 2 * static_cast<double>(rows.source_bytes) / kTouched +
         static_cast<double>(rows.tree->vertices()) * kVertex;
}

/// Sweeps of so many sources at a time: memory of the device and of the host, seconds.
struct SweepSize {
  std::int64_t lanes = 0;
  elimination::UpwardSize largest{};
  elimination::DeviceRows how{};
  elimination::SweepCut cut{};
  std::int64_t bytes = 0, host_bytes = 0;
  std::int64_t passing = 0;  // bytes of the factor that every block copies again
  double seconds = 0;
};

/// As many sources at a time as pay and fit, beside the factor or beside what streams of it.
class SweepSizes {
 public:
  SweepSizes(const RowsProblem& problem, const DevicePlan& plan, const RowsPlan& rows,
             std::span<const Vertex> sources)
      : problem_(problem), plan_(plan), rows_(rows), tree_(*rows.tree), sources_(sources) {}

  /// The soonest of those that fit; the least where none does.
  SweepSize best() {
    std::optional<SweepSize> best;
    std::int64_t lanes = lanes_of(std::clamp<std::int64_t>(plan_.n, 1, kLanes));
    SweepSize size = resident(lanes);
    for (;; size = resident(lanes)) {
      const bool stays = fits(size);
      if (!stays) size = streamed(lanes);
      if (fits(size) && (!best || size.seconds < best->seconds)) best = size;
      if (stays || lanes == lanes_of(1)) break;
      lanes = lanes_of(lanes / 2);
    }
    if (best) return *best;
    const SweepSize there = resident(lanes);
    return there.bytes < size.bytes ? there : size;
  }

 private:
  std::int64_t lanes_of(std::int64_t sources) const {
    return elimination::DeviceSweep::lanes_of(sources, problem_.type);
  }
  bool fits(const SweepSize& size) const { return size.bytes <= plan_.bytes_allowed; }

  /// All but sweeps.
  SweepSize begun(std::int64_t lanes, bool streams) const {
    SweepSize size{.lanes = lanes};
    size.largest = elimination::UpwardLists::largest(tree_, sources_, lanes, streams);
    size.how = elimination::DeviceRows::of(lanes, plan_.n, problem_.type);
    size.bytes = elimination::DeviceCount::device_bytes(plan_.n, plan_.n, rows_.count_limit) +
                 (rows_.gives_columns ? 0 : size.how.device_bytes(plan_.n, problem_.type));
    return size;
  }

  void add_sweeps(SweepSize& size, const elimination::SweepParts* parts) const {
    size.bytes += elimination::DeviceSweep::device_bytes(tree_, problem_.type, size.lanes,
                                                         size.largest, parts);
    size.host_bytes =
        elimination::DeviceSweep::host_bytes(tree_, problem_.type, size.lanes, size.largest, parts);
    if (!fits(size)) return;
    size.seconds = sweeping_seconds(tree_, plan_, size.lanes, sources_, problem_.threads,
                                    rows_.gives_columns || rows_.counts_columns);
    if (parts != nullptr) size.seconds += streaming_seconds(size, *parts);
  }

  SweepSize resident(std::int64_t lanes) const {
    SweepSize size = begun(lanes, false);
    add_sweeps(size, nullptr);
    return size;
  }

  /// What blocks leave of the memory is the factor's: two parts on their way, the rest stays.
  SweepSize streamed(std::int64_t lanes) {
    constexpr std::int64_t kMostOfPart = std::int64_t{64} << 20, kPartsThere = 8;
    if (!lists_) lists_.emplace(tree_, true);
    SweepSize size = begun(lanes, true);
    const std::int64_t least = elimination::SweepParts::least_part(*lists_, tree_, problem_.type);
    const elimination::SweepParts smallest(*lists_, tree_, problem_.type, {0, least});
    const std::int64_t others = elimination::DeviceSweep::device_bytes(tree_, problem_.type, lanes,
                                                                       size.largest, &smallest) -
                                2 * smallest.buffer_bytes();
    const std::int64_t left = plan_.bytes_allowed - size.bytes - others;
    size.cut.part = std::clamp(left / kPartsThere, least, std::max(least, kMostOfPart));
    // Larger parts have more groups that wait for each other.
    const std::int64_t waiting = elimination::DeviceSweep::waiting_bytes(
        elimination::SweepLists::waiting_of(tree_), lanes, problem_.type);
    size.cut.resident = std::max<std::int64_t>(0, left - 2 * size.cut.part - waiting);
    const elimination::SweepParts parts(*lists_, tree_, problem_.type, size.cut);
    size.passing = parts.bytes() - parts.resident_bytes();
    add_sweeps(size, &parts);
    return size;
  }

  /// Besides sweeps over a factor that stays: copies of its parts, and of what blocks take with
  /// them, hide under the sweeps, or they under the copies.
  double streaming_seconds(const SweepSize& size, const elimination::SweepParts& parts) const {
    constexpr double kPart = 15e-6;  // s
    const places::OffloadRates each =
        rates_of_each(assumed_offload_rates(plan_.kernel, plan_.device), plan_.devices());
    const double in = std::min(each.in, plan_.link.in);
    const std::int64_t taken =
        (size.largest.passing + size.largest.weights) * size_of(problem_.type);
    const auto bytes = static_cast<double>(size.passing + taken);
    const double blocks =
        std::ceil(static_cast<double>(plan_.n) / static_cast<double>(size.lanes * plan_.devices()));
    const auto pinned = static_cast<double>(
        parts.bytes() + elimination::SweepLists::weights_of(tree_, true) * size_of(problem_.type));
    return pinned / plan_.link.pinned + blocks * static_cast<double>(parts.parts().size()) * kPart +
           std::max(0.0, blocks * bytes / in - size.seconds);
  }

  const RowsProblem& problem_;
  const DevicePlan& plan_;
  const RowsPlan& rows_;
  const elimination::Tree& tree_;
  std::span<const Vertex> sources_;
  std::optional<elimination::SweepLists> lists_;  // of a factor that streams
};

/// Narrower supernodes take the host's threads less than their copies take.
constexpr std::int64_t kClosedThere = 4096;

std::int64_t widest_of(const elimination::Tree& tree) {
  std::int64_t widest = 0;
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    widest = std::max<std::int64_t>(widest, tree.width(s));
  }
  return widest;
}

/// Wide supernodes are closed on the device, where they fit: memory, and seconds instead of the
/// host's.
void close_on_device(const RowsProblem& problem, const NamedDevice& there, DevicePlan& plan,
                     RowsPlan& rows) {
  const elimination::Tree& tree = *rows.tree;
  const std::int64_t widest = widest_of(tree);
  double closed = 0;  // relaxations
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (tree.width(s) >= kClosedThere) closed += relaxations(tree.width(s), places::Shape::full);
  }
  if (widest < kClosedThere) return;
  const auto sizes = there.devices.sizes(problem.semiring, problem.type, problem.sign);
  const std::int64_t tile = choose_device_tile(widest, sizes->granule(), 0);
  const std::int64_t bytes =
      elimination::DeviceClosing::device_bytes(*sizes, widest, tile, problem.type);
  if (bytes > plan.bytes_allowed) return;
  plan.bytes = std::max(plan.bytes, bytes);
  rows.closed_on_device = kClosedThere;
  rows.closed_tile = tile;
  const places::OffloadRates rates = assumed_offload_rates(plan.kernel, plan.device);
  const double moved = static_cast<double>(widest * widest * size_of(problem.type));
  rows.making_seconds *= 1 - closed / tree.elimination_relaxations();
  rows.making_seconds +=
      closed / 2 / rates.relaxations + moved * (1 / plan.link.out + 1 / plan.link.pinned);
}

}  // namespace

double least_sweeping_seconds(const DevicePlan& plan) {
  const auto n = static_cast<double>(plan.n);
  return kBesideRowsSeconds + written_seconds(plan) + counting_seconds(plan, n * n);
}

std::string why_not_swept(const Graph& graph, const SolveOptions& options,
                          const RowsProblem& problem) {
  const bool integers = problem.type == ValueType::u16 || problem.type == ValueType::i32;
  constexpr auto kMost = static_cast<double>(kernels::kCountLimit - 1);
  if (problem.semiring != Semiring::min_plus || !integers || graph.weight_facts().least < 0 ||
      problem.distance_bound >= kMost) {
    const bool by_length = integers && problem.distance_bound >= kMost;
    return fmt::format(
        "runs on a GPU only over whole distances from 0 on and below {}{}",
        base::format_count(kernels::kCountLimit - 1),
        by_length ? fmt::format(", and these may reach {:.15g}", problem.distance_bound) : "");
  }
  if (graph.vertex_count() > kernels::kCountedRows) {
    return fmt::format("runs on a GPU for at most {} vertices, and there are {}",
                       base::format_count(kernels::kCountedRows),
                       base::format_count(graph.vertex_count()));
  }
  const bool all = options.sources.empty() && options.targets.empty();
  if (!all) return "runs on a GPU only for the distances of all pairs";
  const bool factor = options.keep == Keep::factor || options.stored == Keep::factor;
  if (!factor && !options.predecessors) return {};
  return fmt::format("runs on a GPU without {}", factor ? "--keep factor" : "--predecessors");
}

DevicePlan sweep_on_device(const RowsProblem& problem, std::int64_t memory, std::int64_t band,
                           const NamedDevice& there, RowsPlan& rows) {
  const elimination::Tree& tree = *rows.tree;
  std::int64_t free = there.taken.front().memory_free;
  for (const DeviceFacts& device : there.taken) free = std::min(free, device.memory_free);
  const auto usable = static_cast<std::int64_t>(kShareForSweeps * static_cast<double>(free));
  DevicePlan plan{.device = there.taken.front(),
                  .kernel = {problem.semiring, problem.type, problem.sign, false},
                  .n = tree.vertices(),
                  .link = there.link,
                  .open = there.devices.open};
  for (std::size_t i = 1; i < there.taken.size(); ++i) {
    plan.peers.push_back(there.taken[i].ordinal);
  }
  plan.bytes_allowed = memory > 0 ? std::min(memory, usable) : usable;
  rows.count_limit = static_cast<std::int64_t>(std::ceil(problem.distance_bound)) + 1;
  const std::vector<Vertex> sources = sources_of(tree, rows.keeps_matrix ? 0 : band);
  const SweepSize size = SweepSizes(problem, plan, rows, sources).best();
  rows.lanes = size.lanes;
  rows.cut = size.cut;
  rows.passing_bytes = size.passing;
  plan.bytes = size.bytes;
  plan.streamed = size.cut.streams();
  if (plan.bytes > plan.bytes_allowed) {
    throw DeviceTooSmall(
        fmt::format("sweeps over a factor of {} vertices need at least {} of device memory on {}, "
                    "and {} {}",
                    base::format_count(plan.n), base::format_bytes(plan.bytes), plan.title(),
                    base::format_bytes(plan.bytes_allowed),
                    memory > 0 ? "may be used" : "are free"),
        plan.device.ordinal, plan.bytes);
  }
  close_on_device(problem, there, plan, rows);
  rows.making_seconds += filling_seconds(rows);
  plan.seconds = size.seconds;
  if (!rows.gives_columns) {  // rows leave the device
    const auto n = static_cast<double>(plan.n);
    const auto pinned = static_cast<double>(size.how.host_bytes(plan.n, problem.type));
    plan.seconds =
        std::max(plan.seconds, n * n * size_of(problem.type) / (plan.link.out * plan.devices())) +
        pinned / plan.link.pinned;
  }
  rows.columns_seconds = rows.rows_seconds = plan.seconds;
  rows.counted_swept = rows.counted_beside = 0;  // counted meanwhile
  rows.measured.clear();
  constexpr std::int64_t kVertexCounted = 160, kPlaceCounted = 24;
  // Of each device, whose counts are added up.
  rows.columns_worker_bytes = plan.devices() * (size.host_bytes + plan.n * kVertexCounted +
                                                rows.count_limit * kPlaceCounted);
  rows.worker_bytes = rows.columns_worker_bytes +
                      plan.devices() * size.how.host_bytes(plan.n, problem.type) +
                      std::ssize(sources) * std::int64_t{2 * sizeof(Vertex)};
  rows.block_bytes = 0;
  return plan;
}

}  // namespace apsp::planner
