#include "kernels/cuda/bits.cuh"

#include <cstdint>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/packed.hpp"

namespace apsp::kernels::cuda {
namespace bits {
namespace {

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
