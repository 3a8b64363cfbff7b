#include "planner/device_sweep_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "elimination/device_count.hpp"
#include "elimination/sweep_lists.hpp"
#include "kernels/listed_rows.hpp"
#include "planner/device_model.hpp"

namespace apsp::planner {
namespace {

/// Sources at a time: launches are few, and the part of a block that climbs is small.
constexpr std::int64_t kLanes = 4096;
constexpr double kShareOfDevice = 0.95;

/// Launches of a sweep up and down, a lower bound: the longest way to a root, in supernodes.
std::int64_t levels_of(const elimination::Tree& tree) {
  std::vector<std::int64_t> levels(static_cast<std::size_t>(tree.supernodes()));
  std::int64_t most = 0;
  for (elimination::SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const elimination::SupernodeId above = tree.parent(s);
    std::int64_t& level = levels[static_cast<std::size_t>(s)];
    level = above < 0 ? 1 : levels[static_cast<std::size_t>(above)] + 1;
    most = std::max(most, level);
  }
  return most;
}

/// Seconds of all sweeps and counts: a distance is written and read once, and read again for each
/// entry of the factor, from the cache where it was written a little before.
double sweeping_seconds(const elimination::Tree& tree, const DevicePlan& plan,
                        const RowsPlan& rows) {
  constexpr double kBytes = 3e12, kCounted = 3e11, kLaunch = 6e-6, kCopied = 1e10;  // a second
  constexpr double kOfProduct = 0.2;
  const auto n = static_cast<double>(tree.vertices());
  const double blocks = std::ceil(n / static_cast<double>(rows.lanes));
  const double entries = static_cast<double>(tree.upper_entries());
  const double bytes = size_of(plan.kernel.type) * n * (2 * n + entries);
  const double relaxed =
      n * entries / (kOfProduct * assumed_offload_rates(plan.kernel, plan.device).relaxations);
  return static_cast<double>(plan.bytes) / kCopied * 0.1 +
         blocks * static_cast<double>(2 * levels_of(tree)) * kLaunch +
         std::max(bytes / kBytes, relaxed) + n * n / kCounted;
}

}  // namespace

std::string why_not_swept(const Graph& graph, const SolveOptions& options,
                          const RowsProblem& problem) {
  const bool integers = problem.type == ValueType::u16 || problem.type == ValueType::i32;
  if (problem.semiring != Semiring::min_plus || !integers || graph.weight_facts().least < 0 ||
      problem.distance_bound >= static_cast<double>(kernels::kCountLimit - 1)) {
    return fmt::format(
        "runs on a GPU over whole distances from 0 on and below {} alone; --device cpu takes "
        "others",
        base::format_count(kernels::kCountLimit - 1));
  }
  const bool all = options.sources.empty() && options.targets.empty();
  if (options.keep != Keep::statistics || !options.output.empty() || !all || options.on_rows ||
      options.predecessors || !options.statistics || graph.vertex_count() > kernels::kCountedRows) {
    return "runs on a GPU for statistics of all pairs alone; --device cpu keeps distances too";
  }
  return {};
}

DevicePlan sweep_on_device(const RowsProblem& problem, std::int64_t memory,
                           const NamedDevice& there, RowsPlan& rows) {
  const elimination::Tree& tree = *rows.tree;
  const auto usable =
      static_cast<std::int64_t>(kShareOfDevice * static_cast<double>(there.facts.memory_free));
  DevicePlan plan{.device = there.facts,
                  .kernel = {problem.semiring, problem.type, problem.sign, false},
                  .n = tree.vertices(),
                  .open = there.devices.open};
  plan.bytes_allowed = memory > 0 ? std::min(memory, usable) : usable;
  rows.count_limit = static_cast<std::int64_t>(std::ceil(problem.distance_bound)) + 1;
  const std::int64_t least = elimination::DeviceSweep::lanes_of(1, problem.type);
  rows.lanes = std::min(kLanes, elimination::DeviceSweep::lanes_of(
                                    std::max<std::int64_t>(1, tree.vertices()), problem.type));
  elimination::ClimbSize largest;
  for (;;) {
    largest = elimination::ClimbLists::largest(tree, tree.order().vertex_at, rows.lanes);
    plan.bytes =
        elimination::DeviceSweep::device_bytes(tree, problem.type, rows.lanes, largest) +
        elimination::DeviceCount::device_bytes(tree.vertices(), tree.vertices(), rows.count_limit);
    if (plan.bytes <= plan.bytes_allowed || rows.lanes == least) break;
    rows.lanes = std::max(least, elimination::DeviceSweep::lanes_of(rows.lanes / 2, problem.type));
  }
  if (plan.bytes > plan.bytes_allowed) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("sweeps over a factor of {} vertices need at least {} of device memory "
                            "on {}, and {} {}; --device cpu needs none",
                            base::format_count(plan.n), base::format_bytes(plan.bytes),
                            title(there.facts), base::format_bytes(plan.bytes_allowed),
                            memory > 0 ? "may be used" : "are free"));
  }
  plan.seconds = sweeping_seconds(tree, plan, rows);
  rows.columns_seconds = plan.seconds;
  rows.counted_swept = 0;  // counted meanwhile
  rows.measured.clear();
  constexpr std::int64_t kVertexCounted = 160, kPlaceCounted = 24;
  rows.columns_worker_bytes =
      elimination::DeviceSweep::host_bytes(tree, problem.type, rows.lanes, largest) +
      plan.n * kVertexCounted + rows.count_limit * kPlaceCounted;
  return plan;
}

}  // namespace apsp::planner
