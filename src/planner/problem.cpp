#include "planner/problem.hpp"

#include "planner/findings.hpp"
#include "store/store.hpp"

namespace apsp {
namespace {

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};
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

std::shared_ptr<Findings> new_findings() { return std::make_shared<Findings>(); }

PlanRequest PlanRequest::with(const SolveOptions& others) const {
  static const RateSource none;
  return {graph, others, find, none, estimated_from, findings};
}

bool wants_pairs_alone(const SolveOptions& options) {
  return options.question.pairs > 0 && options.storage.keep == Keep::automatic &&
         !options.question.statistics && options.storage.output.empty() &&
         options.consumer.into.values == nullptr && !options.consumer.on_device_rows;
}

bool may_store_factor(const SolveOptions& options, const Problem& problem) {
  const bool dissects = options.method.algorithm == Algorithm::automatic ||
                        options.method.algorithm == Algorithm::nested_dissection;
  return options.storage.stored == Keep::automatic && store::is_zarr(options.storage.output) &&
         !options.question.predecessors && problem.selection.all() && dissects;
}

bool names_rows(const SolveOptions& options) {
  return options.method.algorithm != Algorithm::automatic &&
         options.method.algorithm != Algorithm::floyd_warshall;
}

}  // namespace planner
}  // namespace apsp
