// Results as JSON, for --json and the attributes of a .zarr. The schema is docs/schema.json.
#pragma once

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>

namespace apsp::api {

/// Vertices appear as names. `top`: number of most central vertices to list.
nlohmann::json to_json(const Statistics& statistics, const Graph& graph, std::size_t top = 10);
/// A number of `to_json`; NaN: this graph has none. Throws `Error` (usage) for any other name.
double figure_of(const Statistics& statistics, const Graph& graph, const char* called);
/// The inverse, without vectors by vertex. Throws `Error` (input) for anything else.
Statistics statistics_from_json(const nlohmann::json& json, const Graph& graph);

nlohmann::json to_json(const PlanReport& plan);
nlohmann::json to_json(const std::vector<Advice>& list);
nlohmann::json to_json(const SolveReport& report);
SolveReport report_from_json(const nlohmann::json& json);
nlohmann::json to_json(const VerifyReport& report);
nlohmann::json to_json(const Graph& graph);

}  // namespace apsp::api
