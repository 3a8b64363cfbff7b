// Whether a graph is solved by nested dissection, and what that takes.
//
// The order and the symbolic elimination are made here: they count every relaxation and byte before
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

struct DissectionPlan {
  std::shared_ptr<const elimination::Tree> tree;
  std::int64_t factor_bytes = 0;
  std::int64_t elimination_bytes = 0;  ///< besides the factor, until it is there
  std::int64_t worker_bytes = 0;       ///< besides it afterwards, of all threads
  std::int64_t block_bytes = 0;        ///< of their blocks of rows, where no matrix takes them
  double all_sweeps = 0;               ///< relaxations of the sweeps from all vertices
  bool keeps_matrix = true;            ///< or rows are handed on as they come
  bool sweeps = true;                  ///< all rows are computed; or those that are asked for

  double relaxations() const { return tree->elimination_relaxations() + (sweeps ? all_sweeps : 0); }
  std::int64_t sweep_bytes() const { return worker_bytes + (keeps_matrix ? 0 : block_bytes); }
  std::int64_t solving_bytes() const {
    return factor_bytes + std::max(elimination_bytes, sweep_bytes());
  }
};

/// What a problem is to nested dissection.
struct DissectionProblem {
  ValueType type = ValueType::f32;
  int threads = 1;
};

/// Why it cannot take the problem, as the end of "nested dissection …"; empty: it can.
std::string why_not_dissected(const Graph& graph, const SolveOptions& options,
                              bool on_reduced_weights);

/// Whether a factor can be kept, as far as the graph and the semiring and type asked for decide.
bool takes_factor(const Graph& graph, const SolveOptions& options);

/// Few enough arcs that an order is worth looking for, before any is.
bool looks_sparse(std::int64_t vertices, std::int64_t arcs);

/// Orders the graph and counts. Throws `Error`: does_not_fit, interrupted.
DissectionPlan plan_dissection(const Graph& graph, const DissectionProblem& problem);

/// Seconds from the plan to the rows, by cautious figures, `threads` of them.
double dissection_seconds(const DissectionPlan& plan, ValueType type, int threads);

}  // namespace apsp::planner
