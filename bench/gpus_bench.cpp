// Floyd-Warshall on several GPUs of this host, compared with one of them.
//
// Random matrices (random_graph.hpp). On the devices: a solve of what was copied there; host to
// host: from pinned memory to pinned memory; the best of all rounds. The result of several GPUs is
// compared with that of one, bit by bit (--alone: there is none), and checked by its definition.
// --link: what copies between the first two GPUs move. --symmetric: half of a symmetric matrix, on
// a square grid, where a GPU may have several places. --memory: each GPU may use so many bytes,
// through which the matrix streams from pinned memory, on no grid, through one of them first.
// --staged: as GPUs that do not reach each other copy, through the host. --strict: devices that
// check every access, slowly, on the host. Exit 1 where anything differs.

#include <atomic>
#include <cstring>

#include "dense/peer_memory.hpp"
#include "dense/streamed_memory.hpp"
#include "device_harness.hpp"
#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "program/random_graph.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;
using dense::TiledMatrix;

struct Settings {
  std::vector<int> gpus = {0, 1};
  std::vector<std::string> grids;
  std::vector<std::int64_t> sizes = {16384, 32768};
  std::vector<ValueType> types = {ValueType::f32};
  int rounds = 3, threads = 0;
  std::int64_t tile = 0, memory = 0;
  std::uint64_t seed =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  bool symmetric = false, link = false, alone = false, staged = false, strict = false;
};

using bench::seconds;

void show(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

struct Devices {
  std::vector<std::unique_ptr<kernels::ComputeDevice>> owned;
  std::vector<kernels::ComputeDevice*> all;
};

Devices open_devices(const Settings& settings, ValueType type, int count) {
  Devices devices;
  const auto sign = kernels::Sign::non_negative;
  const std::size_t gpus = settings.gpus.size(),
                    places = std::max<std::size_t>(1, static_cast<std::size_t>(count) / gpus);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const int ordinal = settings.gpus[std::min(i / places, gpus - 1)];
    devices.owned.push_back(
        settings.staged ? kernels::cuda::make_device(ordinal, Semiring::min_plus, type, sign, 0,
                                                     kernels::cuda::PeerWay::staged)
                        : bench::open_device(settings.strict, type, sign, ordinal));
  }
  for (const auto& device : devices.owned) devices.all.push_back(device.get());
  return devices;
}

class Bench {
 public:
  Bench(const Settings& settings, ValueType type, std::int64_t n)
      : settings_(settings),
        type_(type),
        n_(n),
        graph_({.type = type, .n = n, .seed = settings.seed, .symmetric = settings.symmetric}),
        values_(n * n * size_of(type)),
        alone_(settings.alone ? 0 : values_.bytes()) {
    const auto device = open_devices(settings, type, 1);
    tile_ = settings.tile > 0
                ? settings.tile
                : planner::choose_device_tile(n, device.all.front()->tiles().granule(), 0);
  }

  bool run() {
    bool right = true;
    show(fmt::format("\n{}, n = {}, tile {}, seed {}", name(type_), n_, tile_, settings_.seed));
    double one = 0, one_copied = 0;
    if (!settings_.alone) {
      Devices device = open_devices(settings_, type_, 1);
      dense::DeviceMemory memory(*device.all.front(), tiled(alone_), shape(),
                                 kernels::Cycles::excluded, control_);
      std::tie(one, one_copied) = times(memory, alone_);
      show(line("1 GPU", one, one_copied));
    }
    if (settings_.memory > 0) return streamed(one_copied);
    for (const auto& [rows, cols] : grids()) {
      Devices devices = open_devices(settings_, type_, rows * cols);
      std::optional<dense::PeerMemory> memory;
      const double claiming = seconds([&] {
        memory.emplace(devices.all, cols, tiled(values_), kernels::Cycles::excluded, control_,
                       TiledMatrix{}, std::int64_t{4} << 20, shape());
      });
      const auto [time, copied] = times(*memory, values_);
      const auto count = static_cast<int>(settings_.gpus.size());
      std::string more;
      if (!settings_.alone) {
        more = fmt::format(", {:.1f} % of {} × one; host to host {:.2f} times as fast as one",
                           100 * one / time / count, count, one_copied / copied);
      }
      show(line(fmt::format("{} x {} GPUs", rows, cols), time, copied) + more);
      right = checked(fmt::format("claimed and pinned in {:.2f} s; ", claiming)) && right;
    }
    return right;
  }

