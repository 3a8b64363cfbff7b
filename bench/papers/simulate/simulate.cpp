// One simulated solve a line: `apsp_simulate MACHINE NODES N TILE VARIANT [STEPS [RANKS-PER-NODE
// [NODE-ROWS]]]`. VARIANT: one of dense/variant.hpp, staged (own through host memory), or with
// `paper:` before it as Sao 2021 describes its program, with its 12 processes a node.
// bench/papers/simulate/run runs it for the experiments of Sao 2021; prints JSON.
// `apsp_simulate published MACHINE [more] [host] [messages] [share=S]` prints a table of the
// paper's measurements, with more steps, without panels through the host, without whole messages,
// or with another share of a card's rate between switches.
#include <fmt/format.h>

#include <apsp/error.hpp>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/cluster_plan.hpp"
#include "papers/simulate/published_points.hpp"
#include "papers/simulate/simulated_solve.hpp"

namespace apsp {
namespace {

constexpr std::string_view kPaper = "paper:";

/// `ranks`: of a node.
simulation::SimulatedSolve solve_of(const std::string& name, int nodes, int ranks) {
  const bool paper = name.starts_with(kPaper);
  const dense::Variant* const found = dense::find_variant(paper ? name.substr(kPaper.size())
                                                          : name == "staged" ? "own"
                                                                             : name);
  if (found == nullptr) throw Error(ErrorKind::usage, "no such variant: " + name);
  if (paper) return simulation::solve_of_paper(*found, nodes);
  simulation::SimulatedSolve solve = found->blocked ? simulation::placed_in_blocks(nodes, ranks)
                                                    : simulation::placed_plainly(nodes, ranks);
  solve.variant = *found;
  solve.staged = name == "staged" || found->offload;
  return solve;
}

/// `node_rows`: of the grid of nodes (K_r of Sao 2021).
void set_node_rows(simulation::SimulatedSolve& solve, int nodes, int node_rows) {
  solve.grid.k_r = node_rows;
  solve.grid.k_c = nodes / node_rows;
  solve.placement.rows = solve.grid.p_r();
  solve.placement.cols = solve.grid.p_c();
}

void show_published(const std::vector<std::string>& words) {
  cluster::Cluster cluster = cluster::read_cluster(words[1]);
  simulation::PaperCosts costs;
  bool more = false;
  constexpr std::string_view kShare = "share=";
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "more") {
      more = true;
    } else if (words[i] == "host") {
      costs.through_host = false;
    } else if (words[i] == "messages") {
      costs.whole_messages = false;
    } else if (words[i].starts_with(kShare)) {
      cluster.share_between_switches = std::stod(words[i].substr(kShare.size()));
    } else {
      throw Error(ErrorKind::usage, "published MACHINE [more] [host] [messages] [share=S]");
    }
  }
  for (const simulation::PublishedPoint& point :
       simulation::published_points(cluster, costs, more)) {
    fmt::print("| {} | §{} | {:g} | {:.3g} | {:+.0f} % |\n", point.reading, point.section,
               point.published, point.simulated, 100 * (point.ratio() - 1));
  }
}

void run(const std::vector<std::string>& words) {
  if (words.size() > 1 && words[0] == "published") return show_published(words);
  if (words.size() < 5)
    throw Error(ErrorKind::usage, "MACHINE NODES N TILE VARIANT [STEPS [RANKS [NODE-ROWS]]]");
  const cluster::Cluster cluster = cluster::read_cluster(words[0]);
  const int nodes = std::stoi(words[1]);
  const int ranks = words.size() > 6 ? std::stoi(words[6]) : cluster.gpus_per_node;
  simulation::SimulatedSolve solve = solve_of(words[4], nodes, ranks);
  if (words.size() > 7) set_node_rows(solve, nodes, std::stoi(words[7]));
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
      words[4], nodes, solve.grid.q_r * solve.grid.q_c, solve.n, solve.tile, time.steps,
      time.seconds, time.step, time.flops, time.share, time.bandwidth, time.events, took.count());
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
