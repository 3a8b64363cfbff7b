// Distances of columns to the rows of a set: the greatest one and the sum.
//
// Rows are cut into parts. A thread goes through the rows of a part in one column, then another one
// adds up the parts of the column in their order, so that sums are the same on every device.
#include "kernels/cuda/counted_strip.cuh"
#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kWithinThreads = 128;  // of a block, a column each

struct WithinArguments {
  const void* x;
  std::int64_t stride, rows, cols;
  const std::uint32_t* row_labels;
  const std::uint32_t* column_labels;
  RowsWithin within;
  std::int64_t parts;
};

/// What a column has of some rows.
struct Within {
  __device__ void add(double distance, std::uint32_t label) {
    if (distance > all.greatest || (distance == all.greatest && label < all.label)) {
      all.greatest = distance;
      all.label = label;
    }
    add_sum(distance, 0);
  }
  __device__ void add(const ColumnWithin& other) {
    if (other.greatest < 0) return;
    const double high = all.high, low = all.low;
    if (other.greatest > all.greatest ||
        (other.greatest == all.greatest && other.label < all.label)) {
      all = other;
    }
    all.high = high;
    all.low = low;
    add_sum(other.high, other.low);
  }
  /// Knuth's sum of two doubles without error.
  __device__ void add_sum(double high, double low) {
    const double sum = __dadd_rn(all.high, high), of_high = __dsub_rn(sum, all.high);
    const double error =
        __dadd_rn(__dsub_rn(all.high, __dsub_rn(sum, of_high)), __dsub_rn(high, of_high));
    all.high = sum;
    all.low = __dadd_rn(all.low, __dadd_rn(error, low));
  }

  ColumnWithin all{};
};

template <class T>
__global__ void __launch_bounds__(kWithinThreads) count_part_kernel(WithinArguments p) {
  constexpr T kNone = semiring::MinPlus<T>::zero();
  const std::int64_t column = std::int64_t{blockIdx.x} * kWithinThreads + threadIdx.x;
  if (column >= p.cols) return;
  const std::int64_t part = blockIdx.y;
  const std::int64_t first = p.rows * part / p.parts, end = p.rows * (part + 1) / p.parts;
  const std::uint32_t own = p.column_labels[column];
  Within found;
  for (std::int64_t row = first; row < end; ++row) {
    const std::uint32_t label = p.row_labels[row];
    if (p.within.holds[label] == 0 || label == own) continue;
    const T value = static_cast<const T*>(p.x)[row * p.stride + column];
    if (value != kNone) found.add(static_cast<double>(value), label);
  }
  p.within.parts[part * p.cols + column] = found.all;
}

__global__ void __launch_bounds__(kWithinThreads) add_parts_kernel(WithinArguments p) {
  const std::int64_t column = std::int64_t{blockIdx.x} * kWithinThreads + threadIdx.x;
  if (column >= p.cols) return;
  Within found;
  found.add(p.within.columns[column]);
  for (std::int64_t part = 0; part < p.parts; ++part) {
    found.add(p.within.parts[part * p.cols + column]);
  }
  p.within.columns[column] = found.all;
}

}  // namespace

template <class T>
void launch_count_within(const LaunchSite& site, ConstView x, const std::uint32_t* row_labels,
                         const std::uint32_t* column_labels, const RowsWithin& within) {
  if (within.holds == nullptr || x.rows == 0 || x.cols == 0) return;
  const std::int64_t parts = RowsWithin::parts_of(x.cols);
  const WithinArguments p{x.data,     x.stride,      x.rows, x.cols,
                          row_labels, column_labels, within, parts};
  const auto blocks = static_cast<unsigned>((x.cols + kWithinThreads - 1) / kWithinThreads);
  count_part_kernel<T>
      <<<dim3(blocks, static_cast<unsigned>(parts)), kWithinThreads, 0, site.stream>>>(p);
  check_launch("counting distances within a set");
  add_parts_kernel<<<blocks, kWithinThreads, 0, site.stream>>>(p);
  check_launch("adding up distances within a set");
}

template void launch_count_within<std::uint16_t>(const LaunchSite&, ConstView, const std::uint32_t*,
                                                 const std::uint32_t*, const RowsWithin&);
template void launch_count_within<std::uint32_t>(const LaunchSite&, ConstView, const std::uint32_t*,
                                                 const std::uint32_t*, const RowsWithin&);
template void launch_count_within<std::int32_t>(const LaunchSite&, ConstView, const std::uint32_t*,
                                                const std::uint32_t*, const RowsWithin&);
template void launch_count_within<float>(const LaunchSite&, ConstView, const std::uint32_t*,
                                         const std::uint32_t*, const RowsWithin&);
template void launch_count_within<double>(const LaunchSite&, ConstView, const std::uint32_t*,
                                          const std::uint32_t*, const RowsWithin&);

}  // namespace apsp::kernels::cuda
