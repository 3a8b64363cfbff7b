// Is a square matrix its own transpose?
//
// Tiles of a cache line across are held against their mirror images, so that the column walk of one
// stays in the first-level cache; rows of tiles are shared by threads and end at the first
// difference. Nearly every matrix that is not symmetric by design shows it in the first row of
// tiles. One that is symmetric costs one load of every value: 16 M values of f32 take some 10 ms on
// two threads.
#pragma once

#include <apsp/semiring.hpp>

#include <cstdint>
#include <optional>

namespace apsp::base {

/// Rows `stride` values apart; in a matrix by columns, columns are: it differs in the same pairs of
/// places.
struct SquareMatrix {
  const void* data = nullptr;  // [n, stride]
  std::int64_t n = 0;
  std::int64_t stride = 0;  // values, ≥ n
  ValueType type = ValueType::f32;
};

struct Asymmetry {
  std::int64_t row = 0, col = 0;
};

/// The first entry above the diagonal, by row and column, that is not equal to its mirror image: +0
/// equals −0, a NaN nothing. O(n²).
std::optional<Asymmetry> find_asymmetry(const SquareMatrix& matrix, int threads);

/// Whether already the first few rows and columns differ; looks at nothing else, so that a mapped
/// file stays unread.
bool begins_asymmetric(const SquareMatrix& matrix);

}  // namespace apsp::base
