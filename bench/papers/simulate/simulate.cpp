// One simulated solve a line: `apsp_simulate MACHINE NODES N TILE VARIANT [STEPS [RANKS-PER-NODE
// [NODE-ROWS]]]`. VARIANT: one of dense/variant.hpp, or staged (own through host memory).
// bench/papers/simulate/run runs it for the experiments of Sao 2021; prints JSON.
#include <fmt/format.h>

#include <apsp/error.hpp>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/cluster_plan.hpp"
#include "papers/simulate/simulated_solve.hpp"

namespace apsp {
namespace {

/// `node_rows`: of the grid of nodes (K_r of Sao 2021); 0: as near a square as can be.
simulation::SimulatedSolve solve_of(const std::string& variant, int nodes, int ranks,
                                    int node_rows) {
  const dense::Variant* const found = dense::find_variant(variant == "staged" ? "own" : variant);
  if (found == nullptr) throw Error(ErrorKind::usage, "no such variant: " + variant);
  simulation::SimulatedSolve solve = found->blocked ? simulation::placed_in_blocks(nodes, ranks)
                                                    : simulation::placed_plainly(nodes, ranks);
  if (node_rows > 0) {
    solve.grid.k_r = node_rows;
    solve.grid.k_c = nodes / node_rows;
    solve.placement.rows = solve.grid.p_r();
    solve.placement.cols = solve.grid.p_c();
  }
  solve.variant = *found;
  solve.staged = variant == "staged" || found->offload;
  return solve;
}

void run(const std::vector<std::string>& words) {
  if (words.size() < 5)
    throw Error(ErrorKind::usage, "MACHINE NODES N TILE VARIANT [STEPS [RANKS [NODE-ROWS]]]");
  const cluster::Cluster cluster = cluster::read_cluster(words[0]);
  const int nodes = std::stoi(words[1]);
  const int ranks = words.size() > 6 ? std::stoi(words[6]) : cluster.gpus_per_node;
  simulation::SimulatedSolve solve =
      solve_of(words[4], nodes, ranks, words.size() > 7 ? std::stoi(words[7]) : 0);
  solve.n = std::stoll(words[2]);
  solve.tile = std::stoll(words[3]);
  solve.steps = words.size() > 5 ? std::stoll(words[5]) : 0;
  const auto begun = std::chrono::steady_clock::now();
  const simulation::SimulatedTime time = simulation::simulate(cluster, solve);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  fmt::print(
      "{{\"variant\": \"{}\", \"nodes\": {}, \"ranks_per_node\": {}, \"n\": {}, \"tile\": {}, "
      "\"steps\": {}, \"seconds\": {}, \"step\": {}, \"flops\": {}, \"share\": {}, "
      "\"bandwidth\": {}, \"events\": {}, \"took\": {:.2f}}}\n",
      words[4], nodes, ranks, solve.n, solve.tile, time.steps, time.seconds, time.step, time.flops,
      time.share, time.bandwidth, time.events, took.count());
}

}  // namespace
}  // namespace apsp

int main(int count, char** words) {
  try {
    apsp::run({words + 1, words + count});
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "apsp_simulate: {}\n", error.what());
    return 2;
  }
}
