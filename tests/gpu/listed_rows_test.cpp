// Products of rows that lists name, and counts, on a GPU against the strict device.
#include <fmt/format.h>

#include "base/random.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/row_kernels.hpp"
#include "semiring/dispatch.hpp"
#include "support/device_values.hpp"
#include "support/on_gpu.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/watched.hpp"

namespace apsp::listed_rows_test {
namespace {

using kernels::ComputeDevice;
using kernels::Sign;
using kernels::View;

constexpr std::int64_t kStrictMemory = std::int64_t{256} << 20;

struct ListedKind {
  Semiring semiring;
  ValueType type;
  Sign sign;

  std::string name() const {
    return fmt::format("{} over {}{}", apsp::name(semiring), apsp::name(type),
                       sign == Sign::any ? " of any sign" : "");
  }
  std::unique_ptr<ComputeDevice> gpu() const { return apsp::gpu(semiring, type, sign); }
  std::unique_ptr<ComputeDevice> strict() const {
    return kernels::strict::make_device(semiring, type, kStrictMemory);
  }
};
/// Calls f.operator()<S>(kind) for every pair that has listed rows.
template <class F>
void for_each_kind(const F& f) {
  const auto call = [&](const ListedKind& kind) {
    semiring::dispatch(kind.semiring, kind.type,
                       [&]<class S>() { f.template operator()<S>(kind); });
  };
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (semiring == Semiring::or_and || !supported(semiring, type)) continue;
      if (semiring != Semiring::max_plus) call({semiring, type, Sign::non_negative});
      if (type != ValueType::u16) call({semiring, type, Sign::any});
    }
  }
}

constexpr ListedKind kWhole = {Semiring::min_plus, ValueType::f64, Sign::non_negative};

/// Devices that keep whole rows.
std::unique_ptr<ComputeDevice> keeping_whole(std::unique_ptr<ComputeDevice> device) {
  device->gathered_rows()->keep_listed(kernels::ListedForm::whole);
  return device;
}
std::unique_ptr<ComputeDevice> whole_gpu() { return keeping_whole(kWhole.gpu()); }
std::unique_ptr<ComputeDevice> whole_strict() { return keeping_whole(kWhole.strict()); }

class ListedRowsOnGpu : public OnGpu {};

/// What operations on listed rows leave, of random operands.
template <class T, class Out>
struct Listed {
  std::vector<T> rows;
  std::vector<Out> transposed;
  std::vector<kernels::RowTotals> totals;
  std::vector<std::uint64_t> greatest, counts;
};

void expect_same_totals(const std::vector<kernels::RowTotals>& got,
                        const std::vector<kernels::RowTotals>& want, const std::string& what) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(got[i].sum, want[i].sum) << what << ", row " << i;
    ASSERT_EQ(got[i].reciprocals.high, want[i].reciprocals.high) << what << ", row " << i;
    ASSERT_EQ(got[i].reciprocals.low, want[i].reciprocals.low) << what << ", row " << i;
    ASSERT_EQ(got[i].reached, want[i].reached) << what << ", row " << i;
  }
}

/// Whole rows are as long as fits.
template <class S>
constexpr std::uint64_t kScale = std::is_same_v<typename S::Value, std::uint32_t> ? 10'000'000 : 1;

