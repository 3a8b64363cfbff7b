#include "engine/drive_sinks.hpp"

#include "flow/store_rows.hpp"
#include "kernels/searches.hpp"
#include "store/leftovers.hpp"
#include "support/memory_file_system.hpp"
#include "support/recorded_progress.hpp"
#include "support/sample_store.hpp"
#include "support/takes_signals.hpp"
#include "support/test.hpp"

namespace apsp::engine::drive_sinks_test {
namespace {

using flow::RowPreference;
using flow::RowSink;
using flow::RowTask;

constexpr std::int64_t kVertices = 300;

std::unique_ptr<store::Store> sample() {
  auto matrix = store::make_memory_store(
      {kVertices, ValueType::f32, Semiring::min_plus, 16, {store::Plane::distance}});
  store::write_sample(*matrix);
  return matrix;
}

/// Counts its rows, and does something with each block first.
class Counting final : public RowSink {
 public:
  explicit Counting(RowPreference preference, std::function<void()> each = {},
                    std::function<void()> end = {})
      : RowSink(kVertices, ValueType::f32),
        preference_(preference),
        each_(std::move(each)),
        end_(std::move(end)) {}
  RowPreference preference() const override { return preference_; }
  RowTask task() const override { return {"counting"}; }

  std::multiset<Vertex> come;
  bool complete_ = false;

 private:
  void accept(const RowBlock& block) override {
    if (each_) each_();
    const std::lock_guard lock(mutex_);
    come.insert(block.sources.begin(), block.sources.end());
  }
  void complete() override {
    if (end_) end_();
    complete_ = true;
  }

