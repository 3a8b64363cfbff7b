#include "algorithms/adjacency_matrix.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "algorithms/weight_matrix.hpp"
#include "base/control.hpp"
#include "semiring/dispatch.hpp"

namespace apsp {
namespace {

template <class S>
void fill(const Graph& graph, kernels::Tile matrix, int threads, const Control& control) {
  using T = typename S::Value;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    if (base::cancelled(control)) continue;
    T* const row = static_cast<T*>(matrix.data) + i * matrix.stride;
    std::fill(row, row + matrix.cols, S::zero());
    row[i] = S::one();
    graph.for_each_arc(static_cast<Vertex>(i), [&](Vertex to, double exact) {
      T weight = S::one();
      if constexpr (S::kKind != Semiring::or_and) weight = static_cast<T>(exact);
      row[to] = S::plus(row[to], weight);
    });
  }
}

/// "negative", "longest magnitude" and the first bad column of one row; −1 if none is bad.
template <class S>
std::int64_t look_at_row(const typename S::Value* row, std::int64_t n, bool& negative,
                         double& longest) {
  using T = typename S::Value;
  constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  for (std::int64_t j = 0; j < n; ++j) {
    const T value = row[j];
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) return j;
    }
    if (S::better(S::zero(), value)) return j;
    if (value == S::zero() || !kSum) continue;
    const double magnitude = std::abs(static_cast<double>(value));
    longest = std::max(longest, magnitude);
    negative = negative || value < T(0);
  }
  return -1;
}

template <class S>
MatrixFacts prepare(kernels::Tile matrix, int threads) {
  using T = typename S::Value;
  bool negative = false;
  double longest_path = 0;
  std::int64_t bad = -1;
#pragma omp parallel for schedule(static) num_threads(threads) \
    reduction(|| : negative) reduction(+ : longest_path) reduction(max : bad)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    T* const row = static_cast<T*>(matrix.data) + i * matrix.stride;
    double longest = 0;
    const std::int64_t column = look_at_row<S>(row, matrix.cols, negative, longest);
    if (column >= 0) bad = std::max(bad, i * matrix.cols + column);
    longest_path += longest;
    row[i] = S::plus(row[i], S::one());
  }
  if (bad >= 0) {
    throw Error(ErrorKind::usage,
                fmt::format("the value at row {}, column {} is NaN or beyond 'no path'",
                            bad / matrix.cols, bad % matrix.cols));
  }
  return {negative, longest_path};
}

}  // namespace

void fill_adjacency_matrix(const Graph& graph, Semiring semiring, ValueType type,
                           kernels::Tile matrix, int threads, const Control& control) {
  if (const WeightMatrix* const weights = graph.matrix()) {
    copy_weight_matrix(*weights, semiring, type, matrix, threads, control);
    return;
  }
  semiring::dispatch(semiring, type, [&]<class S>() { fill<S>(graph, matrix, threads, control); });
  base::check_cancelled(control);
}

MatrixFacts prepare_matrix(Semiring semiring, ValueType type, kernels::Tile matrix, int threads) {
  return semiring::dispatch(semiring, type, [&]<class S>() { return prepare<S>(matrix, threads); });
}

void put_back_diagonal(Semiring semiring, ValueType type, kernels::Tile matrix) {
  semiring::dispatch(semiring, type, [&]<class S>() {
    auto* const data = static_cast<typename S::Value*>(matrix.data);
    for (std::int64_t i = 0; i < matrix.rows; ++i) data[i * matrix.stride + i] = S::one();
  });
}

}  // namespace apsp
