// Access of warps to rows of distances, for count_*.cu. A warp processes a strip of columns, row
// after row. A thread keeps the same columns, so that their maxima stay in registers.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/strip_walk.cuh"
#include "kernels/cuda/words.cuh"
#include "semiring/semirings.hpp"

namespace apsp::kernels::cuda {

/// A warp's values of a row, kColumns per thread: lines of 16 bytes of 32 adjacent threads.
template <class T, int kColumns>
struct StripValues {
  static constexpr int kWidth = 32 * kColumns;
  static constexpr int kValues = 16 / static_cast<int>(sizeof(T));
  static constexpr int kLines = kColumns / kValues;

  static __device__ int column(int strip, int i) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    return strip * kWidth + (i / kValues * 32 + lane) * kValues + i % kValues;
  }
  /// Loads from arguments that have a matrix `x` with its `stride` and `cols`.
  template <class Arguments>
  __device__ void load(const Arguments& p, int row, int strip) {
    const T* const from = static_cast<const T*>(p.x) + row * p.stride;
#pragma unroll
    for (int i = 0; i < kLines; ++i) {
      const int at = column(strip, i * kValues);
      if (at < p.cols) lines[i].load(from + at);
    }
  }
  __device__ T at(int i) const { return lines[i / kValues].template value<T>(i % kValues); }

  Words<16> lines[kLines];
};

template <class T, int kColumns>
struct WholeValues : StripValues<T, kColumns> {
  using Strip = StripValues<T, kColumns>;

  __device__ void clear_beyond(int cols, int strip) {
    constexpr unsigned kNone = semiring::MinPlus<T>::zero();
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      if (Strip::column(strip, i) < cols) continue;
      unsigned& word =
          this->lines[i / Strip::kValues].at[i % Strip::kValues * static_cast<int>(sizeof(T)) / 4];
      word = sizeof(T) == 4 ? kNone
             : i % 2 == 0   ? (word & 0xffff0000u) | kNone
                            : (word & 0xffffu) | kNone << 16;
    }
  }
  __device__ unsigned at(int i) const { return static_cast<unsigned>(Strip::at(i)); }
};

/// A matrix whose rows are counted, and the labels of its rows and columns.
struct StripArguments {
  const void* x;
  std::int64_t stride;
  int rows, cols, strips;
  const std::uint32_t* row_labels;
  const std::uint32_t* column_labels;

  /// Rows [first, first + rows) of the matrix of `count`, in strips of `width` columns.
  template <class T, class Count>
  static StripArguments of(const Count& count, std::int64_t first, std::int64_t rows, int width) {
    const int cols = static_cast<int>(count.x.cols);
    return {static_cast<const T*>(count.x.data) + first * count.x.stride,
            count.x.stride,
            static_cast<int>(rows),
            cols,
            (cols + width - 1) / width,
            count.row_labels + first,
            count.column_labels};
  }
};

/// Raises a column's greatest distance, under the lock `taken`.
__device__ inline void raise(Farthest* at, double distance, unsigned label) {
  volatile Farthest* const seen = at;
  if (seen->distance > distance) return;
  for (bool done = false; !done;) {
    if (atomicCAS(&at->taken, 0u, 1u) != 0u) continue;
    __threadfence();
    if (distance > seen->distance || (distance == seen->distance && label < seen->label)) {
      seen->distance = distance;
      seen->label = label;
    }
    __threadfence();
    atomicExch(&at->taken, 0u);
    done = true;
  }
}

/// The bins of short distances that a block has in shared memory: `width` of them from `first` on.
/// Where there are more, they move along with the block's rows: neighbouring rows and columns are
/// neighbours in the graph, so that few distances are elsewhere.
struct BinWindow {
  static constexpr int kRows = 1024;  // most rows of a warp after which the bins may move

  unsigned* held;
  unsigned long long* counts;  // of all distances
  unsigned width, limit;       // limit: distances below have a bin each
  unsigned first = 0;

  __device__ bool moves() const { return width < limit; }
  /// The most rows from one move to the next.
  __device__ int rows() const { return moves() ? kRows : INT_MAX; }

  /// Adds the bins to all counts.
  __device__ void empty() {
    for (unsigned i = threadIdx.x; i < width; i += blockDim.x) {
      if (held[i] == 0) continue;
      atomicAdd(counts + first + i, static_cast<unsigned long long>(held[i]));
      held[i] = 0;
    }
  }
  /// Moves the bins to the middle of the distances of some of the rows [row, end), unless they hold
  /// all of these. `sample(row, see)` calls see(distance) for a warp's short distances. Requires:
  /// all threads of the block call it.
  template <class Sample>
  __device__ void move(int row, int end, const Sample& sample) {
    if (!moves()) return;
    __shared__ unsigned least, greatest;
    __syncthreads();
    if (threadIdx.x == 0) least = ~0u, greatest = 0;
    __syncthreads();
    unsigned low = ~0u, high = 0;
    const int last = end - 1;
    if (row <= last) {
      for (const int some : {row, (row + last) / 2, last}) {
        sample(some, [&](unsigned distance) {
          low = min(low, distance);
          high = max(high, distance);
        });
      }
    }
    low = __reduce_min_sync(~0u, low);
    high = __reduce_max_sync(~0u, high);
    if (threadIdx.x % 32 == 0 && low <= high) {
      atomicMin(&least, low);
      atomicMax(&greatest, high);
    }
    __syncthreads();
    if (least > greatest || (least >= first && greatest - first < width)) return;
    empty();
    const unsigned middle = least + (greatest - least) / 2;
    first = min(middle - min(middle, width / 2), limit - width);
    __syncthreads();
  }
};

inline int counts_in_shared_memory() {
  constexpr int kShared = 226 << 10, kOthers = 1024;
  return std::min(most_shared_memory() - kOthers, kShared) / int{sizeof(unsigned)};
}

/// The number of blocks: at least one warp for every strip.
inline unsigned blocks_of_strips(const LaunchSite& site, int strips, int warps) {
  return static_cast<unsigned>(std::max(site.multiprocessors, (strips + warps - 1) / warps));
}

/// Calls f(first row, rows) for ranges that cannot overflow 32-bit counters in shared memory.
template <class F>
void for_some_rows(std::int64_t all, F&& f) {
  constexpr std::int64_t kRows = std::int64_t{1} << 22;
  for (std::int64_t first = 0; first < all; first += kRows) f(first, std::min(kRows, all - first));
}

}  // namespace apsp::kernels::cuda
