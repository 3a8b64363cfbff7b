#include "papers/simulate/simulated_solve.hpp"

#include <algorithm>
#include <vector>

#include "cluster/cluster_plan.hpp"
#include "cluster/streamed_part.hpp"
#include "dense/resident_matrix.hpp"
#include "papers/simulate/simulated_communicator.hpp"

namespace apsp::simulation {
namespace {

using dense::Along;
using dense::BlockCyclic;

/// Pieces of panels are not cut again.
constexpr double kPacketBytes = 8 << 20;
constexpr int kValueSize = 4;

/// A transport that ends a solve after some steps.
class CountedTransport final : public dense::Transport {
 public:
  CountedTransport(dense::Transport& transport, std::int64_t steps)
      : transport_(transport), left_(steps) {}

  void broadcast(dense::Payload payload, Along along, int root, kernels::QueueId queue,
                 std::byte* memory, std::int64_t bytes) override {
    transport_.broadcast(payload, along, root, queue, memory, bytes);
  }
  void finish_broadcasts() override { transport_.finish_broadcasts(); }
  bool arrived() override { return transport_.arrived(); }
  void settle(kernels::QueueId queue, const std::byte* memory) override {
    transport_.settle(queue, memory);
  }
  void await(kernels::EventId event) override { transport_.await(event); }
  bool stopped(bool mine) override {
    transport_.stopped(mine);
    return --left_ < 0;
  }
  void want_cut() override { transport_.want_cut(); }
  bool cut_agreed() const override { return transport_.cut_agreed(); }
  std::int64_t least(std::int64_t mine) override { return transport_.least(mine); }

