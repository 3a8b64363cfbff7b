// The same of products whose rows are named by lists, and of counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <vector>

#include "kernels/row_kernels.hpp"
#include "support/error_of.hpp"
#include "support/strict_device_fixture.hpp"

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
  /// After `change` of the operands.
  template <class F>
  ListedProduct product(F&& change) {
    change(of);
    const View all = on_device(of.values, ListedOperands::kRows, ListedOperands::kCols);
    return {.c = all,
            .x = all,
            .weights = reinterpret_cast<std::byte*>(to_device(of.weights)),
            .lists = to_device(of.lists),
            .items = to_device(of.items),
            .count = std::ssize(of.items)};
  }
  template <class F>
  void expect_refused(F&& change, const char* words) {
    expect_misuse([&] { device->gathered_rows()->multiply_listed(queue, product(change)); }, words);
  }

  ListedOperands of;
};

TEST_F(StrictListedRows, AreMadeOfTheRowsOfTheirList) {
  const ListedProduct made = product([](auto& o) { o.values[0] = 3; });
  device->gathered_rows()->multiply_listed(queue, made);
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
  expect_misuse([&] { device->gathered_rows()->multiply_listed(queue, wide); },
                "a multiple of their width");
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
  device->gathered_rows()->multiply_listed(queue, wide);
  const std::vector<std::int32_t> rows = read_back(wide.c);
  EXPECT_EQ(rows[23 * ListedOperands::kCols], 17);
  EXPECT_EQ(rows[22 * ListedOperands::kCols], 11) << "the second row of the list";
  EXPECT_EQ(rows[14 * ListedOperands::kCols], 10) << "of no item";
}

/// Row 2 of rows 0 and 1, and row 3 of rows 2 and 0, which waits for row 2.
class StrictListedGroups : public StrictListedRows {
 protected:
  ListedProduct chain() {
    ListedProduct made = product([](auto& o) {
      o.weights = {5, 1, 3, 4};
      o.lists = {0, 1, 2, 0};
      o.items = {{.depth = 2, .first_row = 2},
                 {.weights = 2, .list = 2, .depth = 2, .first_row = 3, .group = 1}};
    });
    made.groups = to_device(groups);
    made.group_count = std::ssize(groups);
    made.progress = to_device(std::vector<std::int32_t>(
        static_cast<std::size_t>(listed_progress(made.group_count, ListedOperands::kCols * 4))));
    return made;
  }
  void expect_refused(const char* words) {
    expect_misuse([&] { device->gathered_rows()->multiply_listed(queue, chain()); }, words);
  }
  std::vector<ListedGroup> groups = {{.items = 1}, {.items = 1, .above = 0, .near = 1}};
};

TEST_F(StrictListedGroups, ListRowsOfTheGroupsAbove) {
  const ListedProduct made = chain();
  device->gathered_rows()->multiply_listed(queue, made);
  const std::vector<std::int32_t> rows = read_back(made.c);
  EXPECT_EQ(rows[2 * ListedOperands::kCols], 11);
  EXPECT_EQ(rows[3 * ListedOperands::kCols], 14);
}

TEST_F(StrictListedGroups, RefuseARowOfTheGroupAboveAmongThoseFurtherAbove) {
  groups[1].near = 0;
  expect_refused("row 2 is listed and written");
}

TEST_F(StrictListedGroups, RefuseARowOfAGroupThatIsNotAbove) {
  groups[1].above = -1;
  expect_refused("row 2 is listed and written");
}

TEST_F(StrictListedGroups, RefuseAnotherNumberOfItems) {
  groups[1].items = 2;
  expect_refused("the items of a group");
}

TEST_F(StrictListedGroups, RefuseAnItemBeforeThoseThatItWaitsFor) {
  groups[0].items = 2;
  expect_refused("an item before those that it waits for");
}

TEST_F(StrictListedGroups, RefuseAGroupBeforeTheOneAboveIt) {
  groups[1].above = 1;
  expect_refused("a group before the one above it");
}

TEST_F(StrictListedGroups, RefuseAGroupThatIsNotThere) {
  groups.pop_back();
  expect_refused("a group that is not there");
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
  device->gathered_rows()->multiply_listed(queue, wide);
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
  expect_misuse([&] { device->gathered_rows()->multiply_listed(queue, wide); },
                "before those that have weights");
}

TEST_F(StrictListedRows, RefuseColumnsThatFillNoLine) {
  ListedProduct narrow = product([](auto&) {});
  narrow.c.cols = 15;
  narrow.x.cols = 15;
  expect_misuse([&] { device->gathered_rows()->multiply_listed(queue, narrow); },
                "do not fill whole lines");
}

TEST_F(StrictListedRows, RefuseCountsOfWhatIsNoWholeNumber) {
  device = strict::make_device(Semiring::min_plus, ValueType::f32, 1 << 20);
  queue = device->make_queue();
  RowCount count;
  count.limit = 5;
  expect_misuse([&] { device->counts()->count_rows(queue, count); }, "no whole numbers from 0 on");
}

}  // namespace
}  // namespace apsp::kernels
