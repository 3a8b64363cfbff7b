#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "calibration/rate_cache.hpp"
#include "planner/devices.hpp"

namespace apsp::calibration {

/// "0.2.0".
std::string_view version();

/// Keys: version, cpu, threads, memory_total, memory_available (bytes), instruction_set,
/// instruction_sets[], devices[] (GPUs), why_no_device (if devices is empty), backends[],
/// semirings[], formats[], rates (measurements, their dates, and the file that keeps them).
nlohmann::json machine_report(const planner::FindDevices& find = planner::cuda_devices,
                              const std::string& cache_folder = RateCache::default_folder());

}  // namespace apsp::calibration