/// Rows [0, kGiven) begin; items of all numbers of rows are made of them.
template <class S, class Out = typename S::Value>
Listed<typename S::Value, Out> run_listed(ComputeDevice& device, std::int64_t cols,
                                          std::int32_t most, std::uint64_t seed,
                                          Sign sign = Sign::non_negative) {
  using T = typename S::Value;
  constexpr std::int32_t kGiven = 70, kItems = 60, kPlace = kernels::kWideRows;
  const bool counted =
      std::is_integral_v<T> && sign == Sign::non_negative && S::kKind == Semiring::min_plus;
  const std::int32_t least = sign == Sign::non_negative ? 0 : -40;
  base::SplitMix64 random(seed);
  const auto value = [&] {
    if (random.below(4) == 0) return kernels::listed_value(S::kKind, S::zero());
    // Sums of two are exact in every type.
    return static_cast<T>((static_cast<std::int32_t>(random.below(100 * kScale<S>)) + least) /
                          (counted ? 1.0 : 8.0));
  };
  std::vector<T> matrix(static_cast<std::size_t>((kGiven + kItems * kPlace) * cols));
  std::vector<T> weights;
  std::vector<std::int32_t> lists;
  std::vector<kernels::ListedItem> items;
  std::vector<std::uint8_t> begun;
  for (T& entry : matrix) entry = value();
  begun.resize(static_cast<std::size_t>(kGiven + kItems * kPlace));
  for (std::int32_t i = 0; i < kItems; ++i) {
    weights.resize((weights.size() + 63) / 64 * 64);
    kernels::ListedItem item{
        .weights = std::ssize(weights),
        .list = std::ssize(lists),
        .depth = static_cast<std::int32_t>(random.below(most > kernels::kListedRows ? 70 : 12)),
        .first_row = kGiven + i * kPlace,
        .rows = 1 + i * 11 % most};
    const bool wide = item.rows > kernels::kListedRows;
    begun[static_cast<std::size_t>(item.first_row)] = i % 3 == 0 ? 1 : 0;
    const bool picks = wide && i % 5 == 0;  // weights for all rows that are given
    if (picks) item.weights_from = 0;
    for (std::int32_t k = 0; k < item.depth; ++k) {
      lists.push_back(static_cast<std::int32_t>(random.below(kGiven)));
    }
    for (std::int32_t k = 0; k < (picks ? kGiven : item.depth); ++k) {
      for (std::int32_t j = 0; j < kernels::listed_width(item.rows); ++j)
        weights.push_back(value());
    }
    if (wide && i % 2 == 0) {
      const std::int32_t first = item.first_row;
      item.rows_are_listed = 1;
      item.first_row = static_cast<std::int32_t>(lists.size());
      for (std::int32_t r = 0; r < item.rows; ++r) lists.push_back(first + r * 5 % kPlace);
    }
    items.push_back(item);
  }
  weights.push_back(T(0));
  lists.push_back(0);
  const auto queue = device.make_queue();
  T* const values = to_device(device, queue, matrix);
  const std::int64_t rows = kGiven + kItems * kPlace;
  const View all{values, rows, cols, cols};
  const std::vector<std::int32_t> columns = {3, -1, static_cast<std::int32_t>(cols) - 1};
  device.gathered_rows()->begin_rows(queue, View{values, 3, cols, cols},
                                     to_device(device, queue, columns));
  device.gathered_rows()->multiply_listed(
      queue, {.c = all,
              .x = all,
              .weights = reinterpret_cast<std::byte*>(to_device(device, queue, weights)),
              .lists = to_device(device, queue, lists),
              .items = to_device(device, queue, items),
              .count = kItems,
              .widest = most,
              .begun = to_device(device, queue, begun)});
  Listed<T, Out> found;
  found.rows.resize(matrix.size());
  fetch(device, queue, found.rows, values);

  const std::int64_t some = cols - 3;  // not whole lines
  std::vector<std::uint32_t> labels, sources;
  for (std::int64_t i = 0; i < rows; ++i) {
    labels.push_back(static_cast<std::uint32_t>(i * 7 % rows));
  }
  for (std::int64_t j = 0; j < some; ++j) sources.push_back(static_cast<std::uint32_t>(j * 3));
  const kernels::ConstView x{values, rows, some, cols};
  std::vector<std::int32_t> list;
  for (std::int64_t i = 0; i < rows - 5; ++i)
    list.push_back(static_cast<std::int32_t>(i * 11 % rows));
  found.transposed.resize(static_cast<std::size_t>(some) * list.size());
  Out* const transposed = to_device(device, queue, found.transposed);
  device.gathered_rows()->transpose_rows(
      queue, {.out = View{transposed, some, std::ssize(list), std::ssize(list)},
              .x = x,
              .list = to_device(device, queue, list)});
  fetch(device, queue, found.transposed, transposed);
  for (const std::int64_t limit : {std::int64_t{150}, std::int64_t{70000}}) {
    if (!counted) break;
    found.totals.resize(static_cast<std::size_t>(rows));
    found.greatest.resize(static_cast<std::size_t>(some));
    found.counts.assign(static_cast<std::size_t>(limit) + 1, 0);
    auto* const totals = to_device(device, queue, found.totals);
    auto* const greatest = to_device(device, queue, found.greatest);
    auto* const counts = to_device(device, queue, found.counts);
    device.counts()->count_rows(queue, {.x = x,
                                        .row_labels = to_device(device, queue, labels),
                                        .column_labels = to_device(device, queue, sources),
                                        .totals = totals,
                                        .greatest = greatest,
                                        .counts = counts,
                                        .limit = limit});
    fetch(device, queue, found.totals, totals);
    fetch(device, queue, found.greatest, greatest);
    fetch(device, queue, found.counts, counts);
  }
  return found;
}

