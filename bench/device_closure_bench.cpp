// Reachability on GPUs: bits that reside there beside bits that stream through less memory.
//
// A random directed graph of so many arcs a vertex, 1.5 unless told: a part of it reaches itself,
// and a part of the rest is reached. Solved resident first, and then through every --memory of each
// GPU. Seconds are those from the first copy in to the last copy out. The reachable pairs of every
// row must be the same in all runs, and --rows rows, evenly spaced, must be those of searches in
// the graph. --alone: without the resident run. --steps: only the last K steps of the widest panels
// are run, on the first GPU. All arcs lead to the vertices of these steps, so the steps before
// would change nothing, and the result is complete: whole matrices are compared by sums of their
// rows. Seconds are then those of the steps alone where bits reside, and of all that streams where
// they stream. --strict: a device that checks every access, slowly, on the host. Exit 1 where
// anything differs, or a run that streams has less than --bar of the first one's rate.
#include <apsp/graph.hpp>

#include <bit>
#include <numeric>

#include "base/machine.hpp"
#include "base/units.hpp"
#include "device_harness.hpp"
#include "engine/run.hpp"
#include "places/device_bits.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::vector<std::int64_t> sizes = {131072}, memories;
  std::vector<int> gpus = {0};
  double arcs = 1.5, bar = 0;
  std::int64_t rows = 64, steps = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  bool alone = false, strict = false;
};

/// What a run found.
struct Found {
  std::vector<std::int64_t> reached;            // of every row
  std::vector<std::uint64_t> sums{};            // of every row's words; of steps alone
  std::vector<std::vector<std::uint8_t>> rows;  // of those that are looked at
  bool operator==(const Found&) const = default;
  std::int64_t pairs() const {
    return std::accumulate(reached.begin(), reached.end(), std::int64_t{0});
  }
};

class Bench {
 public:
  Bench(const Settings& settings, std::int64_t n) : settings_(settings), n_(n) {
    if (settings.steps > 0) {
      plan_steps();
    } else {
      GenerateOptions options;
      options.kind = GraphKind::gnp;
      options.vertices = n;
      options.probability = std::min(1.0, settings.arcs / static_cast<double>(n));
      options.directed = true;
      options.seed = settings.seed;
      graph_ = generate(options);
    }
    const std::int64_t rows = std::clamp<std::int64_t>(settings.rows, 1, n);
    for (std::int64_t i = 0; i < rows; ++i) looked_at_.push_back(i * n / rows);
    fmt::print("n = {}, {} arcs, bits of {}\n", n, graph_.arc_count(),
               base::format_bytes(n * n / 8));
  }

  bool run() {
    bool right = true;
    if (!settings_.alone) right = solve(0);
    for (const std::int64_t memory : settings_.memories) right = solve(memory) && right;
    return right;
  }

 private:
  planner::Plan plan_for(std::int64_t memory) const {
    return planner::plan_matrix({.n = n_,
                                 .kernel = {Semiring::or_and, ValueType::boolean},
                                 .memory = memory,
                                 .threads = settings_.threads,
                                 .stays_in_bits = true},
                                {Device::cuda, settings_.gpus}, [&] { return devices(); });
  }

  bool solve(std::int64_t memory) {
    const planner::Plan plan = plan_for(memory);
    if (settings_.steps > 0) return solve_steps(plan);
    const engine::ClosedBits closed = engine::close(plan, graph_, {});
    return compare(plan, *closed.on_device, look(*closed.bits));
  }

  bool compare(const planner::Plan& plan, const DeviceReport& report, Found found) {
    const bool same = first_.reached.empty() || found == first_, right = rows_are_right(found);
    show(plan, report, found, same, right);
    if (first_.reached.empty()) {
      first_ = std::move(found);
      first_seconds_ = report.seconds;
    }
    return same && right && settings_.bar * report.seconds <= first_seconds_;
  }

  static std::int64_t step_of(const planner::DevicePlan& plan) {
    return plan.streamed ? plan.offload.width : plan.tile;
  }

