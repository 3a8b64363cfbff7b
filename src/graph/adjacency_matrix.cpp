#include "graph/adjacency_matrix.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/control.hpp"
#include "graph/matrix_scan.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kTile = 64;

/// Converts values In of a file to values T of a semiring. Loops are compiled per pair of types,
/// not per semiring, because semirings differ only in "no path". `kMayExceed`: weights at or beyond
/// "no path" mean none (semiring/semirings.hpp).
template <class T, class In, bool kMayExceed>
struct Conversion {
  T no_path, empty_path;
  T (*of_negative)(In value);  // ⊕ of a negative loop and the empty path

  T of(In value) const {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      return value == WeightMatrix::no_arc<In>() ? no_path : empty_path;
    } else if constexpr (kMayExceed) {
      const bool is_path = value != WeightMatrix::no_arc<In>() && value < static_cast<In>(no_path);
      return is_path ? static_cast<T>(value) : no_path;
    } else {
      return value == WeightMatrix::no_arc<In>() ? no_path : held(value);
    }
  }
  /// Arcs fit T, but a loop need not: `of_diagonal` then replaces it.
  static T held(In value) {
    if constexpr (std::is_integral_v<T> &&
                  (std::is_floating_point_v<In> || sizeof(In) > sizeof(T))) {
      constexpr T kMost = std::numeric_limits<T>::max() / 2 + 1,
                  kLeast = std::is_signed_v<T> ? -kMost : 0;
      return static_cast<T>(std::clamp(value, static_cast<In>(kLeast), static_cast<In>(kMost)));
    } else {
      return static_cast<T>(value);
    }
  }
  T of_diagonal(In value) const { return value < In(0) ? of_negative(value) : empty_path; }

  void line(const In* from, std::int64_t count, T* to) const {
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) to[j] = of(from[j]);
  }

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

/// Copies the part's share of lines [first, first + lines), which begin at `here` in it.
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
    const auto take = [&](std::int64_t first, std::int64_t lines, int) {
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

template <class S>
void fill_adjacency(const Graph& graph, std::int64_t first, kernels::View rows, int threads,
                    const Control& control) {
  using T = typename S::Value;
  system::for_each_row(rows.rows, threads, control, [&](std::int64_t i) {
    T* const row = static_cast<T*>(rows.data) + i * rows.stride;
    std::fill(row, row + rows.cols, S::zero());
    row[first + i] = S::one();
    graph.for_each_arc(static_cast<Vertex>(first + i), [&](Vertex to, double exact) {
      row[to] = S::plus(row[to], semiring::weight_as<S>(exact));
    });
  });
}

bool is_whole_value(double value) {
  return std::abs(value) <= 0x1p53 && value == std::trunc(value);
}

void add_facts(MatrixFacts& facts, const MatrixFacts& other) {
  facts.negative = facts.negative || other.negative;
  facts.positive = facts.positive || other.positive;
  facts.integral = facts.integral && other.integral;
  facts.largest = std::max(facts.largest, other.largest);
  facts.longest_path += other.longest_path;
}

/// Adds the facts of a row to `facts`, and its largest magnitude to `longest_path`. Returns the
/// first bad column, or −1.
template <class S>
std::int64_t look_at_row(const typename S::Value* row, std::int64_t n, MatrixFacts& facts) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  T least = 0, greatest = 0;
  bool integral = true;
  for (std::int64_t j = 0; j < n; ++j) {
    const T value = row[j];
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return j;
    }
    if (S::better(S::zero(), value)) return j;
    if (value == S::zero() || !kSum) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    integral = integral && is_whole_value(static_cast<double>(value));
  }
  const double longest =
      std::max(std::abs(static_cast<double>(least)), static_cast<double>(greatest));
  add_facts(facts, {(least < 0), (greatest > 0), integral, longest, longest});
  return -1;
}

template <class S>
MatrixFacts prepare(kernels::View matrix, int threads) {
  using T = typename S::Value;
  struct alignas(64) Part {
    MatrixFacts facts;
    std::int64_t bad = -1;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  system::parallel_for(matrix.rows, threads, [&](std::int64_t i, int member) {
    Part& own = parts[static_cast<std::size_t>(member)];
    T* const row = static_cast<T*>(matrix.data) + i * matrix.stride;
    const std::int64_t column = look_at_row<S>(row, matrix.cols, own.facts);
    if (column >= 0) own.bad = std::max(own.bad, i * matrix.cols + column);
    row[i] = S::plus(row[i], S::one());
  });
  MatrixFacts facts;
  std::int64_t bad = -1;
  for (const Part& part : parts) {
    add_facts(facts, part.facts);
    bad = std::max(bad, part.bad);
  }
  if (bad >= 0) refuse_value(bad, matrix.cols);
  return facts;
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

void copy_weight_matrix(const WeightMatrix& weights, Semiring semiring, ValueType type,
                        kernels::View matrix, int threads, const Control& control) {
  const Stretch all{0, 0, weights.n};
  copy_weight_part(weights, semiring, type, {&all, 1}, {&all, 1}, matrix, threads, control);
}

void fill_adjacency_matrix(const Graph& graph, Semiring semiring, ValueType type,
                           kernels::View matrix, int threads, const Control& control) {
  fill_adjacency_rows(graph, semiring, type, 0, matrix, threads, control);
}

void fill_adjacency_rows(const Graph& graph, Semiring semiring, ValueType type, std::int64_t first,
                         kernels::View rows, int threads, const Control& control) {
  if (const WeightMatrix* const weights = graph.matrix()) {
    const Stretch some{0, first, rows.rows}, all{0, 0, weights->n};
    copy_weight_part(*weights, semiring, type, {&some, 1}, {&all, 1}, rows, threads, control);
    return;
  }
  semiring::dispatch(semiring, type,
                     [&]<class S>() { fill_adjacency<S>(graph, first, rows, threads, control); });
  graph.release_pages();
}

MatrixFacts prepare_matrix(Semiring semiring, ValueType type, kernels::View matrix, int threads) {
  return semiring::dispatch(semiring, type, [&]<class S>() { return prepare<S>(matrix, threads); });
}

void refuse_value(std::int64_t place, std::int64_t n) {
  throw Error(ErrorKind::usage, fmt::format("the value at row {}, column {} is NaN or beyond "
                                            "'no path'",
                                            place / n, place % n));
}

void put_back_diagonal(Semiring semiring, ValueType type, kernels::View matrix) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    auto* const data = static_cast<typename S::Value*>(matrix.data);
    for (std::int64_t i = 0; i < matrix.rows; ++i) data[i * matrix.stride + i] = S::one();
  });
}

}  // namespace apsp::graph
