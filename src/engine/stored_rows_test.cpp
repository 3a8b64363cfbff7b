// Rows of an earlier run come from the store, each band proved by its checksums.
#include "engine/drive_sinks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <numeric>
#include <set>

#include "store/leftovers.hpp"
#include "store/store_rows.hpp"
#include "support/error_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"

namespace apsp::engine {
namespace {

using store::MemoryFileSystem;
using store::Plane;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr std::int64_t kN = 7, kTile = 2;
constexpr const char* kPath = "a.zarr";

Graph graph() { return store::sample_graph(kN, true, false); }

store::JournalHead head() {
  store::JournalHead head;
  head.layout = {kN, ValueType::u16, Semiring::min_plus, kTile, {Plane::distance}};
  head.recipe = {graph().digest(), "johnson"};
  return head;
}

/// Leaves some bands, of which a chunk may then be spoilt.
void left(MemoryFileSystem& disk, std::initializer_list<std::int64_t> bands) {
  const auto begun = store::create_store(kPath, head().layout, {false, &disk});
  begun->keep_ledger(graph(), head().recipe);
  for (const std::int64_t band : bands) {
    const store::Block block{band * kTile, 0, std::min(kTile, kN - band * kTile), kN};
    begun->write(Plane::distance, block,
                 store::sample_block(begun->layout(), Plane::distance, block, kN).data(), kN);
  }
}

class Heard final : public store::RowSink {
 public:
  explicit Heard(const store::Layout& layout) : RowSink(layout.n, layout.type), layout_(layout) {}
  store::RowPreference preference() const override { return {}; }
  store::RowTask task() const override { return {"hearing"}; }

  std::set<Vertex> sources;

 private:
  void accept(const RowBlock& block) override {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const Vertex s = block.sources[i];
      const auto* row = static_cast<const std::byte*>(block.values) +
                        static_cast<std::int64_t>(i) * block.stride * 2;
      const auto right = store::sample_block(layout_, Plane::distance, {s, 0, 1, kN}, kN);
      EXPECT_TRUE(std::equal(right.begin(), right.end(), row)) << s;
      sources.insert(s);
    }
  }

  store::Layout layout_;
  std::mutex mutex_;
};

std::unique_ptr<store::Store> taken_up(MemoryFileSystem& disk) {
  return store::resume_store(disk, *store::find_resumable(disk, kPath), head(), graph());
}

TEST(StoredRows, GoToEverySinkButNotBackIntoTheStore) {
  for (const int threads : {1, 3}) {
    MemoryFileSystem disk;
    left(disk, {3, 1});
    const auto store = taken_up(disk);
    Heard heard(store->layout());
    store::StoreRows rows(*store, threads);
    store::RowSink* const sinks[] = {&rows, &heard};
    const auto before = disk.contents();
    EXPECT_THAT(give_stored_rows(*store, sinks, threads, {}), ElementsAre(0, 1, 4, 5));
    EXPECT_THAT(heard.sources, UnorderedElementsAre(2, 3, 6));
    EXPECT_EQ(disk.contents(), before);
    EXPECT_ERROR(defect, rows.finish());
  }
}

TEST(StoredRows, OfSomeBandsAloneAreGiven) {
  MemoryFileSystem disk;
  left(disk, {0, 2, 3});
  const auto store = taken_up(disk);
  Heard heard(store->layout());
  store::RowSink* const sinks[] = {&heard};
  const std::int64_t some[] = {1, 2};
  EXPECT_THAT(give_stored_rows(*store, some, sinks, 2, {}), ElementsAre(2, 3));
  EXPECT_THAT(heard.sources, UnorderedElementsAre(4, 5));
}

TEST(StoredRows, ADamagedBandIsMissing) {
  for (const char* spoilt : {"missing", "empty", "short", "flipped"}) {
    MemoryFileSystem disk;
    left(disk, {0, 1, 2});
    const std::string chunk = store::find_resumable(disk, kPath)->partial + "/distance/c/1/2";
    const std::string all = disk.read_text(chunk);
    if (spoilt == std::string("missing")) disk.remove_all(chunk);
    if (spoilt == std::string("empty")) disk.reopen(chunk, 0);
    if (spoilt == std::string("short")) disk.reopen(chunk, std::ssize(all) - 1);
    if (spoilt == std::string("flipped")) {
      const std::byte other = static_cast<std::byte>(all[0] ^ 4);
      disk.reopen(chunk, std::ssize(all))->write(0, {&other, 1});
    }
    const auto store = taken_up(disk);
    Heard heard(store->layout());
    store::RowSink* const sinks[] = {&heard};
    std::vector<std::string> damaged;
    EXPECT_THAT(give_stored_rows(*store, sinks, 2, {}, &damaged), ElementsAre(2, 3, 6)) << spoilt;
    EXPECT_THAT(damaged, ElementsAre(testing::HasSubstr("/distance/c/1/2: ")));
    EXPECT_THAT(heard.sources, UnorderedElementsAre(0, 1, 4, 5));
    EXPECT_FALSE(store->holds_band(1));
  }
}

TEST(StoredRows, EndsWhereTheCallerAsks) {
  MemoryFileSystem disk;
  left(disk, {0});
  const auto store = taken_up(disk);
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, give_stored_rows(*store, {}, 1, {nullptr, &cancellation}));
}

}  // namespace
}  // namespace apsp::engine
