// The driver's page on a cluster that one does not have: the program's own Place and transport, on
// timed devices and simulated links.
//
// All steps of Floyd-Warshall are alike, so some are simulated, and half of them once more: the
// others take what the difference of both runs says. Nothing is computed; no matrix is anywhere.
#pragma once

#include <cstdint>

#include "cluster/cluster_plan.hpp"
#include "cluster/communicator.hpp"
#include "cluster/relay_transport.hpp"
#include "dense/variant.hpp"

namespace apsp::simulation {

struct SimulatedSolve {
  std::int64_t n = 0, tile = 0;
  cluster::NodeGrid grid{};
  /// Where processes stand on the grid; nodes take as many as `grid` says, as they are counted.
  cluster::Placement placement{};
  /// Where it is `offload`, parts stream through their GPUs (cluster/streamed_part.hpp).
  dense::Variant variant{};
  /// Panels leave and arrive in host memory, by copies of the devices.
  bool staged = false;
  /// How often a step passes the matrix through host memory where it is `offload`: the device reads
  /// and writes it.
  int host_passes = 2;
  /// Of a piece of a panel. 0: 1 MiB, as the program's own, or a 16th of the longest panel.
  std::int64_t piece_bytes = 0;
  std::int64_t steps = 0;  // at most, to be simulated; 0: all
};

/// Processes on a balanced grid, a node's in a block of it, or as launchers distribution them out.
SimulatedSolve placed_in_blocks(int nodes, int ranks_per_node);
SimulatedSolve placed_plainly(int nodes, int ranks_per_node);

/// Costs of the paper's program that this one has not, each of which can be left out.
struct PaperCosts {
  bool whole_messages = true;  // rings relay panels, not pieces of them (§3.3)
  bool through_host = true;    // panels leave and arrive in host memory
};

/// The program of Sao 2021 on Summit, as the paper describes it, where it differs from this one:
/// two processes a GPU (§5.3), `costs`, and an offload that is Algorithm 3 (§5.1.2) whose host
/// updates the matrix (HOSTUPDATE, §4.3): the product is written, it and the matrix are read, and
/// the matrix is written.
SimulatedSolve solve_of_paper(const dense::Variant& variant, int nodes,
                              const PaperCosts& costs = {});

struct SimulatedTime {
  double seconds = 0;  // of the whole solve
  double step = 0;     // of one in the middle
  std::int64_t steps = 0, events = 0;
  double flops = 0;      // a second, two a relaxation
  double share = 0;      // of what the GPUs' products do
  double bandwidth = 0;  // bytes a second and node (cluster::effective_bandwidth)
};

SimulatedTime simulate(const cluster::Cluster& cluster, const SimulatedSolve& solve);

}  // namespace apsp::simulation
