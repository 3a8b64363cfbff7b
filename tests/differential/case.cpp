#include "differential/case.hpp"

#include <utility>

#include "api/solve.hpp"
#include "support/invented_devices.hpp"

namespace apsp::campaign {
namespace {

planner::FindDevices& devices_to_take() {
  static planner::FindDevices find;
  return find;
}

}  // namespace

void take_devices(planner::FindDevices find) { devices_to_take() = std::move(find); }

const Truth& Case::truth() {
  if (!truth_ && problem.planted && !problem.edges.empty()) {
    Problem wrong = problem;
    wrong.edges.front().weight += 1;
    truth_.emplace(graph_of(wrong), problem.semiring);
  }
  if (!truth_) truth_.emplace(graph, problem.semiring);
  return *truth_;
}

std::string Case::path(const std::string& name) {
  if (!folder_) folder_.emplace();
  return *folder_ / name;
}

planner::FindDevices Case::devices() const {
  if (devices_to_take() && problem.gpus > 0) return devices_to_take();
  return [count = problem.gpus] {
    std::vector<planner::DeviceFacts> list;
    for (int i = 0; i < count; ++i) {
      list.push_back(planner::invented_h200(i, std::int64_t{1} << 31));
    }
    return planner::invented_devices(list);
  };
}

SolveOptions Case::options() const {
  SolveOptions options;
  options.method.algorithm = problem.algorithm;
  options.machine.device = problem.gpus > 0 ? Device::cuda : Device::cpu;
  if (problem.gpus > 1) options.machine.device_ordinals = {kAllGpus};
  options.question.semiring = problem.semiring;
  options.method.value_type = problem.type;
  options.method.tolerance = problem.tolerance;
  options.machine.threads = problem.threads;
  options.machine.memory = problem.memory;
  options.machine.device_memory = problem.device_memory;
  options.method.tile = problem.tile;
  options.question.statistics = false;
  return options;
}

Result Case::solve(const SolveOptions& options) const {
  return api::solve_among(devices(), graph, options);
}

void Case::judge(Vertex u, Vertex v, double found, const SolveReport& report) {
  if (truth().cyclic()) {
    // By less than the rounding of its weights, which may have meant zero.
    require(report.absolute_error > 0, "a cycle better than nothing was not told");
    return;
  }
  const std::string wrong = truth().judge(u, v, found, bound_of(report));
  require(wrong.empty(), "{}", wrong);
}

void Case::judge_row(Vertex u, const std::vector<double>& row, const SolveReport& report) {
  require(row.size() == graph.offsets().size() - 1, "a row of {} values", row.size());
  for (Vertex v = 0; v < n(); ++v) judge(u, v, row[v], report);
}

}  // namespace apsp::campaign
