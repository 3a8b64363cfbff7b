// A cluster from its file: tests/machines holds two, and docs/scaling.md says what the figures are.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/cluster.hpp"

namespace apsp::calibration {

/// Throws `Error` (input) that names the figure which is missing or no positive number.
planner::Cluster cluster_from_json(const nlohmann::json& machine, const std::string& file);
/// Throws also `Error` (input_output).
planner::Cluster read_cluster(const std::string& file);

}  // namespace apsp::calibration
