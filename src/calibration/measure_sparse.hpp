// How fast this machine solves sparse graphs: the parts of such solves on two generated graphs, one
// with small separators and one that leaves a dense core.
//
// The models have more figures than parts can be told apart. So figures that belong together keep
// the proportions that are assumed of them and are scaled by what the parts took.
#pragma once

#include <apsp/graph.hpp>
#include <optional>

#include "calibration/measure_rates.hpp"
#include "planner/rates.hpp"

namespace apsp::calibration {

/// Empty where nothing could be measured. These throw `Error` (interrupted).
std::optional<planner::EliminationRates> measure_elimination(const planner::KernelKind& kind,
                                                             int threads,
                                                             const MeasureLimits& limits);
std::optional<planner::SearchRates> measure_search(const planner::KernelKind& kind, int threads,
                                                   const MeasureLimits& limits);
std::optional<planner::BreadthFirstRates> measure_breadth_first(const planner::KernelKind& kind,
                                                                int threads,
                                                                const MeasureLimits& limits);

/// Seconds of a row of the graph, of one thread while all work, by rows that take some `seconds`
/// in all. Empty: they would take much longer, or the graph is not of this kind.
std::optional<double> sample_rows(const Graph& graph, const planner::RowSample& rows,
                                  double seconds, const MeasureLimits& limits);

}  // namespace apsp::calibration
