// Which algorithm takes which problem, on which device. The rules read the problem and the options;
// no candidate is planned for them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <string>

#include "planner/problem.hpp"

namespace apsp::planner {

/// Whether rows come from a factor; otherwise from searches, or from a matrix.
bool eliminates(Algorithm algorithm);

/// Returns why a device cannot sweep, as the end of "nested-dissection …"; empty: it can.
std::string why_not_swept(const Problem& problem);

/// Returns why no algorithm computes rows without a matrix, as the end of "johnson …"; empty: some
/// can.
std::string why_not_rows(const Graph& graph, const SolveOptions& options);

/// Returns why no matrix of Floyd-Warshall is solved on disk; empty: the options admit it.
std::string why_not_on_disk(const SolveOptions& options);

/// Whether an arc may improve a path: searches then reduce weights by potentials first.
bool needs_potentials(const Graph& graph, Semiring semiring);

/// Each returns why the algorithm cannot solve the problem, as the end of "johnson …"; empty: it
/// can. `why_not_on_gpu` requires that it can on the CPU. `why_not`: on the device of `options`.
std::string why_not_anywhere(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                             const Problem& problem);
std::string why_not_on_gpu(Algorithm algorithm, const Graph& graph, const Problem& problem);
std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem);

/// Returns why algorithms without a matrix do not run on the GPU that was asked for, in sentences;
/// else nothing.
std::string limits_of_rows_on_device(const PlanRequest& asked, const Problem& problem);

}  // namespace apsp::planner
