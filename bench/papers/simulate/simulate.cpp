// One simulated solve, as a line of JSON. VARIANT: one of dense/variant.hpp, staged (own through
// host memory), or with `paper:` before it as Sao 2021 describes its program, with its 12 processes
// a node. bench/papers/simulate/run runs it for the experiments of Sao 2021.
//
// --published: a table of the paper's measurements; --more: with more steps; --direct: without
// panels through the host; --pieces: without whole messages; --share: another share of a card's
// rate between switches. --node-rows: of the grid of nodes (K_r of Sao 2021).
#include "cluster/cluster_plan.hpp"
#include "harness.hpp"
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

struct Settings {
  std::string machine, variant;
  int nodes = 0, ranks = 0, node_rows = 0;  // ranks of a node; 0: one a GPU
  std::int64_t n = 0, tile = 0, steps = 0;
  bool published = false, more = false, direct = false, pieces = false;
  double share = 0;
};

void show_published(const Settings& settings) {
  cluster::Cluster cluster = cluster::read_cluster(settings.machine);
  if (settings.share > 0) cluster.share_between_switches = settings.share;
  const simulation::PaperCosts costs{.whole_messages = !settings.pieces,
                                     .through_host = !settings.direct};
  for (const simulation::PublishedPoint& point :
       simulation::published_points(cluster, costs, settings.more)) {
    fmt::print("| {} | §{} | {:g} | {:.3g} | {:+.0f} % |\n", point.reading, point.section,
               point.published, point.simulated, 100 * (point.ratio() - 1));
  }
}

void run(const Settings& settings) {
  const cluster::Cluster cluster = cluster::read_cluster(settings.machine);
  const int nodes = settings.nodes;
  const int ranks = settings.ranks > 0 ? settings.ranks : cluster.gpus_per_node;
  simulation::SimulatedSolve solve = solve_of(settings.variant, nodes, ranks);
  if (settings.node_rows > 0) {
    solve.grid.k_r = settings.node_rows;
    solve.grid.k_c = nodes / settings.node_rows;
    solve.placement.rows = solve.grid.p_r();
    solve.placement.cols = solve.grid.p_c();
  }
  solve.n = settings.n;
  solve.tile = settings.tile;
  solve.steps = settings.steps;
  simulation::SimulatedTime time;
  const double took = bench::seconds([&] { time = simulation::simulate(cluster, solve); });
  fmt::print(
      "{{\"variant\": \"{}\", \"nodes\": {}, \"ranks_per_node\": {}, \"n\": {}, \"tile\": {}, "
      "\"steps\": {}, \"seconds\": {}, \"step\": {}, \"flops\": {}, \"share\": {}, "
      "\"bandwidth\": {}, \"events\": {}, \"took\": {:.2f}}}\n",
      settings.variant, nodes, solve.grid.q_r * solve.grid.q_c, solve.n, solve.tile, time.steps,
      time.seconds, time.step, time.flops, time.share, time.bandwidth, time.events, took);
}

}  // namespace
}  // namespace apsp

int main(int argc, char** argv) {
  apsp::Settings settings;
  apsp::bench::Options options(
      "apsp_simulate MACHINE [NODES N TILE VARIANT [STEPS [RANKS [NODE_ROWS]]]]");
  options.word(settings.machine).word(settings.nodes).word(settings.n).word(settings.tile);
  options.word(settings.variant).word(settings.steps).word(settings.ranks);
  options.word(settings.node_rows).needs(1)("--published", settings.published);
  options("--more", settings.more)("--direct", settings.direct)("--pieces", settings.pieces);
  options("--share S", settings.share);
  return options.run(argc, argv, [&] {
    if (settings.published) return show_published(settings);
    if (settings.variant.empty()) throw apsp::Error(apsp::ErrorKind::usage, "a word is missing");
    run(settings);
  });
}
