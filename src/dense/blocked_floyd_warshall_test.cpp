// The driver's page on a Place that only writes down what it is asked for: the order of operations
// is the whole of what the page is about.
#include "dense/blocked_floyd_warshall.hpp"

#include "support/test.hpp"

namespace apsp::dense::blocked_floyd_warshall_test {
namespace {

/// Stops once it has recorded `last` operations.
class RecordingPlace {
 public:
  explicit RecordingPlace(std::int64_t tiles, std::size_t last = 1000)
      : tiles_(tiles), last_(last) {}
  std::int64_t tiles() const { return tiles_; }
  bool stopped() const { return record.size() >= last_; }
  void close(Tile k) { add("close", k); }
  void update_panels(Tile k) { add("panels", k); }
  void update_cross(Tile k) { add("cross", k); }
  void update_rest(Tile k) { add("rest", k); }

  /// Where an operation stands in the record.
  std::ptrdiff_t at(const std::string& operation, Tile k) const {
    return std::find(record.begin(), record.end(), operation + ' ' + std::to_string(k.number())) -
           record.begin();
  }

  std::vector<std::string> record;

 private:
  void add(const std::string& operation, Tile k) {
    record.push_back(operation + ' ' + std::to_string(k.number()));
  }
  std::int64_t tiles_;
  std::size_t last_;
};

std::vector<std::string> record_of(std::int64_t tiles) {
  RecordingPlace place(tiles);
  blocked_floyd_warshall(place);
  return place.record;
}

TEST(BlockedFloydWarshall, GivesItsOperationsInOrder) {
  EXPECT_THAT(record_of(0), IsEmpty());
  EXPECT_THAT(record_of(1), ElementsAre("close 0", "panels 0", "rest 0"));
  EXPECT_THAT(record_of(2), ElementsAre("close 0", "panels 0",                       //
                                        "cross 0", "close 1", "rest 0", "panels 1",  //
                                        "rest 1"));
  EXPECT_THAT(record_of(3), ElementsAre("close 0", "panels 0",                       //
                                        "cross 0", "close 1", "rest 0", "panels 1",  //
                                        "cross 1", "close 2", "rest 1", "panels 2",  //
                                        "rest 2"));
}

TEST(BlockedFloydWarshall, LooksAheadByOneTileAndNoFurther) {
  constexpr std::int64_t kTiles = 20;
  RecordingPlace place(kTiles);
  blocked_floyd_warshall(place);
  EXPECT_EQ(place.record.size(), 4 * kTiles - 1)
      << "each operation once; the last step has no cross";
  for (Tile k = kFirstTile; k < Tile(kTiles); ++k) {
    EXPECT_LT(place.at("close", k), place.at("panels", k));
    EXPECT_LT(place.at("panels", k), place.at("rest", k));
    if (k + 1 == Tile(kTiles)) continue;
    EXPECT_LT(place.at("panels", k), place.at("cross", k));
    EXPECT_LT(place.at("cross", k), place.at("close", k + 1));
    EXPECT_LT(place.at("close", k + 1), place.at("rest", k)) << "look-ahead";
    EXPECT_LT(place.at("rest", k), place.at("panels", k + 1));
  }
}

TEST(BlockedFloydWarshall, BeginsNoStepAfterThePlaceHasStopped) {
  constexpr std::int64_t kTiles = 6;
  const std::vector<std::string> whole = record_of(kTiles);
  for (std::size_t last = 0; last < whole.size(); ++last) {
    RecordingPlace place(kTiles, last);
    blocked_floyd_warshall(place);
    // A step has four operations, and the one that runs is given to its end: a Place that has
    // stopped does nothing for it.
    ASSERT_LE(place.record.size(), std::max<std::size_t>(last, 2) + 3) << last;
    ASSERT_TRUE(std::equal(place.record.begin(), place.record.end(), whole.begin())) << last;
  }
}

}  // namespace
}  // namespace apsp::dense::blocked_floyd_warshall_test
