// A check of Bellman's inequality on some rows of every solved matrix.
//
// d(s,v) ≤ d(s,u) + w for every arc u → v, up to rounding, fails for a runaway value, a lost update
// or a broken memory cell. The check takes one pass over the arcs per row. (`apsp verify` is a
// complete proof and shares no code with this.)
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::graph {

/// Spread rows of n vertices, from 1 to 16 depending on the cost of a check in steps.
std::vector<Vertex> rows_to_check(std::int64_t n, std::int64_t steps_a_row);

/// `matrix` [n, n] of f32 or f64 holds distances, or longest paths if `sign` is −1. `error`: the
/// largest error of a distance. Throws `Error`: defect (names the arc), interrupted.
void check_bellman(const Graph& graph, double sign, ValueType type, kernels::ConstView matrix,
                   double error, int threads, const Control& control);

/// The same check for a matrix that is solved in place, where the weights are overwritten: some
/// rows are copied first, and then d(s,v) ≤ w(s,v) and d(s,v) ≤ d(s,u) + d(u,v) must hold for these
/// s and u, and all v. Requires: non-negative values of f32 or f64.
class KeptRows {
 public:
  KeptRows(ValueType type, kernels::ConstView weights);
  /// Throws `Error`: defect, interrupted.
  void check(kernels::ConstView distances, int threads, const Control& control) const;

 private:
  ValueType type_;
  std::int64_t row_bytes_;
  std::vector<Vertex> sources_;
  std::vector<std::byte> rows_;
};

}  // namespace apsp::graph
