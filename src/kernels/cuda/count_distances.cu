// Counts real distances ≥ 0 in one pass over rows, of any range (integers: count_rows.cu,
// count_whole.cu; reals whose sums have 90 digits: count_reals.cu, in half the time).
//
// A warp sums the parts of a row's values slice by slice and adds them as integers of the slice's
// unit. Bins are in shared memory as far as they fit, then in device memory. A thread keeps the
// greatest distances of its columns in registers; between launches they are stored with their
// labels, 12 bytes that no atomic operation writes at once and that therefore have a lock.
#include "kernels/cuda/count_distances.hpp"

#include <algorithm>

#include "kernels/cuda/count_reals.hpp"
#include "kernels/cuda/count_whole.hpp"
#include "kernels/cuda/count_within.hpp"
#include "kernels/cuda/counted_strip.cuh"
#include "kernels/cuda/whole_sums.cuh"
#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kPassWarps = 16;  // of a block
/// The number that registers hold, because a warp adds a row's sums once for all columns.
template <class T>
constexpr int kPassColumns = sizeof(T) == 4 ? 8 : 4;
template <class T>
using PassValues = StripValues<T, kPassColumns<T>>;
constexpr int kMostSlices = DistanceTotals::kSlices;

struct Cuts {
  double round[kMostSlices];
  double per_unit[kMostSlices];
};

struct PassArguments : StripArguments {
  DistanceTotals* totals;
  Farthest* farthest;
  Word64* least;
  Word64* counts;
  std::int64_t first;  // leading bits of the first shared bin
  int limit, bins;
  int held;
  Cuts sums, reciprocals;
};

__device__ int bin_of(const PassArguments& p, double distance) {
  const bool own_bin = p.limit > 1 ? distance >= 0 && distance < p.limit : distance == 0;
  if (own_bin) return static_cast<int>(distance);
  const long long bin =
      (__double_as_longlong(distance) >> DistanceBins::kTrailing) - p.first + p.limit;
  return bin < p.limit || bin >= p.bins ? p.bins : static_cast<int>(bin);
}

/// Order of bins in shared memory: first those that distances share, which are more frequent than
/// short integers, and the bin of those without one.
__device__ int slot_of(const PassArguments& p, int bin) {
  return bin >= p.limit ? bin - p.limit : bin + p.bins + 1 - p.limit;
}
__device__ int bin_of_slot(const PassArguments& p, int slot) {
  const int shared_bins = p.bins + 1 - p.limit;
  return slot < shared_bins ? slot + p.limit : slot - shared_bins;
}

template <int kSlices>
__device__ void add_parts(const Cuts& cuts, double value, double (&parts)[kSlices]) {
#pragma unroll
  for (int k = 0; k + 1 < kSlices; ++k) {
    const double part = __dsub_rn(__dadd_rn(value, cuts.round[k]), cuts.round[k]);
    parts[k] += part;
    value -= part;
  }
  parts[kSlices - 1] += value;
}

template <int kSlices>
__device__ void add_words(std::int64_t* to, const Cuts& cuts, const double (&parts)[kSlices]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int k = 0; k < kSlices; ++k) {
    const Word64 word = sum_over_warp(__double2ll_rn(parts[k] * cuts.per_unit[k]));
    if (lane == k && word != 0) atomicAdd(reinterpret_cast<Word64*>(to) + k, word);
  }
}

