// A matrix on grids of devices that broadcast to each other: strict ones, whose broadcasts wait for
// each other, and which refuse every access that no event orders.
#include "cluster/direct_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "dense/peer_transport.hpp"
#include "support/error_of.hpp"
#include "support/grid_solve.hpp"
#include "support/recorded_progress.hpp"
#include "support/small_problem.hpp"
#include "support/strict_peers.hpp"

namespace apsp::cluster {
namespace {

constexpr std::int64_t kTile = 8;

struct Grid {
  int rows, cols;
};

/// Strict devices of min-plus over i32 unless made otherwise.
struct Peers {
  explicit Peers(Grid grid)
      : owned(grid.rows * grid.cols), exchange(dense::met(owned.devices), grid.cols) {}
  template <class Make>
  Peers(Grid grid, const Make& make)
      : owned(grid.rows * grid.cols, make), exchange(dense::met(owned.devices), grid.cols) {}
  StrictPeers owned;
  BroadcastExchange exchange;
};

std::int64_t solve_directly(Grid grid, GridRun run, const dense::TiledMatrix& values,
                            const dense::TiledMatrix& via = {}) {
  Peers peers(grid);
  run.rows = grid.rows;
  run.cols = grid.cols;
  run.direct = &peers.exchange;
  return solve_on_grid(run, values, via);
}

constexpr Grid kGrids[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4}, {4, 1}, {2, 3}, {3, 2}, {3, 3}};

TEST(DirectTransport, SolvesEverySizeOnEveryGrid) {
  for (const Grid grid : kGrids) {
    for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71}) {
      for (const bool tracked : {false, true}) {
        SmallProblem problem(n, kTile, false);
        EXPECT_EQ(solve_directly(grid, {}, problem.values(),
                                 tracked ? problem.via() : dense::TiledMatrix{}),
                  -1);
        problem.expect_solved();
        if (tracked) problem.expect_via();
        if (testing::Test::HasFailure()) FAIL() << grid.rows << " x " << grid.cols << ", n " << n;
      }
    }
  }
}

TEST(DirectTransport, SolvesInEverySchedule) {
  for (const dense::Schedule schedule : {dense::Schedule::baseline, dense::Schedule::pipelined}) {
    for (const Grid grid : {Grid{2, 2}, {2, 3}, {4, 1}}) {
      SmallProblem problem(8 * 12 + 3, kTile, false);
      solve_directly(grid, {.schedule = schedule}, problem.values(), problem.via());
      problem.expect_solved();
      problem.expect_via();
    }
  }
}

TEST(DirectTransport, SolvesTheTriangleOfSymmetricMatrices) {
  for (const int side : {1, 2, 3}) {
    for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 40, 45, 71, 139}) {
      SmallProblem problem(n, kTile, true);
      solve_directly({side, side}, {.shape = dense::Shape::symmetric}, problem.values());
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = (i / kTile + 1) * kTile; j < n; ++j) {
          problem.value(i, j) = problem.value(j, i);
        }
      }
      problem.expect_solved();
      if (testing::Test::HasFailure()) FAIL() << side << " a side, n " << n;
    }
  }
}

TEST(DirectTransport, GoesOnFromCuts) {
  for (const Grid grid : {Grid{1, 2}, {2, 2}, {3, 2}}) {
    SmallProblem problem(8 * 27 + 3, kTile, false);
    int taken = 0;
    EXPECT_EQ(
        solve_directly(grid, {.cuts = true, .cuts_taken = &taken}, problem.values(), problem.via()),
        -1);
    problem.expect_solved();
    problem.expect_via();
    EXPECT_EQ(taken, 5) << "a vote travels for four steps, and there are 28";
  }
}

TEST(DirectTransport, AllLearnOfANegativeCycleThatOneMeets) {
  for (const std::int64_t last : {3, 33, 120}) {
    SmallProblem problem(130, kTile, false);
    problem.value(2, last) = 1;
    problem.value(last, 2) = -2;
    const std::int64_t pivot = solve_directly({2, 2}, {}, problem.values());
    EXPECT_GE(pivot, 0);
    EXPECT_LE(pivot, last);
  }
}

TEST(DirectTransport, AllEndWhereOneIsAskedTo) {
  RecordedProgress recorder;
  recorder.cancel_when = [&] { return recorder.done >= kTile * 200 * 200 * 2; };
  const Control control{&recorder, &recorder.cancellation};
  SmallProblem problem(200, kTile, false);
  solve_directly({2, 2}, {.control = &control}, problem.values());
  EXPECT_GE(recorder.done, kTile * 200 * 200 * 2);
  EXPECT_LT(recorder.done, kTile * 200 * 200 * 12);  // of 25 steps
}

TEST(DirectTransport, AMemberThatFailsHoldsNobodyUp) {
  RecordedProgress recorder;
  recorder.cancel_when = [&]() -> bool {
    if (recorder.done > kTile * 200 * 200 * 3) throw Error(ErrorKind::defect, "out of paper");
    return false;
  };
  const Control control{&recorder, nullptr};
  SmallProblem problem(200, kTile, false);
  try {
    solve_directly({2, 2}, {.control = &control}, problem.values());
    FAIL() << "nobody has failed";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                testing::AnyOf(testing::StrEq("out of paper"), testing::HasSubstr("failed")));
  }
}

TEST(DirectTransport, WhoWaitsHearsOfABroadcastThatFailed) {
  Peers peers({1, 2});
  ThreadPost post(1, 2);
  ThreadCommunicator communicator(post, 0, 0);
  StrictBroadcasts broadcasts(peers.exchange, communicator);
  DirectTransport transport(peers.exchange.device(0, 0), communicator, broadcasts);
  peers.exchange.fail();  // the other has said nothing, and will not
  EXPECT_ERROR(device, transport.least(0));
}

TEST(DirectTransport, ClosesMatricesOfBits) {
  constexpr std::int64_t kSide = 417, kWords = (kSide + 31) / 32;
  std::vector<std::uint32_t> bits(kSide * kWords, 0);
  base::SplitMix64 random(5);
  for (std::int64_t i = 0; i < kSide; ++i) {
    for (const std::int64_t j : {i, static_cast<std::int64_t>(random.below(kSide))}) {
      bits[static_cast<std::size_t>(i * kWords + j / 32)] |= 1U << j % 32;
    }
  }
  const auto make = [] { return kernels::strict::make_bit_device(StrictPeers::kMemory); };
  std::vector<std::uint32_t> relayed = bits;
  const auto tiled = [](std::vector<std::uint32_t>& matrix) {
    return dense::TiledMatrix{{matrix.data(), kSide, kWords, kWords}, 4, 128, 32};
  };
  Peers peers({2, 3}, make);
  solve_on_grid({.rows = 2, .cols = 3, .direct = &peers.exchange}, tiled(bits));
  solve_on_grid({.rows = 2, .cols = 3, .make = make}, tiled(relayed));
  EXPECT_EQ(bits, relayed);
}

}  // namespace
}  // namespace apsp::cluster
