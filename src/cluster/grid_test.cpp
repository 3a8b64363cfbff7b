// A matrix on grids of processes: threads, one a device, which holds its part or passes it, and
// every transport between them. The strict device forgives nothing: it refuses every access to its
// memory, or to the host's, that no event orders.
#include "dense/peer_transport.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "support/bit_problem.hpp"
#include "support/grid_solve.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict/strict_device.hpp"
#include "support/strict_peers.hpp"
#include "support/test.hpp"
#include "system/threads.hpp"

namespace apsp::cluster::grid_test {
namespace {

using dense::Along;
using dense::Broadcast;
using dense::DeviceBuffer;
using dense::Payload;
using dense::Schedule;
using dense::Shape;

using MakeDevice = std::function<std::unique_ptr<kernels::ComputeDevice>()>;

constexpr std::int64_t kMemory = StrictPeers::kMemory;
constexpr std::int64_t kTile = 8;
constexpr std::pair<int, int> kGrids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4},
                                          {4, 1}, {2, 3}, {3, 2}, {3, 3}};
constexpr Schedule kSchedules[] = {Schedule::baseline, Schedule::pipelined, Schedule::overlapped};

std::unique_ptr<kernels::ComputeDevice> strict_device() {
  return kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
}

MakeDevice host_device(int threads) {
  return [threads] {
    constexpr kernels::Sign kSign = kernels::Sign::any;
    return kernels::host::make_device(
        kernels::cpu::operations(Semiring::min_plus, ValueType::i32, kSign),
        kernels::cpu::witness_operations(Semiring::min_plus, ValueType::i32, kSign), kTile,
        threads);
  };
}

dense::OffloadPlan plan_of(std::int64_t n, std::int64_t width = kTile, std::int64_t strip = kTile,
                           std::int64_t buffers = 3) {
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::i32);
  return {
      .width = width,
      .buffers = buffers,
      .strip_rows = strip,
      .buffer_values = std::max({strip * sizes->stride(n), width * sizes->stride(sizes->granule()),
                                 sizes->granule() * sizes->stride(width)})};
}

/// Who computes, how panels travel, and whether parts stream.
struct Way {
  const char* name;
  GridRun run{};
  bool direct = false;   // devices broadcast to each other
  bool streams = false;  // by `plan_of`
};

/// One of each kind; more options of each below.
std::vector<Way> kinds() {
  return {{"strict", {.make = strict_device}},
          {"one thread", {.make = host_device(1)}},
          {"threads", {.make = host_device(2)}},
          {"direct", {}, true},
          {"streamed", {.make = strict_device}, false, true},
          {"streamed, direct", {}, true, true}};
}

std::int64_t solve(Way way, int rows, int cols, const TiledMatrix& values,
                   const TiledMatrix& via = {}) {
  way.run.rows = rows;
  way.run.cols = cols;
  if (way.streams && !way.run.offload) way.run.offload = plan_of(values.n());
  if (!way.direct) return solve_on_grid(way.run, values, way.streams ? TiledMatrix{} : via);
  const StrictPeers peers(rows * cols, [&] {
    return values.columns_per_value > 1 ? kernels::strict::make_bit_device(kMemory)
                                        : strict_device();
  });
  BroadcastExchange exchange(dense::met(peers.devices), cols);
  way.run.direct = &exchange;
  return solve_on_grid(way.run, values, way.streams ? TiledMatrix{} : via);
}

void expect_every_size_solved(const Way& way) {
  for (const auto& [rows, cols] : kGrids) {
    for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71}) {
      for (const bool tracked : {false, true}) {
        if (tracked && way.streams) continue;
        SmallProblem problem(n, kTile, false);
        EXPECT_EQ(solve(way, rows, cols, problem.values(), tracked ? problem.via() : TiledMatrix{}),
                  -1);
        problem.expect_solved();
        if (tracked) problem.expect_via();
        if (testing::Test::HasFailure()) {
          FAIL() << way.name << ", " << rows << " x " << cols << ", n " << n
                 << (tracked ? ", via" : "");
        }
      }
    }
  }
}

TEST(Grid, SolvesEverySize) {
  const RelayTransport::Options trees{.broadcasts = {Broadcast::binomial, Broadcast::binomial}};
  for (const Way& way : {Way{"pieces", {.make = strict_device, .options = {.piece_bytes = 1000}}},
                         {"trees", {.make = strict_device, .options = trees}},
                         {"a thread", {.make = host_device(1), .options = {.piece_bytes = 1000}}},
                         {"stages", {.make = host_device(2), .options = {.staged = true}}},
                         {"direct", {}, true}}) {
    expect_every_size_solved(way);
  }
}

