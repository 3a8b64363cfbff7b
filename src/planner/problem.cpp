#include "planner/problem.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/held_bytes.hpp"
#include "store/store.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

template <class Value>
using Named = std::pair<Value, std::string_view>;
constexpr Named<Device> kDevices[] = {
    {Device::automatic, "auto"}, {Device::cpu, "cpu"}, {Device::cuda, "cuda"}};
constexpr Named<Keep> kKeeps[] = {{Keep::automatic, "auto"},
                                  {Keep::matrix, "matrix"},
                                  {Keep::factor, "factor"},
                                  {Keep::statistics, "statistics"}};

template <class Value>
std::string_view name_in(const auto& table, Value wanted) {
  for (const auto& [value, name] : table) {
    if (value == wanted) return name;
  }
  return {};
}

template <class Value>
std::optional<Value> named_in(const auto& table, std::string_view wanted) {
  for (const auto& [value, name] : table) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Algorithm algorithm) { return name_in(kAlgorithms, algorithm); }
std::string_view name(Device device) { return name_in(kDevices, device); }
std::string_view name(Keep keep) { return name_in(kKeeps, keep); }

std::optional<Algorithm> parse_algorithm(std::string_view text) {
  return named_in<Algorithm>(kAlgorithms, text);
}
std::optional<Device> parse_device(std::string_view text) {
  return named_in<Device>(kDevices, text);
}
std::optional<Keep> parse_keep(std::string_view text) { return named_in<Keep>(kKeeps, text); }

namespace planner {

bool wants_pairs_alone(const SolveOptions& options) {
  return options.question.pairs > 0 && options.storage.keep == Keep::automatic &&
         !options.question.statistics && options.storage.output.empty() &&
         options.consumer.into.values == nullptr && !options.consumer.on_device_rows;
}

bool may_dissect(const SolveOptions& options) {
  return options.method.algorithm == Algorithm::automatic ||
         options.method.algorithm == Algorithm::nested_dissection;
}

bool stores_factor(const SolveOptions& options) {
  const StorageOptions& storage = options.storage;
  return storage.stored == Keep::factor ||
         (storage.stored == Keep::automatic && storage.keep == Keep::factor &&
          !storage.output.empty());
}

bool may_store_factor(const SolveOptions& options, const Problem& problem) {
  return options.storage.stored == Keep::automatic && store::is_zarr(options.storage.output) &&
         !options.question.predecessors && problem.selection.all() && may_dissect(options) &&
         !problem.signed_weights;
}

bool names_rows(const SolveOptions& options) {
  return options.method.algorithm != Algorithm::automatic &&
         options.method.algorithm != Algorithm::floyd_warshall;
}

std::int64_t allowed_bytes(const SolveOptions& options) {
  constexpr double kShareOfFree = 0.9;
  if (options.machine.memory > 0) return options.machine.memory;
  if (system::memory_limit() > 0) return system::memory_limit();
  return static_cast<std::int64_t>(kShareOfFree * static_cast<double>(system::available_memory()));
}

std::int64_t allowed_disk(const SolveOptions& options) {
  const std::int64_t temporary = io::temporary_bytes().now;
  if (options.storage.disk > 0) return std::max<std::int64_t>(0, options.storage.disk - temporary);
  const std::filesystem::path folder = std::filesystem::path(options.storage.output).parent_path();
  std::error_code failure;
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, failure);
  constexpr std::uintmax_t kMost = std::numeric_limits<std::int64_t>::max();
  // A disk that cannot be asked shows its limit when it is written to.
  return static_cast<std::int64_t>(failure ? kMost : std::min(space.available, kMost));
}

}  // namespace planner
}  // namespace apsp
