// Figures of a machine as JSON: what the cache keeps (rate_cache.hpp) and what the files of
// tests/machines hold. What is not there is 0 and left out; what is no figure is no answer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <type_traits>

#include "planner/rates.hpp"

namespace apsp::calibration {

nlohmann::json to_json(const planner::RateCurve& curve);  // [[n, seconds], …]
nlohmann::json to_json(const planner::HostRates& rates);
nlohmann::json to_json(const planner::DeviceRates& rates);
nlohmann::json to_json(const planner::LinkRates& rates);
nlohmann::json to_json(const planner::StoreRates& rates);
nlohmann::json to_json(const planner::TransferRates& rates);
nlohmann::json to_json(const planner::EliminationRates& rates);
nlohmann::json to_json(const planner::SearchRates& rates);
nlohmann::json to_json(const planner::BreadthFirstRates& rates);

/// Empty for what is broken: no curve, something that is no number, negative, or not finite.
std::optional<planner::HostRates> host_rates_from_json(const nlohmann::json& figures);
std::optional<planner::DeviceRates> device_rates_from_json(const nlohmann::json& figures);
std::optional<planner::LinkRates> link_rates_from_json(const nlohmann::json& figures);
std::optional<planner::StoreRates> store_rates_from_json(const nlohmann::json& figures);
std::optional<planner::TransferRates> transfer_rates_from_json(const nlohmann::json& figures);
std::optional<planner::EliminationRates> elimination_rates_from_json(const nlohmann::json& figures);
std::optional<planner::SearchRates> search_rates_from_json(const nlohmann::json& figures);
std::optional<planner::BreadthFirstRates> breadth_first_rates_from_json(
    const nlohmann::json& figures);

/// The one of these whose rates are wanted.
template <class Rates>
std::optional<Rates> rates_from_json(const nlohmann::json& figures) {
  if constexpr (std::is_same_v<Rates, planner::HostRates>) return host_rates_from_json(figures);
  if constexpr (std::is_same_v<Rates, planner::DeviceRates>) return device_rates_from_json(figures);
  if constexpr (std::is_same_v<Rates, planner::LinkRates>) return link_rates_from_json(figures);
  if constexpr (std::is_same_v<Rates, planner::StoreRates>) return store_rates_from_json(figures);
  if constexpr (std::is_same_v<Rates, planner::TransferRates>) {
    return transfer_rates_from_json(figures);
  }
  if constexpr (std::is_same_v<Rates, planner::EliminationRates>) {
    return elimination_rates_from_json(figures);
  }
  if constexpr (std::is_same_v<Rates, planner::SearchRates>) return search_rates_from_json(figures);
  if constexpr (std::is_same_v<Rates, planner::BreadthFirstRates>) {
    return breadth_first_rates_from_json(figures);
  }
}

}  // namespace apsp::calibration
