#include "engine/matrix_product.hpp"

#include <algorithm>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/rounded_up.hpp"
#include "base/team.hpp"

namespace apsp::engine {
namespace {

/// Deep slices read and write C seldom; packed tiles of that depth still fit the cache.
constexpr std::int64_t kMostDepth = 512;
constexpr std::int64_t kLine = 64;  // bytes: packed operands begin on them

struct Slices {
  std::int64_t tiles_down = 0, tiles_across = 0, depth = 0;
  std::int64_t left = 0, right = 0;  // bytes of a packed tile
};

Slices slices_of(const kernels::TileOperations& operations, std::int64_t rows, std::int64_t cols,
                 std::int64_t depth) {
  const auto tiles = [](std::int64_t length) { return (length + kProductTile - 1) / kProductTile; };
  Slices slices{tiles(rows), tiles(cols), std::min(depth, kMostDepth)};
  slices.left = base::rounded_up(operations.packed.left_bytes(kProductTile, slices.depth), kLine);
  slices.right = base::rounded_up(operations.packed.right_bytes(kProductTile, slices.depth), kLine);
  return slices;
}

}  // namespace

std::int64_t product_bytes(const kernels::TileOperations& operations, std::int64_t rows,
                           std::int64_t cols, std::int64_t depth) {
  const Slices slices = slices_of(operations, rows, cols, depth);
  return slices.tiles_down * slices.left + slices.tiles_across * slices.right;
}

void multiply_add(const kernels::TileOperations& operations, kernels::View c, kernels::ConstView a,
                  kernels::ConstView b, int threads, const Control& control,
                  const TileFilter& filter) {
  if (c.rows == 0 || c.cols == 0 || a.cols == 0) return;
  const int size = operations.value_size;
  const Slices slices = slices_of(operations, c.rows, c.cols, a.cols);
  base::AlignedMemory left(slices.tiles_down * slices.left);
  base::AlignedMemory right(slices.tiles_across * slices.right);
  const auto rows_of = [&](std::int64_t t) {
    return std::min(kProductTile, c.rows - t * kProductTile);
  };
  const auto cols_of = [&](std::int64_t t) {
    return std::min(kProductTile, c.cols - t * kProductTile);
  };
  for (std::int64_t first = 0; first < a.cols; first += slices.depth) {
    const std::int64_t depth = std::min(slices.depth, a.cols - first);
    base::share_items(slices.tiles_down + slices.tiles_across, threads, [&](std::int64_t item) {
      if (const std::int64_t ti = item; ti < slices.tiles_down) {
        operations.packed.pack_left(
            kernels::part(a, size, ti * kProductTile, first, rows_of(ti), depth), false,
            left.data() + ti * slices.left);
        return;
      }
      const std::int64_t tj = item - slices.tiles_down;
      operations.packed.pack_right(
          kernels::part(b, size, first, tj * kProductTile, depth, cols_of(tj)), false,
          right.data() + tj * slices.right);
    });
    base::share_items(slices.tiles_down, threads, 1, [&](std::int64_t ti) {
      base::check_cancelled(control);
      for (std::int64_t tj = 0; tj < slices.tiles_across; ++tj) {
        if (filter && !filter(ti, tj)) continue;
        operations.packed.multiply_add(
            kernels::part(c, size, ti * kProductTile, tj * kProductTile, rows_of(ti), cols_of(tj)),
            left.data() + ti * slices.left, right.data() + tj * slices.right, depth);
      }
    });
  }
}

}  // namespace apsp::engine
