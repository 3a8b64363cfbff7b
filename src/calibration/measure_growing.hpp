// What measuring the host and measuring a GPU share: solves of one kind on sizes that grow until
// the time is spent, and the parts of each.
#pragma once

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "calibration/measure_rates.hpp"
#include "calibration/timed_solve.hpp"

namespace apsp::calibration {

/// Solves of n vertices: the shortest time of each part.
struct SizeSample {
  double n = 0;
  PhaseSeconds parts;
};

using SolveOne = std::function<PhaseSeconds(const Graph&)>;

/// On the CPU, statistics alone.
SolveOptions measuring_options(const planner::KernelKind& kind, int threads,
                               const MeasureLimits& limits);

/// Solves random graphs of growing sizes, the `usual` ones unless the limits name others, and then
/// all of them again while time is left. A size whose solve would take too much of the time ends
/// the list.
std::vector<SizeSample> sample_sizes(std::span<const std::int64_t> usual,
                                     const planner::KernelKind& kind, places::Shape shape,
                                     const MeasureLimits& limits, const SolveOne& solve_one);

planner::RateCurve curve(const std::vector<SizeSample>& samples, double PhaseSeconds::*part);
/// The best of the larger sizes: small ones wait for threads.
double pairs_a_second(const std::vector<SizeSample>& samples);
/// Arcs a second, by graphs of at most `largest` vertices: a complete graph against a sparse one of
/// as many vertices; 0: they cost nothing that could be seen.
double measure_arcs(const planner::KernelKind& kind, double largest, const SolveOne& solve_one);

/// A machine that fails is not measured; an interruption is the caller's.
template <class F>
auto unless_it_fails(F&& measure) -> decltype(measure()) {
  try {
    return measure();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

}  // namespace apsp::calibration
