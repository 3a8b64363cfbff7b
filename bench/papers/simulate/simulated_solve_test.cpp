// Whole solves of the driver's page on simulated machines: bounds that no machine passes, times
// that are worked out by hand, and the paper's order of variants.
#include "papers/simulate/simulated_solve.hpp"

#include "cluster/cluster_plan.hpp"
#include "papers/simulate/published_points.hpp"
#include "papers/simulate/simulated_communicator.hpp"
#include "support/test.hpp"

namespace apsp::simulation::simulated_solve_test {
namespace {

using dense::Along;

cluster::Cluster summit() {
  return cluster::read_cluster(APSP_SOURCE_DIR "/tests/machines/summit.json");
}

const dense::Variant& variant(const char* name) { return *dense::find_variant(name); }

/// Gigabytes are seconds, and nothing else takes time.
cluster::Cluster links_alone() {
  cluster::Cluster cluster = summit();
  cluster.gpus_per_node = 2;
  cluster.link_rate = 1e9;
  cluster.card_rate = 1e9;
  cluster.link_seconds = cluster.card_seconds = 0;
  return cluster;
}

/// When each member of a row of the grid has a broadcast of a gigabyte, by the library, from
/// `root`.
std::vector<double> library_broadcast(int members, int root) {
  World world;
  Network network(world, links_alone(), (members + 1) / 2, false, 1e9);
  Post post(world, network, 1, members);
  std::vector<double> at(static_cast<std::size_t>(members));
  std::vector<SimulatedCommunicator*> communicators;
  for (int me = 0; me < members; ++me) {
    communicators.push_back(&post.make_communicator(0, me, me, {me / 2, me % 2}));
  }
  for (int me = 0; me < members; ++me) {
    world.add_process([&, me] {
      SimulatedCommunicator& communicator = *communicators[static_cast<std::size_t>(me)];
      const auto request = communicator.broadcast(Along::row, root, nullptr, 1000000000);
      while (!communicator.done(request)) world.sleep_until(me, 1e9);
      at[static_cast<std::size_t>(me)] = world.now();
    });
  }
  world.run();
  return at;
}

TEST(SimulatedCommunicator, ABroadcastOfTheLibraryIsATree) {
  // 0 hands it to 1, who asked first, and then to 2 over the same link; 2 hands it to 3.
  const std::vector<double> at = library_broadcast(4, 0);
  EXPECT_NEAR(at[1], 1, 1e-6);
  EXPECT_NEAR(at[0], 2, 1e-6);
  EXPECT_NEAR(at[2], 3, 1e-6);  // has it after 2 s, and is done with it a second later
  EXPECT_NEAR(at[3], 3, 1e-6);
}

TEST(SimulatedCommunicator, MessagesMeetByTagAndLine) {
  World world;
  Network network(world, links_alone(), 1, false, 1e9);
  Post post(world, network, 1, 2);
  SimulatedCommunicator& left = post.make_communicator(0, 0, 0, {0, 0});
  SimulatedCommunicator& right = post.make_communicator(0, 1, 1, {0, 1});
  double long_at = 0, short_at = 0, least = 0;
  world.add_process([&] {
    left.send(Along::row, 1, 7, nullptr, 2000000000);
    left.send(Along::row, 1, 8, nullptr, 1000000000);
    left.least(4);
  });
  world.add_process([&] {
    // Asked for in the other order; what is first on the link comes first.
    const auto second = right.receive(Along::row, 0, 8, nullptr, 1000000000);
    const auto first = right.receive(Along::row, 0, 7, nullptr, 2000000000);
    const auto vote = right.least(9);
    while (!right.done(second)) world.sleep_until(1, 1e9);
    short_at = world.now();
    while (!right.done(first)) world.sleep_until(1, 1e9);
    long_at = world.now();
    while (!right.done(vote)) world.sleep_until(1, 1e9);
    least = static_cast<double>(right.result(vote));
  });
  world.run();
  EXPECT_NEAR(short_at, 1, 1e-6);
  EXPECT_NEAR(long_at, 3, 1e-6);
  EXPECT_EQ(least, 4);
}

TEST(World, ProcessesThatWaitForNothingAreADefect) {
  World world;
  world.add_process([&] { world.sleep_until(0, 1 / 0.0); });
  EXPECT_EQ(error_of([&] { world.run(); }).kind(), ErrorKind::defect);
}

TEST(World, ErrorsOfAProcessArrive) {
  World world;
  world.add_process([] { throw Error(ErrorKind::usage, "as it should"); });
  EXPECT_EQ(error_of([&] { world.run(); }).kind(), ErrorKind::usage);
}

SimulatedSolve sized(SimulatedSolve solve, std::int64_t n, std::int64_t tile, std::int64_t steps) {
  solve.n = n;
  solve.tile = tile;
  solve.steps = steps;
  return solve;
}

double seconds(const SimulatedSolve& solve) { return simulate(summit(), solve).seconds; }

TEST(SimulatedSolve, OneGpuTakesItsRelaxationsAndWhatBeginsAndEnds) {
  cluster::Cluster one = summit();
  one.gpus_per_node = 1;
  const SimulatedTime time = simulate(one, sized(placed_in_blocks(1, 1), 16384, 1024, 0));
  const double work = 16384.0 * 16384.0 * 16384.0 / one.relaxations;
  EXPECT_GT(time.seconds, work);
  EXPECT_LT(time.seconds, 1.05 * work);
}

TEST(SimulatedSolve, TwoRunsAreTheSame) {
  const SimulatedSolve solve = sized(placed_in_blocks(4, 6), 24576, 768, 0);
  const SimulatedTime first = simulate(summit(), solve), second = simulate(summit(), solve);
  EXPECT_EQ(first.seconds, second.seconds);
  EXPECT_EQ(first.events, second.events);
}

TEST(SimulatedSolve, SomeStepsTellOfAll) {
  SimulatedSolve solve = sized(placed_in_blocks(4, 6), 49152, 768, 0);
  const double all = seconds(solve);
  solve.steps = 24;
  EXPECT_NEAR(seconds(solve), all, 0.02 * all);
}

TEST(SimulatedSolve, BaselineIsTheSumOfItsParts) {
  // One node of two GPUs, so that nothing waits for anything else: closing, a panel, the rest.
  cluster::Cluster pair = summit();
  pair.gpus_per_node = 2;
  pair.launch_seconds = 1e-12;
  pair.link_rate = 1e15;
  pair.gpu_memory_rate = 1e18;
  pair.link_seconds = 1e-12;
  constexpr double kTile = 1024, kRows = 8192, kColumns = 4096;
  SimulatedSolve pairs = sized(placed_in_blocks(1, 2), 8192, 1024, 0);
  pairs.variant = variant("baseline");
  const SimulatedTime time = simulate(pair, pairs);
  const double closing = kTile * kTile * kTile * 10 / (pair.relaxations * pair.fill(1024, 1024));
  // The owner of the column has a row panel without the closed tile, and a column one.
  const double panels =
      (kTile * (kColumns - kTile) + (kRows - kTile) * kTile) * kTile / pair.relaxations;
  const double rest = kRows * kColumns * kTile / pair.relaxations;
  EXPECT_GT(time.step, closing + panels + 0.7 * rest);
  EXPECT_LT(time.step, closing + 1.6 * panels + 1.1 * rest);
}

TEST(SimulatedSolve, ProcessesThatAreNoMultipleOfTheGpusShareThem) {
  cluster::Cluster pair = summit();
  pair.gpus_per_node = 2;
  const SimulatedTime time = simulate(pair, sized(placed_in_blocks(1, 3), 12288, 1024, 0));
  EXPECT_GT(time.seconds, 12288.0 * 12288.0 * 12288.0 / (2 * pair.relaxations));
  EXPECT_LE(time.share, 1);
}

/// Steps repeat after 24. `own`, which is not the paper's, sends closed tiles by rings too.
TEST(SimulatedSolve, VariantsComeInThePaperOrder) {
  const auto taken = [](const char* name, std::int64_t n) {
    const dense::Variant& chosen = variant(name);
    SimulatedSolve solve =
        sized(chosen.blocked ? placed_in_blocks(16, 6) : placed_plainly(16, 6), n, 768, 24);
    solve.variant = chosen;
    return seconds(solve);
  };
  for (const std::int64_t n : {49152, 98304}) {
    const double async = taken("async", n), own = taken("own", n);
    double before = async;
    for (const char* name : {"reordering", "pipelined", "baseline"}) {
      const double now = taken(name, n);
      EXPECT_GT(1.01 * now, before) << name << ", " << n;
      before = now;
    }
    EXPECT_NEAR(own, async, 0.02 * async) << n;
    const double work = std::pow(static_cast<double>(n), 3) / (16 * 6 * summit().relaxations);
    EXPECT_GT(own, 0.99 * work) << n;
  }
}

TEST(SimulatedSolve, TheModelIsWithinATenth) {
  struct Case {
    int nodes;
    std::int64_t n;
  };
  for (const auto [nodes, n] : {Case{4, 24576}, Case{16, 24576}, Case{16, 49152}, Case{16, 98304},
                                Case{64, 49152}, Case{64, 98304}, Case{64, 196608}}) {
    const double simulated = seconds(sized(placed_in_blocks(nodes, 6), n, 768, 24));
    const double predicted = cluster::predict_on_cluster(summit(), {n, nodes, 6}, {}, 768).seconds;
    EXPECT_NEAR(simulated / predicted, 1, 0.1) << nodes << " nodes, n = " << n;
  }
}

/// Costs and the share between switches were added after misses of the efficiency and of the gain
/// on 256 nodes; bench/results/simulated.md says what is known of each. Missed points differ as
/// that page says.
TEST(SimulatedSolve, IsWithinAQuarterOfWhatThePaperMeasured) {
  for (const PublishedPoint& point : published_points(summit())) {
    if (point.missed) {
      EXPECT_GT(std::abs(point.ratio() - 1), 0.25) << point.reading << ": missed no longer";
      continue;
    }
    EXPECT_GT(point.ratio(), 0.75) << point.reading << ": " << point.simulated;
    EXPECT_LT(point.ratio(), 1.25) << point.reading << ": " << point.simulated;
  }
}

TEST(SimulatedSolve, PartsThatStreamHideTheirCopiesUnderWork) {
  cluster::Cluster cluster = summit();
  SimulatedSolve solve = sized(placed_in_blocks(4, 6), 49152, 768, 12);
  solve.variant = variant("offload");
  solve.staged = true;
  const double work = std::pow(49152.0, 3) / (24 * cluster.relaxations);
  EXPECT_LT(simulate(cluster, solve).seconds, 1.3 * work);
  cluster.host_link_rate /= 10;
  const double copies = std::pow(49152.0, 3) / 768 / 24 * 4 / cluster.host_link_rate;
  const double seconds = simulate(cluster, solve).seconds;
  EXPECT_GT(seconds, copies);
  EXPECT_LT(seconds, 1.3 * copies);
}

TEST(SimulatedSolve, StagedPanelsGoThroughHostMemory) {
  SimulatedSolve solve = sized(placed_in_blocks(4, 6), 49152, 768, 12);
  const double direct = seconds(solve);
  solve.staged = true;
  const double staged = seconds(solve);
  EXPECT_NE(staged, direct);
  EXPECT_NEAR(staged, direct, 0.3 * direct);
}

}  // namespace
}  // namespace apsp::simulation::simulated_solve_test
