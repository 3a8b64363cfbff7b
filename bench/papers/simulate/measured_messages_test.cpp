// Messages of a simulated cluster are measured as what its description says.

#include "cluster/measure_messages.hpp"
#include "papers/simulate/simulated_communicator.hpp"
#include "support/test.hpp"

namespace apsp::simulation::measured_messages_test {
namespace {

struct Machines {
  int nodes = 1, of_node = 1;
};

/// What each process of a row of them measures.
std::vector<cluster::MessageRates> measured_on(const cluster::Cluster& cluster, Machines machines) {
  const int count = machines.nodes * machines.of_node;
  World world;
  Network network(world, cluster, machines.nodes, false, 1 << 20);
  Post post(world, network, 1, count);
  std::vector<int> table;
  table.reserve(static_cast<std::size_t>(count));
  for (int process = 0; process < count; ++process) {
    table.push_back(100 - process / machines.of_node);
  }
  std::vector<cluster::MessageRates> all(static_cast<std::size_t>(count));
  for (int process = 0; process < count; ++process) {
    const Seat seat{process / machines.of_node, process % machines.of_node};
    SimulatedCommunicator& communicator = post.make_communicator(0, process, process, seat);
    world.add_process([&, process] {
      const cluster::Pace pace{[&] { return world.now(); },
                               [&, process] { world.sleep_until(process, world.now() + 1); }};
      all[static_cast<std::size_t>(process)] = cluster::measure_messages(communicator, table, pace);
    });
  }
  world.run();
  return all;
}

/// Links of 8 GB/s and 2 µs, a card of 1.25 GB/s and 10 µs.
cluster::Cluster cluster_of(int gpus) {
  cluster::Cluster cluster;
  cluster.gpus_per_node = gpus;
  cluster.link_rate = 8e9;
  cluster.link_seconds = 2e-6;
  cluster.cards = 1;
  cluster.card_rate = 1.25e9;
  cluster.card_seconds = 10e-6;
  cluster.host_memory_rate = 1e11;
  return cluster;
}

constexpr double kWithin = 0.02;

TEST(MeasuredMessages, AreWhatTheLinksAndCardsAre) {
  for (const Machines machines : {Machines{2, 2}, Machines{3, 4}, Machines{2, 3}}) {
    for (const auto& found : measured_on(cluster_of(machines.of_node), machines)) {
      EXPECT_NEAR(found.on_machine.bytes, 8e9, kWithin * 8e9);
      EXPECT_NEAR(found.on_machine.seconds, 4e-6, kWithin * 4e-6);
      EXPECT_NEAR(found.between.bytes, 1.25e9, kWithin * 1.25e9);
      EXPECT_NEAR(found.between.seconds, 24e-6, kWithin * 24e-6);
      EXPECT_TRUE(found.on_machine.measured && found.between.measured);
    }
  }
}

TEST(MeasuredMessages, OfOneMachineSayNothingOfANetwork) {
  const cluster::MessageRates assumed;
  for (const auto& found : measured_on(cluster_of(4), {1, 4})) {
    EXPECT_TRUE(found.on_machine.measured);
    EXPECT_FALSE(found.between.measured);
    EXPECT_EQ(found.between.bytes, assumed.between.bytes);
  }
  for (const auto& found : measured_on(cluster_of(1), {3, 1})) {
    EXPECT_FALSE(found.on_machine.measured);
    EXPECT_TRUE(found.between.measured);
    EXPECT_NEAR(found.between.bytes, 1.25e9, kWithin * 1.25e9);
  }
  const auto alone = measured_on(cluster_of(1), {1, 1});
  EXPECT_FALSE(alone.front().on_machine.measured || alone.front().between.measured);
}

/// A message of 4 MiB takes 0.4 s: one of them is enough.
TEST(MeasuredMessages, OfASlowNetworkAreFew) {
  cluster::Cluster slow = cluster_of(1);
  slow.card_rate = 1e7;
  for (const auto& found : measured_on(slow, {2, 1})) {
    EXPECT_NEAR(found.between.bytes, 1e7, kWithin * 1e7);
  }
}

}  // namespace
}  // namespace apsp::simulation::measured_messages_test
