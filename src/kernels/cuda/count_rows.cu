// Counts short integer distances in one pass over rows. The cost is bounded by about forty
// instructions per distance, so the common path has no branch: new maxima and bins outside shared
// memory are rare and processed after the row.
//
// Greatest distances of a thread's columns stay in registers; a warp sums 256 values of a row
// before it adds them to the row's totals. Recomputing reciprocals is faster than a table. Bins are
// in shared memory as far as they fit, then in device memory. Blocks only add integers, so that the
// order of atomic additions does not matter.
#include "kernels/cuda/count_rows.hpp"

#include <algorithm>

#include "kernels/cuda/count_within.hpp"
#include "kernels/cuda/counted_strip.cuh"
#include "kernels/cuda/whole_sums.cuh"
#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr int kCountWarps = 16;      // of a block, which leaves 128 registers per thread
constexpr int kCountColumns = 8;     // of a thread
constexpr double kRound = 0x1.8p20;  // (x + round) − round is x to the nearest 2^-32

struct CountArguments : StripArguments {
  RowTotals* totals;
  Word64* greatest;
  Word64* counts;
  unsigned limit;
  unsigned bins;  // in shared memory
  RowPotentials potentials;
};

template <class T>
using CountValues = WholeValues<T, kCountColumns>;

struct Added {
  unsigned sum = 0, reached = 0;
  double high = 0, low = 0;
};

/// Sums numbers up to 2^48 in magnitude over a warp.
__device__ Word64 sum_of_warp(long long value) {
  constexpr int kDigits = 24;
  const unsigned low = __reduce_add_sync(~0u, static_cast<unsigned>(value) & ((1u << kDigits) - 1));
  const int high = __reduce_add_sync(~0u, static_cast<int>(value >> kDigits));
  return static_cast<Word64>((static_cast<long long>(high) << kDigits) + low);
}

__device__ void add_to(RowTotals& totals, Added added) {
  const unsigned reached = __reduce_add_sync(~0u, added.reached);
  if (reached == 0) return;
  // 256 distances below 2^21 have sums of 29 bits.
  const unsigned sum = __reduce_add_sync(~0u, added.sum);
  const Word64 high = sum_of_warp(__double2ll_rn(added.high * 0x1p32));
  const Word64 low = sum_of_warp(__double2ll_rn(added.low * 0x1p73));
  auto* const words = reinterpret_cast<Word64*>(&totals);
  static_assert(sizeof(RowTotals) == 4 * sizeof(Word64));
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const Word64 word = lane == 0 ? sum : lane == 1 ? high : lane == 2 ? low : reached;
  if (lane < 4) atomicAdd(words + lane, word);
}