/// Compares operations of a GPU and of a strict device, made anew each time.
template <class S, class Out, class MakeGpu, class MakeStrict>
void expect_same_listed(const std::string& kind, Sign sign, const MakeGpu& gpu,
                        const MakeStrict& strict) {
  for (const std::int64_t cols : sizes({32, 64, 96, 288, 1024}, {32, 288})) {
    for (const std::int32_t most : {1, kernels::kListedRows, 32, kernels::kWideRows}) {
      const auto got = run_listed<S, Out>(*gpu(), cols, most, 9, sign);
      const auto want = run_listed<S, Out>(*strict(), cols, most, 9, sign);
      const auto what = fmt::format("{}, {} columns, up to {} rows", kind, cols, most);
      ASSERT_EQ(got.rows, want.rows) << what;
      ASSERT_EQ(got.transposed, want.transposed) << what;
      ASSERT_EQ(got.greatest, want.greatest) << what;
      ASSERT_EQ(got.counts, want.counts) << what;
      // `count_rows` sums distances below 2^21; count_whole.cu sums longer ones.
      if (kScale<S> == 1) expect_same_totals(got.totals, want.totals, what);
    }
  }
}

TEST_F(ListedRowsOnGpu, ListedRowsAgreeWithTheStrictDevice) {
  for_each_kind([]<class S>(const ListedKind& kind) {
    expect_same_listed<S, typename S::Value>(
        kind.name(), kind.sign, [&] { return kind.gpu(); }, [&] { return kind.strict(); });
  });
}

TEST_F(ListedRowsOnGpu, WholeRowsAgreeWithTheStrictDevice) {
  expect_same_listed<semiring::MinPlus<std::uint32_t>, double>("whole", Sign::non_negative,
                                                               whole_gpu, whole_strict);
}

/// Rows [0, kGiven) begin; groups in a binary tree list rows of all groups above them.
template <class S>
std::vector<typename S::Value> run_groups(ComputeDevice& device, std::int64_t cols,
                                          std::uint64_t seed) {
  using T = typename S::Value;
  constexpr std::int32_t kGiven = 20, kGroups = 40, kSizes[] = {64, 3, 12, 40, 8, 17};
  base::SplitMix64 random(seed);
  const auto value = [&] {
    return random.below(4) == 0 ? kernels::listed_value(S::kKind, S::zero())
                                : static_cast<T>(1 + random.below(100 * kScale<S>));
  };
  std::vector<T> weights;
  std::vector<std::int32_t> lists, first = {kGiven};  // rows of each group
  std::vector<kernels::ListedItem> items;
  std::vector<kernels::ListedGroup> groups;
  for (std::int32_t g = 0; g < kGroups; ++g) {
    const std::int32_t above = g == 0 ? -1 : (g - 1) / 2;
    const auto list = std::ssize(lists);
    const auto list_some = [&](std::int32_t of, std::uint64_t most) {
      const auto rows = static_cast<std::uint64_t>(first[static_cast<std::size_t>(of) + 1] -
                                                   first[static_cast<std::size_t>(of)]);
      for (std::uint64_t k = 1 + random.below(most); k > 0; --k) {
        lists.push_back(first[static_cast<std::size_t>(of)] +
                        static_cast<std::int32_t>(random.below(rows)));
      }
    };
    if (above >= 0) list_some(above, 40);
    groups.push_back({.items = 1 + g % 3,
                      .above = above,
                      .near = static_cast<std::int32_t>(std::ssize(lists) - list)});
    for (std::int32_t far = above > 0 ? (above - 1) / 2 : -1; far >= 0;
         far = far > 0 ? (far - 1) / 2 : -1) {
      list_some(far, 30);
    }
    for (std::uint64_t k = random.below(30); k > 0; --k) {
      lists.push_back(static_cast<std::int32_t>(random.below(kGiven)));
    }
    std::int32_t row = first.back();
    for (std::int32_t i = 0; i < groups.back().items; ++i) {
      weights.resize((weights.size() + 63) / 64 * 64);
      items.push_back({.weights = std::ssize(weights),
                       .list = list,
                       .depth = static_cast<std::int32_t>(std::ssize(lists) - list),
                       .first_row = row,
                       .rows = kSizes[items.size() % std::size(kSizes)],
                       .group = g});
      row += items.back().rows;
      const std::int64_t count =
          std::int64_t{items.back().depth} * kernels::listed_width(items.back().rows);
      for (std::int64_t w = 0; w < count; ++w) weights.push_back(value());
    }
    first.push_back(row);
  }
  const std::int64_t rows = first.back();
  std::vector<T> matrix(static_cast<std::size_t>(rows * cols));
  for (T& entry : matrix) entry = value();
  std::vector<std::uint8_t> begun;
  for (std::int64_t i = 0; i < rows; ++i) begun.push_back(i % 3 == 0 ? 1 : 0);
  const auto queue = device.make_queue();
  T* const values = to_device(device, queue, matrix);
  const std::vector<std::int32_t> progress(
      static_cast<std::size_t>(kernels::listed_progress(kGroups, cols * sizeof(T))), 77);
  const kernels::ListedProduct product{
      .c = View{values, rows, cols, cols},
      .x = View{values, rows, cols, cols},
      .weights = reinterpret_cast<std::byte*>(to_device(device, queue, weights)),
      .lists = to_device(device, queue, lists),
      .items = to_device(device, queue, items),
      .count = std::ssize(items),
      .widest = kernels::kWideRows,
      .begun = to_device(device, queue, begun),
      .groups = to_device(device, queue, groups),
      .group_count = kGroups,
      .progress = to_device(device, queue, progress)};
  device.gathered_rows()->multiply_listed(queue, product);
  fetch(device, queue, matrix, values);
  return matrix;
}

