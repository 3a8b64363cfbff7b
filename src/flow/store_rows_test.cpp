// Whatever the order and the size of blocks, the same bytes are stored.
#include "flow/store_rows.hpp"

#include "flow/drive.hpp"
#include "support/faulty_file_system.hpp"
#include "support/few_threads.hpp"
#include "support/memory_file_system.hpp"
#include "support/random_blocks.hpp"
#include "support/sample_store.hpp"
#include "support/test.hpp"
#include "support/watched.hpp"

namespace apsp::flow::store_rows_test {
namespace {

constexpr std::int64_t kRows = 101;

store::Layout layout(ValueType type, std::int64_t tile) {
  return {kRows, type, Semiring::min_plus, tile, {store::Plane::distance}};
}

std::vector<std::byte> sample_values(const store::Layout& of) {
  return store::sample_block(of, store::Plane::distance, store::whole(of), kRows);
}

class StoreRowsTest : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  std::string path() const { return std::get<0>(GetParam()); }
  std::unique_ptr<store::Store> target(store::FileSystem& files, const store::Layout& of) const {
    return store::create_store(path(), of, {std::get<1>(GetParam()), &files});
  }
  /// All files after `give(sink)` and the store's commit.
  template <class F>
  std::map<std::string, std::string> stored(const store::Layout& of, int threads, F&& give) const {
    store::MemoryFileSystem files;
    const auto to = target(files, of);
    StoreRows sink(*to, threads);
    give(sink);
    to->commit(store::sample_graph(kRows, true, true), {});
    const auto contents = files.contents();
    return {contents.begin(), contents.end()};
  }
};

TEST_P(StoreRowsTest, AnyOrderStoresTheSameBytes) {
  for (const ValueType type : {ValueType::u16, ValueType::f32, ValueType::f64}) {
    for (const std::int64_t tile : {8, 101, 1024}) {
      const store::Layout of = layout(type, tile);
      const std::vector<std::byte> values = sample_values(of);
      const store::MatrixBytes matrix{values, kRows, type};
      const auto in_order =
          stored(of, 1, [&](RowSink& sink) { store::give_in_order(sink, matrix); });
      for (const int threads : {1, 3}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
          EXPECT_EQ(in_order, stored(of, threads, [&](RowSink& sink) {
                      store::give_at_random(sink, matrix, seed, threads);
                    }));
        }
      }
    }
  }
}

TEST_P(StoreRowsTest, AMatrixInMemoryIsHandedOnWithItsGaps) {
  const store::Layout of = layout(ValueType::f32, 8);
  const auto matrix = store::make_memory_store(of);
  store::write_sample(*matrix);
  const std::vector<std::byte> values = sample_values(of);
  const auto in_order = stored(of, 1, [&](RowSink& sink) {
    store::give_in_order(sink, {values, kRows, ValueType::f32});
  });
  for (const int threads : {1, 2, 7}) {
    EXPECT_EQ(in_order, stored(of, threads, [&](RowSink& sink) {
                drive(*matrix, sink, threads, {});
                sink.finish();
              }));
  }
}

TEST_P(StoreRowsTest, AFullDiskIsReportedAndLeavesNothing) {
  store::MemoryFileSystem disk;
  {
    store::FaultyFileSystem files(disk, {.disk_bytes = 9000});
    const store::Layout of = layout(ValueType::f32, 8);
    const std::vector<std::byte> values = sample_values(of);
    EXPECT_EQ(error_of([&] {
                const auto to = target(files, of);
                StoreRows sink(*to, 2);
                store::give_at_random(sink, {values, kRows, ValueType::f32}, 4, 2);
              }).kind(),
              ErrorKind::input_output);
  }
  EXPECT_TRUE(disk.contents().empty());
}

TEST_P(StoreRowsTest, AMissingRowLeavesNothing) {
  store::MemoryFileSystem files;
  {
    const store::Layout of = layout(ValueType::f32, 8);
    const std::vector<std::byte> values = sample_values(of);
    const auto to = target(files, of);
    StoreRows sink(*to, 1);
    store::push_rows(sink, {values, kRows, ValueType::f32}, std::vector<Vertex>{0, 1, 2});
    EXPECT_THROW(sink.finish(), Error);
  }
  EXPECT_TRUE(files.contents().empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreRowsTest,
                         testing::Values(std::tuple("x.npy", false), std::tuple("x.zarr", false),
                                         std::tuple("x.zarr", true)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)).substr(2) +
                                  (std::get<1>(test.param) ? "_compressed" : "");
                         });

TEST(StoreRows, AreWrittenByFewerThreadsOrRefused) {
  if (watched()) GTEST_SKIP() << "tools that look at every access need addresses of their own";
  const store::Layout of = layout(ValueType::u16, 8);
  const std::vector<std::byte> values = sample_values(of);
  const store::MatrixBytes matrix{values, kRows, ValueType::u16};
  for (const int threads : {0, 1}) {
    store::MemoryFileSystem files;
    const auto to = store::create_store("few.zarr", of, {false, &files});
    StoreRows sink(*to, 4);
    const auto give = [&] {
      const FewThreads few(threads);
      for (Vertex row = 0; row < kRows; ++row) store::push_rows(sink, matrix, {{row}});
      sink.finish();
    };
    if (threads == 0) {
      EXPECT_EQ(error_of(give).kind(), ErrorKind::does_not_fit);
    } else {
      give();
      EXPECT_EQ(store::read_block(*to, store::Plane::distance, store::whole(of), kRows), values);
    }
  }
}

TEST(StoreRows, FillAMatrixInMemory) {
  for (const int threads : {1, 4}) {
    const store::Layout of = layout(ValueType::i32, 8);
    const std::vector<std::byte> values = sample_values(of);
    const auto to = store::make_memory_store(of);
    StoreRows sink(*to, threads);
    store::give_at_random(sink, {values, kRows, ValueType::i32}, 5, threads);
    EXPECT_TRUE(store::holds_sample(*to));
  }
}

}  // namespace
}  // namespace apsp::flow::store_rows_test
