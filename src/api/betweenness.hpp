// `betweenness` with GPUs and rates as arguments, for tests, and the rows of distances that equally
// long paths are found in.
#pragma once

#include <apsp/near.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <optional>
#include <span>

#include "planner/devices.hpp"
#include "planner/plan.hpp"
#include "planner/rates.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// The type in which every engine computes exact distances; empty: none.
std::optional<ValueType> exact_path_type(const Graph& graph, const Control& control, int threads);

/// Exact rows of `type`; if empty, f64 rows of Dijkstra's algorithm: d(v) is the least rounded d(u)
/// + w, so each vertex has an arc on a shortest path.
SolveOptions rows_of_paths(std::optional<ValueType> type, const BetweennessOptions& asked,
                           std::span<const Vertex> sources);

/// The matrix in which the plan computes; null if it needs none.
std::unique_ptr<store::Store> matrix_of_rows(const planner::Plan& plan,
                                             const SolveOptions& options);

Betweenness betweenness_among(const planner::FindDevices& find, const Graph& graph,
                              const BetweennessOptions& options,
                              const planner::RateSource& rates = {});

}  // namespace apsp::api
