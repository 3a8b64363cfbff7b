// The gain of many cores, and its causes: Floyd-Warshall for numbers of threads, sizes, value
// types and tile sides against register loops that run on all those cores at once.
//
// The loops are pinned, a core each, and all run at the same time: a clock that all
// cores share, or two of them that share one set of vector units, meets them as it meets a solve.
// Memory is measured too, as C uses it: a block of values read, changed and written by
// all. A solve says what its threads waited for, so that a poor share has a cause: panels, the
// rest, and panels to be free. Prints a row of JSON for each. --busy: another process keeps the
// last processor busy meanwhile, which takes the core of a thread away in the middle of a task.
// --seconds: no new solve begins after so many. --output: a line of JSON is added to this file.
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <map>

#include "base/json.hpp"
#include "base/seconds_since.hpp"
#include "dense/host_memory.hpp"
#include "dense/transitive_closure.hpp"
#include "harness.hpp"
#include "kernels/cpu/bits.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "planner/plan.hpp"
#include "program/peak.hpp"
#include "program/random_graph.hpp"
#include "system/aligned_memory.hpp"
#include "system/event_count.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace {

using namespace apsp;
using base::seconds_since;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// The processors that this process may run on.
std::vector<int> processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  std::vector<int> list;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) list.push_back(i);
  }
  return list;
}

/// This thread may run on all of them again, or on one.
void run_on(const std::vector<int>& which) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : which) CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

/// Calls act(i) on `threads` threads that begin together, each on its own processor if `pinned`.
template <class F>
void on_processors(int threads, const std::vector<int>& all, bool pinned, F&& act) {
  std::atomic<int> here{0};
  system::run_threads(threads, [&](int i) {
    run_on(pinned ? std::vector<int>{all[static_cast<std::size_t>(i) % all.size()]} : all);
    ++here;
    const auto start = Clock::now();  // a thread that never comes is not waited for long
    while (here < threads && seconds_since(start) < 0.2) system::pause_briefly();
    act(i);
  });
}

/// The threads that the next team will have, each to a processor of its own, or free again.
void pin(int threads, const std::vector<int>& all, bool pinned) {
  on_processors(threads, all, pinned, [](int) {});
}

/// Relaxations a second of `threads` register loops at once, the best of a few stretches.
double peak_of(ValueType type, int threads) {
  constexpr double kStretch =
      0.05;  // seconds: many ticks of the scheduler, few of our five minutes
  constexpr int kStretches = 4;
  const std::vector<int> all = processors();
  double best = 0;
  for (const bool by_bits : {false, true}) {
    if (by_bits && type != ValueType::f32 && type != ValueType::f64) continue;
    const kernels::cpu::PeakRun run =
        kernels::cpu::peak_run(type, kernels::Sign::non_negative, by_bits);
    for (int stretch = 0; stretch < kStretches; ++stretch) {
      std::vector<double> rates(static_cast<std::size_t>(threads), 0.0);
      on_processors(threads, all, true, [&](int i) {
        const auto start = Clock::now();
        double relaxations = 0;
        while (seconds_since(start) < kStretch) {
          run.run(512);
          relaxations += 512 * run.relaxations;
        }
        rates[static_cast<std::size_t>(i)] = relaxations / seconds_since(start);
      });
      pin(threads, all, false);
      double sum = 0;
      for (const double rate : rates) sum += rate;
      best = std::max(best, sum);
    }
  }
  return best;
}

/// Bytes read and written a second when all threads change every value of so much memory.
double traffic_of(system::AlignedMemory& memory, std::int64_t bytes, int threads) {
  const std::vector<int> all = processors();
  double best = 0;
  for (int repeat = 0; repeat < 4; ++repeat) {
    const auto start = Clock::now();
    on_processors(threads, all, true, [&](int i) {
      const std::int64_t values = bytes / 4;
      auto* const data = memory.as<std::uint32_t>();
      const std::int64_t end = values * (i + 1) / threads;
      for (std::int64_t j = values * i / threads; j < end; ++j) data[j] = (data[j] ^ 1u) + 1u;
    });
    best = std::max(best, 2 * static_cast<double>(bytes) / seconds_since(start));
    pin(threads, all, false);
  }
  return best;
}

