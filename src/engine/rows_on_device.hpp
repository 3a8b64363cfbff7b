// Rows of distances that devices compute: sweeps over a factor, or searches.
#pragma once

#include <apsp/graph.hpp>

#include "engine/row_producer.hpp"
#include "planner/plan.hpp"
#include "sparse/factor.hpp"

namespace apsp::engine {

/// `potentials`: as in `search::dijkstra_rows`. Throw `Error`: does_not_fit, usage (a bad graph).
std::unique_ptr<RowProducer> rows_by_sweeps(const Graph& graph, const sparse::Factor& factor,
                                            const planner::Plan& plan,
                                            const planner::SweepsOnDevice& how,
                                            const Control& control);
std::unique_ptr<RowProducer> rows_by_near_far(const Graph& graph, const planner::Plan& plan,
                                              const planner::SearchesOnDevice& how,
                                              const Potentials* potentials, const Control& control);
std::unique_ptr<RowProducer> rows_by_hops(const Graph& graph, const planner::Plan& plan,
                                          const planner::HopsOnDevice& how, const Control& control);

}  // namespace apsp::engine