template <class T, int kSlices>
__global__ void __launch_bounds__(kPassWarps * 32, 1) count_distances_kernel(PassArguments p) {
  extern __shared__ unsigned held[];
  for (int i = static_cast<int>(threadIdx.x); i < p.held; i += blockDim.x) held[i] = 0;
  __syncthreads();

  constexpr T kNone = semiring::MinPlus<T>::zero();
  const StripWalk<kPassWarps> walk(p.strips, p.rows, INT_MAX);
  const int strip = walk.strip, end = min(walk.end, walk.row + walk.tile);
  int row = walk.row;
  unsigned own[kPassColumns<T>], best_label[kPassColumns<T>];
  T best[kPassColumns<T>];
#pragma unroll
  for (int i = 0; i < kPassColumns<T>; ++i) {
    const int column = PassValues<T>::column(strip, i);
    own[i] = column < p.cols ? p.column_labels[column] : ~0u;
    best[i] = T(-1);
    best_label[i] = ~0u;
  }
  double least = __longlong_as_double(0x7ff0000000000000ll);
  PassValues<T> next;
  if (row < end) next.load(p, row, strip);
  for (; row < end; ++row) {
    const PassValues<T> values = next;
    const unsigned label = p.row_labels[row];
    if (row + 1 < end) next.load(p, row + 1, strip);
    unsigned reached = 0;
    double sums[kSlices] = {}, reciprocals[kSlices] = {};
#pragma unroll
    for (int i = 0; i < kPassColumns<T>; ++i) {
      const T value = values.at(i);
      const bool counts =
          PassValues<T>::column(strip, i) < p.cols && value != kNone && own[i] != label;
      if (!counts) continue;
      const auto distance = static_cast<double>(value);
      ++reached;
      least = fmin(least, distance);
      add_parts(p.sums, distance, sums);
      if (distance > 0) add_parts(p.reciprocals, __drcp_rn(distance), reciprocals);
      const int bin = bin_of(p, distance), slot = slot_of(p, bin);
      if (slot < p.held) {
        atomicAdd(held + slot, 1u);
      } else {
        atomicAdd(p.counts + bin, Word64{1});
      }
      if (value > best[i] || (value == best[i] && label < best_label[i])) {
        best[i] = value;
        best_label[i] = label;
      }
    }
    reached = __reduce_add_sync(~0u, reached);
    if (reached == 0) continue;
    DistanceTotals& totals = p.totals[row];
    if (threadIdx.x % 32 == 0) {
      atomicAdd(reinterpret_cast<Word64*>(&totals.reached), Word64{reached});
    }
    add_words(totals.sums, p.sums, sums);
    add_words(totals.reciprocals, p.reciprocals, reciprocals);
  }
#pragma unroll
  for (int i = 0; i < kPassColumns<T>; ++i) {
    if (best_label[i] == ~0u) continue;
    raise(p.farthest + PassValues<T>::column(strip, i), static_cast<double>(best[i]),
          best_label[i]);
  }
#pragma unroll
  for (int i = 16; i > 0; i /= 2) least = fmin(least, __shfl_xor_sync(~0u, least, i));
  // Bits of non-negative numbers order as the numbers.
  if (threadIdx.x % 32 == 0) {
    atomicMin(p.least, static_cast<Word64>(__double_as_longlong(least)));
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < p.held; i += blockDim.x) {
    if (held[i] != 0) atomicAdd(p.counts + bin_of_slot(p, i), Word64{held[i]});
  }
}

Cuts cuts_of(const base::SliceRange& range) {
  Cuts cuts{};
  for (int k = 0; k < kMostSlices; ++k) {
    cuts.round[k] = range.round_of(k);
    cuts.per_unit[k] = 1 / range.unit_of(k);
  }
  return cuts;
}

template <class T, int kSlices>
void launch_pass(const LaunchSite& site, const DistanceCount& count, std::int64_t first,
                 std::int64_t rows) {
  PassArguments p{StripArguments::of<T>(count, first, rows, PassValues<T>::kWidth)};
  p.totals = count.totals + first;
  p.farthest = count.farthest;
  p.least = reinterpret_cast<Word64*>(count.least);
  p.counts = reinterpret_cast<Word64*>(count.counts);
  p.first = count.bins.first();
  p.limit = static_cast<int>(count.bins.limit());
  p.bins = static_cast<int>(count.bins.count());
  p.sums = cuts_of(count.sums);
  p.reciprocals = cuts_of(count.reciprocals);
  if (p.rows == 0 || p.cols == 0) return;
  p.held = std::min(p.bins + 1, counts_in_shared_memory());
  const int bytes = p.held * int{sizeof(unsigned)};
  allow_shared_memory(count_distances_kernel<T, kSlices>, bytes, "preparing to count");
  const unsigned blocks = blocks_of_strips(site, p.strips, kPassWarps);
  count_distances_kernel<T, kSlices><<<blocks, kPassWarps * 32, bytes, site.stream>>>(p);
  check_launch("counting distances");
}

template <class T>
void launch_passes(const LaunchSite& site, const DistanceCount& count) {
  const int slices = std::max(count.sums.count(), count.reciprocals.count());
  const bool in_two_parts = reals_fit(count, sizeof(T));
  for_some_rows(count.x.rows, [&](std::int64_t first, std::int64_t rows) {
    in_two_parts  ? launch_count_reals<T>(site, count, first, rows)
    : slices <= 2 ? launch_pass<T, 2>(site, count, first, rows)
    : slices == 3 ? launch_pass<T, 3>(site, count, first, rows)
                  : launch_pass<T, 4>(site, count, first, rows);
  });
  launch_count_within<T>(site, count.x, count.row_labels, count.column_labels, count.within);
}

}  // namespace

LaunchDistances count_distances(Semiring semiring, ValueType type) {
  if (semiring != Semiring::min_plus) return nullptr;
  switch (type) {
    case ValueType::i32:
      return count_whole_distances();
    case ValueType::f32:
      return &launch_passes<float>;
    case ValueType::f64:
      return &launch_passes<double>;
    default:
      return nullptr;
  }
}

}  // namespace apsp::kernels::cuda
