#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "planner/devices.hpp"

namespace apsp::rates {

/// "0.2.0".
std::string_view version();

/// Keys: version, cpu, threads, memory_total, memory_available (bytes), instruction_set,
/// instruction_sets[], devices[] (GPUs), why_no_device (if devices is empty), backends[],
/// semirings[], formats[], rates (measurements, their dates, and the file that keeps them).
nlohmann::json machine_report(const planner::FindDevices& find = planner::cuda_devices);

}  // namespace apsp::rates