 private:
  dense::Transport& transport_;
  std::int64_t left_;  // steps
};

kernels::timed::Speeds speeds_of(const cluster::Cluster& cluster, const SimulatedSolve& solve) {
  const double memory_rate = cluster.host_memory_rate / (solve.host_passes * cluster.gpus_per_node);
  return {.relaxations = cluster.relaxations,
          .pivot_seconds = cluster.pivot_seconds,
          .launch_seconds = cluster.launch_seconds,
          .memory_rate = cluster.gpu_memory_rate,
          .copy_rate = solve.variant.offload ? std::min(cluster.host_link_rate, memory_rate)
                                             : cluster.host_link_rate,
          .value_size = kValueSize,
          .host_sees_memory = !solve.staged,
          .fill = [&cluster](std::int64_t rows, std::int64_t cols) {
            return cluster.fill(rows, cols);
          }};
}

std::int64_t piece_bytes(const SimulatedSolve& solve) {
  if (solve.piece_bytes > 0) return solve.piece_bytes;
  constexpr std::int64_t kOwn = 1 << 20, kMostPieces = 16;
  const int fewest = std::min(solve.grid.p_r(), solve.grid.p_c());
  const std::int64_t panel = kValueSize * solve.tile * (solve.n / fewest + solve.tile);
  return std::max(kOwn, panel / kMostPieces);
}

/// Strips and buffers that keep three queues busy; memory of the device does not count.
dense::OffloadPlan streaming_of(const SimulatedSolve& solve, std::int64_t columns) {
  constexpr std::int64_t kStripRows = 512, kBuffers = 4;
  return {.width = solve.tile,
          .buffers = kBuffers,
          .strip_rows = kStripRows,
          .buffer_values = std::max(kStripRows * columns, solve.tile * kStripRows)};
}

void run_member(const SimulatedSolve& solve, World& world, SimulatedCommunicator& communicator,
                std::shared_ptr<kernels::timed::Gpu> gpu, int process, std::int64_t steps) {
  ProcessClock clock(world, process);
  const auto device = kernels::timed::make_device(std::move(gpu), clock);
  const cluster::RelayTransport::Options options{.broadcasts = solve.variant.broadcasts,
                                                 .piece_bytes = piece_bytes(solve)};
  cluster::RelayTransport relay(*device, communicator, options);
  CountedTransport transport(relay, steps);
  const BlockCyclic rows{solve.grid.p_r(), communicator.rank(Along::column)};
  const BlockCyclic columns{solve.grid.p_c(), communicator.rank(Along::row)};
  const std::int64_t held_rows = rows.vertices(solve.n, solve.tile);
  const std::int64_t held_columns = columns.vertices(solve.n, solve.tile);
  const dense::TiledMatrix held{
      {device->allocate(kValueSize), held_rows, held_columns, held_columns},
      kValueSize,
      solve.tile};
  const dense::GridPart part{solve.n, rows, columns, &transport, solve.variant.schedule};
  if (solve.variant.offload) {
    // All processes cut panels alike: by the columns of the largest part.
    const std::int64_t most = BlockCyclic{solve.grid.p_c(), 0}.vertices(solve.n, solve.tile);
    cluster::StreamedPart(*device, streaming_of(solve, most), held, kernels::Cycles::possible,
                          nullptr, part)
        .solve();
  } else {
    dense::ResidentMatrix matrix(*device, held, dense::Shape::full, kernels::Cycles::possible,
                                 nullptr, part);
    matrix.solve({.values = held});
  }
  relay.least(0);
}

struct Ended {
  double seconds = 0;  // when all steps were done everywhere
  std::int64_t events = 0;
};

/// The first steps of a solve, to their ends.
Ended simulate_steps(const cluster::Cluster& cluster, const SimulatedSolve& solve,
                     std::int64_t steps) {
  World world;
  const int nodes = solve.grid.k_r * solve.grid.k_c;
  Network network(world, cluster, nodes, solve.staged, kPacketBytes);
  const int ranks_per_node = solve.grid.q_r * solve.grid.q_c;
  Post post(world, network, solve.grid.p_r(), solve.grid.p_c());
  // Where the processes of a node are no multiple of its GPUs, the last GPUs have fewer, or none.
  const int ranks_per_gpu = (ranks_per_node + cluster.gpus_per_node - 1) / cluster.gpus_per_node;
  std::vector<std::shared_ptr<kernels::timed::Gpu>> gpus;
  gpus.reserve(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(cluster.gpus_per_node));
  for (std::size_t gpu = gpus.capacity(); gpu > 0; --gpu) {
    gpus.push_back(kernels::timed::make_gpu(speeds_of(cluster, solve)));
  }
  for (int process = 0; process < solve.grid.p(); ++process) {
    const Seat seat{process / ranks_per_node, process % ranks_per_node / ranks_per_gpu};
    const auto gpu =
        static_cast<std::size_t>(seat.node) * static_cast<std::size_t>(cluster.gpus_per_node) +
        static_cast<std::size_t>(seat.gpu);
    SimulatedCommunicator& communicator = post.make_communicator(
        solve.placement.row(process), solve.placement.col(process), process, seat);
    world.add_process(
        [&, process, gpu] { run_member(solve, world, communicator, gpus[gpu], process, steps); });
  }
  world.run();
  return {world.now(), world.events()};
}

}  // namespace

SimulatedSolve placed_in_blocks(int nodes, int ranks_per_node) {
  const cluster::NodeGrid grid = cluster::balanced_grid(nodes, ranks_per_node);
  return {.grid = grid, .placement = {grid.p_r(), grid.p_c(), grid.q_r, grid.q_c}};
}

SimulatedSolve placed_plainly(int nodes, int ranks_per_node) {
  const cluster::NodeGrid grid = cluster::plain_grid(nodes, ranks_per_node);
  return {.grid = grid, .placement = {grid.p_r(), grid.p_c()}};
}

SimulatedSolve solve_of_paper(const dense::Variant& variant, int nodes, const PaperCosts& costs) {
  constexpr int kRanks = 12;
  SimulatedSolve solve = variant.blocked && !variant.offload ? placed_in_blocks(nodes, kRanks)
                                                             : placed_plainly(nodes, kRanks);
  solve.variant = variant;
  if (variant.offload) {
    solve.variant = *dense::find_variant("baseline");
    solve.variant.offload = true;
  }
  solve.staged = costs.through_host || variant.offload;
  solve.host_passes = 4;
  if (costs.whole_messages) solve.piece_bytes = std::int64_t{1} << 40;
  return solve;
}

SimulatedTime simulate(const cluster::Cluster& cluster, const SimulatedSolve& solve) {
  const std::int64_t tiles = (solve.n + solve.tile - 1) / solve.tile;
  const std::int64_t steps = solve.steps > 0 ? std::min(solve.steps, tiles) : tiles;
  const Ended all = simulate_steps(cluster, solve, steps);
  SimulatedTime time{.seconds = all.seconds, .steps = steps, .events = all.events};
  if (steps < tiles) {
    const std::int64_t fewer = steps / 2;
    const Ended half = simulate_steps(cluster, solve, fewer);
    time.step = (all.seconds - half.seconds) / static_cast<double>(steps - fewer);
    time.seconds += time.step * static_cast<double>(tiles - steps);
    time.events += half.events;
  } else {
    time.step = all.seconds / static_cast<double>(tiles);
  }
  const auto n = static_cast<double>(solve.n);
  const int nodes = solve.grid.k_r * solve.grid.k_c;
  time.flops = 2 * n * n * n / time.seconds;
  time.share = time.flops /
               (2 * cluster.relaxations * std::min(solve.grid.p(), nodes * cluster.gpus_per_node));
  time.bandwidth = cluster::effective_bandwidth(n, nodes, kValueSize, time.seconds);
  return time;
}

}  // namespace apsp::simulation
