#include "graph/reduced_matrix.hpp"

#include <algorithm>
#include <limits>

#include "base/control.hpp"
#include "graph/bellman_ford.hpp"
#include "graph/matrix_arcs.hpp"
#include "kernels/cpu/row_operations.hpp"
#include "system/threads.hpp"

namespace apsp::graph {
namespace {

template <class T>
void fill(const Graph& graph, const Reduction& reduction, kernels::View matrix, int threads,
          const Control& control) {
  system::for_each_row(matrix.rows, threads, control, [&](std::int64_t i) {
    T* const row = static_cast<T*>(matrix.data) + i * matrix.stride;
    std::fill_n(row, matrix.cols, std::numeric_limits<T>::infinity());
    const auto u = static_cast<Vertex>(i);
    graph.for_each_arc(u, [&](Vertex v, double exact) {
      const double weight = base::reduced(reduction.sign * exact, reduction.h[u], reduction.h[v]);
      row[v] = std::min(row[v], static_cast<T>(weight));
    });
    row[u] = 0;
  });
}

void* row_of(kernels::View matrix, ValueType type, std::int64_t i) {
  return static_cast<std::byte*>(matrix.data) + i * matrix.stride * size_of(type);
}

template <class T>
Potentials potentials_of(kernels::ConstView matrix, const MatrixFacts& facts, double sign,
                         int threads, const Control& control) {
  const auto of = [&]<int kSign>() {
    const MatrixArcs<T, kSign> arcs(static_cast<const T*>(matrix.data), matrix.rows, matrix.stride,
                                    facts.largest, facts.integral);
    return exact_potentials(arcs, threads, control);
  };
  return sign > 0 ? of.template operator()<1>() : of.template operator()<-1>();
}

void raise(LargestValues& largest, const LargestValues& other) {
  largest.reduced = std::max(largest.reduced, other.reduced);
  largest.distance = std::max(largest.distance, other.distance);
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
  system::for_each_row(matrix.rows, threads, control, [&](std::int64_t i) {
    operations.reduce(row_of(matrix, type, i), matrix.cols,
                      reduction.h[static_cast<std::size_t>(i)], reduction.h.data(), reduction.sign);
  });
}

LargestValues restore_matrix(const Reduction& reduction, ValueType type, kernels::View matrix,
                             int threads, const Control& control) {
  const auto operations = kernels::cpu::potential_operations(type);
  std::vector<LargestValues> parts(static_cast<std::size_t>(threads), LargestValues{0, 0});
  system::parallel_for(matrix.rows, threads, [&](std::int64_t i, int member) {
    if (base::cancelled(control)) return;
    void* const row = row_of(matrix, type, i);
    const auto largest =
        operations.restore(row, matrix.cols, reduction.h[static_cast<std::size_t>(i)],
                           reduction.h.data(), reduction.sign);
    raise(parts[static_cast<std::size_t>(member)], {largest.reduced, largest.distance});
  });
  base::check_cancelled(control);
  LargestValues all{0, 0};
  for (const LargestValues& part : parts) raise(all, part);
  put_back_diagonal(Semiring::min_plus, type, matrix);
  return all;
}

Potentials matrix_potentials(ValueType type, kernels::ConstView matrix, const MatrixFacts& facts,
                             double sign, int threads, const Control& control) {
  return type == ValueType::f64 ? potentials_of<double>(matrix, facts, sign, threads, control)
                                : potentials_of<float>(matrix, facts, sign, threads, control);
}

}  // namespace apsp::graph