 private:
  /// Solves from pinned host memory and back, through so much memory of each GPU.
  bool streamed(double one_copied) {
    const auto count = static_cast<int>(settings_.gpus.size());
    Devices devices = open_devices(settings_, type_, count),
            one = open_devices(settings_, type_, 1);
    const planner::KernelKind kind{Semiring::min_plus, type_, kernels::Sign::non_negative, false};
    planner::DeviceFacts h200;
    h200.multiprocessors = 132;
    h200.clock_mhz = 1980;
    const dense::OffloadRates rates = planner::assumed_offload_rates(kind, h200);
    dense::OffloadProblem problem{.n = n_,
                                  .value_size = size_of(type_),
                                  .tile = tile_,
                                  .device_memory = settings_.memory,
                                  .shape = shape()};
    const kernels::DeviceSizes& sizes = devices.all.front()->tiles();
    const dense::OffloadPlan alone = dense::plan_offload(problem, rates, sizes);
    problem.devices = count;
    const dense::OffloadPlan plan =
        dense::plan_offload(problem, planner::rates_of_each(rates, count), sizes);
    bool right = true;
    double through_one = 0;
    if (!settings_.alone) {
      through_one = passed<dense::StreamedMemory>("1 GPU", alone, *one.all.front());
      right = checked();
    }
    const double through_all =
        passed<dense::StreamedPeers>(fmt::format("{} GPUs", count), plan, devices.all);
    if (!settings_.alone) {
      show(fmt::format(
          "  {:.1f} % of {} × one that streams; {:.2f} times as fast as one that holds it",
          100 * through_one / through_all / count, count, one_copied / through_all));
    }
    return checked() && right;
  }
  /// Seconds of the best solve that streams so.
  template <class Place, class Through>
  double passed(const std::string& who, const dense::OffloadPlan& plan, Through& through) {
    Place place(through, plan, tiled(values_), kernels::Cycles::excluded, control_);
    double best = std::numeric_limits<double>::max();
    for (int round = 0; round < settings_.rounds; ++round) {
      fill(values_);
      best = std::min(best, seconds([&] { place.run(); }));
    }
    show(fmt::format(
        "{}, {} MiB of each, streamed: host to host {:9.2f} ms, {:6.2f} T/s "
        "(panels of {}, {} buffers of {} rows, {} stay; predicted {:.2f} ms)",
        who, settings_.memory >> 20, best * 1e3, planner::relaxations(n_, shape()) / best / 1e12,
        plan.width, plan.buffers, plan.strip_rows, plan.resident_rows, plan.seconds * 1e3));
    return best;
  }
  bool checked(const std::string& before = {}) {
    const bool same = settings_.alone || equal();
    const bool right = graph_.check(tiled(values_).matrix, {}, settings_.threads).correct;
    show(
        fmt::format("  {}bit-identical to one GPU: {}; rows agree "
                    "with their definition: {}",
                    before,
                    settings_.alone ? "not compared"
                    : same          ? "yes"
                                    : "NO",
                    right ? "yes" : "NO"));
    return same && right;
  }
  std::vector<std::pair<int, int>> grids() const {
    std::vector<std::pair<int, int>> all;
    for (const std::string& grid : settings_.grids) {
      const std::size_t x = std::min(grid.find('x'), grid.size() - 1);
      all.emplace_back(std::stoi(grid), std::stoi(grid.substr(x + 1)));
    }
    if (!all.empty()) return all;
    const auto count = static_cast<int>(settings_.gpus.size());
    if (!settings_.symmetric) return {{count, 1}};
    const int square = dense::PeerMemory::square(count);
    if (square == 0) throw Error(ErrorKind::usage, "so many GPUs share no square grid");
    return {{square, square}};
  }
  dense::Shape shape() const {
    return settings_.symmetric ? dense::Shape::symmetric : dense::Shape::full;
  }
  TiledMatrix tiled(system::AlignedMemory& memory) const {
    return {{memory.data(), n_, n_, n_}, size_of(type_), tile_};
  }
  void fill(system::AlignedMemory& memory) const {
    graph_.fill(tiled(memory).matrix, settings_.threads);
  }
  /// Seconds on the devices, and from host to host; the memory then holds distances.
  template <class Memory>
  std::pair<double, double> times(Memory& memory, system::AlignedMemory& host) const {
    double solved = std::numeric_limits<double>::max(), copied = solved;
    fill(host);
    for (int round = 0; round < settings_.rounds; ++round) {
      memory.upload();
      solved = std::min(solved, seconds([&] { memory.solve(); }));
    }
    for (int round = 0; round < settings_.rounds; ++round) {
      if (round > 0) fill(host);
      copied = std::min(copied, seconds([&] { memory.run(); }));
    }
    return {solved, copied};
  }
  std::string line(const std::string& who, double solved, double copied) const {
    const double work = planner::relaxations(n_, shape());
    return fmt::format("{:12} on the devices {:9.2f} ms, {:6.2f} T/s; host to host {:9.2f} ms", who,
                       solved * 1e3, work / solved / 1e12, copied * 1e3);
  }
  bool equal() {
    std::atomic<bool> same{true};
    system::parallel_for(n_, settings_.threads, [&](std::int64_t i) {
      const std::int64_t bytes = n_ * size_of(type_);
      if (std::memcmp(values_.data() + i * bytes, alone_.data() + i * bytes,
                      static_cast<std::size_t>(bytes)) != 0) {
        same = false;
      }
    });
    return same;
  }

