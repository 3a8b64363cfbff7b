// What this machine offers and what this build contains: the substance of `apsp info`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/devices.hpp"

namespace apsp::api {

/// "0.1.0".
std::string_view version();

/// Keys: version, cpu, threads, memory_total, memory_available (bytes), instruction_set,
/// instruction_sets[], devices[] (GPUs), why_no_device (where there is none), backends[],
/// semirings[], formats[].
nlohmann::json machine_report(const planner::FindDevices& find = planner::cuda_devices);

}  // namespace apsp::api
