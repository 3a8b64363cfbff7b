// Bellman's inequality on some rows of what was just solved: no result leaves without it.
//
// d(s,v) ≤ d(s,u) + w for every arc u → v, up to what rounding allows, is what a runaway value, a
// lost update or a broken memory cell violates; it takes one pass over the arcs a row. (A proof of
// a result is `apsp verify`'s; it shares no code with this.)
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::graph {

/// Rows of n vertices that are worth checking where each costs so many steps: 1 to 16, spread.
std::vector<Vertex> rows_to_check(std::int64_t n, std::int64_t steps_a_row);

/// `matrix` [n, n] of f32 or f64 holds distances; `sign` −1: longest ones. No distance is off by
/// more than `error`. Throws `Error`: defect (names the arc), interrupted.
void check_bellman(const Graph& graph, double sign, ValueType type, kernels::ConstView matrix,
                   double error, int threads, const Control& control);

/// The same where the weights are gone, for a matrix that is solved in place: some rows are kept,
/// and afterwards d(s,v) ≤ w(s,v) and d(s,v) ≤ d(s,u) + d(u,v) must hold for these s and u, and all
/// v. Non-negative values of f32 or f64.
class KeptRows {
 public:
  KeptRows(ValueType type, kernels::ConstView weights);
  /// Throws `Error`: defect, interrupted.
  void check(kernels::ConstView distances, int threads, const Control& control) const;

 private:
  ValueType type_;
  std::int64_t row_bytes_;
  std::vector<Vertex> sources_;
  std::vector<std::byte> rows_;  // [sources][n]
};

}  // namespace apsp::graph
