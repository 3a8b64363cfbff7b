#include "graph/matrix_symmetry.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/pages.hpp"
#include "base/team.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kTile = 64;  // two tiles of doubles take 64 KiB
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// row · n + col of the first difference between the tile at (row, col) and its mirror image.
/// `row` … `last_row`: its rows.
template <class T>
std::int64_t compare_tile(const T* data, std::int64_t n, std::int64_t row, std::int64_t last_row,
                          std::int64_t col) {
  const std::int64_t last_col = std::min(n, col + kTile);
  for (std::int64_t i = row; i < last_row; ++i) {
    for (std::int64_t j = std::max(col, i + 1); j < last_col; ++j) {
      if (data[i * n + j] != data[j * n + i]) return i * n + j;
    }
  }
  return kNone;
}

template <class T>
std::int64_t first_difference(const WeightMatrix& matrix, int threads) {
  const T* const data = static_cast<const T*>(matrix.data);
  std::atomic<std::int64_t> first = kNone;
  base::share_items((matrix.n + kTile - 1) / kTile, threads, [&](std::int64_t band) {
    const std::int64_t row = band * kTile;
    if (first.load(std::memory_order_relaxed) / matrix.n < row) return;
    std::int64_t found = kNone;
    for (std::int64_t col = row; col < matrix.n; col += kTile) {
      // Behind a difference only rows up to its own can hold an earlier one.
      const std::int64_t last = found == kNone ? row + kTile : found / matrix.n + 1;
      found = std::min(found, compare_tile(data, matrix.n, row, std::min(matrix.n, last), col));
    }
    std::int64_t known = first.load();
    while (found < known && !first.compare_exchange_weak(known, found)) {
    }
  });
  return first;
}

}  // namespace

bool begins_asymmetric(const WeightMatrix& matrix) {
  return matrix.with_type([&]<class T>() {
    const std::int64_t rows = std::min(matrix.n, kTile);
    return compare_tile(static_cast<const T*>(matrix.data), matrix.n, 0, rows, 0) != kNone;
  });
}

std::optional<Place> find_asymmetry(const WeightMatrix& matrix, int threads) {
  const std::int64_t n = matrix.n;
  const std::int64_t found =
      matrix.with_type([&]<class T>() { return first_difference<T>(matrix, threads); });
  if (matrix.mapped) base::release_mapped(matrix.data, 0, n * n * size_of(matrix.type));
  if (found == kNone) return std::nullopt;
  // A matrix by columns differs in the same pairs of places.
  return Place{static_cast<Vertex>(found / n), static_cast<Vertex>(found % n)};
}

}  // namespace apsp::graph
