// One simulated solve a line: `apsp_simulate MACHINE NODES N TILE VARIANT [STEPS
// [RANKS-PER-NODE]]`. VARIANT: baseline, pipelined, reordering, async (the paper's, §5.1.2), own
// (the default of apsp), staged (own through host memory), offload (parts rest there).
// bench/simulate/run runs it for the experiments of Sao 2021; prints JSON.
#include <fmt/format.h>

#include <apsp/error.hpp>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "distributed/cluster.hpp"
#include "distributed/cluster_plan.hpp"
#include "simulate/simulated_solve.hpp"

namespace apsp {
namespace {

simulation::SimulatedSolve solve_of(const std::string& variant, int nodes, int ranks) {
  using places::Schedule;
  const bool by_library =
      variant == "baseline" || variant == "pipelined" || variant == "reordering";
  const bool plain = variant == "baseline" || variant == "pipelined";
  simulation::SimulatedSolve solve =
      plain ? simulation::placed_plainly(nodes, ranks) : simulation::placed_in_blocks(nodes, ranks);
  solve.schedule = variant == "baseline"              ? Schedule::baseline
                   : by_library || variant == "async" ? Schedule::pipelined
                                                      : Schedule::overlapped;
  solve.broadcast = by_library ? places::Broadcast::library : places::Broadcast::ring;
  solve.whole_messages = by_library;
  solve.streamed = variant == "offload";
  solve.staged = variant == "staged" || solve.streamed;
  if (!by_library && variant != "async" && variant != "own" && !solve.staged) {
    throw Error(ErrorKind::usage, "no such variant: " + variant);
  }
  return solve;
}

void run(const std::vector<std::string>& words) {
  if (words.size() < 5)
    throw Error(ErrorKind::usage, "MACHINE NODES N TILE VARIANT [STEPS [RANKS]]");
  const distributed::Cluster cluster = distributed::read_cluster(words[0]);
  const int nodes = std::stoi(words[1]);
  const int ranks = words.size() > 6 ? std::stoi(words[6]) : cluster.gpus_per_node;
  simulation::SimulatedSolve solve = solve_of(words[4], nodes, ranks);
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
