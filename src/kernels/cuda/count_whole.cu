// Counts integer distances of any length in one pass over rows, like count_rows.cu for short ones:
// no branch in the common path, maxima in registers.
//
// Distances are summed in 64 bits, and a row's sums are cut into slices once per warp
// (whole_sums.cuh). Long distances share bins by their leading digits. All shared bins are in
// shared memory, and as many bins of short distances as fit.
#include "kernels/cuda/count_whole.hpp"

#include <algorithm>

#include "kernels/cuda/count_within.hpp"
#include "kernels/cuda/counted_strip.cuh"
#include "kernels/cuda/whole_sums.cuh"

namespace apsp::kernels::cuda {
namespace {

constexpr int kWholeWarps = 16;   // of a block, which leaves 128 registers per thread
constexpr int kWholeColumns = 8;  // of a thread
constexpr unsigned kLeftOut = ~0u;

/// Bits of the upper half of a double after its leading ones.
constexpr int kTrailingOfHigh = DistanceBins::kTrailing - 32;

struct WholeArguments : StripArguments {
  DistanceTotals* totals;
  Farthest* farthest;
  Word64* least;
  Word64* counts;
  unsigned limit, bins;
  unsigned first;  // leading bits of the first shared bin
  /// Bins in shared memory: of short distances, of long ones, and one for all others.
  unsigned short_held, held;
  WholeSlices sums, reciprocals;
};

__device__ unsigned leading_of(double distance) {
  return static_cast<unsigned>(__double2hiint(distance)) >> kTrailingOfHigh;
}

__device__ unsigned bin_of(const WholeArguments& p, unsigned distance) {
  if (distance < p.limit) return distance;
  const unsigned bin = leading_of(__uint2double_rn(distance)) - p.first + p.limit;
  return bin < p.limit ? p.bins : min(bin, p.bins);
}

struct WholeAdded {
  Word64 sum = 0;
  unsigned left_out = 0;
  ReciprocalParts reciprocals;

