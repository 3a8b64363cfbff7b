// Products of rows that lists name, and counts, which the strict device refuses. The tests of
// sweeps on devices pin what it computes.
#include "kernels/row_kernels.hpp"
#include "support/strict_device_fixture.hpp"
#include "support/test.hpp"

namespace apsp::kernels::strict_listed_test {
namespace {

/// Rows of sixteen i32, which is a line: row 2 of rows 0 and 1.
struct ListedOperands {
  std::int32_t rows = 4, columns = 16, widest = 1;
  std::vector<std::int32_t> weights = {5, 1}, lists = {0, 1};
  std::vector<ListedItem> items = {{.depth = 2, .first_row = 2}};
  std::vector<ListedGroup> groups{};
  std::vector<std::int32_t> values{}, progress{};

  /// The item has nine rows, and a matrix that holds them.
  void widen(std::size_t depths) {
    rows = 24;
    widest = items[0].rows = 9;
    weights.assign(depths * 16, 7);
  }
};

/// And row 3 of rows 2 and 0, which waits for row 2.
struct GroupOperands : ListedOperands {
  GroupOperands() {
    weights = {5, 1, 3, 4};
    lists = {0, 1, 2, 0};
    items.push_back({.weights = 2, .list = 2, .depth = 2, .first_row = 3, .group = 1});
    groups = {{.items = 1}, {.items = 1, .above = 0, .near = 1}};
  }
};

class StrictListedRows : public StrictDevice {
 protected:
  void multiply(ListedOperands& o) {
    o.values.assign(static_cast<std::size_t>(o.rows * o.columns), 10);
    o.progress.assign(
        static_cast<std::size_t>(listed_progress(std::ssize(o.groups), o.columns * 4)), 0);
    const View all = on_device(o.values, o.rows, o.columns);
    ListedProduct product{.c = all,
                          .x = all,
                          .weights = reinterpret_cast<std::byte*>(to_device(o.weights)),
                          .lists = to_device(o.lists),
                          .items = to_device(o.items),
                          .count = std::ssize(o.items),
                          .widest = o.widest};
    if (!o.groups.empty()) {
      product.groups = to_device(o.groups);
      product.group_count = std::ssize(o.groups);
      product.progress = to_device(o.progress);
    }
    device->gathered_rows()->multiply_listed(queue, product);
  }
};

TEST_F(StrictListedRows, RefuseWrongOperands) {
  expect_refusals<ListedOperands>(
      {{"row 2 is written twice", [](auto& o) { o.items.push_back(o.items[0]); }},
       {"row 2 is listed and written", [](auto& o) { o.lists[1] = 2; }},
       {"row 4 of 4 is listed", [](auto& o) { o.lists[0] = 4; }},
       {"an item outside C", [](auto& o) { o.items[0].first_row = 4; }},
       {"the rows of an item", [](auto& o) { o.items[0].rows = 2; }},
       {"a multiple of their width",
        [](auto& o) { o.widest = o.items[0].rows = 2, o.items[0].weights = 1; }},
       {"a narrow item are listed", [](auto& o) { o.items[0].rows_are_listed = 1; }},
       {"before those that have weights", [](auto& o) { o.widen(2), o.items[0].weights_from = 1; }},
       {"do not fill whole lines", [](auto& o) { o.columns = 15; }}},
      [&](ListedOperands& o) { multiply(o); });
}

TEST_F(StrictListedRows, RefuseWrongGroups) {
  expect_refusals<GroupOperands>(
      {{"row 2 is listed and written", [](auto& o) { o.groups[1].near = 0; }},
       {"row 2 is listed and written", [](auto& o) { o.groups[1].above = -1; }},
       {"the items of a group", [](auto& o) { o.groups[1].items = 2; }},
       {"an item before those that it waits for", [](auto& o) { o.groups[0].items = 2; }},
       {"a group before the one above it", [](auto& o) { o.groups[1].above = 1; }},
       {"a group that is not there", [](auto& o) { o.groups.pop_back(); }}},
      [&](GroupOperands& o) { multiply(o); });
}

TEST_F(StrictListedRows, RefuseCountsOfWhatIsNoWholeNumber) {
  device = strict::make_device(Semiring::min_plus, ValueType::f32, 1 << 20);
  queue = device->make_queue();
  RowCount count;
  count.limit = 5;
  expect_misuse([&] { device->counts()->count_rows(queue, count); }, "no whole numbers from 0 on");
}

}  // namespace
}  // namespace apsp::kernels::strict_listed_test
