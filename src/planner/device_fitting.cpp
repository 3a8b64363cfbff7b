// What would fit where a GPU that was asked for by name is too small, or is no place for a graph.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <optional>

#include "base/units.hpp"
#include "planner/fitting.hpp"
#include "planner/rows_choice.hpp"
#include "planner/ways.hpp"

namespace apsp::planner {
namespace {

Change with_device_memory(std::int64_t least) {
  const std::string size = option_size(least);
  return {"--device-memory " + size, [bytes = base::parse_bytes(size).value_or(least)](
                                         SolveOptions& other) { other.device_memory = bytes; }};
}

/// Another GPU than those that were named, or one of these without the others; all of them.
void try_other_devices(const SolveOptions& options, const FindDevices& find, Ways& ways) {
  const Devices devices = find();
  if (devices.list.size() < 2) return;
  const std::vector<int> named = options.device_ordinals.empty()
                                     ? std::vector<int>{devices.list.front().ordinal}
                                     : options.device_ordinals;
  for (const DeviceFacts& device : devices.list) {
    if (named == std::vector<int>{device.ordinal}) continue;
    const std::string words = fmt::format("cuda:{}", device.ordinal);
    if (ways.attempt({on_device(words, Device::cuda, {device.ordinal})})) break;
  }
  const bool all = named == std::vector<int>{kAllGpus} || named.size() == devices.list.size();
  if (!all) ways.attempt({on_device("cuda:all", Device::cuda, {kAllGpus})});
}

}  // namespace

std::string what_would_fit(const Graph& graph, const SolveOptions& options,
                           const DeviceTooSmall& small, const FindDevices& find) {
  Ways ways(graph, options, find);
  if (options.device_memory > 0) ways.attempt({with_device_memory(small.least())});
  try_other_devices(options, find, ways);
  const bool named = options.algorithm != Algorithm::automatic && !options.resume;
  if (named) ways.attempt({any_algorithm()});
  const Change on_cpu = on_device("cpu", Device::cpu);
  ways.attempt({on_cpu});
  if (ways.none() && named) ways.attempt({any_algorithm(), on_cpu});
  return fmt::format("{}. {}", small.what(), ways.told());
}

std::string what_would_fit(const DeviceProblem& problem, const DevicePreference& preference,
                           const DeviceTooSmall& small, const FindDevices& find) {
  std::string ways;
  if (problem.memory > 0) {
    const std::string size = option_size(small.least());
    DeviceProblem other = problem;
    other.memory = base::parse_bytes(size).value_or(small.least());
    try {
      choose_device(other, preference, find);
      ways = fmt::format("--device-memory {}, or ", size);
    } catch (const DeviceTooSmall&) {  // so much is not free
    }
  }
  return fmt::format("{}. What would fit: {}--device cpu", small.what(), ways);
}

std::string limits_of_rows_on_device(const Graph& graph, const SolveOptions& options,
                                     const Plan& plan) {
  if (options.device != Device::cuda || options.algorithm != Algorithm::automatic || plan.rows ||
      !looks_sparse(plan.n, graph.arc_count())) {
    return {};
  }
  std::string text;
  SolveOptions on_cpu = options;
  on_cpu.device = Device::cpu;
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    const RowsProblem problem = rows_problem(plan);
    const std::string why = why_not(algorithm, graph, options, problem);
    const bool by_device = !why.empty() && why_not(algorithm, graph, on_cpu, problem).empty();
    if (by_device) text += fmt::format("{} {}. ", name(algorithm), why);
  }
  return text.empty() ? text : text + "As a matrix ";
}

}  // namespace apsp::planner
