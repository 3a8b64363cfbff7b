#include "simulation/simulated_solve.hpp"

#include <algorithm>
#include <vector>

#include "places/resident_matrix.hpp"
#include "planner/cluster_model.hpp"
#include "simulation/simulated_mail.hpp"

namespace apsp::simulation {
namespace {

using places::Along;
using places::Deal;

/// Pieces of panels are not cut again.
constexpr double kPacketBytes = 8 << 20;
constexpr int kValueSize = 4;

/// A transport that ends a solve after some steps, and remembers when they began.
class CountedTransport final : public places::Transport {
 public:
  CountedTransport(places::Transport& transport, const World& world, std::int64_t steps)
      : transport_(transport), world_(world), steps_(steps) {}

  void broadcast(Along along, int root, kernels::QueueId queue, std::byte* memory,
                 std::int64_t bytes) override {
    transport_.broadcast(along, root, queue, memory, bytes);
  }
  void finish_broadcasts() override { transport_.finish_broadcasts(); }
  void settle(const std::byte* memory) override { transport_.settle(memory); }
  void await(kernels::EventId event) override { transport_.await(event); }
  bool stopped(bool mine) override {
    begun_.push_back(world_.now());
    transport_.stopped(mine);
    return static_cast<std::int64_t>(begun_.size()) > steps_;
  }
  void want_cut() override { transport_.want_cut(); }
  bool cut_agreed() const override { return transport_.cut_agreed(); }
  std::int64_t least(std::int64_t mine) override { return transport_.least(mine); }

  const std::vector<double>& begun() const { return begun_; }

 private:
  places::Transport& transport_;
  const World& world_;
  std::int64_t steps_;
  std::vector<double> begun_;  // seconds, of each step
};

kernels::timed::Speeds speeds_of(const planner::Cluster& cluster, bool staged) {
  return {.relaxations = cluster.relaxations,
          .pivot_seconds = cluster.pivot_seconds,
          .launch_seconds = cluster.launch_seconds,
          .memory_rate = cluster.gpu_memory_rate,
          .copy_rate = cluster.host_link_rate,
          .value_size = kValueSize,
          .host_sees_memory = !staged,
          .fill = [&cluster](std::int64_t rows, std::int64_t cols) {
            return cluster.fill(rows, cols);
          }};
}

/// When the processes had all begun their steps, and had ended.
struct Marks {
  std::vector<double> begun;
  double end = 0;
};

void run_member(const SimulatedSolve& solve, World& world, SimulatedMail& mail,
                std::shared_ptr<kernels::timed::Gpu> gpu, int process, std::int64_t steps,
                Marks& marks) {
  ProcessClock clock(world, process);
  const auto device = kernels::timed::make_device(std::move(gpu), clock);
  places::RelayTransport::Options options{.pattern = solve.broadcast,
                                          .piece_bytes = solve.piece_bytes};
  if (solve.whole_messages) options.piece_bytes = mail.most_bytes();
  places::RelayTransport relay(*device, mail, options);
  CountedTransport transport(relay, world, steps);
  const Deal rows{solve.grid.p_r(), mail.me(Along::column)};
  const Deal columns{solve.grid.p_c(), mail.me(Along::row)};
  const std::int64_t held_rows = rows.vertices(solve.n, solve.tile);
  const std::int64_t held_columns = columns.vertices(solve.n, solve.tile);
  const places::TiledMatrix held{
      {device->allocate(kValueSize), held_rows, held_columns, held_columns},
      kValueSize,
      solve.tile};
  {
    places::ResidentMatrix matrix(*device, held, places::Shape::full, kernels::Cycles::possible,
                                  nullptr, {solve.n, rows, columns, &transport, solve.schedule});
    matrix.solve({.values = held});
  }
  relay.least(0);
  const std::vector<double>& begun = transport.begun();
  marks.begun.resize(std::max(marks.begun.size(), begun.size()), 0);
  for (std::size_t i = 0; i < begun.size(); ++i) {
    marks.begun[i] = std::max(marks.begun[i], begun[i]);
  }
  marks.end = std::max(marks.end, world.now());
}

}  // namespace

SimulatedTime simulate(const planner::Cluster& cluster, const SimulatedSolve& solve) {
  World world;
  Network network(world, cluster, solve.grid.k_r * solve.grid.k_c, solve.staged, kPacketBytes);
  const int ranks_per_node = solve.grid.q_r * solve.grid.q_c;
  Post post(world, network,
            {solve.grid, solve.in_order, std::max(1, ranks_per_node / cluster.gpus_per_node)});
  const std::int64_t tiles = (solve.n + solve.tile - 1) / solve.tile;
  const std::int64_t steps = solve.steps > 0 ? std::min(solve.steps, tiles) : tiles;
  const int nodes = solve.grid.k_r * solve.grid.k_c;
  std::vector<std::shared_ptr<kernels::timed::Gpu>> gpus;
  for (int gpu = 0; gpu < nodes * cluster.gpus_per_node; ++gpu) {
    gpus.push_back(kernels::timed::make_gpu(speeds_of(cluster, solve.staged)));
  }
  Marks marks;
  std::vector<SimulatedMail*> mails;
  for (int row = 0; row < solve.grid.p_r(); ++row) {
    for (int col = 0; col < solve.grid.p_c(); ++col) {
      const auto process = static_cast<int>(mails.size());
      mails.push_back(&post.make_mail(row, col, process));
      world.add_process([&, process] {
        SimulatedMail& mail = *mails[static_cast<std::size_t>(process)];
        const Seat seat = mail.seat();
        const int gpu = seat.node * cluster.gpus_per_node + seat.gpu;
        run_member(solve, world, mail, gpus[static_cast<std::size_t>(gpu)], process, steps, marks);
      });
    }
  }
  world.run();

  SimulatedTime time{.steps = steps, .events = world.events()};
  time.seconds = marks.end;
  if (steps < tiles) {
    const auto middle = static_cast<std::size_t>(steps / 2), last = static_cast<std::size_t>(steps);
    time.step = (marks.begun[last] - marks.begun[middle]) / static_cast<double>(steps - steps / 2);
    time.seconds += time.step * static_cast<double>(tiles - steps);
  } else {
    time.step = marks.end / static_cast<double>(tiles);
  }
  const auto n = static_cast<double>(solve.n);
  time.flops = 2 * n * n * n / time.seconds;
  time.share = time.flops /
               (2 * cluster.relaxations * std::min(solve.grid.p(), nodes * cluster.gpus_per_node));
  time.bandwidth = planner::effective_bandwidth(n, nodes, kValueSize, time.seconds);
  return time;
}

}  // namespace apsp::simulation
