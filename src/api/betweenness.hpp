// `betweenness` with GPUs and rates as arguments, for tests, and the rows of distances that equally
// long paths are found in.
#pragma once

#include <apsp/betweenness.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "flow/row_sink.hpp"
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

/// The purpose of the rows of `solve_path_rows`, and the memory that it takes in addition.
struct PathRowsTask {
  std::string what, way_out;  // of a refusal: "counting paths", "use fewer threads"
  std::int64_t bytes = 0;
  std::int64_t memory = 0;  // limit of the caller; 0: what is free
};

/// Plans the rows of `solving` and pushes them, on the host, to the sink that `make` returns for
/// the type of their distances. Returns the line of the plan. Throws `Error`: does_not_fit, what a
/// solve throws, what the sink throws.
std::string solve_path_rows(const Graph& graph, SolveOptions solving, const PathRowsTask& task,
                            const std::function<flow::RowSink&(ValueType)>& make);

Betweenness betweenness_among(const planner::FindDevices& find, const Graph& graph,
                              const BetweennessOptions& options,
                              const planner::RateSource& rates = {});

}  // namespace apsp::api
