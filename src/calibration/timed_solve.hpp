// One solve as `apsp::solve` goes it, from the graph to statistics, and how long its parts took.
#pragma once

#include <apsp/solve.hpp>
#include <chrono>

#include "planner/devices.hpp"

namespace apsp::calibration {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The shortest of each part over repetitions of one solve, s. `run`: on a device.
struct PhaseSeconds {
  double prepare = 1e30, solve = 1e30, statistics = 1e30, run = 1e30, total = 1e30;
  void add(const PhaseSeconds& other);
};

/// Plans, solves and gathers statistics through the same rooms as `apsp::solve`; nothing is kept.
/// `options` name no output, no predecessors and no hops. Throws `Error` as `apsp::solve`.
PhaseSeconds timed_solve(const planner::FindDevices& find, const Graph& graph,
                         const SolveOptions& options);

}  // namespace apsp::calibration
