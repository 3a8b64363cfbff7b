#include "graph/reduced_matrix.hpp"

#include <algorithm>
#include <limits>

#include "base/control.hpp"
#include "base/for_each_row.hpp"
#include "base/team.hpp"
#include "graph/weight_matrix.hpp"
#include "kernels/cpu/potentials.hpp"

namespace apsp::graph {
namespace {

template <class T>
void fill_row(const Graph& graph, const Reduction& reduction, Vertex u, std::span<T> row) {
  std::fill(row.begin(), row.end(), std::numeric_limits<T>::infinity());
  graph.for_each_arc(u, [&](Vertex v, double exact) {
    const double weight = kernels::reduced(reduction.sign * exact, reduction.h[u], reduction.h[v]);
    row[v] = std::min(row[v], static_cast<T>(weight));
  });
  row[u] = 0;
}

template <class T>
void fill(const Graph& graph, const Reduction& reduction, kernels::View matrix, int threads,
          const Control& control) {
  base::for_each_row(matrix.rows, threads, control, [&](std::int64_t i) {
    T* const row = static_cast<T*>(matrix.data) + i * matrix.stride;
    fill_row<T>(graph, reduction, static_cast<Vertex>(i),
                {row, static_cast<std::size_t>(matrix.cols)});
  });
}

void* row_of(kernels::View matrix, ValueType type, std::int64_t i) {
  return static_cast<std::byte*>(matrix.data) + i * matrix.stride * size_of(type);
}

}  // namespace

void fill_reduced_matrix(const Graph& graph, const Reduction& reduction, ValueType type,
                         kernels::View matrix, int threads, const Control& control) {
  const WeightMatrix* const weights = graph.matrix();
  if (weights != nullptr && weights->type == type) {
    const Semiring semiring = reduction.sign > 0 ? Semiring::min_plus : Semiring::max_plus;
    copy_weight_matrix(*weights, semiring, type, matrix, threads, control);
    return reduce_matrix(reduction, type, matrix, threads, control);
  }
  if (type == ValueType::f64) return fill<double>(graph, reduction, matrix, threads, control);
  fill<float>(graph, reduction, matrix, threads, control);
}

void reduce_matrix(const Reduction& reduction, ValueType type, kernels::View matrix, int threads,
                   const Control& control) {
  const auto operations = kernels::cpu::potential_operations(type);
  base::for_each_row(matrix.rows, threads, control, [&](std::int64_t i) {
    operations.reduce(row_of(matrix, type, i), matrix.cols,
                      reduction.h[static_cast<std::size_t>(i)], reduction.h.data(), reduction.sign);
  });
}

LargestValues restore_matrix(const Reduction& reduction, ValueType type, kernels::View matrix,
                             int threads, const Control& control) {
  const auto operations = kernels::cpu::potential_operations(type);
  std::vector<LargestValues> parts(static_cast<std::size_t>(threads), LargestValues{0, 0});
  base::share_items(matrix.rows, threads, [&](std::int64_t i, int member) {
    if (base::cancelled(control)) return;
    void* const row = row_of(matrix, type, i);
    const auto largest =
        operations.restore(row, matrix.cols, reduction.h[static_cast<std::size_t>(i)],
                           reduction.h.data(), reduction.sign);
    LargestValues& own = parts[static_cast<std::size_t>(member)];
    own.reduced = std::max(own.reduced, largest.reduced);
    own.distance = std::max(own.distance, largest.distance);
    if (type == ValueType::f64) {
      static_cast<double*>(row)[i] = 0;
    } else {
      static_cast<float*>(row)[i] = 0;
    }
  });
  base::check_cancelled(control);
  LargestValues all{0, 0};
  for (const LargestValues& part : parts) {
    all.reduced = std::max(all.reduced, part.reduced);
    all.distance = std::max(all.distance, part.distance);
  }
  return all;
}

}  // namespace apsp::graph