  RowPreference preference_;
  std::function<void()> each_, end_;
  std::mutex mutex_;
};

constexpr RowPreference kMany{.rows = 8};
constexpr RowPreference kItself{.rows = 64, .one_caller = true};
constexpr RowPreference kConcurrent{.rows = 5, .one_caller = true, .concurrent = true};

TEST(FeedSinks, EachOfThemGetsEveryRowOnce) {
  const auto matrix = sample();
  for (const int threads : {1, 2, 5}) {
    Counting many(kMany), itself(kItself), concurrent(kConcurrent), other(kConcurrent);
    const std::vector<RowSink*> sinks = {&concurrent, &itself, &many, &other};
    drive_sinks(*matrix, sinks, threads, {});
    for (const Counting* sink : {&many, &itself, &concurrent, &other}) {
      EXPECT_TRUE(sink->complete_);
      EXPECT_EQ(sink->come.size(), static_cast<std::size_t>(kVertices));
    }
  }
  drive_sinks(*matrix, {}, 2, {});
}

TEST(FeedSinks, WhatASinkThrowsEndsAllOfThem) {
  const auto matrix = sample();
  const auto throws = [] { throw std::out_of_range("mine"); };
  for (const int threads : {1, 2, 5}) {
    for (const RowPreference preference : {kMany, kItself, kConcurrent}) {
      for (const bool at_end : {false, true}) {
        for (const bool first : {false, true}) {
          Counting bad(preference, at_end ? std::function<void()>() : throws,
                       at_end ? throws : std::function<void()>());
          Counting good(kMany), concurrent(kConcurrent);
          std::vector<RowSink*> sinks = {&concurrent, &good, &bad};
          if (first) std::swap(sinks.front(), sinks.back());
          EXPECT_THROW(drive_sinks(*matrix, sinks, threads, {}), std::out_of_range);
          EXPECT_FALSE(bad.complete_);
        }
      }
    }
  }
}

TEST(FeedSinks, AFailureBesideStopsTheOthersSoon) {
  const auto matrix = sample();
  Counting bad(kConcurrent, [] { throw std::out_of_range("mine"); });
  Counting slow({.rows = 1}, [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  const std::vector<RowSink*> sinks = {&bad, &slow};
  EXPECT_THROW(drive_sinks(*matrix, sinks, 1, {}), std::out_of_range);
  EXPECT_LT(slow.come.size(), static_cast<std::size_t>(kVertices));
}

TEST(FeedSinks, StopBetweenTwoBlocksWhenAskedTo) {
  const auto matrix = sample();
  for (const RowPreference preference : {kMany, kItself, kConcurrent}) {
    for (const int threads : {1, 3}) {
      Cancellation cancellation;
      Counting raises(preference, [&] { cancellation.request(); });
      Counting concurrent({.rows = 1, .one_caller = true, .concurrent = true},
                          [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
      const std::vector<RowSink*> sinks = {&concurrent, &raises};
      const Control control{.cancellation = &cancellation};
      EXPECT_ERROR(interrupted, drive_sinks(*matrix, sinks, threads, control));
      EXPECT_LT(concurrent.come.size(), static_cast<std::size_t>(kVertices));
      EXPECT_FALSE(concurrent.complete_);
    }
  }
}

TEST(FeedSinks, ThreadsBesideTakeNoSignals) {
  const auto matrix = sample();
  std::atomic<int> taken{0};
  Counting concurrent(kConcurrent, [&] { taken += takes_signals() ? 1 : 0; });
  Counting other(kMany);
  const std::vector<RowSink*> sinks = {&concurrent, &other};
  drive_sinks(*matrix, sinks, 2, {});
  EXPECT_EQ(taken, 0);
}

TEST(FeedSinks, ShowsTheProgressOfWhatIsWaitedFor) {
  RecordedProgress progress;
  const auto matrix = sample();
  Counting slow(kConcurrent, [] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); });
  Counting quick(kMany);
  const std::vector<RowSink*> sinks = {&slow, &quick};
  drive_sinks(*matrix, sinks, 2, {.progress = &progress});
  EXPECT_EQ(progress.ended, 2);
  EXPECT_EQ(progress.total, kVertices);
  EXPECT_GT(progress.done, 0);
}

TEST(FeedSinks, AFileBesideAnotherSinkHoldsTheMatrix) {
  const auto matrix = sample();
  for (const char* const path : {"x.npy", "x.zarr"}) {
    store::MemoryFileSystem files;
    const auto to = store::create_store(path, matrix->layout(), {false, &files});
    flow::StoreRows output(*to, 2);
    Counting other(kMany);
    const std::vector<RowSink*> sinks = {&output, &other};
    drive_sinks(*matrix, sinks, 2, {});
    to->commit(store::sample_graph(kVertices, true, true), {});
    EXPECT_TRUE(store::holds_sample(*store::open_store(path, Semiring::min_plus, &files)));
  }
}

/// Notes the predecessors that come with its rows.
class Predecessors final : public RowSink {
 public:
  explicit Predecessors(std::int64_t n) : RowSink(n, ValueType::u16) {}
  RowPreference preference() const override { return {}; }
  RowTask task() const override { return {"noting"}; }

  std::vector<std::vector<std::int32_t>> rows{20};

 private:
  void accept(const RowBlock& block) override {
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const std::int32_t* const row =
          block.predecessors + static_cast<std::int64_t>(i) * block.stride;
      rows[block.sources[i]].assign(row, row + block.stride);
    }
  }
};

template <class T>
void expect_widened(std::int64_t n) {
  ASSERT_EQ(kernels::predecessor_size(n), static_cast<int>(sizeof(T)));
  const auto columns = static_cast<std::size_t>(n);
  std::vector<Vertex> sources;
  std::vector<T> found;
  for (Vertex v = 0; v < 20; ++v) {
    sources.push_back(v);
    found.insert(found.end(), columns, static_cast<T>(v));
    found.back() = static_cast<T>(-1);
  }
  const std::vector<std::uint16_t> distances(20 * columns);
  Predecessors sink(n);
  RowSink* const only[] = {&sink};
  push_trees({sources, distances.data(), n, ValueType::u16},
             reinterpret_cast<const std::byte*>(found.data()), only, 2);
  for (std::size_t v = 0; v < 20; ++v) {
    std::vector<std::int32_t> wanted(columns, static_cast<std::int32_t>(v));
    wanted.back() = -1;
    EXPECT_EQ(sink.rows[v], wanted) << n << " columns, row " << v;
  }
}

TEST(GiveTrees, SinksGetPredecessorsOf32Bits) {
  expect_widened<std::uint16_t>(20);
  expect_widened<std::uint16_t>(65'535);
  expect_widened<std::int32_t>(65'536);
}

using store::MemoryFileSystem;
using store::Plane;

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
  begun->keep_journal(graph(), head().recipe);
  for (const std::int64_t band : bands) {
    const store::Block block{band * kTile, 0, std::min(kTile, kN - band * kTile), kN};
    begun->write(Plane::distance, block,
                 store::sample_block(begun->layout(), Plane::distance, block, kN).data(), kN);
  }
}

class Heard final : public flow::RowSink {
 public:
  explicit Heard(const store::Layout& layout) : RowSink(layout.n, layout.type), layout_(layout) {}
  flow::RowPreference preference() const override { return {}; }
  flow::RowTask task() const override { return {"hearing"}; }

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
    flow::StoreRows rows(*store, threads);
    flow::RowSink* const sinks[] = {&rows, &heard};
    const auto before = disk.contents();
    EXPECT_THAT(push_stored_rows(*store, sinks, threads, {}), ElementsAre(0, 1, 4, 5));
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
  flow::RowSink* const sinks[] = {&heard};
  const std::int64_t some[] = {1, 2};
  EXPECT_THAT(push_stored_rows(*store, some, sinks, 2, {}), ElementsAre(2, 3));
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
    flow::RowSink* const sinks[] = {&heard};
    std::vector<std::string> damaged;
    EXPECT_THAT(push_stored_rows(*store, sinks, 2, {}, &damaged), ElementsAre(2, 3, 6)) << spoilt;
    EXPECT_THAT(damaged, ElementsAre(HasSubstr("/distance/c/1/2: ")));
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
  EXPECT_ERROR(interrupted, push_stored_rows(*store, {}, 1, {nullptr, &cancellation}));
}

}  // namespace
}  // namespace apsp::engine::drive_sinks_test
