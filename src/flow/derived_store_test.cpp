// Blocks of a matrix that is computed as it is read.
#include "flow/derived_store.hpp"

#include "support/test.hpp"

namespace apsp::flow::derived_store_test {
namespace {

/// The value from s to t is 1000 s + t; counts what it was asked for.
class CountedRows final : public RowSource {
 public:
  explicit CountedRows(std::int64_t n, bool pairs)
      : order_(static_cast<std::size_t>(n)), pairs_(pairs) {
    std::iota(order_.begin(), order_.end(), Vertex{0});
  }
  class Counting final : public Worker {
   public:
    explicit Counting(const CountedRows& of) : of_(of) {}
    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      EXPECT_LE(std::ssize(sources), of_.block_rows());
      for (std::size_t i = 0; i < sources.size(); ++i) {
        ++of_.rows_computed;
        auto* const row = static_cast<std::int32_t*>(rows) + static_cast<std::int64_t>(i) * stride;
        for (std::int64_t t = 0; t < of_.vertices(); ++t) {
          row[t] = static_cast<std::int32_t>(sources[i] * 1000 + t);
        }
      }
    }

   private:
    const CountedRows& of_;
  };

  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return ValueType::i32; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return 4; }
  std::int64_t worker_bytes() const override { return 0; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Counting>(*this); }
  bool pair(Vertex s, Vertex t, void* value) const override {
    if (pairs_) *static_cast<std::int32_t*>(value) = static_cast<std::int32_t>(s * 1000 + t);
    return pairs_;
  }

  mutable std::atomic<int> rows_computed{0};

 private:
  std::vector<Vertex> order_;
  bool pairs_;
};

std::vector<std::int32_t> read(const store::Store& store, store::Block block) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(block.rows * block.cols));
  store.read(store::Plane::distance, block, values.data(), block.cols);
  return values;
}

TEST(RowSourceStore, GivesAnyBlock) {
  const CountedRows rows(30, false);
  const RowSourceStore store(rows);
  EXPECT_EQ(store.layout().n, 30);
  EXPECT_EQ(store.layout().type, ValueType::i32);
  for (const store::Block block : {store::Block{0, 0, 30, 30},
                                   {3, 5, 11, 7},
                                   {29, 29, 1, 1},
                                   {2, 0, 1, 30},
                                   {0, 4, 5, 1},
                                   {7, 7, 0, 3}}) {
    const std::vector<std::int32_t> values = read(store, block);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      for (std::int64_t j = 0; j < block.cols; ++j) {
        EXPECT_EQ(values[static_cast<std::size_t>(i * block.cols + j)],
                  (block.row + i) * 1000 + block.col + j);
      }
    }
  }
}

TEST(RowSourceStore, KeepsTheLastRowsThatWereReadAlone) {
  const CountedRows rows(30, false);
  const RowSourceStore store(rows);
  for (int i = 0; i < 3; ++i) read(store, {5, 0, 1, 30});
  EXPECT_EQ(read(store, {5, 9, 1, 1}).front(), 5009);
  EXPECT_EQ(rows.rows_computed, 1);
  for (std::int64_t s = 10; s < 20; ++s) read(store, {s, 0, 1, 30});
  read(store, {19, 0, 1, 30});
  EXPECT_EQ(rows.rows_computed, 11);
  read(store, {5, 0, 1, 30});  // given up meanwhile
  EXPECT_EQ(rows.rows_computed, 12);
}

TEST(RowSourceStore, ComputesNoRowForAPairWhereTheSourceCanDoWithout) {
  const CountedRows rows(30, true);
  const RowSourceStore store(rows);
  EXPECT_EQ(read(store, {5, 9, 1, 1}).front(), 5009);
  EXPECT_EQ(rows.rows_computed, 0);
}

TEST(RowSourceStore, IsReadByManyThreadsAtOnce) {
  const CountedRows rows(200, false);
  const RowSourceStore store(rows);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t s = 0; s < 200; ++s) {
        const std::int64_t row = (s * 7 + t) % 200;
        wrong += read(store, {row, 3, 1, 1}).front() != row * 1000 + 3;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(RowSourceStore, IsReadOnlyAndHoldsDistancesAlone) {
  const CountedRows rows(3, false);
  RowSourceStore store(rows);
  const std::vector<std::int32_t> values(9);
  EXPECT_ERROR(usage, store.write(store::Plane::distance, {0, 0, 3, 3}, values.data(), 3));
  EXPECT_ERROR(usage, store.commit(Graph(), {}));
  EXPECT_ERROR(usage, read(store, {0, 0, 4, 1}));
  std::int32_t value = 0;
  EXPECT_ERROR(usage, store.read(store::Plane::via, {0, 0, 1, 1}, &value, 1));
}

}  // namespace
}  // namespace apsp::flow::derived_store_test