  /// The first vertex of the steps that are run, and arcs to it and those behind it.
  void plan_steps() {
    std::vector<std::int64_t> memories = settings_.memories;
    if (!settings_.alone) memories.push_back(0);
    std::int64_t whole = 1, widest = 1;
    for (const std::int64_t memory : memories) {
      const std::int64_t step = step_of(*plan_for(memory).on_device);
      whole = std::lcm(whole, step);
      widest = std::max(widest, step);
    }
    begin_ = std::max<std::int64_t>(0, n_ - settings_.steps * widest) / whole * whole;
    base::SplitMix64 random(settings_.seed);
    GraphBuilder builder(n_, true);
    const auto arcs = static_cast<std::int64_t>(settings_.arcs * static_cast<double>(n_));
    for (std::int64_t i = 0; i < arcs; ++i) {
      const std::uint64_t from = random.below(static_cast<std::uint64_t>(n_));
      const std::uint64_t to = random.below(static_cast<std::uint64_t>(n_ - begin_));
      builder.add_edge(static_cast<Vertex>(from),
                       static_cast<Vertex>(begin_) + static_cast<Vertex>(to), 1);
    }
    graph_ = std::move(builder).build();
    fmt::print("{} of the intermediate vertices, from {} on\n", n_ - begin_, begin_);
  }

  bool solve_steps(const planner::Plan& plan) {
    const planner::DevicePlan& there = *plan.on_device;
    const places::Tile first(begin_ / step_of(there));
    if (!bits_) bits_.emplace(n_);
    const Control control;
    DeviceReport report = engine::with_devices(there, [&](const engine::OpenDevices& devices) {
      bits_->fill(graph_, settings_.threads, control);
      constexpr auto kCycles = kernels::Cycles::excluded;
      places::TiledMatrix host = bits_->tiled();
      host.tile = there.tile;
      if (there.streamed) {
        places::StreamedMemory place(*devices.front(), there.offload, host, kCycles, control);
        return bench::seconds([&] { place.run_from(first); });
      }
      places::DeviceMemory place(*devices.front(), host, places::Shape::full, kCycles, control);
      place.upload();
      const double time = bench::seconds([&] { place.solve_from(first); });
      place.download();
      return time;
    });
    Found found = look_at_words();
    for (const std::int64_t i : looked_at_) {
      bits_->unpack(i, found.rows.emplace_back(static_cast<std::size_t>(n_)).data());
    }
    return compare(plan, report, std::move(found));
  }

  /// Counts and sums of all rows.
  Found look_at_words() {
    Found found;
    found.reached.resize(static_cast<std::size_t>(n_));
    found.sums.resize(found.reached.size());
    const places::TiledMatrix bits = bits_->tiled();
    base::share_items(n_, settings_.threads, [&](std::int64_t i) {
      const auto* const words =
          static_cast<const std::uint32_t*>(bits.matrix.data) + i * bits.matrix.stride;
      std::int64_t count = 0;
      std::uint64_t sum = 0;
      for (std::int64_t w = 0; w < bits.matrix.cols; ++w) {
        count += std::popcount(words[w]);
        sum = (sum ^ words[w]) * 0x9E3779B97F4A7C15;
        sum ^= sum >> 32;
      }
      found.reached[static_cast<std::size_t>(i)] = count;
      found.sums[static_cast<std::size_t>(i)] = sum;
    });
    return found;
  }

  planner::Devices devices() const {
    if (!settings_.strict) return planner::cuda_devices();
    constexpr std::int64_t kMemory = std::int64_t{1} << 40;
    planner::Devices strict;
    for (const int gpu : settings_.gpus) {
      strict.list.push_back({gpu, "strict device", kMemory, kMemory, 132, 1980, 90, "13.0"});
    }
    strict.open = [](int, Semiring, ValueType, kernels::Sign, std::int64_t memory) {
      return kernels::strict::make_bit_device(memory);
    };
    strict.sizes = [](Semiring, ValueType, kernels::Sign) { return kernels::strict::bit_sizes(); };
    return strict;
  }

