#include "calibration/timed_solve.hpp"

#include <algorithm>

#include "engine/solve_graph.hpp"
#include "planner/layout.hpp"
#include "planner/plan.hpp"
#include "query/statistics_pass.hpp"

namespace apsp::calibration {

void PhaseSeconds::add(const PhaseSeconds& other) {
  prepare = std::min(prepare, other.prepare);
  solve = std::min(solve, other.solve);
  statistics = std::min(statistics, other.statistics);
  run = std::min(run, other.run);
  total = std::min(total, other.total);
}

PhaseSeconds timed_solve(const planner::FindDevices& find, const Graph& graph,
                         const SolveOptions& options) {
  using Clock = std::chrono::steady_clock;
  PhaseSeconds parts;
  const Clock::time_point start = Clock::now();
  const planner::Plan plan = planner::make_plan(graph, options, find);
  engine::require_defined(graph, plan, options.control);
  auto matrix = store::make_memory_store(planner::layout_in_memory(plan, options));
  parts.prepare = seconds_since(start);
  const Clock::time_point solving = Clock::now();
  const engine::Solved solved = engine::solve_graph(graph, plan, matrix.get(), options.control);
  parts.solve = seconds_since(solving);
  if (solved.on_device) parts.run = solved.on_device->seconds;
  const Clock::time_point passing = Clock::now();
  query::statistics(*matrix, graph, options.control, plan.threads, plan.distance_bound);
  parts.statistics = seconds_since(passing);
  matrix.reset();
  parts.total = seconds_since(start);
  return parts;
}

}  // namespace apsp::calibration
