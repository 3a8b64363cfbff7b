// The same of products whose rows are named by lists, and of counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "testing/error_of.hpp"
#include "testing/strict_device_fixture.hpp"

namespace apsp::kernels {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Rows of sixteen i32, which is a line: row 2 ← row 0 and row 1, at the distances 5 and 1.
struct ListedOperands {
  static constexpr std::int64_t kRows = 4, kCols = 16;
  std::vector<std::int32_t> values = std::vector<std::int32_t>(kRows * kCols, 10);
  std::vector<std::int32_t> weights = {5, 1}, lists = {0, 1};
  std::vector<ListedItem> items = {{.depth = 2, .first_row = 2}};
};

class StrictListedRows : public StrictDevice {
 protected:
  template <class T>
  T* there(const std::vector<T>& host) {
    const auto bytes = static_cast<std::int64_t>(host.size() * sizeof(T));
    std::byte* const memory = device->allocate(bytes);
    device->copy_in(queue, View{memory, 1, bytes, bytes}, ConstView{host.data(), 1, bytes, bytes},
                    1);
    return reinterpret_cast<T*>(memory);
  }
  /// After `change` of the operands.
  template <class F>
  ListedProduct product(F&& change) {
    change(of);
    const View all = on_device(of.values, ListedOperands::kRows, ListedOperands::kCols);
    return {.c = all,
            .x = all,
            .weights = reinterpret_cast<std::byte*>(there(of.weights)),
            .lists = there(of.lists),
            .items = there(of.items),
            .count = std::ssize(of.items)};
  }
  template <class F>
  void expect_refused(F&& change, const char* words) {
    expect_misuse([&] { device->multiply_listed(queue, product(change)); }, words);
  }

  ListedOperands of;
};

TEST_F(StrictListedRows, AreMadeOfTheRowsOfTheirList) {
  const ListedProduct made = product([](auto& o) { o.values[0] = 3; });
  device->multiply_listed(queue, made);
  const std::vector<std::int32_t> rows = read_back(made.c);
  EXPECT_EQ(rows[2 * ListedOperands::kCols], 8);
  EXPECT_EQ(rows[2 * ListedOperands::kCols + 1], 11);
  EXPECT_EQ(rows[3 * ListedOperands::kCols], 10) << "of no item";
}

TEST_F(StrictListedRows, RefuseARowThatIsWrittenTwice) {
  expect_refused([](auto& o) { o.items.push_back(o.items[0]); }, "row 2 is written twice");
}

TEST_F(StrictListedRows, RefuseARowThatIsListedAndWritten) {
  expect_refused([](auto& o) { o.lists[1] = 2; }, "row 2 is listed and written");
}

TEST_F(StrictListedRows, RefuseARowThatIsNotThere) {
  expect_refused([](auto& o) { o.lists[0] = 4; }, "row 4 of 4 is listed");
}

TEST_F(StrictListedRows, RefuseItemsThatAreNone) {
  expect_refused([](auto& o) { o.items[0].first_row = 4; }, "an item outside C");
}

TEST_F(StrictListedRows, RefuseMoreRowsThanTheWidestItem) {
  expect_refused([](auto& o) { o.items[0].rows = 2; }, "the rows of an item");
}

TEST_F(StrictListedRows, RefuseWeightsThatDoNotBeginAtTheirWidth) {
  ListedProduct wide = product([](auto& o) { o.items[0].rows = 2, o.items[0].weights = 1; });
  wide.widest = 2;
  expect_misuse([&] { device->multiply_listed(queue, wide); }, "a multiple of their width");
}

TEST_F(StrictListedRows, OfAWideItemMayBeListed) {
  ListedProduct wide = product([](auto& o) {
    o.values.resize(24 * ListedOperands::kCols, 10);
    o.weights.assign(2 * 16, 7);
    for (std::int32_t row = 23; row >= 14; --row) o.lists.push_back(row);
    o.weights[1] = 1;
    o.items = {{.depth = 2, .first_row = 2, .rows = 9, .rows_are_listed = 1}};
  });
  wide.widest = 9;
  const View all = on_device(of.values, 24, ListedOperands::kCols);
  wide.c = all;
  wide.x = all;
  device->multiply_listed(queue, wide);
  const std::vector<std::int32_t> rows = read_back(wide.c);
  EXPECT_EQ(rows[23 * ListedOperands::kCols], 17);
  EXPECT_EQ(rows[22 * ListedOperands::kCols], 11) << "the second row of the list";
  EXPECT_EQ(rows[14 * ListedOperands::kCols], 10) << "of no item";
}

TEST_F(StrictListedRows, RefuseNarrowItemsAmongWideOnes) {
  ListedProduct mixed = product([](auto&) {});
  mixed.widest = 9;
  expect_misuse([&] { device->multiply_listed(queue, mixed); }, "the rows of an item");
}

TEST_F(StrictListedRows, RefuseListedRowsOfANarrowItem) {
  expect_refused([](auto& o) { o.items[0].rows_are_listed = 1; }, "a narrow item are listed");
}

TEST_F(StrictListedRows, TakeTheWeightsOfTheRowsThatAreListed) {
  ListedProduct wide = product([](auto& o) {
    o.values.resize(24 * ListedOperands::kCols, 10);
    o.weights.assign(3 * 16, 7);
    o.weights[2 * 16] = 2;
    o.lists = {1, 3};
    o.items = {{.depth = 2, .first_row = 4, .rows = 9, .weights_from = 1}};
  });
  wide.widest = 9;
  const View all = on_device(of.values, 24, ListedOperands::kCols);
  wide.c = all;
  wide.x = all;
  device->multiply_listed(queue, wide);
  const std::vector<std::int32_t> rows = read_back(wide.c);
  EXPECT_EQ(rows[4 * ListedOperands::kCols], 12) << "row 3 has the third weights";
  EXPECT_EQ(rows[5 * ListedOperands::kCols], 17);
}

TEST_F(StrictListedRows, RefuseARowBeforeThoseThatHaveWeights) {
  ListedProduct wide = product([](auto& o) {
    o.values.resize(24 * ListedOperands::kCols, 10);
    o.weights.assign(2 * 16, 7);
    o.items = {{.depth = 2, .first_row = 4, .rows = 9, .weights_from = 1}};
  });
  wide.widest = 9;
  const View all = on_device(of.values, 24, ListedOperands::kCols);
  wide.c = all;
  wide.x = all;
  expect_misuse([&] { device->multiply_listed(queue, wide); }, "before those that have weights");
}

TEST_F(StrictListedRows, RefuseColumnsThatFillNoLine) {
  ListedProduct narrow = product([](auto&) {});
  narrow.c.cols = 15;
  narrow.x.cols = 15;
  expect_misuse([&] { device->multiply_listed(queue, narrow); }, "do not fill whole lines");
}

TEST_F(StrictListedRows, RefuseCountsOfWhatIsNoWholeNumber) {
  device = strict::make_device(Semiring::min_plus, ValueType::f32, 1 << 20);
  queue = device->make_queue();
  RowCount count;
  count.limit = 5;
  expect_misuse([&] { device->count_rows(queue, count); }, "no whole numbers from 0 on");
}

}  // namespace
}  // namespace apsp::kernels
