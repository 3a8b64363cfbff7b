// Candidates that search from every source, on the host and on GPUs, and which problems they take.
#pragma once

#include "planner/row_costs.hpp"

namespace apsp::planner {

/// Each returns why the algorithm cannot solve the problem, as the end of "johnson …"; empty: it
/// can. `why_not_on_gpu` requires that it can on the CPU. `why_not`: on the device of `options`.
std::string why_not_anywhere(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                             const Problem& problem);
std::string why_not_on_gpu(Algorithm algorithm, const Graph& graph, const Problem& problem);
std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem);

/// Plans searches on the host. Requires: `why_not` is empty.
RowsPlan plan_searches(Algorithm algorithm, const Graph& graph, const Problem& problem,
                       const RowsMeans& means);

/// Plans near-far or breadth-first searches on all of the devices, as `rows_on_devices`
/// (row_candidates.hpp). Requires: rows do not come from a factor.
RowsOnDevices searches_on_devices(const Graph& graph, const Problem& problem,
                                  const RowsLimits& limits, const NamedDevice& devices,
                                  RowsPlan rows);

}  // namespace apsp::planner