TEST(Grid, SolvesEverySizeThatStreams) {
  const RelayTransport::Options trees{.broadcasts = {Broadcast::binomial, Broadcast::binomial}};
  for (const Way& way :
       {Way{"pieces", {.make = strict_device, .options = {.piece_bytes = 300}}, false, true},
        {"trees", {.make = strict_device, .options = trees}, false, true},
        {"baseline", {.make = strict_device, .schedule = Schedule::baseline}, false, true},
        {"pipelined", {.make = strict_device, .schedule = Schedule::pipelined}, false, true},
        {"direct", {}, true, true},
        {"direct, pipelined", {.schedule = Schedule::pipelined}, true, true}}) {
    expect_every_size_solved(way);
  }
}

TEST(Grid, SolvesInEverySchedule) {
  for (Way way : {Way{"strict", {.make = strict_device}}, {"threads", {.make = host_device(2)}}}) {
    for (const Schedule schedule : {Schedule::baseline, Schedule::pipelined}) {
      way.run.schedule = schedule;
      expect_every_size_solved(way);
    }
  }
}

TEST(Grid, StreamsThroughTwoBuffersAndWidePanels) {
  for (const std::int64_t width : {4, 12, 32}) {
    for (const auto& [rows, cols] : {std::pair{2, 2}, {1, 3}}) {
      SmallProblem problem(150, kTile, false);
      const Way way{"", {.make = strict_device, .offload = plan_of(150, width, 4, 2)}, false, true};
      EXPECT_EQ(solve(way, rows, cols, problem.values()), -1);
      problem.expect_solved();
    }
  }
}

/// Devices that read each other's memory: what was sent must not be written before it was taken.
TEST(Grid, StreamsOnPeers) {
  for (const auto& [rows, cols] : kGrids) {
    for (const std::int64_t n : {9, 45, 71}) {
      SmallProblem problem(n, kTile, false);
      const StrictPeers peers(rows * cols);
      dense::PeerExchange exchange(dense::met(peers.devices), cols);
      const GridRun run{.rows = rows, .cols = cols, .offload = plan_of(n, kTile, 4)};
      system::on_threads(
          rows * cols,
          [&](int member) {
            dense::PeerTransport transport(exchange, member, 300);
            solve_part(
                run, *peers.devices[static_cast<std::size_t>(member)],
                {n, {run.rows, member / run.cols}, {run.cols, member % run.cols}, &transport},
                problem.values());
          },
          [&] { exchange.fail(); });
      problem.expect_solved();
      if (testing::Test::HasFailure()) FAIL() << rows << " x " << cols << ", n " << n;
    }
  }
}

/// The lower triangle of tiles is solved; what was above must not have been read.
void expect_symmetric_solved(Way way, int side, std::int64_t n) {
  SmallProblem problem(n, kTile, true);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = (i / kTile + 1) * kTile; j < n; ++j) problem.value(i, j) = -1000;
  }
  way.run.shape = Shape::symmetric;
  EXPECT_EQ(solve(way, side, side, problem.values()), -1);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = (i / kTile + 1) * kTile; j < n; ++j) {
      EXPECT_EQ(problem.value(i, j), -1000);
      problem.value(i, j) = problem.value(j, i);
    }
  }
  problem.expect_solved();
}

TEST(Grid, SolvesTheTriangleOfSymmetricMatrices) {
  for (Way way : kinds()) {
    if (way.streams) continue;
    for (const int side : {1, 2, 3}) {
      for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71, 139}) {
        way.run.cuts = false;
        way.run.schedule = Schedule::overlapped;
        expect_symmetric_solved(way, side, n);
        way.run.options = {.broadcasts = {Broadcast::binomial, Broadcast::binomial},
                           .piece_bytes = 500,
                           .staged = true};
        way.run.schedule = Schedule::pipelined;
        way.run.cuts = true;
        expect_symmetric_solved(way, side, n);
        if (testing::Test::HasFailure()) FAIL() << way.name << ", " << side << ", n " << n;
      }
    }
  }
}

TEST(Grid, CommunicatorThatReadsDevicesNeedsNoStages) {
  for (const bool cuda_aware : {false, true}) {
    ThreadPost post(1, 2);
    ThreadCommunicator communicator(post, 0, 0);
    const auto device = strict_device();
    const DeviceBuffer memory(*device, 64);
    RelayTransport transport(*device, communicator, {.cuda_aware = cuda_aware});
    transport.broadcast(Payload::panel, Along::row, 1, device->make_queue(), memory.data(), 64);
    EXPECT_EQ(transport.stages_taken(), cuda_aware ? 0 : 1);
  }
}

TEST(Grid, ContinuesFromCheckpointsInEverySchedule) {
  for (Way way : kinds()) {
    for (const auto& [rows, cols] : {std::pair{1, 1}, {2, 2}, {3, 2}}) {
      for (const Schedule schedule : kSchedules) {
        constexpr std::int64_t kN = 8 * 27 + 3;
        SmallProblem problem(kN, kTile, false);
        int taken = 0;
        way.run.schedule = schedule;
        way.run.cuts = true;
        way.run.cuts_taken = &taken;
        // Of six processes, each has more buffers than pieces.
        if (way.streams) way.run.offload = plan_of(kN, kTile, kTile, rows == 1 ? 3 : 64);
        EXPECT_EQ(solve(way, rows, cols, problem.values(), problem.via()), -1);
        problem.expect_solved();
        if (!way.streams) problem.expect_via();
        EXPECT_GE(taken, way.streams ? 3 : 5) << "a vote travels for four steps of 28";
        if (testing::Test::HasFailure()) FAIL() << way.name << ", " << rows << " x " << cols;
      }
    }
  }
}