struct Settings {
  std::vector<std::int64_t> vertices{1024, 4096};
  std::vector<int> threads;
  std::vector<std::string> types{"f32"};
  std::vector<std::int64_t> tiles{0};
  std::vector<double> spins{};  // microseconds
  std::vector<int> pins{0};
  int repeats = 0;
  double seconds = 1e9;
  std::int64_t traffic = 0;
  bool symmetric = false, busy = false;
  std::string output;
};

/// A process that spins on the last processor that this one may use, until it is destroyed.
class BusyProcess {
 public:
  BusyProcess() : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    run_on({processors().back()});
    for (;;) asm volatile("");  // a loop without effects might be removed
  }
  ~BusyProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  BusyProcess(const BusyProcess&) = delete;
  BusyProcess& operator=(const BusyProcess&) = delete;

 private:
  pid_t pid_;
};

class Bench {
 public:
  explicit Bench(Settings settings) : settings_(std::move(settings)) {}

  bool run() {
    start_ = Clock::now();
    machine();
    for (const std::int64_t n : settings_.vertices) {
      for (const std::string& type : settings_.types) solve_all(n, type);
    }
    report_["correct"] = correct_;
    report_["seconds"] = seconds_since(start_);
    if (!settings_.output.empty()) {
      std::ofstream(settings_.output, std::ios::app) << report_.dump() << "\n";
    }
    return correct_;
  }

 private:
  /// A row of the report, printed at once.
  void note(const char* part, const json& row) {
    fmt::print("{} {}\n", part, row.dump());
    std::fflush(stdout);
    report_[part].push_back(row);
  }

  void machine() {
    report_["cpu"] = system::cpu_name();
    report_["processors"] = processors().size();
    report_["instruction_set"] = kernels::cpu::instruction_set();
    fmt::print("{}\n", report_.dump());
    std::vector<int> counts = settings_.threads;
    counts.insert(counts.begin(), 1);
    for (const std::string& name : settings_.types) {
      for (const int threads : counts) {
        const double rate = peaks_[{name, threads}] = peak_of(*parse_value_type(name), threads);
        note("peaks", {{"type", name}, {"threads", threads}, {"rate", rate}});
      }
    }
    if (settings_.traffic == 0) return;
    system::AlignedMemory memory(settings_.traffic);
    for (const int threads : counts) {
      const double rate = traffic_of(memory, settings_.traffic, threads);
      note("traffic", {{"threads", threads}, {"bytes_a_second", rate}});
    }
  }

  struct Case {
    std::int64_t n;
    std::string name;
    ValueType type;
    int threads;
    std::int64_t tile;
    double spin;
    bool pinned;
  };

  void solve_all(std::int64_t n, const std::string& name) {
    const ValueType type = *parse_value_type(name);
    const std::int64_t bytes = n * n * size_of(type);
    system::AlignedMemory matrix(bytes);
    const Semiring semiring = type == ValueType::boolean ? Semiring::or_and : Semiring::min_plus;
    const bench::RandomGraph graph(
        {.semiring = semiring, .type = type, .n = n, .symmetric = settings_.symmetric});
    std::optional<std::size_t> right;  // what the first result, which is checked, comes to
    const auto each = [&](const Case& c) {
      if (seconds_since(start_) > settings_.seconds) return;
      system::spin_nanoseconds = static_cast<std::int64_t>(1000 * c.spin);
      solve(c, graph, matrix);
      const std::size_t digest =
          std::hash<std::string_view>()({matrix.as<char>(), static_cast<std::size_t>(bytes)});
      if (!right) {
        correct_ = correct_ && graph.check({matrix.data(), n, n, n}, {}, c.threads).correct;
        right = digest;
      }
      correct_ = correct_ && digest == *right;
    };
    for (const int threads : settings_.threads) {
      for (const std::int64_t tile : settings_.tiles) {
        for (const double spin : settings_.spins) {
          for (const int pinned : settings_.pins) {
            each({n, name, type, threads, tile, spin, pinned != 0});
          }
        }
      }
    }
  }

