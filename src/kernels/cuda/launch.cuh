// From tiles to launches: which shape of a block serves a product, and what it is told.
//
// Each relaxation has a shape for large products and one for small ones, which spread over more
// multiprocessors. A launch takes as long as the fullest of these: the blocks it gets, times the
// area of one, over what its threads can keep busy and the rate of a full device, in T
// relaxations/s, as measured on an H200 (product 16384² × 2048; bench/attempts-gpu.md).
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/close.cuh"
#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/pack.cuh"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/tile_operations.hpp"
#include "kernels/cuda/witness_product.cuh"

namespace apsp::kernels::cuda {

inline int steps_of(std::int64_t depth) {
  return static_cast<int>(rounded_up(depth, kDepthStep) / kDepthStep);
}

template <class R>
void launch_pack(cudaStream_t stream, bool left, ConstTile tile, bool transposed, void* out) {
  PackArguments p{};
  // A left operand [count, depth] has its pivots in columns, a right one [depth, count] in rows.
  p.pivots_in_rows = left == transposed;
  p.from = tile.data;
  p.stride = tile.stride;
  p.count = p.pivots_in_rows ? tile.cols : tile.rows;
  p.depth = p.pivots_in_rows ? tile.rows : tile.cols;
  p.steps = steps_of(p.depth);
  p.to = out;
  const std::int64_t width = kSliver * (left ? 1 : R::kLanes);
  const dim3 grid(static_cast<unsigned>(rounded_up(p.count, width) / width),
                  static_cast<unsigned>(p.steps));
  if (grid.x == 0 || grid.y == 0) return;
  if (left) {
    pack_kernel<R, true><<<grid, kPackThreads, 0, stream>>>(p);
  } else {
    pack_kernel<R, false><<<grid, kPackThreads, 0, stream>>>(p);
  }
  check_launch("packing a panel");
}

/// The rows or columns of C that a launch works on, in blocks.
struct Blocks {
  std::int64_t count = 0;
  std::int64_t kept_begin = 0, kept_count = 0;
};
inline Blocks blocks_of(std::int64_t values, std::int64_t block, Range kept) {
  const std::int64_t all = rounded_up(values, block) / block;
  const std::int64_t end = std::min(kept.end, rounded_up(values, block));
  if (kept.begin >= end) return {all, all, 0};
  const std::int64_t begin = kept.begin / block;
  const std::int64_t count = rounded_up(end, block) / block - begin;
  return {all - count, begin, count};
}

template <class R, class Sh>
bool suits(const Update& u) {
  const auto whole = [](std::int64_t value, std::int64_t block) { return value % block == 0; };
  const std::int64_t rows = Sh::kRows, cols = Sh::kCols * R::kLanes;
  // The end of a kept range may be the matrix's own ragged end.
  const auto range = [&](Range kept, std::int64_t block, std::int64_t end) {
    return kept.begin >= kept.end ||
           (whole(kept.begin, block) && (whole(kept.end, block) || kept.end >= end));
  };
  return range(u.kept_rows, rows, u.c.rows) && range(u.kept_cols, cols, u.c.cols) &&
         whole(u.triangle, rows) && whole(u.triangle, cols);
}

/// Time of a launch, in arbitrary units.
template <class R, class Sh>
double score(const LaunchSite& site, const Update& u, double rate) {
  const std::int64_t blocks = blocks_of(u.c.rows, Sh::kRows, u.kept_rows).count *
                              blocks_of(u.c.cols, Sh::kCols * R::kLanes, u.kept_cols).count;
  const std::int64_t fullest = (blocks + site.multiprocessors - 1) / site.multiprocessors;
  const double together = static_cast<double>(std::min<std::int64_t>(fullest, Sh::kBlocks));
  const double busy = std::min(1.0, together * Sh::kThreads / 384.0);
  return static_cast<double>(fullest) * Sh::kRows * Sh::kCols / (rate * busy);
}

template <class R, class Sh>
ProductArguments arguments_of(const Update& u) {
  const Blocks rows = blocks_of(u.c.rows, Sh::kRows, u.kept_rows);
  const Blocks cols = blocks_of(u.c.cols, Sh::kCols * R::kLanes, u.kept_cols);
  const auto address = reinterpret_cast<std::uintptr_t>(u.c.data);
  ProductArguments p{};
  p.c = u.c.data;
  p.stride = u.c.stride;
  p.rows = u.c.rows;
  p.cols = u.c.cols;
  p.left = u.left;
  p.right = u.right;
  p.steps = steps_of(u.depth);
  p.sliver_words = std::int64_t{p.steps} * kDepthStep * kSliver;
  p.left_slivers = rounded_up(u.c.rows, kSliver) / kSliver;
  p.right_slivers = rounded_up(u.c.cols, kSliver * R::kLanes) / (kSliver * R::kLanes);
  p.row_blocks = static_cast<int>(rows.count);
  p.col_blocks = static_cast<int>(cols.count);
  p.kept_row_begin = static_cast<int>(rows.kept_begin);
  p.kept_row_count = static_cast<int>(rows.kept_count);
  p.kept_col_begin = static_cast<int>(cols.kept_begin);
  p.kept_col_count = static_cast<int>(cols.kept_count);
  p.triangle = u.triangle;
  p.one = 1;
  constexpr std::int64_t kWide = 16 / static_cast<std::int64_t>(sizeof(typename R::Value));
  p.wide_access = address % 16 == 0 && u.c.stride % kWide == 0;
  return p;
}

template <class R, class Sh>
void launch_product(const LaunchSite& site, const Update& u) {
  const ProductArguments p = arguments_of<R, Sh>(u);
  const std::int64_t blocks = std::int64_t{p.row_blocks} * p.col_blocks;
  if (blocks == 0) return;
  constexpr int kBytes = Product<R, Sh>::kSharedBytes;
  // Asked for once a kernel; the call is cheap and safe to repeat from any thread.
  check(cudaFuncSetAttribute(product_kernel<R, Sh>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes),
        "preparing a product");
  product_kernel<R, Sh><<<static_cast<unsigned>(blocks), Sh::kThreads, kBytes, site.stream>>>(p);
  check_launch("a product");
}

/// `Witness`: for products that track via.
template <class R>
struct Shapes {
  using Large = Shape<64, 128, 8, 8, 4, 4>;
  using Small = Shape<64, 64, 4, 4, 4, 4>;
  using Witness = Shape<64, 64, 8, 4, 4, 3>;
  static constexpr double kLargeRate = 17.3, kSmallRate = 11;
};
template <class R>
requires(sizeof(typename R::Operand) == 8) struct Shapes<R> {
  using Large = Shape<64, 64, 8, 4, 3, 4>;
  using Small = Shape<64, 64, 4, 4, 3, 2>;
  using Witness = Shape<64, 64, 8, 4, 3, 3>;
  static constexpr double kLargeRate = 5.39, kSmallRate = 4;
};

template <class R>
void launch_witness_product(const LaunchSite& site, const Update& u) {
  using Sh = typename Shapes<R>::Witness;
  WitnessArguments w{arguments_of<R, Sh>(u), static_cast<std::int32_t*>(u.via.data), u.via.stride,
                     u.first_pivot};
  const std::int64_t blocks = std::int64_t{w.product.row_blocks} * w.product.col_blocks;
  if (blocks == 0) return;
  constexpr int kBytes = Product<R, Sh>::kSharedBytes;
  check(cudaFuncSetAttribute(witness_kernel<R, Sh>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes),
        "preparing a product with via");
  witness_kernel<R, Sh><<<static_cast<unsigned>(blocks), Sh::kThreads, kBytes, site.stream>>>(w);
  check_launch("a product with via");
}

template <class R>
void launch_multiply_add(const LaunchSite& site, const Update& u) {
  if (u.via.data != nullptr) return launch_witness_product<R>(site, u);
  using Large = typename Shapes<R>::Large;
  using Small = typename Shapes<R>::Small;
  const bool large = suits<R, Large>(u) && score<R, Large>(site, u, Shapes<R>::kLargeRate) <=
                                               score<R, Small>(site, u, Shapes<R>::kSmallRate);
  if (large) {
    launch_product<R, Large>(site, u);
  } else {
    launch_product<R, Small>(site, u);
  }
}

template <class R>
void launch_close(cudaStream_t stream, Tile d, Tile via, Cycles cycles, std::int64_t first_pivot,
                  unsigned long long* found_pivot) {
  if (d.rows == 0) return;
  CloseArguments p{};
  p.d = d.data;
  p.stride = d.stride;
  p.side = static_cast<int>(d.rows);
  p.via = static_cast<std::int32_t*>(via.data);
  p.via_stride = via.stride;
  p.cycles = cycles;
  p.first_pivot = first_pivot;
  p.found_pivot = found_pivot;
  if (via.data != nullptr) {
    close_kernel<R, true><<<1, kCloseThreads, 0, stream>>>(p);
  } else {
    close_kernel<R, false><<<1, kCloseThreads, 0, stream>>>(p);
  }
  check_launch("closing a tile");
}

template <class R>
double launch_peak(const LaunchSite& site, int stages, void* out) {
  using Sh = typename Shapes<R>::Large;
  constexpr int kBytes = Product<R, Sh>::kSharedBytes;
  check(
      cudaFuncSetAttribute(peak_kernel<R, Sh>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
      "preparing a peak");
  const int blocks = site.multiprocessors * Sh::kBlocks;
  peak_kernel<R, Sh><<<static_cast<unsigned>(blocks), Sh::kThreads, kBytes, site.stream>>>(
      static_cast<typename R::Sum*>(out), stages, 1);
  check_launch("a peak");
  return static_cast<double>(blocks) * stages * kDepthStep * Sh::kRows * Sh::kCols * R::kLanes;
}

template <class R>
std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) {
  return packed_words(rows, depth) * static_cast<std::int64_t>(sizeof(typename R::Operand));
}
template <class R>
std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) {
  return packed_words((cols + R::kLanes - 1) / R::kLanes, depth) *
         static_cast<std::int64_t>(sizeof(typename R::Operand));
}

template <class R>
TileOperations operations_of() {
  TileOperations operations;
  operations.value_size = sizeof(typename R::Value);
  operations.granule = kSliver * R::kLanes;
  operations.close_side = kCloseSide;
  operations.left_bytes = left_bytes<R>;
  operations.right_bytes = right_bytes<R>;
  operations.pack = launch_pack<R>;
  operations.multiply_add = launch_multiply_add<R>;
  operations.close = launch_close<R>;
  operations.peak = launch_peak<R>;
  return operations;
}

}  // namespace apsp::kernels::cuda
