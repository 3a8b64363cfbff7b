// Counts of any distances on a GPU against the strict device. How a sum is shared out over slices
// is a device's own; all of it together is compared, to the last digit.
#include <fmt/format.h>

#include "base/random.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/row_kernels.hpp"
#include "semiring/semirings.hpp"
#include "support/device_values.hpp"
#include "support/on_gpu.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::counts_test {
namespace {

using kernels::ComputeDevice;
using kernels::DistanceBins;
using kernels::DistanceTotals;

constexpr std::int64_t kStrictMemory = std::int64_t{256} << 20;

__extension__ using Wide = __int128;

/// A sum in units of the last slice.
Wide whole_sum(const base::SliceRange& range, const std::int64_t* words) {
  Wide sum = 0;
  for (int i = 0; i < range.count(); ++i) sum = (sum << (i == 0 ? 0 : range.width())) + words[i];
  return sum;
}

/// Distances as a device has them, in rows of whole lines, and what is known of them.
template <class T>
struct Counted {
  std::int64_t rows = 0, cols = 0, stride = 0;
  bool whole = false;
  double least = 1, greatest = 1;
  std::vector<T> values;
};

template <class T, class Draw>
Counted<T> drawn(std::int64_t rows, std::int64_t cols, bool whole, double least, double greatest,
                 Draw&& draw) {
  constexpr std::int64_t kLine = 16;
  Counted<T> made{rows, cols, (cols + kLine - 1) / kLine * kLine, whole, least, greatest, {}};
  made.values.resize(static_cast<std::size_t>(made.rows * made.stride));
  base::SplitMix64 random(5);
  for (T& value : made.values) {
    value = random.below(8) == 0 ? semiring::MinPlus<T>::zero() : draw(random);
  }
  return made;
}

struct CountedThere {
  std::vector<DistanceTotals> totals;
  std::vector<kernels::Farthest> farthest;
  std::vector<std::uint64_t> least, counts;
  std::vector<kernels::DistancesWithin> within;
};

/// A set that holds two of three labels.
kernels::RowsWithin set_on(ComputeDevice& device, kernels::QueueId queue, std::int64_t labels,
                           std::int64_t cols) {
  std::vector<std::uint8_t> holds;
  for (std::int64_t i = 0; i < labels; ++i) holds.push_back(i % 3 == 0 ? 0 : 1);
  const auto columns = static_cast<std::size_t>(cols);
  const auto parts = static_cast<std::size_t>(kernels::RowsWithin::scratch_of(labels, cols));
  const std::vector<kernels::DistancesWithin> none(columns), scratch(parts);
  const kernels::RowsWithin set{to_device(device, queue, holds), to_device(device, queue, none),
                                to_device(device, queue, scratch)};
  device.synchronize(queue);  // the copies of what ends here
  return set;
}

void expect_same_within(const std::vector<kernels::DistancesWithin>& got,
                        const std::vector<kernels::DistancesWithin>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t j = 0; j < want.size(); ++j) {
    ASSERT_EQ(got[j].farthest.distance, want[j].farthest.distance) << "column " << j;
    ASSERT_EQ(got[j].farthest.label, want[j].farthest.label) << "column " << j;
    ASSERT_DOUBLE_EQ(got[j].sum.high + got[j].sum.low, want[j].sum.high + want[j].sum.low)
        << "column " << j;
  }
}

template <class T>
CountedThere count(ComputeDevice& device, const Counted<T>& of, const DistanceBins& bins,
                   const base::SliceRange& sums, const base::SliceRange& reciprocals) {
  const auto queue = device.make_queue();
  std::vector<std::uint32_t> rows, columns;
  for (std::int64_t i = 0; i < of.rows; ++i) {
    rows.push_back(static_cast<std::uint32_t>(i * 7 % of.rows));
  }
  for (std::int64_t j = 0; j < of.cols; ++j) columns.push_back(static_cast<std::uint32_t>(j * 3));
  CountedThere found;
  found.totals.resize(static_cast<std::size_t>(of.rows));
  found.farthest.resize(static_cast<std::size_t>(of.cols));
  found.least = {~std::uint64_t{0}};
  found.counts.resize(static_cast<std::size_t>(bins.count()) + 1);
  auto* const totals = to_device(device, queue, found.totals);
  auto* const farthest = to_device(device, queue, found.farthest);
  auto* const least = to_device(device, queue, found.least);
  auto* const counts = to_device(device, queue, found.counts);
  found.within.resize(static_cast<std::size_t>(of.cols));
  const kernels::RowsWithin within = set_on(device, queue, of.rows, of.cols);
  device.counts()->count_distances(
      queue, {.x = {to_device(device, queue, of.values), of.rows, of.cols, of.stride},
              .row_labels = to_device(device, queue, rows),
              .column_labels = to_device(device, queue, columns),
              .totals = totals,
              .farthest = farthest,
              .least = least,
              .counts = counts,
              .bins = bins,
              .sums = sums,
              .reciprocals = reciprocals,
              .within = within});
  fetch(device, queue, found.totals, totals);
  fetch(device, queue, found.farthest, farthest);
  fetch(device, queue, found.least, least);
  fetch(device, queue, found.counts, counts);
  fetch(device, queue, found.within, within.columns);
  return found;
}

