// Rates of sparse solves.
//
// Sparse solves are measured in parts, on a graph with small separators and on one that leaves a
// dense core. Figures that parts cannot tell apart keep their assumed proportions and are scaled.
#pragma once

#include <apsp/graph.hpp>
#include <optional>

#include "planner/rates.hpp"
#include "rates/timed_solves.hpp"

namespace apsp::rates {

Measure<planner::EliminationRates> measure_elimination;
Measure<planner::SearchRates> measure_search;
Measure<planner::BreadthFirstRates> measure_breadth_first;

/// Returns the seconds per row of one thread while all threads work, from rows that take about
/// `seconds` in total; nothing if they would take much longer. Throws `Error`.
std::optional<double> sample_rows(const Graph& graph, const planner::RowSample& rows,
                                  double seconds, const MeasureLimits& limits);

}  // namespace apsp::rates
