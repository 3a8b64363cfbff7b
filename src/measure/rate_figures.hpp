// Figures of a machine as JSON: what the cache keeps (rate_cache.hpp) and what the files of
// tests/machines hold. What is not there is 0 and left out; what is no figure is no answer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "planner/rates.hpp"

namespace apsp::measure {

nlohmann::json to_json(const planner::RateCurve& curve);  // [[n, seconds], …]
nlohmann::json to_json(const planner::HostRates& rates);
nlohmann::json to_json(const planner::DeviceRates& rates);
nlohmann::json to_json(const planner::StoreRates& rates);

/// Empty for what is broken: no curve, something that is no number, negative, or not finite.
std::optional<planner::HostRates> host_rates_from_json(const nlohmann::json& figures);
std::optional<planner::DeviceRates> device_rates_from_json(const nlohmann::json& figures);
std::optional<planner::StoreRates> store_rates_from_json(const nlohmann::json& figures);

}  // namespace apsp::measure