  Found look(const places::ReachableBits& bits) const {
    Found found{std::vector<std::int64_t>(static_cast<std::size_t>(n_)), {}, {}};
    constexpr std::int64_t kRowsAtOnce = 64;
    base::share_items((n_ + kRowsAtOnce - 1) / kRowsAtOnce, settings_.threads, [&](std::int64_t b) {
      std::vector<std::uint8_t> row(static_cast<std::size_t>(n_));
      for (std::int64_t i = b * kRowsAtOnce; i < std::min((b + 1) * kRowsAtOnce, n_); ++i) {
        bits.unpack(i, row.data());
        std::int64_t& count = found.reached[static_cast<std::size_t>(i)];
        for (const std::uint8_t bit : row) count += bit;
      }
    });
    for (const std::int64_t i : looked_at_) {
      bits.unpack(i, found.rows.emplace_back(static_cast<std::size_t>(n_)).data());
    }
    return found;
  }

  bool rows_are_right(const Found& found) const {
    for (std::size_t i = 0; i < looked_at_.size(); ++i) {
      std::vector<std::uint8_t> reached(static_cast<std::size_t>(n_), 0);
      std::vector<Vertex> queue = {static_cast<Vertex>(looked_at_[i])};
      reached[queue.front()] = 1;
      for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const Vertex to : graph_.targets(queue[next])) {
          if (reached[to] == 0) queue.push_back(to);
          reached[to] = 1;
        }
      }
      if (reached != found.rows[i]) return false;
    }
    return true;
  }

  void show(const planner::Plan& plan, const DeviceReport& report, const Found& found, bool same,
            bool right) const {
    const planner::DevicePlan& there = *plan.on_device;
    const double share = static_cast<double>(n_ - begin_) / static_cast<double>(n_);
    const double rate = plan.relaxations() * share / report.seconds;
    std::string how = "resident";
    if (there.streamed) {
      how = fmt::format("streamed (panels of {}, {} buffers of {} rows, {} stay)",
                        there.offload.width, there.offload.buffers, there.offload.strip_rows,
                        there.offload.resident_rows);
    }
    std::string beside;
    if (first_seconds_ > 0) {
      beside = fmt::format(", {:.1f} % of the first rate", 100 * first_seconds_ / report.seconds);
    }
    fmt::print(
        "{} of {}, {}: {:.3f} s, predicted {:.3f} s, {:.1f} T/s{}; {} pairs, as before: {}, "
        "as searched: {}\n",
        base::format_bytes(there.bytes), there.title(), how, report.seconds, there.seconds * share,
        rate / 1e12, beside, found.pairs(), same ? "yes" : "NO", right ? "yes" : "NO");
    std::fflush(stdout);
  }

  const Settings& settings_;
  std::int64_t n_;
  Graph graph_;
  std::vector<std::int64_t> looked_at_;
  std::int64_t begin_ = 0;                    // the first intermediate vertex
  std::optional<places::DeviceBits> bits_{};  // of steps alone
  Found first_{};
  double first_seconds_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options(
      "apsp_device_closure_bench [--n N]... [--memory SIZE]... [--gpus 0,1] [--arcs NUMBER] "
      "[--rows N] [--seed N] [--threads N] [--bar SHARE] [--alone] [--steps K] [--strict]");
  options.value("--n", settings.sizes).bytes("--memory", settings.memories);
  options.value("--gpus", settings.gpus).value("--arcs", settings.arcs);
  options.value("--rows", settings.rows).value("--seed", settings.seed);
  options.value("--threads", settings.threads).value("--bar", settings.bar);
  options.flag("--alone", settings.alone).value("--steps", settings.steps);
  options.flag("--strict", settings.strict);
  return options.run(argc, argv, [&] {
    if (settings.memories.empty()) settings.memories = {std::int64_t{1} << 30};
    settings.threads = base::thread_count(settings.threads);
    bool right = true;
    for (const std::int64_t n : settings.sizes) right = Bench(settings, n).run() && right;
    fmt::print("{}\n", right ? "all agree" : "SOMETHING DIFFERS, OR IS TOO SLOW");
    return right;
  });
}
