#include "dense/serial_floyd_warshall.hpp"

#include <algorithm>

#include "base/rounded_up.hpp"

namespace apsp::dense {
namespace {

struct PanelBytes {
  std::int64_t left, right;
};
PanelBytes panel_bytes(std::int64_t n, std::int64_t depth,
                       const kernels::PackedOperations& packed) {
  constexpr std::int64_t kAlignment = 64;
  return {base::rounded_up(packed.left_bytes(n, depth), kAlignment),
          base::rounded_up(packed.right_bytes(n, depth), kAlignment)};
}

}  // namespace

std::int64_t serial_panel_bytes(std::int64_t n, std::int64_t tile,
                                const kernels::TileOperations& operations) {
  const PanelBytes whole = panel_bytes(n, tile, operations.packed);
  return 3 * (whole.left + whole.right);
}

std::int64_t serial_floyd_warshall(kernels::View matrix, std::int64_t tile,
                                   const kernels::TileOperations& operations, std::byte* panels) {
  const kernels::PackedOperations& packed = operations.packed;
  const std::int64_t n = matrix.rows;
  const PanelBytes whole = panel_bytes(n, tile, packed);
  // The diagonal tile, and the rows and columns before and after it.
  struct Part {
    std::int64_t begin, count;
    std::byte *left, *right;
  } parts[3];
  for (Part& part : parts) {
    part.left = panels + (&part - parts) * (whole.left + whole.right);
    part.right = part.left + whole.left;
  }
  const auto at = [&](const Part& rows, const Part& columns) {
    return kernels::part(matrix, operations.value_size, rows.begin, columns.begin, rows.count,
                         columns.count);
  };
  const auto pack_left = [&](const Part& rows, const Part& columns) {
    packed.pack_left(at(rows, columns), false, rows.left);
  };
  const auto pack_right = [&](const Part& rows, const Part& columns) {
    packed.pack_right(at(rows, columns), false, columns.right);
  };
  Part &diagonal = parts[0], &before = parts[1], &after = parts[2];
  for (std::int64_t k = 0; k < n; k += tile) {
    diagonal.begin = k, diagonal.count = std::min(tile, n - k);
    before.begin = 0, before.count = k;
    after.begin = k + diagonal.count, after.count = n - after.begin;
    const auto update = [&](const Part& rows, const Part& columns) {
      packed.multiply_add(at(rows, columns), rows.left, columns.right, diagonal.count);
    };
    const std::int64_t pivot = operations.close(at(diagonal, diagonal), kernels::Cycles::possible);
    if (pivot >= 0) return k + pivot;
    pack_left(diagonal, diagonal);
    pack_right(diagonal, diagonal);
    for (const Part* part : {&before, &after}) {
      pack_right(diagonal, *part);
      update(diagonal, *part);
      pack_right(diagonal, *part);
      pack_left(*part, diagonal);
      update(*part, diagonal);
      pack_left(*part, diagonal);
    }
    for (const Part* rows : {&before, &after}) {
      for (const Part* columns : {&before, &after}) update(*rows, *columns);
    }
  }
  return -1;
}

}  // namespace apsp::dense
