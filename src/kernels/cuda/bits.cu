// Boolean products of packed bits by the method of the four Russians (Arlazarov 1970) on the GPU.
//
// Values are words of 32 vertices. A block of threads keeps 1,024 rows × 32 words of C in
// registers: 8 neighbouring threads hold a row, 4 words each, and every eight threads hold 16 rows.
// The block writes, for each 8 pivots, all 256 unions of their rows to shared memory, and a row of
// C takes 8 pivots by one load, selected by a byte of L. Tables of the next 16 pivots are built
// while the current ones are read. A load of 16 bytes serves 1,024 relaxations; eight threads read
// 128 contiguous bytes, without bank conflicts. The plain product, one LOP3 for 32 relaxations, is
// bounded by 520 T relaxations/s on an H200.
#include "kernels/cuda/bits.hpp"

#include <cstdint>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/packed.hpp"

namespace apsp::kernels::cuda {
namespace bits {
namespace {

constexpr int kRowSliver = 64;  // rows of the left operand in a sliver
constexpr int kColSliver = 4;   // words of the right operand in a sliver
constexpr int kChunk = 16;      // pivots of a step: two tables
constexpr int kTables = 2;
constexpr int kEntries = 256;
constexpr int kLanesARow = 8;
constexpr int kBlockWords = kLanesARow * kColSliver;
constexpr int kRowsAThread = 16;
constexpr int kThreads = 512;
constexpr int kBlockRows = kThreads / kLanesARow * kRowsAThread;
constexpr int kEntryBytes = kBlockWords * 4;
constexpr int kTableBytes = kEntries * kEntryBytes;
constexpr int kSharedBytes = 2 * kTables * kTableBytes;

struct Arguments {
  std::uint32_t* c;
  std::int64_t stride, rows, cols;  // words
  const std::uint32_t* left;        // [sliver of 64 rows][chunk][64], two offsets into tables each
  const std::uint32_t* right;       // [sliver of 4 words][pivot][4]
  int chunks;
  int row_blocks;
  std::int64_t skipped_row_begin, skipped_row_end;  // multiples of a thread's rows
  std::int64_t skipped_col_begin, skipped_col_end;  // words, multiples of a sliver
  bool wide_access;                                 // rows of C are aligned to 16 bytes
};

__device__ uint4 united(uint4 a, uint4 b) { return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w}; }
__device__ uint4 united(uint4 a, uint4 b, uint4 c) {
  return {a.x | b.x | c.x, a.y | b.y | c.y, a.z | b.z | c.z, a.w | b.w | c.w};
}

/// Thread t fills the 8 entries of a table whose low five bits are its number.
__device__ void build(const uint4* pivot_rows, unsigned char* tables) {
  const int t = static_cast<int>(threadIdx.x);
  const int slice = t % kLanesARow;
  const int low = t / kLanesARow % 32;
  const int table = t / (kLanesARow * 32);
  const uint4* const rows = pivot_rows + table * 8;
  uint4 base{};
#pragma unroll
  for (int bit = 0; bit < 5; ++bit) {
    const std::uint32_t mask = (low >> bit & 1) != 0 ? ~0u : 0u;
    const uint4 row = rows[bit];
    base = united(base, {row.x & mask, row.y & mask, row.z & mask, row.w & mask});
  }
  unsigned char* const to = tables + table * kTableBytes + low * kEntryBytes + slice * 16;
  const uint4 r5 = rows[5], r6 = rows[6], r7 = rows[7];
  const auto put = [&](int high, uint4 value) {
    *reinterpret_cast<uint4*>(to + high * 32 * kEntryBytes) = value;
  };
  const uint4 with5 = united(base, r5);
  put(0, base);
  put(1, with5);
  put(2, united(base, r6));
  put(3, united(with5, r6));
  put(4, united(base, r7));
  put(5, united(with5, r7));
  put(6, united(base, r6, r7));
  put(7, united(with5, r6, r7));
}

/// Whether all existing lines in [first, first + count) are skipped.
__device__ bool all_skipped(std::int64_t first, std::int64_t count, std::int64_t lines,
                            std::int64_t begin, std::int64_t end) {
  return first >= begin && min(first + count, lines) <= end;
}

__global__ void __launch_bounds__(kThreads, 1) product_kernel(const __grid_constant__ Arguments p) {
  extern __shared__ __align__(128) unsigned char shared[];
  const std::int64_t block_row = blockIdx.x % p.row_blocks * std::int64_t{kBlockRows};
  const std::int64_t block_col = blockIdx.x / p.row_blocks * std::int64_t{kBlockWords};
  if (all_skipped(block_row, kBlockRows, p.rows, p.skipped_row_begin, p.skipped_row_end) ||
      all_skipped(block_col, kBlockWords, p.cols, p.skipped_col_begin, p.skipped_col_end)) {
    return;
  }
  const int slice = static_cast<int>(threadIdx.x) % kLanesARow;
  const std::int64_t row = block_row + static_cast<int>(threadIdx.x) / kLanesARow * kRowsAThread;
  const std::int64_t col = block_col + slice * kColSliver;
  const bool kept = (row >= p.skipped_row_begin && row < p.skipped_row_end) ||
                    (col >= p.skipped_col_begin && col < p.skipped_col_end);
  const auto inside = [&](int r, int w) { return !kept && row + r < p.rows && col + w < p.cols; };

  // Threads beyond the edge repeat the last sliver and write nothing.
  const std::int64_t last_sliver = (p.cols - 1) / kColSliver;
  const auto* const right = reinterpret_cast<const uint4*>(p.right) +
                            min(col / kColSliver, last_sliver) * p.chunks * kChunk;
  const std::int64_t last_row = (p.rows - 1) / kRowSliver * kRowSliver;
  const std::int64_t from = row < p.rows ? row : last_row;
  const std::uint32_t* const left =
      p.left + from / kRowSliver * p.chunks * kRowSliver + from % kRowSliver;

  const bool wide = p.wide_access && inside(0, kColSliver - 1);
  uint4 sum[kRowsAThread];
#pragma unroll
  for (int r = 0; r < kRowsAThread; ++r) {
    const std::uint32_t* const c = p.c + (row + r) * p.stride + col;
    if (wide && row + r < p.rows) {
      sum[r] = *reinterpret_cast<const uint4*>(c);
      continue;
    }
    sum[r] = {inside(r, 0) ? c[0] : 0, inside(r, 1) ? c[1] : 0, inside(r, 2) ? c[2] : 0,
              inside(r, 3) ? c[3] : 0};
  }
  build(right, shared);
  __syncthreads();
  for (int chunk = 0; chunk < p.chunks; ++chunk) {
    unsigned char* const next = shared + (chunk + 1) % 2 * (kTables * kTableBytes);
    if (chunk + 1 < p.chunks) build(right + (chunk + 1) * kChunk, next);
    const unsigned char* const tables = shared + chunk % 2 * (kTables * kTableBytes) + slice * 16;
    const std::uint32_t* const offsets = left + chunk * kRowSliver;
#pragma unroll
    for (int r = 0; r < kRowsAThread; r += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(offsets + r);
      const std::uint32_t both[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const auto first = *reinterpret_cast<const uint4*>(tables + (both[i] & 0xffff));
        const auto second = *reinterpret_cast<const uint4*>(tables + kTableBytes + (both[i] >> 16));
        sum[r + i] = united(sum[r + i], first, second);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kRowsAThread; ++r) {
    std::uint32_t* const c = p.c + (row + r) * p.stride + col;
    if (wide && row + r < p.rows) {
      *reinterpret_cast<uint4*>(c) = sum[r];
      continue;
    }
    if (inside(r, 0)) c[0] = sum[r].x;
    if (inside(r, 1)) c[1] = sum[r].y;
    if (inside(r, 2)) c[2] = sum[r].z;
    if (inside(r, 3)) c[3] = sum[r].w;
  }
}

// Warshall's closure of one tile of bits in shared memory: D ← D*, one thread per row.
//
// Blocks of 32 pivots have a corner of one word per row. One warp closes the corner by shuffles; R
// ← R ∪ corner ⊗ R for the pivots' rows, a word per thread; C ← C ∪ C ⊗ corner for the pivots' word
// of each row; then every thread unites its row with the rows of R selected by its word.

constexpr int kCloseSide = 512;
constexpr int kCloseWords = kCloseSide / 32;

struct CloseBuffers {
  std::uint32_t d[kCloseSide][kCloseWords + 1];  // padded against bank conflicts
  alignas(16) std::uint32_t rows[32][kCloseWords];
  std::uint32_t corner[32];
};

template <class F>
__device__ std::uint32_t united_with(std::uint32_t word, std::uint32_t named, F&& others) {
#pragma unroll
  for (int k = 0; k < 32; ++k) word |= (named >> k & 1) != 0 ? others(k) : 0u;
  return word;
}

__device__ std::uint32_t close_corner(std::uint32_t word) {
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const std::uint32_t pivot = __shfl_sync(0xffffffffu, word, k);
    if ((word >> k & 1) != 0) word |= pivot;
  }
  return word;
}

__device__ void unite_rows(CloseBuffers& b, int row, std::uint32_t named) {
  if (named == 0) return;
  std::uint32_t mine[kCloseWords];
#pragma unroll
  for (int w = 0; w < kCloseWords; ++w) mine[w] = b.d[row][w];
#pragma unroll 4
  for (int k = 0; k < 32; ++k) {
    const std::uint32_t all = 0u - (named >> k & 1);
#pragma unroll
    for (int w = 0; w < kCloseWords; w += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(&b.rows[k][w]);
      mine[w] |= all & four.x;
      mine[w + 1] |= all & four.y;
      mine[w + 2] |= all & four.z;
      mine[w + 3] |= all & four.w;
    }
  }
#pragma unroll
  for (int w = 0; w < kCloseWords; ++w) b.d[row][w] = mine[w];
}

__global__ void __launch_bounds__(kCloseSide)
    close_kernel(std::uint32_t* d, std::int64_t stride, int side, int words) {
  __shared__ CloseBuffers b;
  const int row = static_cast<int>(threadIdx.x), warp = row / 32, lane = row % 32;
#pragma unroll
  for (int w = 0; w < kCloseWords; ++w) {
    b.d[row][w] = row < side && w < words ? d[row * stride + w] : 0;
  }
  for (int block = 0; block < words; ++block) {
    if (warp == block) b.corner[lane] = close_corner(b.d[row][block]);
    __syncthreads();
    // Warp w handles word w of the pivots' rows.
    const int first = block * 32;
    b.rows[lane][warp] = united_with(b.d[first + lane][warp], b.corner[lane],
                                     [&](int k) { return b.d[first + k][warp]; });
    const std::uint32_t raw = b.d[row][block];
    const std::uint32_t named = united_with(raw, raw, [&](int k) { return b.corner[k]; });
    __syncthreads();
    unite_rows(b, row, named);
    __syncthreads();
  }
  if (row >= side) return;
  for (int w = 0; w < words; ++w) d[row * stride + w] = b.d[row][w];
}

constexpr int kPackThreads = 256;

int chunks_of(std::int64_t depth) { return static_cast<int>(rounded_up(depth, 32) / kChunk); }

std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) {
  return rounded_up(rows, kRowSliver) * chunks_of(depth) * 4;
}
std::int64_t right_bytes(std::int64_t words, std::int64_t depth) {
  return rounded_up(words, kColSliver) * chunks_of(depth) * kChunk * 4;
}

/// out[sliver][chunk][row of 64]: two table indices, for 16 bits of the row.
__global__ void pack_left_kernel(ConstView a, int chunks, std::uint32_t* out) {
  const std::int64_t at = blockIdx.x * std::int64_t{kPackThreads} + threadIdx.x;
  const std::int64_t sliver = at / (std::int64_t{kRowSliver} * chunks);
  const std::int64_t chunk = at / kRowSliver % chunks;
  const std::int64_t row = sliver * kRowSliver + at % kRowSliver;
  if (row >= rounded_up(a.rows, kRowSliver)) return;
  std::uint32_t bits = 0;
  if (row < a.rows && chunk / 2 < a.cols) {
    const auto* const words = static_cast<const std::uint32_t*>(a.data);
    bits = words[row * a.stride + chunk / 2] >> (chunk % 2 * 16) & 0xffff;
  }
  out[at] = (bits & 0xff) * kEntryBytes | (bits >> 8) * kEntryBytes << 16;
}

__global__ void pack_right_kernel(ConstView b, std::int64_t depth, std::uint32_t* out) {
  const std::int64_t at = blockIdx.x * std::int64_t{kPackThreads} + threadIdx.x;
  const std::int64_t sliver = at / (kColSliver * depth);
  const std::int64_t pivot = at / kColSliver % depth;
  const std::int64_t word = sliver * kColSliver + at % kColSliver;
  if (word >= rounded_up(b.cols, kColSliver)) return;
  const bool inside = pivot < b.rows && word < b.cols;
  out[at] = inside ? static_cast<const std::uint32_t*>(b.data)[pivot * b.stride + word] : 0;
}

void pack(cudaStream_t stream, bool left, ConstView tile, bool /*transposed*/, void* out) {
  const std::int64_t depth = left ? tile.cols * 32 : tile.rows;
  const std::int64_t words =
      (left ? left_bytes(tile.rows, depth) : right_bytes(tile.cols, depth)) / 4;
  if (words == 0) return;
  const auto blocks = static_cast<unsigned>(rounded_up(words, kPackThreads) / kPackThreads);
  auto* const to = static_cast<std::uint32_t*>(out);
  if (left) {
    pack_left_kernel<<<blocks, kPackThreads, 0, stream>>>(tile, chunks_of(depth), to);
  } else {
    pack_right_kernel<<<blocks, kPackThreads, 0, stream>>>(
        tile, std::int64_t{chunks_of(depth)} * kChunk, to);
  }
  check_launch("packing bits");
}

void multiply_add(const LaunchSite& site, const Update& u) {
  const auto covers = [](Range kept, std::int64_t all) {
    return kept.begin <= 0 && kept.end >= all;
  };
  if (covers(u.skipped_rows, u.c.rows) || covers(u.skipped_cols, u.c.cols)) return;
  Arguments p{};
  p.c = static_cast<std::uint32_t*>(u.c.data);
  p.stride = u.c.stride;
  p.rows = u.c.rows;
  p.cols = u.c.cols;
  p.left = reinterpret_cast<const std::uint32_t*>(u.left);
  p.right = reinterpret_cast<const std::uint32_t*>(u.right);
  p.chunks = chunks_of(u.depth);
  p.row_blocks = static_cast<int>(rounded_up(u.c.rows, kBlockRows) / kBlockRows);
  p.skipped_row_begin = u.skipped_rows.begin;
  p.skipped_row_end = u.skipped_rows.end;
  p.skipped_col_begin = u.skipped_cols.begin;
  p.skipped_col_end = u.skipped_cols.end;
  p.wide_access = reinterpret_cast<std::uintptr_t>(u.c.data) % 16 == 0 && u.c.stride % 4 == 0;
  const std::int64_t blocks = p.row_blocks * (rounded_up(u.c.cols, kBlockWords) / kBlockWords);
  allow_shared_memory(product_kernel, kSharedBytes, "preparing a product of bits");
  product_kernel<<<static_cast<unsigned>(blocks), kThreads, kSharedBytes, site.stream>>>(p);
  check_launch("a product of bits");
}

void close(cudaStream_t stream, View d, View /*via*/, Cycles /*cycles*/,
           std::int64_t /*first_pivot*/, unsigned long long* /*found_pivot*/) {
  if (d.rows == 0) return;
  const int side = static_cast<int>(d.rows), words = static_cast<int>(d.cols);
  const auto threads = static_cast<unsigned>(rounded_up(side, 32));
  close_kernel<<<1, threads, 0, stream>>>(static_cast<std::uint32_t*>(d.data), d.stride, side,
                                          words);
  check_launch("closing a tile of bits");
}

}  // namespace
}  // namespace bits

DeviceOperations or_and_bits() {
  DeviceOperations operations;
  operations.value_size = sizeof(std::uint32_t);
  operations.granule = bits::kColSliver * 32;
  operations.columns_per_value = 32;
  operations.product_rows = bits::kBlockRows;
  operations.close_side = bits::kCloseSide;
  operations.left_bytes = bits::left_bytes;
  operations.right_bytes = bits::right_bytes;
  operations.pack = bits::pack;
  operations.multiply_add = bits::multiply_add;
  operations.close = bits::close;
  return operations;
}

}  // namespace apsp::kernels::cuda
