// Results as JSON: one place for the command line's --json and the attributes of a .zarr.
// The schema is docs/schema.json.
#pragma once

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>

namespace apsp::api {

/// Vertices appear as their names. `top`: how many of the most central vertices are listed.
nlohmann::json to_json(const Statistics& statistics, const Graph& graph, std::size_t top = 10);
/// The inverse, without the per-vertex vectors. Throws `Error` (input) for anything else.
Statistics statistics_from_json(const nlohmann::json& json, const Graph& graph);

nlohmann::json to_json(const PlanReport& plan);
/// An array with an object for each piece of advice: its options and their values.
nlohmann::json to_json(const std::vector<Advice>& list);
nlohmann::json to_json(const SolveReport& report);
SolveReport report_from_json(const nlohmann::json& json);
nlohmann::json to_json(const VerifyReport& report);
/// Vertices, edges, direction, weights: what `info` of a graph says.
nlohmann::json to_json(const Graph& graph);

}  // namespace apsp::api
