// `betweenness` with GPUs and rates as arguments, for tests.
#pragma once

#include <apsp/near.hpp>

#include "planner/devices.hpp"
#include "planner/rates.hpp"

namespace apsp::api {

Betweenness betweenness_among(const planner::FindDevices& find, const Graph& graph,
                              const BetweennessOptions& options,
                              const planner::RateSource& rates = {});

}  // namespace apsp::api
