// Figures of one kind of work on several machines, of which the slowest counts: what processes do
// together ends with the last of them.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace apsp::calibration {

/// Of two objects of rate_figures.hpp: the longer of two times, the lower of two rates, and of
/// curves the longer time at every size that either knows. What one of them lacks is the other's.
nlohmann::json slowest_rates(const nlohmann::json& one, const nlohmann::json& other);

}  // namespace apsp::calibration
