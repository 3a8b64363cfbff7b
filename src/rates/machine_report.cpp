#include "rates/machine_report.hpp"

#include <apsp/error.hpp>
#include <apsp/io.hpp>
#include <apsp/semiring.hpp>

#include "base/json.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "rates/measure_rates.hpp"
#include "rates/rate_cache.hpp"
#include "system/machine.hpp"

namespace apsp::rates {
namespace {

using nlohmann::json;

std::vector<std::string> back_ends() {
  std::vector<std::string> names = {"cpu", "strict"};
  if (!kernels::cuda::back_end().empty()) names.insert(names.begin() + 1, "cuda");
  return names;
}

/// 0 if the device cannot be queried.
std::int64_t free_memory_of(const planner::Devices& devices, const planner::DeviceFacts& device) {
  try {
    return planner::with_free_memory(devices, device).memory_free;
  } catch (const Error&) {
    return 0;
  }
}

json device_list(const planner::Devices& devices) {
  json list = json::array();
  for (const planner::DeviceFacts& device : devices.list) {
    list.push_back({{"device", "cuda:" + std::to_string(device.ordinal)},
                    {"name", device.name},
                    {"memory_total", device.memory_total},
                    {"memory_free", free_memory_of(devices, device)},
                    {"multiprocessors", device.multiprocessors},
                    {"clock_hz", device.clock_mhz * 1e6},
                    {"compute_capability", std::to_string(device.capability / 10) + "." +
                                               std::to_string(device.capability % 10)},
                    {"driver", device.driver}});
  }
  return list;
}

json rate_entry(const json& kept) {
  const json &key = kept["key"], &figures = kept["figures"];
  json entry = {{"measured", kept["measured"]}};
  for (const char* name : {"what", "kind", "threads", "processor", "gpu", "format", "compressed"}) {
    if (key.contains(name)) entry[name] = key[name];
  }
  const json what = entry.value("what", json());
  planner::for_each_work([&]<class Rates>(planner::AskRates<Rates> planner::RateSource::*) {
    if (what != json(work_of<Rates>().what)) return;
    if (const auto rates = rates_from_json<Rates>(figures)) work_of<Rates>().show(*rates, entry);
  });
  return entry;
}

json rate_list() {
  const RateCache cache(RateCache::default_folder());
  json entries = json::array();
  for (const json& kept : cache.entries()) entries.push_back(rate_entry(kept));
  return {{"file", cache.file()}, {"entries", std::move(entries)}};
}

}  // namespace

std::string_view version() { return APSP_VERSION; }

json machine_report(const planner::FindDevices& find) {
  json semirings = json::array();
  for (const Semiring semiring : all_semirings()) semirings.push_back(name(semiring));
  json formats = json::array();
  for (const GraphFormat format : all_graph_formats()) formats.push_back(name(format));
  for (const char* const packed : {"gzip", "zstd"}) formats.push_back(packed);
  const planner::Devices devices = find();
  json report = {{"version", version()},
                 {"cpu", system::cpu_name()},
                 {"threads", system::offered_threads()},
                 {"memory_total", system::total_memory()},
                 {"memory_available", system::available_memory()},
                 {"instruction_set", kernels::cpu::instruction_set()},
                 {"instruction_sets", kernels::cpu::instruction_sets()},
                 {"devices", device_list(devices)},
                 {"backends", back_ends()},
                 {"semirings", semirings},
                 {"rates", rate_list()},
                 {"formats", formats}};
  if (devices.list.empty()) report["why_no_device"] = devices.why_none;
  return report;
}

}  // namespace apsp::rates
