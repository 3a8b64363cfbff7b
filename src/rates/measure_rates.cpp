#include "rates/measure_rates.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <apsp/graph.hpp>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/control.hpp"
#include "base/random.hpp"
#include "dense/device_buffer.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/row_kernels.hpp"
#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/elimination_model.hpp"
#include "planner/search_model.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "sparse/factor_rows.hpp"
#include "store/file_system.hpp"
#include "system/aligned_memory.hpp"
#include "system/open_file.hpp"
#include "system/threads.hpp"

namespace apsp::rates {

// Matrices, and copies to and from a GPU.

namespace {

using kernels::ComputeDevice;
using kernels::QueueId;
using kernels::View;
using planner::KernelKind;

constexpr std::int64_t kHostSizes[] = {256, 512, 1024, 1536, 2048, 3072, 4096};
/// GPUs solve up to about 2,500 vertices as one tile, so there are sizes on both sides of it.
constexpr std::int64_t kDeviceSizes[] = {512,  1024, 2048, 2496,  3072,
                                         4096, 6144, 8192, 12288, 16384};
constexpr std::int64_t kColumns = 1024;
constexpr int kSamples = 3;

/// [rows, kColumns] of 4 bytes in pinned memory, and on the device.
struct TimedBlock {
  TimedBlock(ComputeDevice& device, std::int64_t rows)
      : memory(rows * kColumns * 4),
        host{memory.data(), rows, kColumns, kColumns},
        room(device, rows * device.tiles().stride(kColumns) * 4),
        there{room.data(), rows, kColumns, device.tiles().stride(kColumns)} {
    std::memset(memory.data(), 0, static_cast<std::size_t>(memory.bytes()));
    pinned = std::make_unique<dense::PinnedMemory>(device, host, 4);
  }
  system::AlignedMemory memory;
  View host;
  dense::DeviceBuffer room;
  View there;
  std::unique_ptr<dense::PinnedMemory> pinned;
};

/// Bytes per second: in only, out only, and the sum of both at once.
void measure_copies(ComputeDevice& device, std::int64_t bytes, dense::OffloadRates& rates) {
  const std::int64_t rows = std::max<std::int64_t>(bytes / (kColumns * 4), 1);
  TimedBlock going(device, rows), coming(device, rows);
  const QueueId in = device.make_queue(), out = device.make_queue();
  device.copy_in(in, coming.there, coming.host, 4);
  device.synchronize(in);
  const auto timed = [&](bool goes, bool comes) {
    const double best = shortest(kSamples, [&] {
      if (goes) device.copy_in(in, going.there, going.host, 4);
      if (comes) device.copy_out(out, coming.host, coming.there, 4);
      device.synchronize(in);
      device.synchronize(out);
    });
    return static_cast<double>((goes + comes) * rows * kColumns * 4) / best;
  };
  rates.in = timed(true, false);
  rates.out = timed(false, true);
  rates.both = timed(true, true);
}

double pinning_seconds(ComputeDevice& device, std::int64_t bytes) {
  system::AlignedMemory fresh(bytes);
  const double seconds = shortest(1, [&] { device.pin(fresh.data(), bytes); });
  device.unpin(fresh.data());
  return seconds;
}

double copying_seconds(std::int64_t bytes) {
  system::AlignedMemory from(bytes), into(bytes);
  std::memset(from.data(), 1, static_cast<std::size_t>(bytes));
  return shortest(1 + kSamples, [&] {  // the first one touches pages
    std::memcpy(into.data(), from.data(), static_cast<std::size_t>(bytes));
  });
}

/// Seconds per kernel in a sequence of launches.
double launching_seconds(ComputeDevice& device) {
  constexpr int kLaunches = 100;
  constexpr std::int64_t kRows = 1, kCols = 64;
  const std::vector<std::int32_t> none(static_cast<std::size_t>(kRows), -1);
  dense::DeviceBuffer rows(device, kRows * kCols * 2), columns(device, kRows * 4);
  kernels::GatheredRowKernels& gathered = kernels::required(device.gathered_rows());
  const QueueId queue = device.make_queue();
  device.copy_in(queue, {columns.data(), 1, kRows, kRows}, {none.data(), 1, kRows, kRows}, 4);
  const auto launch = [&](int times) {
    for (int i = 0; i < times; ++i) {
      gathered.begin_rows(queue, {rows.data(), kRows, kCols, kCols},
                          reinterpret_cast<const std::int32_t*>(columns.data()));
    }
    device.synchronize(queue);
  };
  launch(1);
  return shortest(1, [&] { launch(kLaunches); }) / kLaunches;
}

/// Splits the time outside the device into a constant and a part for the host's bytes.
void split_the_rest(const std::vector<SizeSample>& samples, double bytes_a_pair,
                    planner::DeviceRates& rates) {
  const auto rest = [](const SizeSample& sample) {
    return std::max(0.0, sample.parts.solve - sample.parts.run);
  };
  const auto bytes = [&](const SizeSample& sample) { return sample.n * sample.n * bytes_a_pair; };
  const SizeSample &first = samples.front(), &last = samples.back();
  const double slope = samples.size() > 1
                           ? (rest(last) - rest(first)) / (bytes(last) - bytes(first))
                           : rest(last) / bytes(last);
  rates.touched = slope > 0 ? 1 / slope : 0;
  rates.setup = std::max(0.0, rest(first) - std::max(slope, 0.0) * bytes(first));
}

}  // namespace

std::optional<planner::HostRates> measure_host(const planner::RateQuery& asked,
                                               const MeasureLimits& limits) {
  const SolveOptions options = measuring_options(asked, limits);
  const SolveOne solve_one = [&](const Graph& graph) { return timed_solve({}, graph, options); };
  const std::vector<SizeSample> samples = sample_sizes(kHostSizes, asked, limits, solve_one);
  if (samples.empty()) return std::nullopt;
  planner::HostRates rates;
  rates.solve = curve(samples, &PhaseSeconds::solve);
  rates.statistics = pairs_a_second(samples);
  rates.start = samples.front().parts.prepare + kernels::cpu::seconds_of_trials();
  rates.arcs = measure_arcs(asked.kernel, samples.back().n, solve_one);
  rates.uncalibrated = false;
  return rates;
}

std::optional<planner::LinkRates> measure_link(const planner::RateQuery& asked,
                                               const MeasureLimits& limits) {
  constexpr std::int64_t kBytes = 16 << 20;
  if (limits.bytes < 2 * kBytes) return std::nullopt;
  const auto opened = limits.devices->open(asked.device.ordinal, Semiring::min_plus, ValueType::u16,
                                           kernels::Sign::non_negative, 4 * kBytes);
  const auto rate = [=](double seconds) { return static_cast<double>(kBytes) / seconds; };
  planner::LinkRates rates;
  rates.start = limits.driver_start;
  rates.pinned = rate(pinning_seconds(*opened, kBytes));
  dense::OffloadRates copies;
  measure_copies(*opened, kBytes, copies);
  rates.in = copies.in;
  rates.out = copies.out;
  rates.copied = rate(copying_seconds(kBytes));
  rates.launch = launching_seconds(*opened);
  return rates;
}

std::optional<planner::DeviceRates> measure_device(const planner::RateQuery& asked,
                                                   const MeasureLimits& limits) {
  const planner::Devices& devices = *limits.devices;
  const KernelKind& kind = asked.kernel;
  SolveOptions options = measuring_options(asked, limits);
  options.machine.device = apsp::Device::cuda;
  options.machine.device_ordinals = {asked.device.ordinal};
  const SolveOne solve_one = [&](const Graph& graph) {
    return timed_solve([&] { return devices; }, graph, options);
  };
  const std::int64_t least = limits.sizes.empty() ? kDeviceSizes[0] : limits.sizes.front();
  if (const auto warm = measuring_graph(kind, asked.shape, least)) solve_one(*warm);
  const std::vector<SizeSample> samples = sample_sizes(kDeviceSizes, asked, limits, solve_one);
  if (samples.empty()) return std::nullopt;
  planner::DeviceRates rates;
  rates.start = limits.driver_start;
  rates.run = curve(samples, &PhaseSeconds::run);
  rates.statistics = pairs_a_second(samples);
  rates.arcs = measure_arcs(kind, samples.back().n, solve_one);
  const double bytes_a_pair =
      size_of(kind.type) + (kind.tracks_via ? 4 : 0) + (kind.in_bits() ? 1.0 / 8 : 0);
  split_the_rest(samples, bytes_a_pair, rates);
  rates.copies.relaxations = rates.run.limit() * planner::relaxations(1, asked.shape);
  const auto opened = devices.open(asked.device.ordinal, kind.semiring, kind.type, kind.sign,
                                   asked.device.memory_free);
  const double largest = samples.back().n;
  constexpr double kMostBytes = 256 << 20;
  measure_copies(*opened, static_cast<std::int64_t>(std::min(kMostBytes, largest * largest * 4)),
                 rates.copies);
  rates.uncalibrated = false;
  return rates;
}

// Sparse graphs.

namespace {

constexpr double kLongestWeight = 10;

/// A graph with small separators: most vertices have few entries of the factor.
Graph flat_graph(std::int64_t n) {
  return generate({.kind = GraphKind::grid,
                   .vertices = n,
                   .greatest_weight = kLongestWeight,
                   .directed = false});
}

/// A directed graph without small separators: the front of its dense core takes most of the time.
Graph tangled_graph(std::int64_t n) {
  constexpr double kDegree = 6;
  return generate({.kind = GraphKind::gnp,
                   .vertices = n,
                   .probability = kDegree / static_cast<double>(n),
                   .greatest_weight = kLongestWeight});
}

/// Seconds of a part with one group of figures each, the others being infinitely fast.
struct Shares {
  double first, second;
};

/// Factors x, y of two groups of figures such that x · first + y · second is the time of each of
/// two graphs. Noise may make these inconsistent; the factors then stay near the combined time.
struct Times {
  double x = 1, y = 1;
};

Times times_of(const Shares& flat, double flat_seconds, const Shares& tangled,
               double tangled_seconds) {
  constexpr double kApart = 3;
  const double both = std::sqrt(flat_seconds / (flat.first + flat.second) * tangled_seconds /
                                (tangled.first + tangled.second));
  const double determinant = flat.first * tangled.second - tangled.first * flat.second;
  if (!(determinant > 0)) return {both, both};
  const auto bounded = [&](double times) {
    return std::clamp(times / determinant, both / kApart, both * kApart);
  };
  return {bounded(flat_seconds * tangled.second - tangled_seconds * flat.second),
          bounded(flat.first * tangled_seconds - tangled.first * flat_seconds)};
}

Shares eliminating_shares(const planner::EliminationCounts& counts, bool symmetric, int threads,
                          planner::EliminationRates rates) {
  planner::EliminationRates products = rates;
  products.front = 0;
  products.assembled = 1e30;
  rates.eliminated = 1e30;
  return {planner::eliminating_seconds(counts, symmetric, threads, rates),
          planner::eliminating_seconds(counts, symmetric, threads, products)};
}

Shares sweeping_shares(const planner::EliminationCounts& counts, const planner::SweepShape& shape,
                       planner::EliminationRates rates) {
  planner::EliminationRates together = rates;
  together.supernode = together.vertex = 0;
  together.swept_alone = 1e30;
  rates.swept_wide = 1e30;
  return {planner::sweeping_seconds(counts, shape, rates),
          planner::sweeping_seconds(counts, shape, together)};
}

planner::EliminationRates fitted(const KernelKind& kind, int threads, const EliminationParts& flat,
                                 const EliminationParts& tangled) {
  planner::EliminationRates rates = planner::assumed_elimination_rates(kind.semiring, kind.type);
  const std::int64_t block = sparse::FactorRows::block_rows(kind.type);
  const planner::SweepShape shape{block, threads, false};
  const planner::EliminationCounts first = planner::counts_of(*flat.tree, block),
                                   second = planner::counts_of(*tangled.tree, block);
  const Shares e1 = eliminating_shares(first, true, threads, rates),
               e2 = eliminating_shares(second, false, threads, rates);
  const Shares s1 = sweeping_shares(first, shape, rates),
               s2 = sweeping_shares(second, shape, rates);
  const Times eliminated = times_of(e1, flat.eliminating, e2, tangled.eliminating);
  const Times swept = times_of(s1, flat.sweeping, s2, tangled.sweeping);
  rates.front *= eliminated.x;
  rates.assembled /= eliminated.x;
  rates.eliminated /= eliminated.y;
  rates.supernode *= swept.x;
  rates.vertex *= swept.x;
  rates.swept_alone /= swept.x;
  rates.swept_wide /= swept.y;
  const double pairs = first.vertices * first.vertices / threads;
  if (flat.counting > 0) rates.counted_swept = pairs / flat.counting;
  if (flat.transposing > 0) rates.transposed = pairs / flat.transposing;
  return rates;
}

/// A graph for breadth-first search: wide, or with many arcs per vertex.
Graph hops_of(GraphKind kind, std::int64_t n, double degree = 24) {
  return generate({.kind = kind,
                   .vertices = n,
                   .probability = std::min(1.0, degree / static_cast<double>(n)),
                   .greatest_weight = 1,
                   .directed = false});
}

/// Seconds of a batch for vertices, and for arcs and values.
Shares block_shares(const Graph& graph, bool reachability, planner::BreadthFirstRates rates) {
  const auto vertices = static_cast<double>(graph.vertex_count());
  const auto arcs = static_cast<double>(graph.arc_count());
  const planner::BlockCounts counts =
      reachability ? planner::BlockCounts{1, vertices, arcs}
                   : planner::block_counts(planner::sample_searches(graph), vertices, arcs);
  const double whole = planner::breadth_first_seconds(counts, rates);
  rates.vertex = 0;
  const double rest = planner::breadth_first_seconds(counts, rates);
  return {whole - rest, rest};
}

std::unique_ptr<flow::RowSource> searches(const Graph& graph, const planner::RowSample& rows) {
  if (rows.algorithm == Algorithm::johnson) {
    return search::dijkstra_rows(graph, rows.kernel.semiring, rows.kernel.type, nullptr,
                                 rows.distance_bound);
  }
  if (rows.kernel.semiring == Semiring::or_and) return search::reachability_rows(graph);
  return search::breadth_first_rows(graph, rows.kernel.type);
}

double row_seconds(const Graph& graph, const planner::RowSample& rows, std::int64_t count,
                   double most, const MeasureLimits& limits) {
  const auto source = searches(graph, rows);
  const Control control{nullptr, limits.cancellation};
  if (source->block_rows() == 1) time_rows(*source, rows.threads, rows.threads, most, control);
  const RowsRun run = time_rows(*source, count, rows.threads, most, control);
  return run.seconds * rows.threads / std::max(1.0, run.rows);
}

}  // namespace

std::optional<planner::EliminationRates> measure_elimination(const planner::RateQuery& asked,
                                                             const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  const int threads = asked.threads;
  if (kind.semiring == Semiring::max_plus) return std::nullopt;  // requires a graph without cycles
  constexpr std::int64_t kFlat = 6400, kTangled = 2000, kLeast = 400;
  constexpr double kByteSeconds = 0.15;  // of both graphs, for each byte of a value (a Xeon, 2026)
  const Control control{nullptr, limits.cancellation};
  const double part = std::sqrt(limits.seconds / kByteSeconds / size_of(kind.type));
  const auto size = [&](std::int64_t most) {
    if (!limits.sizes.empty()) return std::min(most, limits.sizes.back());
    return std::clamp(static_cast<std::int64_t>(part * static_cast<double>(most)), kLeast, most);
  };
  const Graph flat_one = flat_graph(size(kFlat)), tangled_one = tangled_graph(size(kTangled));
  const EliminationParts flat = time_elimination(flat_one, kind, threads, control);
  const EliminationParts tangled = time_elimination(tangled_one, kind, threads, control);
  planner::EliminationRates rates = fitted(kind, threads, flat, tangled);
  rates.counted = pairs_by_rows(flat_one, kind, sparse::FactorRows::block_rows(kind.type));
  return rates;
}

std::optional<planner::DeviceRowRates> measure_device_rows(const planner::RateQuery& asked,
                                                           const MeasureLimits& limits) {
  // The work is long beside launches, on an H200: 60 to 90 ms each.
  constexpr std::int64_t kSwept = 147456, kSearched = 40000, kHopped = 98304;
  constexpr double kMostApart = 16, kDegree = 10;
  const auto size = [&](std::int64_t n) {
    return limits.sizes.empty() ? n : std::min(n, limits.sizes.back());
  };
  SolveOptions options = measuring_options(
      {.kernel = {Semiring::min_plus, ValueType::u16}, .threads = asked.threads}, limits);
  options.machine.device = apsp::Device::cuda;
  options.machine.device_ordinals = {asked.device.ordinal};
  options.storage.keep = Keep::statistics;
  planner::DeviceRowRates rates = planner::assumed_device_row_rates(asked.device);
  const auto measure = [&](double& figure, Algorithm algorithm, const Graph& graph) {
    options.method.algorithm = algorithm;
    const auto rows = time_rows_on_device([&] { return *limits.devices; }, graph, options);
    if (!rows) return;
    const double planned = rows->planned - planner::kRowsSetupSeconds;
    const double taken = rows->taken - planner::kRowsSetupSeconds;
    figure *= std::clamp(planned / std::max(taken, 0.0), 1 / kMostApart, kMostApart);
  };
  measure(rates.swept, Algorithm::nested_dissection, flat_graph(size(kSwept)));
  measure(rates.searched, Algorithm::johnson, tangled_graph(size(kSearched)));
  measure(rates.hopped, Algorithm::breadth_first, hops_of(GraphKind::gnp, size(kHopped), kDegree));
  return rates;
}

std::optional<planner::SearchRates> measure_search(const planner::RateQuery& asked,
                                                   const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  const bool sums = kind.semiring == Semiring::min_plus;
  if (kind.semiring == Semiring::or_and || kind.semiring == Semiring::max_plus) {
    return std::nullopt;
  }
  constexpr std::int64_t kVertices = 6400, kRows = 100;
  const Graph graph = flat_graph(limits.sizes.empty() ? kVertices : limits.sizes.back());
  const auto n = static_cast<double>(graph.vertex_count());
  const double seconds =
      row_seconds(graph, {Algorithm::johnson, kind, sums ? 1e4 : 0, asked.threads}, kRows,
                  limits.seconds, limits);
  planner::SearchRates rates;
  rates = planner::slower(
      rates, seconds / planner::search_seconds(planner::sample_searches(graph), n, rates));
  rates.counted = pairs_by_rows(graph, kind, 1);
  rates.unreached = pairs_by_rows(graph, kind, 1, false);
  return rates;
}

std::optional<planner::BreadthFirstRates> measure_breadth_first(const planner::RateQuery& asked,
                                                                const MeasureLimits& limits) {
  const KernelKind& kind = asked.kernel;
  constexpr std::int64_t kVertices = 4096;
  const std::int64_t n = limits.sizes.empty() ? kVertices : limits.sizes.back();
  const bool reachability = kind.semiring == Semiring::or_and;
  planner::BreadthFirstRates rates{};
  const auto block_of = [&](const Graph& graph) {
    const std::int64_t vertices = graph.vertex_count();
    const double row = row_seconds(graph, {Algorithm::breadth_first, kind, 0, asked.threads},
                                   vertices, limits.seconds / 2, limits);
    return row * static_cast<double>(std::min(planner::kSourcesAtOnce, vertices));
  };
  const Graph flat = hops_of(GraphKind::grid, n), tangled = hops_of(GraphKind::gnp, n);
  const Times times = times_of(block_shares(flat, reachability, rates), block_of(flat),
                               block_shares(tangled, reachability, rates), block_of(tangled));
  rates.vertex *= times.x;
  rates.arc *= times.y;
  rates.values /= times.y;
  rates.counted = pairs_by_rows(flat, kind, planner::kSourcesAtOnce);
  rates.unreached = pairs_by_rows(flat, kind, planner::kSourcesAtOnce, false);
  return rates;
}

std::optional<double> sample_rows(const Graph& graph, const planner::RowSample& rows,
                                  double seconds, const MeasureLimits& limits) {
  constexpr std::int64_t kMostRows = 1000, kLeastPart = 50;
  const std::int64_t n = graph.vertex_count();
  const std::int64_t a_worker = graph.arc_count() * 32 + n * 64;
  if (n == 0 || a_worker * rows.threads > limits.bytes) return std::nullopt;
  const std::int64_t block = rows.algorithm == Algorithm::johnson ? 1 : planner::kSourcesAtOnce;
  if (block * rows.threads * kLeastPart > n) return std::nullopt;
  return row_seconds(graph, rows, std::max(kMostRows, block * rows.threads), seconds, limits);
}

// Memory and disk.

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
/// Pieces of 4, 8, … 128 MiB: 252 in total.
constexpr std::int64_t kFirstPiece = 4 * kMiB, kLastPiece = 128 * kMiB;
/// At most 1/4 of the free space.
constexpr std::int64_t kPartOfDisk = 4;
/// Fractions of the time; the remainder is for page faults.
constexpr double kForWriting = 0.5, kForReading = 0.15;

class Nameless {
 public:
  explicit Nameless(const std::string& folder) : file_(system::open_nameless(folder)) {}