TEST(Grid, CheckpointsBeforeTheLastStepAreWholeWhereRowsLeave) {
  for (const Schedule schedule : kSchedules) {
    // A vote travels for four steps: some of these sizes are cut before their last step.
    for (const std::int64_t tiles : {5, 6, 7, 10}) {
      SmallProblem problem(kTile * tiles, kTile, false);
      const Way way{
          "", {.make = strict_device, .schedule = schedule, .cuts = true, .rows_leave = true}};
      EXPECT_EQ(solve(way, 2, 2, problem.values(), problem.via()), -1);
      problem.expect_solved();
      problem.expect_via();
      if (testing::Test::HasFailure()) {
        FAIL() << tiles << " tiles, schedule " << static_cast<int>(schedule);
      }
    }
  }
}

TEST(Grid, FindsCyclesBehindCheckpoints) {
  SmallProblem problem(8 * 20, kTile, false);
  problem.value(150, 140) = -1;
  problem.value(140, 150) = 0;
  int taken = 0;
  const Way way{"", {.make = strict_device, .cuts = true, .cuts_taken = &taken}};
  EXPECT_GE(solve(way, 2, 2, problem.values(), problem.via()), 0);
  EXPECT_GE(taken, 1);
}

TEST(Grid, ClosesMatricesOfBits) {
  const auto make = [] { return kernels::strict::make_bit_device(kMemory); };
  for (const std::int64_t n : {1, 33, 128, 129, 417, 700}) {
    for (const Way& way : {Way{"relayed", {.make = make}}, {"direct", {}, true}}) {
      BitProblem problem(n);
      solve(way, 2, 3, problem.values());
      EXPECT_TRUE(problem.solved()) << way.name << ", n " << n;
    }
  }
}

TEST(Grid, AllLearnOfANegativeCycleThatOneMeets) {
  for (const Way& way : kinds()) {
    for (const std::int64_t last : {3, 33, 120}) {
      SmallProblem problem(130, kTile, false);
      problem.value(2, last) = 1;
      problem.value(last, 2) = -2;
      const std::int64_t pivot = solve(way, 2, 2, problem.values());
      EXPECT_GE(pivot, 0) << way.name;
      EXPECT_LE(pivot, last) << way.name;
    }
  }
}

TEST(Grid, AllEndWhereOneIsAskedTo) {
  for (Way way : kinds()) {
    RecordedProgress recorder;
    recorder.cancel_when = [&] { return recorder.done >= 200 * 200 * kTile * 2; };
    const Control control{&recorder, &recorder.cancellation};
    way.run.control = &control;
    SmallProblem problem(200, kTile, false);
    solve(way, 2, 2, problem.values());
    EXPECT_GE(recorder.done, 200 * 200 * kTile * 2) << way.name;
    EXPECT_LT(recorder.done, 200 * 200 * kTile * 12) << way.name;  // of 25 steps
  }
}

TEST(Grid, ProgressEndsAtItsTotal) {
  for (Way way : kinds()) {
    for (const std::int64_t n : {5, 16, 60}) {
      RecordedProgress recorder;
      const Control control{&recorder, nullptr};
      way.run.control = &control;
      SmallProblem problem(n, kTile, false);
      solve(way, 2, 2, problem.values());
      EXPECT_TRUE(recorder.complete()) << way.name << ", n " << n;
    }
  }
}

TEST(Grid, AMemberThatFailsHoldsNobodyUp) {
  for (Way way : kinds()) {
    if (!way.direct) continue;
    RecordedProgress recorder;
    recorder.cancel_when = [&]() -> bool {
      if (recorder.done > kTile * 200 * 200 * 3) throw Error(ErrorKind::defect, "out of paper");
      return false;
    };
    const Control control{&recorder, nullptr};
    way.run.control = &control;
    SmallProblem problem(200, kTile, false);
    EXPECT_THROW(solve(way, 2, 2, problem.values()), std::runtime_error) << way.name;
  }
}

TEST(DirectTransport, WhoWaitsHearsOfABroadcastThatFailed) {
  const StrictPeers peers(2);
  BroadcastExchange exchange(dense::met(peers.devices), 2);
  ThreadPost post(1, 2);
  ThreadCommunicator communicator(post, 0, 0);
  StrictBroadcasts broadcasts(exchange, communicator);
  DirectTransport transport(exchange.device(0, 0), communicator, broadcasts);
  exchange.fail();  // the other has said nothing, and will not
  EXPECT_ERROR(device, transport.least(0));
}

}  // namespace
}  // namespace apsp::cluster::grid_test
