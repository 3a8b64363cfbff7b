#include "graph/weight_matrix.hpp"

#include <algorithm>
#include <type_traits>

#include "base/control.hpp"
#include "base/pages.hpp"
#include "base/team.hpp"
#include "graph/matrix_bands.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/weight.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kTile = 64;  // side of a tile that is transposed

/// From values In of a file to values T of a semiring. Loops are compiled for each pair of types,
/// not for each semiring: they differ in the value of "no path" alone. `kMayExceed`: weights from
/// "no path" on are as good as none (semiring/weight.hpp).
template <class T, class In, bool kMayExceed>
struct Conversion {
  T no_path, empty_path;
  T (*of_negative)(In value);  // a negative arc from a vertex to itself, ⊕ the empty path

  T of(In value) const {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      return value == WeightMatrix::no_arc<In>() ? no_path : empty_path;
    } else if constexpr (kMayExceed) {
      const bool is_path = value != WeightMatrix::no_arc<In>() && value < static_cast<In>(no_path);
      return is_path ? static_cast<T>(value) : no_path;
    } else {
      return value == WeightMatrix::no_arc<In>() ? no_path : static_cast<T>(value);
    }
  }
  /// The diagonal holds an arc only if it is negative.
  T of_diagonal(In value) const { return value < In(0) ? of_negative(value) : empty_path; }

  void line(const In* from, std::int64_t count, T* to) const {
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) to[j] = of(from[j]);
  }

  /// `from`: `lines` lines of `count` values, `n` apart; they become columns.
  void transposed(const In* from, std::int64_t n, std::int64_t lines, std::int64_t count, T* to,
                  std::int64_t stride) const {
    for (std::int64_t row = 0; row < count; row += kTile) {
      const std::int64_t last = std::min(count, row + kTile);
      for (std::int64_t i = row; i < last; ++i) {
        for (std::int64_t line = 0; line < lines; ++line) {
          to[i * stride + line] = of(from[line * n + i]);
        }
      }
    }
  }
};

template <class S, class In>
typename S::Value of_negative(In value) {
  return S::plus(S::one(), semiring::weight_as<S>(value));
}
template <class S, class In>
auto conversion() {
  return Conversion<typename S::Value, In, semiring::kWeightsMayExceed<S, In>>{S::zero(), S::one(),
                                                                               &of_negative<S, In>};
}

/// Rows of a matrix by columns are a short piece of each column.
template <class T, class In, bool kMayExceed>
void copy_rows(const Conversion<T, In, kMayExceed>& convert, const WeightMatrix& weights,
               std::int64_t first, kernels::View rows, int threads, const Control& control) {
  const std::int64_t n = weights.n, step = weights.by_columns ? n : 1;
  const In* const from =
      static_cast<const In*>(weights.data) + first * (weights.by_columns ? 1 : n);
  auto* const to = static_cast<T*>(rows.data);
  base::share_items((n + kTile - 1) / kTile, threads, [&](std::int64_t item) {
    if (base::cancelled(control)) return;
    const std::int64_t end = std::min(n, (item + 1) * kTile);
    for (std::int64_t i = 0; i < rows.rows; ++i) {
      const In* const row = from + i * (weights.by_columns ? 1 : n);
      for (std::int64_t j = item * kTile; j < end; ++j) {
        to[i * rows.stride + j] = convert.of(row[j * step]);
      }
    }
  });
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    to[i * rows.stride + first + i] =
        convert.of_diagonal(from[i * (step == 1 ? n : 1) + (first + i) * step]);
  }
  if (weights.mapped) base::release_mapped(weights.data, 0, n * n * std::int64_t{sizeof(In)});
}

/// What a part holds of lines [first, first + lines), which begin at `here` in it.
template <class T, class In, bool kMayExceed>
void copy_lines(const Conversion<T, In, kMayExceed>& convert, const WeightMatrix& weights,
                std::int64_t first, std::int64_t lines, std::int64_t here,
                std::span<const Stretch> across, kernels::View part) {
  const std::int64_t n = weights.n, down = weights.by_columns ? 1 : part.stride,
                     along = weights.by_columns ? part.stride : 1;
  const In* const from = static_cast<const In*>(weights.data) + first * n;
  T* const to = static_cast<T*>(part.data) + here * down;
  for (const Stretch& stretch : across) {
    const In* const values = from + stretch.there;
    T* const begin = to + stretch.here * along;
    if (weights.by_columns) {
      convert.transposed(values, n, lines, stretch.count, begin, part.stride);
    } else {
      for (std::int64_t i = 0; i < lines; ++i) {
        convert.line(values + i * n, stretch.count, begin + i * part.stride);
      }
    }
    const std::int64_t end = std::min(first + lines, stretch.there + stretch.count);
    for (std::int64_t v = std::max(first, stretch.there); v < end; ++v) {
      const std::int64_t i = v - first, j = v - stretch.there;
      begin[i * down + j * along] = convert.of_diagonal(values[i * n + j]);
    }
  }
}

template <class T, class In, bool kMayExceed>
void copy_part(const Conversion<T, In, kMayExceed>& convert, const WeightMatrix& weights,
               std::span<const Stretch> rows, std::span<const Stretch> columns, kernels::View part,
               int threads, const Control& control) {
  const bool by_columns = weights.by_columns;
  for (const Stretch& stretch : by_columns ? columns : rows) {
    const auto take = [&](std::int64_t first, std::int64_t lines) {
      if (base::cancelled(control)) return;
      for (std::int64_t line = 0; line < lines; line += kTile) {
        copy_lines(convert, weights, first + line, std::min(kTile, lines - line),
                   stretch.here + first + line - stretch.there, by_columns ? rows : columns, part);
      }
    };
    for_each_band(weights, {stretch.there, stretch.there + stretch.count}, threads, take,
                  by_columns ? kTile : 1);
  }
}

}  // namespace

void copy_weight_part(const WeightMatrix& weights, Semiring semiring, ValueType type,
                      std::span<const Stretch> rows, std::span<const Stretch> columns,
                      kernels::View part, int threads, const Control& control) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    weights.with_type([&]<class In>() {
      copy_part(conversion<S, In>(), weights, rows, columns, part, threads, control);
    });
  });
  base::check_cancelled(control);
}

void copy_weight_rows(const WeightMatrix& weights, Semiring semiring, ValueType type,
                      std::int64_t first, kernels::View rows, int threads, const Control& control) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    weights.with_type([&]<class In>() {
      copy_rows(conversion<S, In>(), weights, first, rows, threads, control);
    });
  });
  base::check_cancelled(control);
}

void copy_weight_matrix(const WeightMatrix& weights, Semiring semiring, ValueType type,
                        kernels::View matrix, int threads, const Control& control) {
  const Stretch all{0, 0, weights.n};
  copy_weight_part(weights, semiring, type, {&all, 1}, {&all, 1}, matrix, threads, control);
}

}  // namespace apsp::graph