  bool open() const { return file_.is_open(); }
  bool write(std::int64_t offset, const std::byte* from, std::int64_t bytes) const {
    return whole(bytes, [&](std::int64_t done) {
      return pwrite(file_.number(), from + done, static_cast<std::size_t>(bytes - done),
                    offset + done);
    });
  }
  bool read(std::int64_t offset, std::byte* into, std::int64_t bytes) const {
    return whole(bytes, [&](std::int64_t done) {
      return pread(file_.number(), into + done, static_cast<std::size_t>(bytes - done),
                   offset + done);
    });
  }
  bool sync() const { return fsync(file_.number()) == 0; }
  /// Drops the file from the system's cache, if possible.
  void forget() const {
#ifdef POSIX_FADV_DONTNEED
    posix_fadvise(file_.number(), 0, 0, POSIX_FADV_DONTNEED);
#endif
  }

 private:
  template <class F>
  static bool whole(std::int64_t bytes, const F& part) {
    for (std::int64_t done = 0; done < bytes;) {
      const auto moved = part(done);
      if (moved <= 0) return false;
      done += moved;
    }
    return true;
  }

  system::Descriptor file_;
};

/// Bytes per second, the best of some repetitions. `from` and `into` have been touched.
double copying(const system::AlignedMemory& from, system::AlignedMemory& into, int threads) {
  constexpr int kRepeated = 3;
  const std::int64_t pieces = from.bytes() / kMiB;
  const double seconds = shortest(kRepeated, [&] {
    system::parallel_for(pieces, threads, [&](std::int64_t piece) {
      std::memcpy(into.data() + piece * kMiB, from.data() + piece * kMiB, kMiB);
    });
  });
  return static_cast<double>(pieces * kMiB) / seconds;
}

struct Written {
  std::int64_t bytes = 0;
  double rate = 0;  // bytes per second, of the longest piece
};

/// Writes piece by piece until the time is over; no bytes if the disk refuses.
Written writing(const Nameless& file, const system::AlignedMemory& from, double seconds,
                std::int64_t most, const Control& control) {
  Written written;
  const Clock::time_point start = Clock::now();
  for (std::int64_t piece = kFirstPiece; piece <= kLastPiece; piece *= 2) {
    if (written.bytes + piece > most) break;
    const double left = seconds - seconds_since(start);
    if (written.rate > 0 && static_cast<double>(piece) / written.rate > left) break;
    base::check_cancelled(control);
    const Clock::time_point begun = Clock::now();
    for (std::int64_t done = 0; done < piece; done += kFirstPiece) {
      if (!file.write(written.bytes + done, from.data() + done % from.bytes(), kFirstPiece))
        return {};
    }
    if (!file.sync()) return {};
    written.bytes += piece;
    written.rate = static_cast<double>(piece) / seconds_since(begun);
  }
  return written;
}

/// Bytes per second; 0 on failure.
double reading(const Nameless& file, system::AlignedMemory& into, double seconds,
               std::int64_t bytes) {
  file.forget();
  const Clock::time_point start = Clock::now();
  std::int64_t done = 0;
  for (; done < bytes && (done == 0 || seconds_since(start) < seconds); done += kFirstPiece) {
    if (!file.read(done, into.data(), kFirstPiece)) return 0;
  }
  return static_cast<double>(done) / seconds_since(start);
}

}  // namespace

