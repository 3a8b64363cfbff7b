#include "graph/symmetric_matrix.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/value_types.hpp"
#include "system/threads.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kLineBytes = 64;  // of a cache
constexpr std::int64_t kFirst = 64;      // rows and columns that `begins_asymmetric` compares
/// Smaller matrices take less time than waking the threads.
constexpr std::int64_t kShared = 1024;
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// Returns row · n + col of the first difference of rows [row, last_row) × columns [col, last_col).
template <class T>
std::int64_t locate(const SquareMatrix& matrix, std::int64_t row, std::int64_t last_row,
                    std::int64_t col, std::int64_t last_col) {
  const T* const data = static_cast<const T*>(matrix.data);
  for (std::int64_t i = row; i < last_row; ++i) {
    for (std::int64_t j = std::max(col, i + 1); j < last_col; ++j) {
      if (data[i * matrix.stride + j] != data[j * matrix.stride + i]) return i * matrix.n + j;
    }
  }
  return kNone;
}

template <class T>
class Comparison {
 public:
  explicit Comparison(const SquareMatrix& matrix) : matrix_(matrix) {}

  std::int64_t bands() const { return (matrix_.n + kTile - 1) / kTile; }

  void compare_band(std::int64_t band) {
    const std::int64_t row = band * kTile;
    if (first_.load(std::memory_order_relaxed) / matrix_.n < row) return;
    std::int64_t last_row = std::min(matrix_.n, row + kTile), found = kNone;
    for (std::int64_t col = row; col < matrix_.n; col += kTile) {
      const std::int64_t last_col = std::min(matrix_.n, col + kTile);
      const bool whole = last_row - row == kTile && last_col - col == kTile;
      if (whole && equals_mirror(row, col)) continue;
      found = std::min(found, locate<T>(matrix_, row, last_row, col, last_col));
      // Only rows up to that of a difference can hold an earlier one.
      if (found != kNone) last_row = found / matrix_.n + 1;
    }
    std::int64_t known = first_.load();
    while (found < known && !first_.compare_exchange_weak(known, found)) {
    }
  }

  std::optional<Asymmetry> result() const {
    const std::int64_t first = first_;
    if (first == kNone) return std::nullopt;
    return Asymmetry{first / matrix_.n, first % matrix_.n};
  }

 private:
  static constexpr std::int64_t kTile = kLineBytes / std::int64_t{sizeof(T)};

  bool equals_mirror(std::int64_t row, std::int64_t col) const {
    const T* const data = static_cast<const T*>(matrix_.data);
    int different = 0;
    for (std::int64_t i = row; i < row + kTile; ++i) {
      for (std::int64_t j = col; j < col + kTile; ++j) {
        different |= data[i * matrix_.stride + j] != data[j * matrix_.stride + i] ? 1 : 0;
      }
    }
    return different == 0;
  }

  const SquareMatrix& matrix_;
  std::atomic<std::int64_t> first_ = kNone;
};

}  // namespace

std::optional<Asymmetry> find_asymmetry(const SquareMatrix& matrix, int threads) {
  return base::with_type(matrix.type, [&]<class T>() {
    Comparison<T> comparison(matrix);
    system::parallel_for(comparison.bands(), matrix.n >= kShared ? threads : 1,
                         [&](std::int64_t band) { comparison.compare_band(band); });
    return comparison.result();
  });
}

bool begins_asymmetric(const SquareMatrix& matrix) {
  const std::int64_t few = std::min(matrix.n, kFirst);
  return base::with_type(matrix.type,
                         [&]<class T>() { return locate<T>(matrix, 0, few, 0, few) != kNone; });
}

}  // namespace apsp::graph
