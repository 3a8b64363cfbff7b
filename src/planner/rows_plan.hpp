// Solving row by row, without a matrix of one's own: by nested dissection, by Dijkstra from every
// vertex, or by breadth-first searches. Whether a graph can be solved so, and what that takes.
//
// An order and the symbolic elimination are made here: they count every relaxation and byte before
// any value is touched, and the solve goes on with them.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "elimination/tree.hpp"

namespace apsp::planner {

struct RowsPlan {
  Algorithm algorithm = Algorithm::nested_dissection;
  std::shared_ptr<const elimination::Tree> tree{};  ///< of nested dissection
  double relaxations = 0;            ///< looks at an arc, or at an entry of the factor
  double seconds = 0;                ///< until all rows are computed, by cautious figures
  std::int64_t source_bytes = 0;     ///< the factor, or arcs in narrow arrays
  std::int64_t making_bytes = 0;     ///< besides it, until it is there
  std::int64_t computing_bytes = 0;  ///< besides it, afterwards: workers, and blocks of rows
  bool keeps_matrix = true;          ///< or rows are handed on as they come

  std::int64_t solving_bytes() const {
    return source_bytes + std::max(making_bytes, computing_bytes);
  }
};

/// What a problem is to these algorithms.
struct RowsProblem {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  bool of_both_signs = false;  ///< rounded sums of weights of both signs
  bool keeps_matrix = true;
  int threads = 1;
};

/// Why the algorithm cannot take the problem, as the end of "johnson …"; empty: it can.
std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const RowsProblem& problem);

/// Few enough arcs that rows may cost less than a matrix.
bool looks_sparse(std::int64_t vertices, std::int64_t arcs);

/// Requires: why_not is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const RowsProblem& problem);

}  // namespace apsp::planner
