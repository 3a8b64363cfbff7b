#include "graph/matrix_potentials.hpp"

#include "graph/bellman_ford.hpp"
#include "graph/matrix_arcs.hpp"

namespace apsp::graph {
namespace {

template <class T, int kSign>
Potentials potentials_of(kernels::ConstView matrix, const MatrixFacts& facts, int threads,
                         const Control& control) {
  const MatrixArcs<T, kSign> arcs(static_cast<const T*>(matrix.data), matrix.rows, matrix.stride,
                                  facts.largest, facts.integral);
  return exact_potentials(arcs, threads, control);
}

template <class T>
Potentials potentials_of(kernels::ConstView matrix, const MatrixFacts& facts, double sign,
                         int threads, const Control& control) {
  return sign > 0 ? potentials_of<T, 1>(matrix, facts, threads, control)
                  : potentials_of<T, -1>(matrix, facts, threads, control);
}

}  // namespace

Potentials matrix_potentials(ValueType type, kernels::ConstView matrix, const MatrixFacts& facts,
                             double sign, int threads, const Control& control) {
  return type == ValueType::f64 ? potentials_of<double>(matrix, facts, sign, threads, control)
                                : potentials_of<float>(matrix, facts, sign, threads, control);
}

}  // namespace apsp::graph
