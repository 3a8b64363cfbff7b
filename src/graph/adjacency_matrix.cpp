#include "graph/adjacency_matrix.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/for_each_row.hpp"
#include "base/team.hpp"
#include "graph/weight_matrix.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/weight.hpp"

namespace apsp::graph {
namespace {

template <class S>
void fill_adjacency(const Graph& graph, std::int64_t first, kernels::View rows, int threads,
                    const Control& control) {
  using T = typename S::Value;
  base::for_each_row(rows.rows, threads, control, [&](std::int64_t i) {
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

/// Adds what one row tells to `facts`, its largest magnitude to `longest_path`; returns the first
/// bad column, −1 if none is bad.
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
  facts.negative = facts.negative || least < 0;
  facts.positive = facts.positive || greatest > 0;
  facts.integral = facts.integral && integral;
  const double longest =
      std::max(std::abs(static_cast<double>(least)), static_cast<double>(greatest));
  facts.largest = std::max(facts.largest, longest);
  facts.longest_path += longest;
  return -1;
}

void add_facts(MatrixFacts& facts, const MatrixFacts& other) {
  facts.negative = facts.negative || other.negative;
  facts.positive = facts.positive || other.positive;
  facts.integral = facts.integral && other.integral;
  facts.largest = std::max(facts.largest, other.largest);
  facts.longest_path += other.longest_path;
}

template <class S>
MatrixFacts prepare(kernels::View matrix, int threads) {
  using T = typename S::Value;
  struct alignas(64) Part {
    MatrixFacts facts;
    std::int64_t bad = -1;
  };
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  base::share_items(matrix.rows, threads, [&](std::int64_t i, int member) {
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

void fill_adjacency_matrix(const Graph& graph, Semiring semiring, ValueType type,
                           kernels::View matrix, int threads, const Control& control) {
  if (const WeightMatrix* const weights = graph.matrix()) {
    copy_weight_matrix(*weights, semiring, type, matrix, threads, control);
    return;
  }
  semiring::dispatch(semiring, type,
                     [&]<class S>() { fill_adjacency<S>(graph, 0, matrix, threads, control); });
}

void fill_adjacency_rows(const Graph& graph, Semiring semiring, ValueType type, std::int64_t first,
                         kernels::View rows, int threads, const Control& control) {
  if (const WeightMatrix* const weights = graph.matrix()) {
    copy_weight_rows(*weights, semiring, type, first, rows, threads, control);
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