  /// `real`: `distance` as a double.
  __device__ void add(unsigned distance, double real) {
    sum += distance;
    left_out += distance >> 31;
    const double reciprocal = reciprocal_of_whole(real);
    const bool positive = distance - 1 < 0x7fffffffu - 1;
    reciprocals.add(positive ? reciprocal : 0);
  }
  __device__ void leave(const WholeWord& mine, DistanceTotals& totals) const {
    const unsigned reached = __reduce_add_sync(~0u, kWholeColumns - left_out);
    if (reached == 0) return;
    const Word64 all = sum - Word64{left_out} * kLeftOut;
    mine.add(totals, reached, {0, sum_over_warp(static_cast<long long>(all))}, reciprocals.sum());
  }
};

template <class T>
__global__ void __launch_bounds__(kWholeWarps * 32, 1) count_whole_kernel(WholeArguments p) {
  using Values = WholeValues<T, kWholeColumns>;
  extern __shared__ unsigned held[];
  for (unsigned i = threadIdx.x; i <= p.held; i += blockDim.x) held[i] = 0;
  __syncthreads();

  constexpr unsigned kNone = static_cast<unsigned>(semiring::MinPlus<T>::zero());
  BinWindow bins{held, p.counts, p.short_held, p.limit};
  const StripWalk<kWholeWarps> walk(p.strips, p.rows, bins.rows());
  const int strip = walk.strip, end = walk.end;
  unsigned own[kWholeColumns], best_label[kWholeColumns];
  int best[kWholeColumns];
#pragma unroll
  for (int i = 0; i < kWholeColumns; ++i) {
    const int column = Values::column(strip, i);
    own[i] = column < p.cols ? p.column_labels[column] : ~0u;
    best[i] = 0;
    best_label[i] = ~0u;
  }
  const WholeWord mine(p.sums, p.reciprocals);
  const bool ragged = (strip + 1) * Values::kWidth > p.cols;
  unsigned least = kLeftOut;
  const auto sample = [&](int some, auto&& see) {
    Values values;
    values.load(p, some, strip);
    if (ragged) values.clear_beyond(p.cols, strip);
#pragma unroll
    for (int i = 0; i < kWholeColumns; ++i) {
      if (values.at(i) < p.limit) see(values.at(i));
    }
  };
  walk.sample(p.rows, [&](int some) {
    Values values;
    values.load(p, some, strip);
    if (ragged) values.clear_beyond(p.cols, strip);
#pragma unroll
    for (int i = 0; i < kWholeColumns; ++i) {
      if (values.at(i) != kNone && own[i] != p.row_labels[some])
        best[i] = max(best[i], static_cast<int>(values.at(i)));
    }
  });
  int row = walk.row;
  Values next;
  // The label and the potential of a row are loaded with its values, a row ahead.
  unsigned next_label = 0;
  const auto load_next = [&](int some) {
    next.load(p, some, strip);
    next_label = p.row_labels[some];
  };
  if (row < end) load_next(row);
  for (int k = 0; k < walk.tiles; ++k, row += walk.others) {
    const int until = min(end, row + walk.tile);
    bins.move(row, until, sample);
    for (; row < until; ++row) {
      Values values = next;
      if (ragged) values.clear_beyond(p.cols, strip);
      const unsigned label = next_label;
      const int after = row + 1 < until ? row + 1 : row + 1 + walk.others;
      if (after < end) load_next(after);
      const auto distance_of = [&](int i) {
        const unsigned value = values.at(i);
        return value != kNone && own[i] != label ? value : kLeftOut;
      };
      WholeAdded added;
      bool greater = false, far = false;
#pragma unroll
      for (int i = 0; i < kWholeColumns; ++i) {
        const unsigned distance = distance_of(i);
        const double real = __uint2double_rn(distance);
        added.add(distance, real);
        least = min(least, distance);
        greater = greater || static_cast<int>(distance) >= best[i];
        // Values that are left out are beyond all bins.
        const unsigned of_long = leading_of(real) - p.first + p.short_held;
        const unsigned bin = distance - bins.first;
        const unsigned slot =
            distance >= p.limit ? of_long : max(bin, bin >= p.short_held ? p.held : 0);
        far = far || (slot >= p.held && static_cast<int>(distance) >= 0);
        atomicAdd(held + min(slot, p.held), 1u);
      }
      if (greater) {
#pragma unroll
        for (int i = 0; i < kWholeColumns; ++i) {
          const int distance = static_cast<int>(distance_of(i));
          if (distance < best[i] || (distance == best[i] && label >= best_label[i])) continue;
          best[i] = distance;
          best_label[i] = label;
        }
      }
      if (far) {
#pragma unroll
        for (int i = 0; i < kWholeColumns; ++i) {
          const unsigned distance = distance_of(i);
          if (distance == kLeftOut || distance - bins.first < p.short_held) continue;
          const unsigned bin = bin_of(p, distance);
          const bool here = bin >= p.limit && bin - p.limit + p.short_held < p.held;
          if (!here) atomicAdd(p.counts + bin, Word64{1});
        }
      }
      added.leave(mine, p.totals[row]);
    }
  }
#pragma unroll
  for (int i = 0; i < kWholeColumns; ++i) {
    if (best_label[i] == ~0u) continue;
    raise(p.farthest + Values::column(strip, i), static_cast<double>(best[i]), best_label[i]);
  }
  least = __reduce_min_sync(~0u, least);
  // Bits of non-negative numbers order as the numbers.
  if (threadIdx.x % 32 == 0 && least != kLeftOut) {
    atomicMin(p.least, static_cast<Word64>(__double_as_longlong(__uint2double_rn(least))));
  }
  __syncthreads();
  bins.empty();
  BinWindow{held + p.short_held, p.counts, p.held - p.short_held, p.limit, p.limit}.empty();
}

template <class T>
void launch_whole(const LaunchSite& site, const DistanceCount& count, std::int64_t first,
                  std::int64_t rows) {
  WholeArguments p{
      StripArguments::of<T>(count, first, rows, WholeValues<T, kWholeColumns>::kWidth)};
  p.totals = count.totals + first;
  p.farthest = count.farthest;
  p.least = reinterpret_cast<Word64*>(count.least);
  p.counts = reinterpret_cast<Word64*>(count.counts);
  p.limit = static_cast<unsigned>(count.bins.limit());
  p.bins = static_cast<unsigned>(count.bins.count());
  p.first = static_cast<unsigned>(count.bins.first());
  p.sums = WholeSlices(0, count.sums);
  p.reciprocals = WholeSlices(ReciprocalParts::kDigits, count.reciprocals);
  if (p.rows == 0 || p.cols == 0) return;
  const auto most = static_cast<unsigned>(counts_in_shared_memory() - 1);
  const unsigned long_held = std::min(p.bins - p.limit, most);
  p.short_held = std::min(p.limit, most - long_held);
  p.held = p.short_held + long_held;
  const int bytes = static_cast<int>((p.held + 1) * sizeof(unsigned));
  allow_shared_memory(count_whole_kernel<T>, bytes, "preparing to count");
  const unsigned blocks = blocks_of_strips(site, p.strips, kWholeWarps);
  count_whole_kernel<T><<<blocks, kWholeWarps * 32, bytes, site.stream>>>(p);
  check_launch("counting whole distances");
}

template <class T>
void launch_whole_passes(const LaunchSite& site, const DistanceCount& count) {
  for_some_rows(count.x.rows, [&](std::int64_t first, std::int64_t rows) {
    launch_whole<T>(site, count, first, rows);
  });
  launch_count_within<T>(site, count.x, count.row_labels, count.column_labels, count.within);
}

}  // namespace

LaunchDistances count_whole_distances() { return &launch_whole_passes<std::int32_t>; }
LaunchDistances count_whole_rows() { return &launch_whole_passes<std::uint32_t>; }

}  // namespace apsp::kernels::cuda
