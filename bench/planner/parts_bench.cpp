// Seconds of the parts of sparse solves on one graph, and the counts that the planner's models use.
//
// GRAPH: a file, or grid|gnp|geo|rmat:VERTICES:EDGES. GREATEST: random weights from 1 to that.
// Prints one JSON object: seconds of an elimination and of all sweeps by all threads, of a row of
// Dijkstra by one; bench/planner/describe.py makes a description of the machine of them.
//
// --order: the parts of an order of elimination instead, by so many threads and processes: the
// least milliseconds of ROUNDS by the clock and, behind them, those of all processors, and entries
// and relaxations of its tree.
#include "base/json.hpp"
#include "harness.hpp"
#include "planner/elimination_model.hpp"
#include "planner/findings.hpp"
#include "planner/search_model.hpp"
#include "planner/value_type.hpp"
#include "rates/timed_solves.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/small_degrees.hpp"
#include "system/child_process.hpp"

namespace {

using namespace apsp;

void run(const std::string& words, ValueType type, int threads, std::uint64_t greatest) {
  const Graph graph = bench::Weights{.greatest = greatest}.of(bench::graph_named(words));
  const planner::KernelKind kind{Semiring::min_plus, type, kernels::Sign::non_negative};
  const rates::EliminationParts parts = rates::time_elimination(graph, kind, threads, {});
  const planner::SampledSearches found = planner::sample_searches(graph);
  const auto counts = planner::counts_of(*parts.tree, sparse::FactorRows::block_rows(type));
  /// Seconds of a row by one thread.
  const auto row = [&](const flow::RowSource& rows, std::int64_t count) {
    const rates::RowsRun run = rates::time_rows(rows, count, threads, 10, {});
    return run.seconds * threads / static_cast<double>(run.rows);
  };
  nlohmann::json told = {
      {"graph", words.substr(words.rfind('/') + 1)},
      {"arcs", graph.arc_count()},
      {"symmetric", graph.symmetric()},
      {"counts",
       {{"vertices", counts.vertices},
        {"supernodes", counts.supernodes},
        {"front_entries", counts.front_entries},
        {"eliminated", counts.eliminated},
        {"upward", counts.upward},
        {"all", {counts.all.alone, counts.all.together}},
        {"once", {counts.once.alone, counts.once.together}}}},
      {"found",
       {{"levels", found.levels},
        {"vertices", found.vertices},
        {"arcs", found.arcs},
        {"most_levels", found.most_levels},
        {"block_levels", found.block_levels}}},
      {"ordering", parts.ordering},
      {"eliminating", parts.eliminating},
      {"sweeping", parts.sweeping},
      {"counting", parts.counting},
      {"turning", parts.transposing},
      {"searching_row",
       row(*search::dijkstra_rows(graph, kind.semiring, type, nullptr, largest_distance(type)),
           100)}};
  if (graph.weight_facts().unit) {
    told["breadth_first_row"] = row(*search::breadth_first_rows(graph, type), graph.vertex_count());
  }
  fmt::print("{}\n", told.dump());
}

template <class F>
void show_best(const std::string& what, int rounds, F&& work) {
  double clock = 1e300, cpu = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const bench::Sample sample = bench::timed(work);
    clock = std::min(clock, sample.seconds);
    cpu = std::min(cpu, sample.cpu_seconds);
  }
  bench::show(what, clock, fmt::format(" {:10.1f} ms", cpu * 1e3));
}

void show_order(const Graph& graph, const std::vector<int>& threads, int rounds) {
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
  ValueType type = ValueType::f32;
  int threads = 1;
  std::uint64_t greatest = 0;
  std::vector<int> order;
  int rounds = 3;
  bench::Options options("apsp_parts_bench GRAPH [TYPE THREADS [GREATEST]]");
  options.word(graph).word(type).word(threads).needs(1).word(greatest);
  options("--order LIST of threads", order)("--rounds N", rounds);
  return options.run(argc, argv, [&] {
    if (!order.empty()) return show_order(bench::graph_named(graph), order, rounds);
    run(graph, type, threads, greatest);
  });
}