template <class T>
void expect_counted(ComputeDevice& gpu, ComputeDevice& strict, const Counted<T>& of,
                    std::int64_t vertices) {
  const int width = base::SliceRange::width_for(vertices);
  const int digits = of.whole ? 1 : std::is_same_v<T, float> ? 24 : 53;
  const DistanceBins bins(of.whole, of.least, of.greatest);
  const base::SliceRange sums(width, of.least, of.greatest, digits);
  const base::SliceRange reciprocals(width, 1 / of.greatest, 1 / of.least, 53);
  const auto got = count(gpu, of, bins, sums, reciprocals);
  const auto want = count(strict, of, bins, sums, reciprocals);
  const auto what =
      fmt::format("{} × {}, up to {}, for {} vertices", of.rows, of.cols, of.greatest, vertices);
  ASSERT_EQ(got.counts, want.counts) << what;
  ASSERT_EQ(got.counts.back(), 0u) << what;
  ASSERT_EQ(got.least, want.least) << what;
  for (std::size_t i = 0; i < want.totals.size(); ++i) {
    const DistanceTotals &a = got.totals[i], &b = want.totals[i];
    ASSERT_EQ(a.reached, b.reached) << what << ", row " << i;
    ASSERT_TRUE(whole_sum(sums, a.sums) == whole_sum(sums, b.sums)) << what << ", row " << i;
    ASSERT_TRUE(whole_sum(reciprocals, a.reciprocals) == whole_sum(reciprocals, b.reciprocals))
        << what << ", row " << i;
  }
  for (std::size_t j = 0; j < want.farthest.size(); ++j) {
    ASSERT_EQ(got.farthest[j].distance, want.farthest[j].distance) << what << ", column " << j;
    ASSERT_EQ(got.farthest[j].label, want.farthest[j].label) << what << ", column " << j;
  }
  expect_same_within(got.within, want.within);
}

class CountsOnGpu : public OnGpu {
 protected:
  static std::unique_ptr<ComputeDevice> gpu(ValueType type) {
    return apsp::gpu(Semiring::min_plus, type);
  }
  static std::unique_ptr<ComputeDevice> strict(ValueType type) {
    return kernels::strict::make_device(Semiring::min_plus, type, kStrictMemory);
  }
};

constexpr std::int64_t kFew = 1000, kMany = 24'000'000;  // vertices: slices are wide or narrow

/// Of every length, those next to a power of two among them.
template <class T>
Counted<T> whole_distances(std::int64_t rows, std::int64_t cols, std::uint64_t greatest) {
  return drawn<T>(rows, cols, true, 1, static_cast<double>(greatest), [&](auto& random) {
    const std::uint64_t below = std::uint64_t{1} << random.below(32);
    const std::uint64_t value = random.below(2) == 0 ? random.below(below + 2) : below - 1;
    return static_cast<T>(std::min(value, greatest));
  });
}

TEST_F(CountsOnGpu, WholeDistancesOfAnyLength) {
  for (const std::uint64_t greatest : {1u, 1000u, 40'000u, 3'000'000u, (1u << 30) - 2}) {
    for (const std::int64_t vertices : {kFew, kMany}) {
      const auto device = gpu(ValueType::i32), textbook = strict(ValueType::i32);
      expect_counted(*device, *textbook, whole_distances<std::int32_t>(300, 700, greatest),
                     vertices);
    }
  }
}

TEST_F(CountsOnGpu, WholeRowsUpToTheLongest) {
  const auto longest = static_cast<std::uint64_t>(kernels::kMostWhole);
  for (const std::uint64_t greatest : {std::uint64_t{1'280'000'000}, longest}) {
    for (const std::int64_t vertices : {kFew, kMany}) {
      for (const std::int64_t cols : {5, 256, 1000}) {
        const auto device = gpu(ValueType::f64), textbook = strict(ValueType::f64);
        device->gathered_rows()->keep_listed(kernels::ListedForm::whole);
        textbook->gathered_rows()->keep_listed(kernels::ListedForm::whole);
        expect_counted(*device, *textbook, whole_distances<std::uint32_t>(400, cols, greatest),
                       vertices);
      }
    }
  }
}

TEST_F(CountsOnGpu, ShortDistancesWithinASet) {
  const auto of = whole_distances<std::uint16_t>(500, 300, 900);
  const auto within = [&](ComputeDevice& device) {
    const auto queue = device.make_queue();
    std::vector<std::uint32_t> rows, columns;
    for (std::int64_t i = 0; i < of.rows; ++i) rows.push_back(static_cast<std::uint32_t>(i));
    for (std::int64_t j = 0; j < of.cols; ++j) columns.push_back(static_cast<std::uint32_t>(j));
    const kernels::RowsWithin set = set_on(device, queue, of.rows, of.cols);
    const std::vector<std::uint64_t> zeros(1001);
    const auto totals = std::vector<kernels::RowTotals>(static_cast<std::size_t>(of.rows));
    device.counts()->count_rows(
        queue, {.x = {to_device(device, queue, of.values), of.rows, of.cols, of.stride},
                .row_labels = to_device(device, queue, rows),
                .column_labels = to_device(device, queue, columns),
                .totals = to_device(device, queue, totals),
                .greatest = to_device(device, queue, zeros),
                .counts = to_device(device, queue, zeros),
                .limit = 1000,
                .within = set});
    std::vector<kernels::DistancesWithin> found(columns.size());
    fetch(device, queue, found, set.columns);
    return found;
  };
  expect_same_within(within(*gpu(ValueType::u16)), within(*strict(ValueType::u16)));
}

TEST_F(CountsOnGpu, RealDistances) {
  const auto draw = [](auto& random) { return 0.25 + 100 * random.uniform(); };
  for (const std::int64_t vertices : {kFew, kMany}) {
    expect_counted(*gpu(ValueType::f64), *strict(ValueType::f64),
                   drawn<double>(200, 300, false, 0.25, 101, draw), vertices);
    expect_counted(*gpu(ValueType::f32), *strict(ValueType::f32),
                   drawn<float>(200, 300, false, 0.25, 101,
                                [&](auto& random) { return static_cast<float>(draw(random)); }),
                   vertices);
  }
}

}  // namespace
}  // namespace apsp::counts_test