std::optional<planner::TransferRates> measure_transfers(const planner::RateQuery& asked,
                                                        const MeasureLimits& limits) {
  const std::string folder = store::parent_of(asked.path);
  constexpr std::int64_t kCopied = 64 * kMiB;
  std::error_code failure;
  const auto free = std::filesystem::space(folder, failure).available;
  if (failure || limits.bytes < 2 * kCopied) return std::nullopt;
  const auto most =
      static_cast<std::int64_t>(std::min<std::uintmax_t>(free / kPartOfDisk, 2 * kLastPiece));
  const Control control{nullptr, limits.cancellation};
  system::AlignedMemory from(kCopied), into(kCopied);
  system::parallel_for(kCopied / kMiB, asked.threads, [&](std::int64_t piece) {
    // Random, so that no file system compresses them.
    base::SplitMix64 random(static_cast<std::uint64_t>(piece));
    auto* const words = from.as<std::uint64_t>() + piece * (kMiB / 8);
    std::generate_n(words, kMiB / 8, [&] { return random.next(); });
    std::memset(into.data() + piece * kMiB, 1, kMiB);
  });
  planner::TransferRates rates;
  rates.copy_bytes_per_second = copying(from, into, asked.threads);
  const Nameless file(folder);
  if (!file.open()) return std::nullopt;
  const Written written = writing(file, from, kForWriting * limits.seconds, most, control);
  if (written.bytes == 0) return std::nullopt;
  rates.disk_write_bytes_per_second = written.rate;
  rates.disk_read_bytes_per_second =
      reading(file, into, kForReading * limits.seconds, written.bytes);
  return rates;
}

}  // namespace apsp::rates
