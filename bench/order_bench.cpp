// Seconds of the parts of an order of elimination, by so many processes and threads.
//
// GRAPH: a file. Prints the least milliseconds of ROUNDS by the clock and, behind them, those of
// all processors, and what the order is worth: entries and relaxations of its tree.
#include <sys/resource.h>
#include <apsp/io.hpp>

#include <algorithm>
#include <optional>

#include "harness.hpp"
#include "planner/value_type.hpp"
#include "sparse/order.hpp"
#include "sparse/small_degrees.hpp"
#include "sparse/tree.hpp"
#include "system/child_process.hpp"

namespace {

using namespace apsp;

/// User and system seconds of this process and of its children that ended.
double cpu_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime}) {
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return sum;
}

template <class F>
void show_best(const std::string& what, int rounds, F&& work) {
  double cpu = std::numeric_limits<double>::infinity();
  const double clock = bench::best_of(rounds, [&] {
    const double before = cpu_seconds();
    work();
    cpu = std::min(cpu, cpu_seconds() - before);
  });
  bench::show(what, clock, fmt::format(" {:10.1f} ms", cpu * 1e3));
}

void run(const std::string& path, const std::vector<int>& threads, int rounds) {
  const Graph graph = read_graph(path, {});
  sparse::Pattern pattern;
  sparse::Order order;
  std::optional<sparse::Tree> tree;
  show_best("pattern", rounds, [&] { pattern = sparse::pattern_of(graph); });
  show_best("small degrees", rounds, [&] { (void)sparse::eliminate_small_degrees(pattern); });
  for (const int by : threads) {
    const std::string many = " by " + std::to_string(by);
    show_best("type of value" + many, rounds,
              [&] { planner::choose_value_type(graph, Semiring::min_plus, {}, by, {}); });
    show_best("order, small degrees with it" + many, rounds,
              [&] { order = sparse::nested_dissection(pattern, {system::processes_for(by)}); });
    show_best("tree" + many, rounds, [&] { tree.emplace(pattern, order); });
  }
  fmt::print("{} supernodes, {} entries, {:.4g} relaxations\n", tree->supernodes(),
             tree->upper_entries(), tree->elimination_relaxations());
}

}  // namespace

int main(int argc, char** argv) {
  std::string graph;
  std::vector<int> threads = {1, 2};
  int rounds = 3;
  bench::Options options("apsp_order_bench GRAPH");
  options.word(graph).needs(1)("--threads LIST", threads)("--rounds N", rounds);
  return options.run(argc, argv, [&] { run(graph, threads, rounds); });
}