template <class S, class MakeGpu, class MakeStrict>
void expect_same_groups(const std::string& kind, const MakeGpu& gpu, const MakeStrict& strict) {
  for (const std::int64_t cols : sizes({32, 1056}, {32})) {
    const auto device = gpu();
    const auto want = run_groups<S>(*strict(), cols, 21);
    for (int again = 0; again < 5; ++again) {
      ASSERT_EQ(run_groups<S>(*device, cols, 21), want) << kind << ", " << cols << " columns";
    }
  }
}

TEST_F(ListedRowsOnGpu, ItemsWaitForTheGroupsAboveThem) {
  for_each_kind([]<class S>(const ListedKind& kind) {
    expect_same_groups<S>(
        kind.name(), [&] { return kind.gpu(); }, [&] { return kind.strict(); });
  });
  expect_same_groups<semiring::MinPlus<std::uint32_t>>("whole", whole_gpu, whole_strict);
}

/// Every distance that can be counted, some in shared memory and some beyond it.
TEST_F(ListedRowsOnGpu, CountsEveryDistanceUpToTheLimit) {
  constexpr std::int64_t kRows = 2048, kCols = 1024;
  static_assert(kRows * kCols == kernels::kCountLimit);
  std::vector<std::int32_t> distances;
  for (std::int32_t i = 0; i < kernels::kCountLimit; ++i) distances.push_back(i);
  std::vector<std::uint32_t> rows, columns;
  for (std::uint32_t i = 0; i < kRows; ++i) rows.push_back(i);
  for (std::uint32_t j = 0; j < kCols; ++j) columns.push_back(kRows + j);
  const auto count = [&](ComputeDevice& device) {
    const auto queue = device.make_queue();
    std::vector<kernels::RowTotals> totals(kRows);
    std::vector<std::uint64_t> greatest(kCols), counts(kernels::kCountLimit + 1);
    auto* const there_totals = to_device(device, queue, totals);
    auto* const there_greatest = to_device(device, queue, greatest);
    auto* const there_counts = to_device(device, queue, counts);
    device.counts()->count_rows(queue,
                                {.x = {to_device(device, queue, distances), kRows, kCols, kCols},
                                 .row_labels = to_device(device, queue, rows),
                                 .column_labels = to_device(device, queue, columns),
                                 .totals = there_totals,
                                 .greatest = there_greatest,
                                 .counts = there_counts,
                                 .limit = kernels::kCountLimit});
    fetch(device, queue, totals, there_totals);
    fetch(device, queue, counts, there_counts);
    EXPECT_TRUE(std::all_of(counts.begin(), counts.end() - 1, [](auto c) { return c == 1; }));
    return totals;
  };
  const ListedKind kind{Semiring::min_plus, ValueType::i32, Sign::non_negative};
  expect_same_totals(count(*kind.gpu()), count(*kind.strict()), kind.name());
}

}  // namespace
}  // namespace apsp::listed_rows_test