  const Settings& settings_;
  ValueType type_;
  std::int64_t n_, tile_ = 0;
  bench::RandomGraph graph_;
  system::AlignedMemory values_, alone_;
  Control control_;
};

/// Bytes a second from the second GPU's memory into the first one's, one way and both ways at once.
void show_link(const Settings& settings) {
  Devices devices = open_devices(settings, ValueType::f32, 2);
  kernels::ComputeDevice &a = *devices.all[0], &b = *devices.all[1];
  a.peers()->meet(b);
  b.peers()->meet(a);
  constexpr std::int64_t kMost = std::int64_t{256} << 20;
  const auto qa = a.make_queue(), qb = b.make_queue();
  std::byte *const ma = a.allocate(2 * kMost), *const mb = b.allocate(2 * kMost);
  for (std::int64_t bytes = std::int64_t{1} << 20; bytes <= kMost; bytes *= 16) {
    const std::int64_t times = std::max<std::int64_t>(4, kMost / bytes);
    const auto copies = [&](bool both) {
      for (std::int64_t i = 0; i < times; ++i) {
        a.peers()->copy_from(qa, ma, b, mb, bytes);
        if (both) b.peers()->copy_from(qb, mb + kMost, a, ma + kMost, bytes);
      }
      a.synchronize(qa);
      b.synchronize(qb);
    };
    copies(true);
    const auto moved = static_cast<double>(times * bytes);
    show(fmt::format("peer copies of {:4} MiB: {:6.1f} GB/s; both ways at once {:6.1f} GB/s each",
                     bytes >> 20, moved / seconds([&] { copies(false); }) / 1e9,
                     moved / seconds([&] { copies(true); }) / 1e9));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_gpus_bench");
  options("--gpus LIST", settings.gpus)("--grid ROWSxCOLS", settings.grids)("--n LIST",
                                                                            settings.sizes);
  options("--type LIST", settings.types)("--rounds N", settings.rounds)("--tile N", settings.tile);
  options("--seed N", settings.seed)("--threads N", settings.threads);
  options("--symmetric", settings.symmetric).bytes("--memory SIZE", settings.memory);
  options("--link", settings.link)("--alone", settings.alone)("--staged", settings.staged);
  options("--strict", settings.strict);
  return options.run(argc, argv, [&] {
    settings.threads = system::thread_count(settings.threads);
    if (settings.link) show_link(settings);
    bool right = true;
    for (const ValueType type : settings.types) {
      for (const std::int64_t n : settings.sizes) right = Bench(settings, type, n).run() && right;
    }
    show(right ? "all agree" : "SOMETHING DIFFERS");
    return right;
  });
}
