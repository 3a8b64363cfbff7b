// Two threads beside a busy process against one thread: `apsp_busy_bench [REPEATS]`.
//
// A child that only spins is pinned to the last processor. Solves with one thread and with as many
// threads as there are processors take turns; the ratio of each pair counts, and its median, for
// the worst that a machine can do to a team is to take a member's core away in the middle of a
// task. The mean is shown as well: it has the long pauses that a median hides.
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/event_count.hpp"
#include "base/machine.hpp"
#include "engine/run.hpp"
#include "program/benchmark_matrix.hpp"
#include "program/benchmark_solves.hpp"

namespace {

using namespace apsp;

/// A process that spins on the last processor that this one may use, until it is destroyed.
class BusyProcess {
 public:
  BusyProcess() : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t mine;
    sched_getaffinity(0, sizeof(mine), &mine);
    int last = 0;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &mine)) last = i;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    sched_setaffinity(0, sizeof(one), &one);
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

double solve(const bench::BenchmarkGraph& graph, std::int64_t n, places::Shape shape, int threads,
             base::AlignedMemory& memory) {
  const planner::Plan plan = bench::host_plan(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, shape, n, threads);
  const kernels::View matrix{memory.data(), n, n, n};
  graph.fill(matrix, ValueType::f32, 1);
  const auto start = std::chrono::steady_clock::now();
  engine::run(plan, {matrix}, {});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void measure_size(std::int64_t n, places::Shape shape, int threads, int repeats) {
  base::AlignedMemory memory(n * n * 4);
  const bench::BenchmarkGraph graph(Semiring::min_plus, n, 1);
  std::vector<double> one, all, ratios;
  for (int i = -1; i < repeats; ++i) {
    const double of_one = solve(graph, n, shape, 1, memory);
    const double of_all = solve(graph, n, shape, threads, memory);
    if (i < 0) continue;  // caches and the pool of threads are cold
    one.push_back(of_one);
    all.push_back(of_all);
    ratios.push_back(of_all / of_one);
  }
  fmt::print(
      "n {:5} {:9}: one thread {:8.2f} ms, {} threads {:8.2f} ms, ratio {:.2f}; means "
      "{:8.2f} and {:8.2f} ms, ratio {:.2f}\n",
      n, shape == places::Shape::full ? "full" : "symmetric", 1e3 * median(one), threads,
      1e3 * median(all), median(ratios), 1e3 * mean(one), 1e3 * mean(all), mean(all) / mean(one));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 0;
  if (argc > 2) base::spin_nanoseconds = 1000 * std::atoll(argv[2]);
  const std::int64_t largest = argc > 3 ? std::atoll(argv[3]) : 4096;
  const int threads = base::thread_count(0);
  const BusyProcess busy;
  for (const std::int64_t n : {256, 512, 1024, 2048, 4096}) {
    if (n > largest) break;
    // About a second a size.
    const int some = repeats > 0 ? repeats : n <= 512 ? 101 : n <= 1024 ? 41 : n <= 2048 ? 11 : 5;
    for (const places::Shape shape : {places::Shape::full, places::Shape::symmetric})
      measure_size(n, shape, threads, some);
  }
  return 0;
}
