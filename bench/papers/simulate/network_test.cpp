// Messages of a simulated network against times worked out by hand.
#include "papers/simulate/network.hpp"
#include "support/test.hpp"

namespace apsp::simulation::network_test {
namespace {

/// Two nodes of two GPUs: links of 4 bytes a second, a card of 2, latencies of 1 s and 10 s.
cluster::Cluster slow_cluster() {
  cluster::Cluster cluster;
  cluster.gpus_per_node = 2;
  cluster.link_rate = 4;
  cluster.link_seconds = 1;
  cluster.cards = 1;
  cluster.card_rate = 2;
  cluster.card_seconds = 10;
  cluster.host_memory_rate = 16;
  return cluster;
}

struct Sent {
  Seat from, to;
  double bytes = 0, at = 0;
};

/// When each message arrives. A process sends them at their times.
class Arrivals final : EventHandler {
 public:
  explicit Arrivals(const std::vector<Sent>& all, bool from_host = false, double packet = 1e9,
                    const cluster::Cluster& cluster = slow_cluster())
      : network_(world_, cluster, 2, from_host, packet) {
    const int process = world_.add_process([&] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        while (world_.now() < all[i].at) world_.sleep_until(0, all[i].at);
        network_.send(all[i].from, all[i].to, all[i].bytes, *this, static_cast<std::int64_t>(i));
      }
      while (at_.size() < all.size()) world_.sleep_until(0, 1e9);
    });
    EXPECT_EQ(process, 0);
    world_.run();
  }
  double operator[](std::int64_t message) const { return at_.at(message); }

 private:
  void handle(std::int64_t what) override {
    at_[what] = world_.now();
    world_.wake(0);
  }
  World world_;
  Network network_;
  std::map<std::int64_t, double> at_;
};

constexpr Seat kA{0, 0}, kB{0, 1}, kC{1, 0}, kD{1, 1};

TEST(Network, AMessageAloneTakesItsLatenciesAndItsBytesAtTheSlowestLink) {
  const Arrivals at({{kA, kB, 40, 0}});
  EXPECT_NEAR(at[0], 1 + 1 + 40.0 / 4, 1e-9);
  const Arrivals between({{kA, kC, 40, 0}});
  EXPECT_NEAR(between[0], 1 + 10 + 10 + 1 + 40.0 / 2, 1e-9);
  // Cut into packets it takes no longer.
  const Arrivals cut({{kA, kC, 40, 0}}, false, 4);
  EXPECT_NEAR(cut[0], 22 + 20, 1e-9);
}

TEST(Network, FromHostMemoryTheLinksOfGpusAreFree) {
  const Arrivals at({{kA, kC, 40, 0}, {kA, kB, 40, 100}}, true);
  EXPECT_NEAR(at[0], 10 + 10 + 40.0 / 2, 1e-9);
  EXPECT_NEAR(at[1], 100 + 1 + 40.0 / 8, 1e-9);  // read and written: half of 16 bytes a second
}

TEST(Network, GpusOfANodeShareItsCard) {
  const Arrivals at({{kA, kC, 40, 0}, {kB, kD, 40, 0}}, false, 4);
  // 80 bytes at 2 a second, packets in turns: both end within a packet of the other.
  EXPECT_NEAR(at[0], 22 + 40 - 2, 1e-9);
  EXPECT_NEAR(at[1], 22 + 40, 1e-9);
}

TEST(Network, AShortMessagePassesALongOneOfAnotherGpu) {
  const Arrivals at({{kA, kC, 400, 0}, {kB, kD, 4, 20}}, false, 4);
  EXPECT_LT(at[1], 20 + 22 + 3 * 2 + 1);
  EXPECT_NEAR(at[0], 22 + 404.0 / 2, 1e-9);  // which loses no time by it
}

TEST(Network, BothWaysOfALinkAreFree) {
  const Arrivals at({{kA, kC, 40, 0}, {kC, kA, 40, 0}}, false, 4);
  EXPECT_NEAR(at[0], 42, 1e-9);
  EXPECT_NEAR(at[1], 42, 1e-9);
}

TEST(Network, EachCardIsOfItsGpus) {
  cluster::Cluster cluster = slow_cluster();
  cluster.cards = 2;
  const Arrivals at({{kA, kC, 40, 0}, {kB, kD, 40, 0}}, false, 4, cluster);
  EXPECT_NEAR(at[0], 42, 1e-9);
  EXPECT_NEAR(at[1], 42, 1e-9);
}

}  // namespace
}  // namespace apsp::simulation::network_test