/// kReduced: values are of `ListedForm::reduced`.
template <class T, bool kReduced>
__global__ void __launch_bounds__(kCountWarps * 32, 1) count_kernel(CountArguments p) {
  extern __shared__ unsigned shared_bins[];
  // The last bin is for pairs that are not counted, or counted in device memory.
  for (unsigned i = threadIdx.x; i <= p.bins; i += blockDim.x) shared_bins[i] = 0;
  __syncthreads();

  constexpr unsigned kNone = static_cast<unsigned>(semiring::MinPlus<T>::zero());
  BinWindow bins{shared_bins, p.counts, p.bins, p.limit};
  const StripWalk<kCountWarps> walk(p.strips, p.rows, bins.rows());
  const int strip = walk.strip, end = walk.end;
  unsigned own[kCountColumns], best_label[kCountColumns];
  int best[kCountColumns], of_column[kCountColumns] = {};  // potentials
#pragma unroll
  for (int i = 0; i < kCountColumns; ++i) {
    const int column = CountValues<T>::column(strip, i);
    own[i] = column < p.cols ? p.column_labels[column] : ~0u;
    if (kReduced && column < p.cols) of_column[i] = p.potentials.columns[column];
    best[i] = 0;
    best_label[i] = ~0u;
  }
  const bool ragged = (strip + 1) * CountValues<T>::kWidth > p.cols;
  const auto sample = [&](int some, auto&& see) {
    CountValues<T> values;
    values.load(p, some, strip);
    if (ragged) values.clear_beyond(p.cols, strip);
    const auto shift = static_cast<unsigned>(kReduced ? p.potentials.rows[some] : 0);
#pragma unroll
    for (int i = 0; i < kCountColumns; ++i) {
      const unsigned distance = values.at(i) + shift - static_cast<unsigned>(of_column[i]);
      if (values.at(i) != kNone && distance < p.limit) see(distance);
    }
  };
  walk.sample(p.rows, [&](int some) {
    CountValues<T> values;
    values.load(p, some, strip);
    if (ragged) values.clear_beyond(p.cols, strip);
    const int of_row = kReduced ? p.potentials.rows[some] : 0;
#pragma unroll
    for (int i = 0; i < kCountColumns; ++i) {
      if (values.at(i) != kNone && own[i] != p.row_labels[some])
        best[i] = max(best[i], static_cast<int>(values.at(i) + static_cast<unsigned>(of_row) -
                                                static_cast<unsigned>(of_column[i])));
    }
  });
  int row = walk.row;
  CountValues<T> next;
  // The label and the potential of a row are loaded with its values, a row ahead.
  unsigned next_label = 0, next_of_row = 0;
  const auto load_next = [&](int some) {
    next.load(p, some, strip);
    next_label = p.row_labels[some];
    if (kReduced) next_of_row = static_cast<unsigned>(p.potentials.rows[some]);
  };
  if (row < end) load_next(row);
  for (int k = 0; k < walk.tiles; ++k, row += walk.others) {
    const int until = min(end, row + walk.tile);
    bins.move(row, until, sample);
    for (; row < until; ++row) {
      CountValues<T> values = next;
      if (ragged) values.clear_beyond(p.cols, strip);
      const unsigned label = next_label;
      const unsigned of_row = next_of_row;
      const int after = row + 1 < until ? row + 1 : row + 1 + walk.others;
      if (after < end) load_next(after);
      // −1 means no path or left out; it is subtracted from the sums at the end.
      const auto distance_of = [&](int i) {
        const unsigned value = values.at(i);
        const unsigned distance = value + of_row - static_cast<unsigned>(of_column[i]);
        return value != kNone && own[i] != label ? static_cast<int>(distance) : -1;
      };
      Added added;
      int reciprocals = 0;
      bool greater = false, far = false;
#pragma unroll
      for (int i = 0; i < kCountColumns; ++i) {
        const int distance = distance_of(i);
        const auto unsigned_distance = static_cast<unsigned>(distance);
        added.sum += unsigned_distance;
        added.reached -= unsigned_distance >> 31;
        greater = greater || distance >= best[i];
        // Values that are left out are beyond all bins.
        const unsigned bin = unsigned_distance - bins.first;
        far = far || (bin >= p.bins && distance >= 0);
        atomicAdd(shared_bins + min(bin, p.bins), 1u);
        const bool counts = unsigned_distance - 1 < p.limit - 1;
        const double reciprocal =
            reciprocal_of_whole(__uint2double_rn(counts ? unsigned_distance : 1));
        reciprocals += counts ? 1 : 0;
        const double high = __dsub_rn(__dadd_rn(reciprocal, kRound), kRound);
        added.high += high;
        added.low += reciprocal - high;
      }
      added.sum -= added.reached;
      added.reached += kCountColumns;
      added.high -= static_cast<double>(kCountColumns - reciprocals);
      if (greater) {
#pragma unroll
        for (int i = 0; i < kCountColumns; ++i) {
          const int distance = distance_of(i);
          if (distance < best[i] || (distance == best[i] && label >= best_label[i])) continue;
          best[i] = distance;
          best_label[i] = label;
        }
      }
      if (far) {
#pragma unroll
        for (int i = 0; i < kCountColumns; ++i) {
          const int distance = distance_of(i);
          if (distance < 0 || static_cast<unsigned>(distance) - bins.first < p.bins) continue;
          atomicAdd(p.counts + min(static_cast<unsigned>(distance), p.limit), Word64{1});
        }
      }
      add_to(p.totals[row], added);
    }
  }
#pragma unroll
  for (int i = 0; i < kCountColumns; ++i) {
    if (best_label[i] == ~0u) continue;
    const int column = CountValues<T>::column(strip, i);
    atomicMax(p.greatest + column,
              Word64{greatest_key(static_cast<unsigned>(best[i]), best_label[i])});
  }
  __syncthreads();
  bins.empty();
}

template <class T>
void launch_count(const LaunchSite& site, const RowCount& count, std::int64_t first,
                  std::int64_t rows) {
  CountArguments p{StripArguments::of<T>(count, first, rows, CountValues<T>::kWidth)};
  p.totals = count.totals + first;
  p.greatest = reinterpret_cast<Word64*>(count.greatest);
  p.counts = reinterpret_cast<Word64*>(count.counts);
  p.limit = static_cast<unsigned>(count.limit);
  p.potentials = count.potentials;
  if (p.potentials.rows != nullptr) p.potentials.rows += first;
  if (p.rows == 0 || p.cols == 0) return;
  const std::int64_t most = counts_in_shared_memory() - 1;
  p.bins = static_cast<unsigned>(std::min<std::int64_t>(count.limit, most));
  const int bytes = static_cast<int>((p.bins + 1) * sizeof(unsigned));
  const unsigned blocks = blocks_of_strips(site, p.strips, kCountWarps);
  const auto launch = [&](auto* kernel) {
    allow_shared_memory(kernel, bytes, "preparing to count");
    kernel<<<blocks, kCountWarps * 32, bytes, site.stream>>>(p);
    check_launch("counting rows");
  };
  if constexpr (sizeof(T) == 2) {
    if (p.potentials.rows != nullptr) return launch(count_kernel<T, true>);
  }
  launch(count_kernel<T, false>);
}

}  // namespace

void launch_count_rows(const LaunchSite& site, const RowCount& count, int value_size,
                       ListedForm form) {
  const auto launch = [&]<class T>(T) {
    for_some_rows(count.x.rows, [&](std::int64_t first, std::int64_t rows) {
      launch_count<T>(site, count, first, rows);
    });
    launch_count_within<T>(site, count.x, count.row_labels, count.column_labels, count.within);
  };
  form == ListedForm::whole            ? launch(std::uint32_t())
  : listed_size(form, value_size) == 2 ? launch(std::uint16_t())
                                       : launch(std::int32_t());
}

}  // namespace apsp::kernels::cuda
