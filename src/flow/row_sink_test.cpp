#include "flow/row_sink.hpp"

#include "flow/drive.hpp"
#include "support/random_blocks.hpp"
#include "support/sample_store.hpp"
#include "support/test.hpp"

namespace apsp::flow::row_sink_test {
namespace {

/// Keeps what it was given.
class Kept final : public RowSink {
 public:
  explicit Kept(std::int64_t n, RowPreference preference = {.rows = 4},
                ValueType type = ValueType::f32)
      : RowSink(n, type), preference_(preference) {}
  RowPreference preference() const override { return preference_; }
  RowTask task() const override { return {"kept"}; }

  std::multiset<Vertex> sources;
  std::vector<std::size_t> sizes;
  bool complete_ = false;

 private:
  void accept(const RowBlock& block) override {
    const std::lock_guard lock(mutex_);
    sources.insert(block.sources.begin(), block.sources.end());
    sizes.push_back(block.sources.size());
  }
  void complete() override { complete_ = true; }

  RowPreference preference_;
  std::mutex mutex_;
};

template <class F>
void defect_of(F&& act) {
  EXPECT_EQ(error_of(act).kind(), ErrorKind::defect);
}

constexpr std::int64_t kVertices = 37;

store::MatrixBytes matrix_of(const std::vector<std::byte>& values) {
  return {values, kVertices, ValueType::f32};
}

TEST(RowSink, EveryRowComesOnce) {
  const std::vector<std::byte> values(kVertices * kVertices * 4);
  for (const int threads : {1, 3}) {
    Kept sink(kVertices);
    store::give_at_random(sink, matrix_of(values), 1, threads);
    EXPECT_TRUE(sink.complete_);
    EXPECT_EQ(sink.sources.size(), static_cast<std::size_t>(kVertices));
  }
}

TEST(RowSink, AMissingRowIsADefect) {
  const std::vector<std::byte> values(kVertices * kVertices * 4);
  for (const Vertex missing : {0, 29, 36}) {
    Kept sink(kVertices);
    for (Vertex v = 0; v < kVertices; ++v) {
      if (v != missing) store::push_rows(sink, matrix_of(values), std::vector{v});
    }
    defect_of([&] { sink.finish(); });
    EXPECT_FALSE(sink.complete_);
  }
}

TEST(RowSink, ADoubledRowIsADefect) {
  const std::vector<std::byte> values(kVertices * kVertices * 4);
  const std::vector<Vertex> twice = {3, 4, 3}, first = {8, 9}, second = {9};
  Kept sink(kVertices);
  defect_of([&] { store::push_rows(sink, matrix_of(values), twice); });
  Kept other(kVertices);
  store::push_rows(other, matrix_of(values), first);
  defect_of([&] { store::push_rows(other, matrix_of(values), second); });
  EXPECT_EQ(other.sources.count(9), 1u);
}

TEST(RowSink, OfSomeSourcesExpectsTheirRowsAlone) {
  const std::vector<std::byte> values(kVertices * kVertices * 4);
  const std::vector<Vertex> expected = {30, 2, 17}, two = {17, 30}, last = {2}, other = {3};
  Kept sink(kVertices);
  sink.expect(expected);
  store::push_rows(sink, matrix_of(values), two);
  defect_of([&] { sink.finish(); });
  store::push_rows(sink, matrix_of(values), last);
  sink.finish();
  EXPECT_TRUE(sink.complete_);
  defect_of([&] { store::push_rows(sink, matrix_of(values), other); });
  Kept none(kVertices);
  none.expect({});
  none.finish();
  EXPECT_TRUE(none.complete_);
}

TEST(RowSink, ARowThatDoesNotExistAndAnotherTypeAreDefects) {
  const std::vector<std::byte> values(kVertices * kVertices * 8);
  const std::vector<Vertex> past = {kVertices}, first = {0};
  Kept sink(kVertices);
  const RowBlock outside{past, values.data(), kVertices, ValueType::f32};
  defect_of([&] { sink.take(outside); });
  const RowBlock wide{first, values.data(), kVertices, ValueType::f64};
  defect_of([&] { sink.take(wide); });
}

TEST(RowSink, OfNoRowsIsCompleteAtOnce) {
  Kept sink(0);
  sink.finish();
  EXPECT_TRUE(sink.complete_);
}

std::unique_ptr<store::Store> sample() {
  auto store = store::make_memory_store(
      {kVertices, ValueType::f32, Semiring::min_plus, 8, {store::Plane::distance}});
  store::write_sample(*store);
  return store;
}

TEST(HandOn, GivesEveryRowInBlocksAsWished) {
  const auto store = sample();
  for (const bool one_caller : {false, true}) {
    for (const std::int64_t rows : {1, 5, 100}) {
      for (const int threads : {1, 4}) {
        Kept sink(kVertices, {.rows = rows, .one_caller = one_caller});
        drive(*store, sink, threads, {});
        EXPECT_FALSE(sink.complete_);
        sink.finish();
        for (const std::size_t size : sink.sizes) EXPECT_LE(size, static_cast<std::size_t>(rows));
      }
    }
  }
}

TEST(HandOn, EndsBetweenTwoBlocksWhenAskedTo) {
  /// Raises a flag with its third row.
  class Raises final : public RowSink {
   public:
    explicit Raises(Cancellation& flag) : RowSink(kVertices, ValueType::f32), flag_(flag) {}
    RowPreference preference() const override { return {.rows = 1, .one_caller = true}; }
    RowTask task() const override { return {"raises"}; }
    int rows_come = 0;

   private:
    void accept(const RowBlock&) override {
      if (++rows_come == 3) flag_.request();
    }
    Cancellation& flag_;
  };
  const auto store = sample();
  Cancellation flag;
  Raises stopped(flag);
  drive(*store, stopped, 1, {}, &flag);
  EXPECT_EQ(stopped.rows_come, 3);

  Cancellation cancellation;
  Raises cancelled(cancellation);
  EXPECT_ERROR(interrupted, drive(*store, cancelled, 1, {.cancellation = &cancellation}));
  EXPECT_EQ(cancelled.rows_come, 3);
}

}  // namespace
}  // namespace apsp::flow::row_sink_test
