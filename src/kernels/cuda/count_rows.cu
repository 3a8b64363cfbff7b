// One pass over rows of distances: what is counted of each is some twenty-five instructions.
//
// A warp has a strip of columns and goes through rows: a thread holds the same few columns all the
// way, so that their greatest distances stay in registers, and of each row a warp adds up its sums
// before they leave it, 256 values at once. Reciprocals are divided anew, which costs less than
// finding them in a table. Counts are made in shared memory, as far as that reaches, and beyond it
// in device memory; equal neighbours are one increment there. All that leaves a block is whole
// numbers, so that no order of its atomic additions changes anything.
#include "kernels/cuda/count_rows.hpp"

#include <algorithm>

#include "kernels/cuda/cuda_error.hpp"
#include "semiring/min_plus.hpp"

namespace apsp::kernels::cuda {
namespace {

using Word64 = unsigned long long;

constexpr int kCountWarps = 32;   // of a block
constexpr int kCountColumns = 8;  // of a thread
constexpr int kCountStrip = 32 * kCountColumns;
constexpr int kCountShared = 226 << 10;  // bytes, of a block
constexpr double kRound = 0x1.8p20;      // (x + round) − round is x to the nearest 2^-32

struct CountArguments {
  const void* x;
  std::int64_t stride;
  int rows, cols, strips;
  const std::uint32_t* row_labels;
  const std::uint32_t* column_labels;
  RowTotals* totals;
  Word64* greatest;
  Word64* counts;
  unsigned limit;
  unsigned places;  // of counts in shared memory
};

template <class T>
struct alignas(16) CountLine {
  static constexpr int kValues = 16 / sizeof(T);
  T at[kValues];
};

/// Columns of a thread: whole lines of 16 bytes, 32 threads side by side.
template <class T>
struct CountValues {
  static constexpr int kLines = kCountColumns / CountLine<T>::kValues;
  CountLine<T> lines[kLines];

