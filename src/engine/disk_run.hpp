// A planned run over a matrix that rests on the disk: filled from the graph, solved step by step.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

#include <string>
#include <vector>

#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::engine {

/// Distances, all of them, as `matrix`'s current generation. Goes on from its cut, if it has one.
/// Where values of it are damaged it begins from the graph, once, and returns which; after that
/// they are an error. Requires: `plan.on_disk`. Throws `Error`: input (`store::DamagedMatrix`),
/// interrupted, input_output; cuts that are reached stay.
std::vector<std::string> solve_on_disk(const Graph& graph, const planner::Plan& plan,
                                       store::DiskMatrix& matrix, const Control& control);

}  // namespace apsp::engine
