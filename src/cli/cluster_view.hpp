// What a solve would take on a cluster, as `apsp plan --machine` shows it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/look.hpp"
#include "planner/cluster_plan.hpp"

namespace apsp::cli {

std::string cluster_text(const planner::Cluster& cluster, const planner::ClusterProblem& problem,
                         const Look& look);
nlohmann::json cluster_json(const planner::Cluster& cluster,
                            const planner::ClusterProblem& problem);

}  // namespace apsp::cli
