// Closure of a tile by halves (R-Kleene; D'Alberto and Nicolau 2007): nearly all of the work is
// products, and pivots are still taken in order, as the test for cycles requires.
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

struct TilePart {
  std::int64_t row, col, rows, cols;
};

inline View part(View tile, int value_size, const TilePart& p) {
  return part(tile, value_size, p.row, p.col, p.rows, p.cols);
}

inline constexpr std::int64_t kSmallTile = 64;

/// Closes the square of `side` at `first`. Returns the first pivot with a cycle better than the
/// empty path, or −1. `close(part)` closes a square of at most kSmallTile on the diagonal with the
/// same return value, counted from the square's begin; `multiply(c, a, b)` is C ← C ⊕ A ⊗ B;
/// `settle(part)` is called for a closed square after products have changed it again.
template <class Close, class Multiply, class Settle>
std::int64_t close_by_halves(std::int64_t first, std::int64_t side, const Close& close,
                             const Multiply& multiply, const Settle& settle) {
  if (side <= kSmallTile) {
    const std::int64_t pivot = close({first, first, side, side});
    return pivot < 0 ? pivot : first + pivot;
  }
  const std::int64_t h = side / 2, rest = side - h, half = first + h;
  const TilePart d11{first, first, h, h}, d12{first, half, h, rest};
  const TilePart d21{half, first, rest, h}, d22{half, half, rest, rest};
  const auto close_half = [&](const TilePart& part) {
    return close_by_halves(part.row, part.rows, close, multiply, settle);
  };
  if (const std::int64_t pivot = close_half(d11); pivot >= 0) return pivot;
  multiply(d12, d11, d12);
  multiply(d21, d21, d11);
  multiply(d22, d21, d12);
  if (const std::int64_t pivot = close_half(d22); pivot >= 0) return pivot;
  multiply(d21, d22, d21);
  multiply(d12, d12, d22);
  multiply(d11, d12, d21);
  settle(d11);
  return -1;
}

}  // namespace apsp::kernels
