// Reachability on GPUs: bits that reside there, and bits that stream through less memory.
//
// A random directed graph of so many arcs a vertex, 1.5 unless told: a part of it reaches itself,
// and a part of the rest is reached. Solved resident first, and then through every --memory of each
// GPU. Seconds are those from the first copy in to the last copy out. The reachable pairs of every
// row must be the same in all runs, and --rows rows, evenly spaced, must be those of searches in
// the graph. --alone: without the resident run. --strict: a device that checks every
// access, slowly, on the host. Exit 1 where anything differs, or a run that streams has less than
// --bar of the first one's rate.
#include <apsp/graph.hpp>

#include <numeric>

#include "base/units.hpp"
#include "dense/reachable_bits.hpp"
#include "device_harness.hpp"
#include "engine/run.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::vector<std::int64_t> sizes = {131072}, memories;
  std::vector<int> gpus = {0};
  double arcs = 1.5, bar = 0;
  std::int64_t rows = 64;
  std::uint64_t seed = 1;
  int threads = 0;
  bool alone = false, strict = false;
};

/// The result of a run.
struct Found {
  std::vector<std::int64_t> reached;            // of every row
  std::vector<std::vector<std::uint8_t>> rows;  // of those that are looked at
  bool operator==(const Found&) const = default;
  std::int64_t pairs() const {
    return std::accumulate(reached.begin(), reached.end(), std::int64_t{0});
  }
};

class Bench {
 public:
  Bench(const Settings& settings, std::int64_t n) : settings_(settings), n_(n) {
    graph_ = generate({.kind = GraphKind::gnp,
                       .vertices = n,
                       .probability = std::min(1.0, settings.arcs / static_cast<double>(n)),
                       .directed = true,
                       .seed = settings.seed});
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

  Found look(const dense::ReachableBits& bits) const {
    Found found{std::vector<std::int64_t>(static_cast<std::size_t>(n_)), {}};
    constexpr std::int64_t kRowsAtOnce = 64;
    system::parallel_for(
        (n_ + kRowsAtOnce - 1) / kRowsAtOnce, settings_.threads, [&](std::int64_t b) {
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
    const double rate = plan.relaxations() / report.seconds;
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
        base::format_bytes(there.bytes), there.title(), how, report.seconds, there.seconds,
        rate / 1e12, beside, found.pairs(), same ? "yes" : "NO", right ? "yes" : "NO");
    std::fflush(stdout);
  }

  const Settings& settings_;
  std::int64_t n_;
  Graph graph_;
  std::vector<std::int64_t> looked_at_;
  Found first_{};
  double first_seconds_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_device_closure_bench");
  options("--n LIST", settings.sizes).bytes("--memory SIZE", settings.memories);
  options("--gpus LIST", settings.gpus)("--arcs NUMBER", settings.arcs)("--rows N", settings.rows);
  options("--seed N", settings.seed)("--threads N", settings.threads)("--bar SHARE", settings.bar);
  options("--alone", settings.alone)("--strict", settings.strict);
  return options.run(argc, argv, [&] {
    if (settings.memories.empty()) settings.memories = {std::int64_t{1} << 30};
    settings.threads = system::thread_count(settings.threads);
    bool right = true;
    for (const std::int64_t n : settings.sizes) right = Bench(settings, n).run() && right;
    fmt::print("{}\n", right ? "all agree" : "SOMETHING DIFFERS, OR IS TOO SLOW");
    return right;
  });
}