  void solve(const Case& c, const bench::RandomGraph& graph, system::AlignedMemory& matrix) {
    const bool bits = c.type == ValueType::boolean;
    kernels::TileOperations operations{};
    std::int64_t tile = kernels::cpu::BitLine::kColumns;
    if (!bits) {
      operations =
          kernels::cpu::operations(Semiring::min_plus, c.type, kernels::Sign::non_negative);
      tile = c.tile > 0 ? c.tile : planner::choose_tile(c.n, c.threads, operations);
    }
    const double work = bench::cube(c.n);
    const double peak = peaks_[{c.name, c.threads}];
    const int repeats = settings_.repeats > 0
                            ? settings_.repeats
                            : static_cast<int>(std::clamp(0.6 * peak / work, 2.0, 25.0));
    const std::vector<int> all = processors();
    std::vector<double> times;
    std::array<double, 3> waits{};
    for (int i = 0; i < repeats; ++i) {
      const kernels::View whole{matrix.data(), c.n, c.n, c.n};
      graph.fill(whole, c.threads);
      if (c.pinned) pin(c.threads, all, true);
      const auto start = Clock::now();
      if (bits) {
        dense::unpack(*dense::reachable_bits(whole, c.threads), whole, c.threads, {});
        times.push_back(seconds_since(start));
      } else {
        dense::HostMemory place({whole, size_of(c.type), tile},
                                settings_.symmetric ? dense::Shape::symmetric : dense::Shape::full,
                                operations, kernels::Cycles::excluded, c.threads, {});
        place.run();
        times.push_back(seconds_since(start));
        if (times.back() == *std::min_element(times.begin(), times.end())) waits = place.waits();
      }
      if (c.pinned) pin(c.threads, all, false);
    }
    const double best = *std::min_element(times.begin(), times.end());
    const auto waited = [&](std::size_t i) { return waits[i] / best / c.threads; };
    note("solves", {{"n", c.n},
                    {"type", c.name},
                    {"threads", c.threads},
                    {"tile", tile},
                    {"spin_us", c.spin},
                    {"pinned", c.pinned},
                    {"symmetric", settings_.symmetric},
                    {"seconds", times},
                    {"share_best", work / best / peak},
                    {"share_median", work / bench::median(times) / peak},
                    {"waits", {waited(0), waited(1), waited(2)}}});
  }

  Settings settings_;
  Clock::time_point start_;
  std::map<std::pair<std::string, int>, double> peaks_;
  json report_;
  bool correct_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_cores_bench");
  options("--vertices LIST", settings.vertices)("--threads LIST", settings.threads);
  options("--types LIST", settings.types)("--tiles LIST", settings.tiles);
  options("--spins LIST of µs before a thread sleeps", settings.spins)("--pins 0,1", settings.pins);
  options("--repeats N", settings.repeats)("--seconds S", settings.seconds);
  options.bytes("--traffic BYTES", settings.traffic)("--symmetric", settings.symmetric);
  options("--busy", settings.busy)("--output FILE", settings.output);
  return options.run(argc, argv, [&] {
    if (settings.threads.empty()) settings.threads = {system::thread_count(0)};
    if (settings.spins.empty()) {
      settings.spins = {static_cast<double>(system::spin_nanoseconds.load()) / 1000};
    }
    std::optional<BusyProcess> busy;
    if (settings.busy) busy.emplace();
    return Bench(std::move(settings)).run();
  });
}
