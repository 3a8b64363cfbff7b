#include "planner/fitting.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "base/machine.hpp"
#include "base/units.hpp"
#include "planner/memory.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// Whether a solve with other options would fit; what cannot be solved so does not.
bool would_fit(const Graph& graph, const SolveOptions& options, const FindDevices& find) {
  try {
    return find_plan(graph, options, find).fits();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return false;
  }
}

using Change = std::function<void(SolveOptions&)>;

/// Changes of one option each, the one that gives most away last.
std::vector<std::pair<std::string, Change>> changes(const SolveOptions& options, const Plan& plan,
                                                    ValueType narrowest) {
  std::vector<std::pair<std::string, Change>> list;
  if (size_of(narrowest) < size_of(plan.type)) {
    list.emplace_back(fmt::format("--dtype {}", name(narrowest)),
                      [=](SolveOptions& other) { other.value_type = narrowest; });
  }
  if (options.algorithm != Algorithm::automatic) {
    list.emplace_back("--algorithm auto",
                      [](SolveOptions& other) { other.algorithm = Algorithm::automatic; });
  }
  if (options.device == Device::cuda) {
    list.emplace_back("--device auto",
                      [](SolveOptions& other) { other.device = Device::automatic; });
  }
  if (options.predecessors) {
    list.emplace_back("leaving --predecessors out, as paths do not need them",
                      [](SolveOptions& other) { other.predecessors = false; });
  }
  if (options.via || options.hops) {
    list.emplace_back(
        options.hops ? "leaving --hops out" : "leaving --via out, as paths do not need it",
        [](SolveOptions& other) { other.via = other.hops = false; });
  }
  if (options.keep == Keep::matrix || options.output.empty()) {
    list.emplace_back("the matrix on disk (-o OUT.zarr)", [](SolveOptions& other) {
      other.keep = Keep::statistics;
      if (other.output.empty()) other.output = "distances.zarr";
    });
  }
  if (options.keep != Keep::factor) {
    list.emplace_back("--keep factor", [](SolveOptions& other) {
      other.keep = Keep::factor;
      other.output.clear();
      other.predecessors = other.via = other.hops = false;
    });
  }
  if (options.statistics && options.keep == Keep::factor) {
    list.emplace_back("--no-statistics", [](SolveOptions& other) { other.statistics = false; });
  }
  return list;
}

}  // namespace

std::string what_would_fit(const Graph& graph, const SolveOptions& options, const Plan& plan,
                           const FindDevices& find) {
  const ValueType narrowest =
      choose_value_type(graph, plan.semiring, {}, plan.threads, options.control).type;
  std::string ways;
  for (const auto& [words, change] : changes(options, plan, narrowest)) {
    SolveOptions other = options;
    change(other);
    if (would_fit(graph, other, find)) ways += (ways.empty() ? "" : ", or ") + words;
  }
  std::string text = fmt::format("{} vertices need {} as {} and {} may be used. ",
                                 base::format_count(plan.n), base::format_bytes(plan.bytes),
                                 name(plan.type), base::format_bytes(plan.bytes_allowed));
  if (!ways.empty()) text += "What would fit: " + ways + ". ";
  const auto largest = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(plan.bytes_allowed) / size_of(plan.type)));
  if (plan.keeps_matrix()) {
    text += fmt::format("This memory is enough for a matrix of about {} vertices; ",
                        base::format_count(largest));
  }
  return text + advice(plan.bytes, base::total_memory());
}

}  // namespace apsp::planner
