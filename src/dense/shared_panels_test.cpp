#include "dense/peer_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "support/strict_peers.hpp"

namespace apsp::dense {
namespace {

constexpr std::int64_t kGranule = 4, kTile = 16;

/// What the second of so many devices sees.
struct Shared {
  explicit Shared(int count) : peers(count), members(count) {}
  StrictPeers peers;
  int members;
  PeerExchange exchange{met(peers.devices), 1};
  PeerTransport transport{exchange, 1};
  SharedPanels panels{*peers.devices[1], {members, 1, &transport}, kGranule, kTile};
};

TEST(SharedPanels, TheDistributionGoesThereAndBack) {
  const Shared three(3);
  std::vector<int> owners(9), mine(9);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    owners[i] = three.panels.owner(static_cast<std::int64_t>(i));
    mine[i] = three.panels.mine(static_cast<std::int64_t>(i)) ? 1 : 0;
  }
  EXPECT_THAT(owners, testing::ElementsAre(0, 1, 2, 2, 1, 0, 0, 1, 2));
  EXPECT_THAT(mine, testing::ElementsAre(0, 1, 0, 0, 1, 0, 0, 1, 0));
}

TEST(SharedPanels, PiecesAreEvenAndBeginOnWholeTiles) {
  for (const int devices : {2, 3, 4}) {
    const Shared shared(devices);
    for (const std::int64_t lines : {1, 4, 63, 160, 1000}) {
      for (const std::int64_t most : {4, 12, 48, 2000}) {
        std::map<int, std::int64_t> each;
        std::int64_t end = 32;
        for (const auto& [range, owner] : shared.panels.pieces({32, 32 + lines}, most)) {
          EXPECT_EQ(range.begin, end);
          EXPECT_EQ(range.begin % (most < kTile ? kGranule : lines >= 64 ? kTile : kGranule), 0);
          EXPECT_LE(length(range), most);
          end = range.end;
          each[owner] += length(range);
        }
        EXPECT_EQ(end, 32 + lines);
        for (const auto& [owner, sum] : each) {
          EXPECT_LE(sum, lines / devices + 2 * kTile + 2 * std::min<std::int64_t>(most, kTile))
              << devices << " devices, " << lines << " lines, at most " << most;
        }
      }
    }
    EXPECT_TRUE(shared.panels.pieces({8, 8}, 4).empty());
  }
}

TEST(SharedPanels, OneDeviceTakesPiecesAsLongAsTheyMayBe) {
  const StrictPeers one(1);
  const SharedPanels panels(*one.devices[0], {}, kGranule, kTile);
  EXPECT_TRUE(panels.alone());
  std::vector<std::int64_t> lengths;
  for (const auto& [range, owner] : panels.pieces({0, 100}, 48)) {
    EXPECT_EQ(owner, 0);
    lengths.push_back(length(range));
  }
  EXPECT_THAT(lengths, testing::ElementsAre(48, 48, 4));
}

}  // namespace
}  // namespace apsp::dense
