// Searches from all vertices on a GPU: what they take, and how long.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>

#include <cstdint>
#include <string>

#include "planner/device_choice.hpp"
#include "planner/device_plan.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

/// Why a device cannot run Dijkstra's searches, as the end of "johnson …"; empty: it can.
std::string why_not_searched(const Graph& graph, const SolveOptions& options,
                             const RowsProblem& problem);

/// The same of breadth-first searches, which find whole rows alone, as all searches there do.
std::string why_no_whole_rows(const SolveOptions& options);

/// Whether a device counts the distances that its searches find: whole ones, of all pairs.
bool counts_searched(const RowsProblem& problem, std::int64_t vertices);

/// The plan of Dijkstra's searches on the first of the devices. `rows`: the plan of the same
/// searches on the CPU, whose uses are known; its batches, host memory and times become those of
/// the device. `memory`: bytes of the device that may be used; 0: what is free. Requires:
/// `why_not_searched` is empty. Throws `Error` (does_not_fit).
DevicePlan search_on_device(const Graph& graph, const RowsProblem& problem, std::int64_t memory,
                            const NamedDevice& device, RowsPlan& rows);
/// The same by breadth-first searches, on all devices that are named. Requires:
/// `why_no_whole_rows` is empty.
DevicePlan hops_on_device(const Graph& graph, const RowsProblem& problem, std::int64_t memory,
                          const NamedDevice& device, RowsPlan& rows);

}  // namespace apsp::planner
