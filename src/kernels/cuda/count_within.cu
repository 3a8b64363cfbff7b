// Greatest distance and sum of distances from a set of rows to each column.
//
// Rows are cut into parts. A thread counts the rows of a part in one column; then one thread adds
// the parts of the column in order, so that sums are equal on every device.
#include "kernels/cuda/count_within.hpp"

#include <type_traits>

#include "kernels/cuda/counted_strip.cuh"
#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kWithinThreads = 128;  // of a block, one per column

struct WithinArguments {
  const void* x;
  std::int64_t stride, rows, cols;
  const std::uint32_t* row_labels;
  const std::uint32_t* column_labels;
  RowsWithin within;
  std::int64_t parts;
};

/// Rows that a thread loads together, to overlap their latencies.
constexpr int kRowsTogether = 8;

/// The sum of distances: of integers in 64 bits, of reals as two doubles.
template <class T, bool kWhole = std::is_integral_v<T>>
struct WithinSum {
  __device__ void add(T distance) { sum += distance; }
  __device__ base::DoubleDouble total() const {
    const double high = __ull2double_rn(sum);
    return {high, static_cast<double>(static_cast<long long>(sum - __double2ull_rn(high)))};
  }
  unsigned long long sum = 0;
};
template <class T>
struct WithinSum<T, false> {
  __device__ void add(T distance) { sum = base::sum(sum, static_cast<double>(distance)); }
  __device__ base::DoubleDouble total() const { return sum; }
  base::DoubleDouble sum;
};

template <class T>
__global__ void __launch_bounds__(kWithinThreads) count_part_kernel(WithinArguments p) {
  constexpr T kNone = semiring::MinPlus<T>::zero();
  const std::int64_t column = std::int64_t{blockIdx.x} * kWithinThreads + threadIdx.x;
  if (column >= p.cols) return;
  const std::int64_t part = blockIdx.y;
  const std::int64_t first = p.rows * part / p.parts, end = p.rows * (part + 1) / p.parts;
  const std::uint32_t own = p.column_labels[column];
  const T* const values = static_cast<const T*>(p.x) + column;
  T greatest = 0;
  std::uint32_t farthest = Farthest::kNone;  // smallest label at that distance
  WithinSum<T> sum;
  for (std::int64_t row = first; row < end; row += kRowsTogether) {
    T value[kRowsTogether];
    std::uint32_t label[kRowsTogether];
#pragma unroll
    for (int i = 0; i < kRowsTogether; ++i) {
      const bool counts = row + i < end;
      label[i] = counts ? p.row_labels[row + i] : own;
      value[i] = counts ? values[(row + i) * p.stride] : kNone;
    }
#pragma unroll
    for (int i = 0; i < kRowsTogether; ++i) {
      if (label[i] == own || value[i] == kNone || p.within.holds[label[i]] == 0) continue;
      sum.add(value[i]);
      if (value[i] < greatest || (value[i] == greatest && label[i] > farthest)) continue;
      greatest = value[i];
      farthest = label[i];
    }
  }
  DistancesWithin found;
  if (farthest != Farthest::kNone) found = {{static_cast<double>(greatest), farthest}, sum.total()};
  p.within.parts[part * p.cols + column] = found;
}

__global__ void __launch_bounds__(kWithinThreads) add_parts_kernel(WithinArguments p) {
  const std::int64_t column = std::int64_t{blockIdx.x} * kWithinThreads + threadIdx.x;
  if (column >= p.cols) return;
  DistancesWithin found = p.within.columns[column];
  for (std::int64_t part = 0; part < p.parts; ++part) {
    found.add(p.within.parts[part * p.cols + column]);
  }
  p.within.columns[column] = found;
}

}  // namespace

template <class T>
void launch_count_within(const LaunchSite& site, ConstView x, const std::uint32_t* row_labels,
                         const std::uint32_t* column_labels, const RowsWithin& within) {
  if (within.holds == nullptr || x.rows == 0 || x.cols == 0) return;
  const std::int64_t parts = RowsWithin::parts_of(x.rows, x.cols);
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
