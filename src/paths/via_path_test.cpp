#include "paths/via_path.hpp"

#include "support/address_limit.hpp"
#include "support/test.hpp"
#include "support/watched.hpp"

namespace apsp::paths::via_path_test {
namespace {

using store::Plane;

constexpr std::int32_t kNone = -1;

/// A store of min-plus distances in i32 whose every pair has a path, and its via.
std::unique_ptr<store::Store> make_store(std::int64_t n, const std::vector<std::int32_t>& via) {
  auto store = store::make_memory_store(
      {n, ValueType::i32, Semiring::min_plus, 1024, {Plane::distance, Plane::via, Plane::hops}});
  const std::vector<std::int32_t> distance(static_cast<std::size_t>(n * n), 1);
  store->write(Plane::distance, {0, 0, n, n}, distance.data(), n);
  store->write(Plane::via, {0, 0, n, n}, via.data(), n);
  return store;
}

void set_no_path(store::Store& store, std::int64_t i, std::int64_t j) {
  static_cast<std::int32_t*>(store.data(Plane::distance))[i * store.stride() + j] =
      static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
}

std::int32_t hops(store::Store& store, std::int64_t i, std::int64_t j) {
  return static_cast<std::int32_t*>(store.data(Plane::hops))[i * store.stride() + j];
}

TEST(ViaPath, PutsHalvesTogether) {
  // 0 → 1 → 2 → 3, by halves.
  const auto store = make_store(4, {kNone, kNone, 1, 1,          //
                                    kNone, kNone, kNone, 2,      //
                                    kNone, kNone, kNone, kNone,  //
                                    kNone, kNone, kNone, kNone});
  set_no_path(*store, 3, 0);
  EXPECT_THAT(path_from_via(*store, 0, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(path_from_via(*store, 0, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(path_from_via(*store, 2, 3), ElementsAre(2, 3));
  EXPECT_THAT(path_from_via(*store, 2, 2), ElementsAre(2));
  EXPECT_THAT(path_from_via(*store, 3, 0), IsEmpty());
  write_hops(*store, {});
  EXPECT_EQ(hops(*store, 0, 3), 3);
  EXPECT_EQ(hops(*store, 2, 3), 1);
  EXPECT_EQ(hops(*store, 2, 2), 0);
  EXPECT_EQ(hops(*store, 3, 0), -1);
}

TEST(ViaPath, LeavesOutACycleThatBothHalvesTouch) {
  // 0 → 3 → 1 and 1 → 3 → 2: from 0 to 2 by way of 1 meets 3 twice.
  const auto store = make_store(4, {kNone, 3, 1, kNone,          //
                                    kNone, kNone, 3, kNone,      //
                                    kNone, kNone, kNone, kNone,  //
                                    kNone, kNone, kNone, kNone});
  EXPECT_THAT(path_from_via(*store, 0, 2), ElementsAre(0, 3, 2));
  write_hops(*store, {});
  EXPECT_EQ(hops(*store, 0, 2), 4);
}

TEST(ViaPath, ALongChainNeedsNoDeepStack) {
  constexpr std::int64_t n = 3000;
  std::vector<std::int32_t> via(static_cast<std::size_t>(n * n), kNone);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = i + 2; j < n; ++j) {
      via[static_cast<std::size_t>(i * n + j)] = static_cast<std::int32_t>(j - 1);
    }
  }
  const auto store = make_store(n, via);
  const std::vector<Vertex> path = path_from_via(*store, 0, 299);
  EXPECT_EQ(path.size(), 300u);
  EXPECT_TRUE(std::is_sorted(path.begin(), path.end()));
  write_hops(*store, {});
  EXPECT_EQ(hops(*store, 0, n - 1), n - 1);
}

/// A long chain 0 → 1 → … that takes no memory: every pair's intermediate vertex is the last one.
class ChainStore final : public store::Store {
 public:
  explicit ChainStore(std::int64_t n)
      : Store({n, ValueType::i32, Semiring::min_plus, 1024, {Plane::distance, Plane::via}}) {}

  void read(Plane plane, store::Block block, void* out, std::int64_t) const override {
    const bool edge = block.col == block.row + 1;
    *static_cast<std::int32_t*>(out) =
        static_cast<std::int32_t>(plane == Plane::distance ? block.col - block.row
                                  : edge                   ? kNone
                                                           : block.col - 1);
  }
  void write(Plane, store::Block, const void*, std::int64_t) override {}
  void commit(const Graph&, const store::Metadata&) override {}
};

TEST(ViaPath, ALongPathTakesMemoryOfItsOwnLength) {
  if (watched()) GTEST_SKIP() << "tools that look at every access need addresses of their own";
  constexpr Vertex kEdges = 8000;  // all of its beginnings together are 128 MB
  const ChainStore store(kEdges + 1);
  std::vector<Vertex> path;
  {
    const AddressLimit limit(std::int64_t{50} << 20);
    path = path_from_via(store, 0, kEdges);
  }
  EXPECT_EQ(path.size(), kEdges + std::size_t{1});
  EXPECT_TRUE(std::is_sorted(path.begin(), path.end()));
}

TEST(ViaPath, APairThatIsNeededTwiceIsKnownAgain) {
  // From 0 to 2 by way of 1: 0 → 3 → 4 → 1, and back over the same edge, 1 → 3 → 4 → 2.
  const auto store = make_store(5, {kNone, 4,     1,     kNone, 3,      //
                                    kNone, kNone, 4,     kNone, 3,      //
                                    kNone, kNone, kNone, kNone, kNone,  //
                                    kNone, kNone, kNone, kNone, kNone,  //
                                    kNone, kNone, kNone, kNone, kNone});
  EXPECT_THAT(path_from_via(*store, 0, 2), ElementsAre(0, 3, 4, 2));
}

TEST(ViaPath, ACircleIsAnError) {
  const auto store = make_store(3, {kNone, 2, 1, kNone, kNone, kNone, kNone, kNone, kNone});
  EXPECT_ERROR(input, path_from_via(*store, 0, 1));
  EXPECT_ERROR(input, write_hops(*store, {}));
}

TEST(ViaPath, AnIntermediateVertexThatCannotBeIsAnError) {
  for (const std::int32_t wrong : {0, 1, 2, -2}) {
    const auto store = make_store(2, {kNone, wrong, kNone, kNone});
    EXPECT_ERROR(input, path_from_via(*store, 0, 1)) << wrong;
    EXPECT_ERROR(input, write_hops(*store, {})) << wrong;
  }
}

TEST(ViaPath, VerticesAndPlanesMustBeThere) {
  const auto store = make_store(2, {kNone, kNone, kNone, kNone});
  EXPECT_ERROR(usage, path_from_via(*store, 0, 2));
  const auto without = store::make_memory_store({.n = 2});
  EXPECT_ERROR(usage, path_from_via(*without, 0, 1));
}

}  // namespace
}  // namespace apsp::paths::via_path_test