  static __device__ int column(int strip, int line) {
    return strip * kCountStrip +
           (line * 32 + static_cast<int>(threadIdx.x) % 32) * CountLine<T>::kValues;
  }
  __device__ void load(const CountArguments& p, int row, int strip) {
    const T* const from = static_cast<const T*>(p.x) + row * p.stride;
#pragma unroll
    for (int i = 0; i < kLines; ++i) {
      const int at = column(strip, i);
      if (at < p.cols) lines[i] = *reinterpret_cast<const CountLine<T>*>(from + at);
    }
  }
};

struct Added {
  unsigned sum = 0, reached = 0;
  double high = 0, low = 0;
};

__device__ void add_to(RowTotals& totals, Added added) {
  const unsigned reached = __reduce_add_sync(~0u, added.reached);
  if (reached == 0) return;
  // A warp's distances are below 2^21 × 256: their sum has 29 bits.
  const unsigned sum = __reduce_add_sync(~0u, added.sum);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    added.high += __shfl_xor_sync(~0u, added.high, step);
    added.low += __shfl_xor_sync(~0u, added.low, step);
  }
  auto* const words = reinterpret_cast<Word64*>(&totals);
  static_assert(sizeof(RowTotals) == 4 * sizeof(Word64));
  // Four threads, one word each.
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto high = static_cast<Word64>(__double2ll_rn(added.high * 0x1p32));
  const auto low = static_cast<Word64>(__double2ll_rn(added.low * 0x1p73));
  const Word64 word = lane == 0 ? sum : lane == 1 ? high : lane == 2 ? low : reached;
  if (lane < 4) atomicAdd(words + lane, word);
}

template <class T>
__global__ void __launch_bounds__(kCountWarps * 32, 1) count_kernel(CountArguments p) {
  extern __shared__ unsigned places[];
  for (unsigned i = threadIdx.x; i < p.places; i += blockDim.x) places[i] = 0;
  __syncthreads();

  constexpr int kValues = CountLine<T>::kValues;
  constexpr unsigned kNone = static_cast<unsigned>(semiring::MinPlus<T>::zero());
  const int warp = static_cast<int>(blockIdx.x) * kCountWarps + static_cast<int>(threadIdx.x) / 32;
  const int warps = static_cast<int>(gridDim.x) * kCountWarps;
  const int strip = warp % p.strips, step = warps / p.strips;
  int row = warp / p.strips;
  const bool works = row < step;  // warps beyond the last whole set have no strip
  unsigned own[kCountColumns], best[kCountColumns], best_label[kCountColumns];
#pragma unroll
  for (int i = 0; i < kCountColumns; ++i) {
    const int column = CountValues<T>::column(strip, i / kValues) + i % kValues;
    own[i] = column < p.cols ? p.column_labels[column] : ~0u;
    best[i] = 0;
    best_label[i] = ~0u;
  }
  CountValues<T> next;
  if (works && row < p.rows) next.load(p, row, strip);
  for (; works && row < p.rows; row += step) {
    const CountValues<T> values = next;
    const unsigned label = p.row_labels[row];
    if (row + step < p.rows) next.load(p, row + step, strip);
    Added added;
#pragma unroll
    for (int i = 0; i < kCountColumns; ++i) {
      const int column = CountValues<T>::column(strip, i / kValues) + i % kValues;
      const unsigned distance = static_cast<unsigned>(values.lines[i / kValues].at[i % kValues]);
      if (column >= p.cols || own[i] == label || distance == kNone) continue;
      added.sum += distance;
      ++added.reached;
      if (distance > best[i] || (distance == best[i] && label < best_label[i])) {
        best[i] = distance;
        best_label[i] = label;
      }
      if (distance < p.places) {
        atomicAdd(places + distance, 1u);
      } else {
        atomicAdd(p.counts + min(distance, p.limit), Word64{1});
      }
      if (distance > 0 && distance < p.limit) {
        const double reciprocal = __drcp_rn(static_cast<double>(distance));
        const double high = __dsub_rn(__dadd_rn(reciprocal, kRound), kRound);
        added.high += high;
        added.low += reciprocal - high;
      }
    }
    add_to(p.totals[row], added);
  }
#pragma unroll
  for (int i = 0; i < kCountColumns; ++i) {
    if (best_label[i] == ~0u) continue;
    const int column = CountValues<T>::column(strip, i / kValues) + i % kValues;
    atomicMax(p.greatest + column, Word64{greatest_key(best[i], best_label[i])});
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < p.places; i += blockDim.x) {
    if (places[i] != 0) atomicAdd(p.counts + i, Word64{places[i]});
  }
}

template <class T>
void launch_count(const LaunchSite& site, const RowCount& count) {
  CountArguments p{};
  p.x = count.x.data;
  p.stride = count.x.stride;
  p.rows = static_cast<int>(count.x.rows);
  p.cols = static_cast<int>(count.x.cols);
  p.strips = (p.cols + kCountStrip - 1) / kCountStrip;
  p.row_labels = count.row_labels;
  p.column_labels = count.column_labels;
  p.totals = count.totals;
  p.greatest = reinterpret_cast<Word64*>(count.greatest);
  p.counts = reinterpret_cast<Word64*>(count.counts);
  p.limit = static_cast<unsigned>(count.limit);
  if (p.rows == 0 || p.cols == 0) return;
  int shared = 0, device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "asking for shared memory");
  const std::int64_t most = std::min(shared - 1024, kCountShared) / std::int64_t{sizeof(unsigned)};
  p.places = static_cast<unsigned>(std::min<std::int64_t>(count.limit, most));
  const int bytes = static_cast<int>(p.places * sizeof(unsigned));
  check(cudaFuncSetAttribute(count_kernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "preparing to count");
  // At least a warp for every strip.
  const int blocks = std::max(site.multiprocessors, (p.strips + kCountWarps - 1) / kCountWarps);
  count_kernel<T><<<static_cast<unsigned>(blocks), kCountWarps * 32, bytes, site.stream>>>(p);
  check_launch("counting rows");
}

constexpr int kTurnSide = 32;

/// Blocks of 32 columns × 32 rows of the result. Both sides move whole sectors.
template <class Word>
__global__ void turn_kernel(Word* out, std::int64_t out_stride, const Word* x, std::int64_t stride,
                            int listed, int cols, const std::int32_t* list) {
  __shared__ Word part[kTurnSide][kTurnSide + 1];
  const int first = static_cast<int>(blockIdx.x) * kTurnSide;
  const int first_col = static_cast<int>(blockIdx.y) * kTurnSide;
  const int lane = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < kTurnSide; y += static_cast<int>(blockDim.y)) {
    if (first + y < listed && first_col + lane < cols) {
      part[y][lane] = x[list[first + y] * stride + first_col + lane];
    }
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < kTurnSide; y += static_cast<int>(blockDim.y)) {
    if (first + lane < listed && first_col + y < cols) {
      out[(first_col + y) * out_stride + first + lane] = part[lane][y];
    }
  }
}

template <class Word>
void launch_turn(cudaStream_t stream, const TurnedRows& t) {
  if (t.out.rows == 0 || t.out.cols == 0) return;
  const dim3 blocks(static_cast<unsigned>((t.out.cols + kTurnSide - 1) / kTurnSide),
                    static_cast<unsigned>((t.x.cols + kTurnSide - 1) / kTurnSide));
  turn_kernel<Word><<<blocks, dim3(kTurnSide, 8), 0, stream>>>(
      static_cast<Word*>(t.out.data), t.out.stride, static_cast<const Word*>(t.x.data), t.x.stride,
      static_cast<int>(t.out.cols), static_cast<int>(t.x.cols), t.list);
  check_launch("turning rows");
}

}  // namespace

void launch_count_rows(const LaunchSite& site, const RowCount& count, int value_size) {
  value_size == 2 ? launch_count<std::uint16_t>(site, count)
                  : launch_count<std::int32_t>(site, count);
}

void launch_turn_rows(cudaStream_t stream, const TurnedRows& turned, int value_size) {
  switch (value_size) {
    case 2:
      return launch_turn<std::uint16_t>(stream, turned);
    case 4:
      return launch_turn<std::uint32_t>(stream, turned);
    default:
      return launch_turn<std::uint64_t>(stream, turned);
  }
}

}  // namespace apsp::kernels::cuda
