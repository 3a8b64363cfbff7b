// Solves of generated graphs and how long their parts take: of matrices on sizes that grow until
// the time is spent, and of sparse solves.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/seconds_since.hpp"
#include "calibration/measure_rates.hpp"
#include "elimination/tree.hpp"
#include "flow/row_source.hpp"
#include "planner/devices.hpp"
#include "planner/rate_curve.hpp"
#include "planner/rates.hpp"

namespace apsp::calibration {

using base::seconds_since;

/// Seconds of the shortest of some runs, fewer where they take long: until `enough` s are over.
template <class F>
double shortest(int runs, F&& work, double enough = 1e30) {
  double best = 1e30, all = 0;
  for (int i = 0; i < runs && all < enough; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds = seconds_since(start);
    best = std::min(best, seconds);
    all += seconds;
  }
  return best;
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

/// Solves of n vertices: the shortest time of each part.
struct SizeSample {
  double n = 0;
  PhaseSeconds parts;
};

using SolveOne = std::function<PhaseSeconds(const Graph&)>;

/// A sparse random graph that is solved by this kind of kernel. Weights are integers. Empty where
/// there is none, as for undirected graphs with negative edges.
std::optional<Graph> measuring_graph(const planner::KernelKind& kind, places::Shape shape,
                                     std::int64_t n);

/// On the CPU, with statistics only.
SolveOptions measuring_options(const planner::RateQuery& asked, const MeasureLimits& limits);

/// Solves random graphs of growing sizes, the `usual` ones if the limits name no others, and then
/// all of them again while time is left. A size whose solve would take too much of the time ends
/// the list.
std::vector<SizeSample> sample_sizes(std::span<const std::int64_t> usual,
                                     const planner::RateQuery& asked, const MeasureLimits& limits,
                                     const SolveOne& solve_one);

planner::RateCurve curve(const std::vector<SizeSample>& samples, double PhaseSeconds::*part);
/// The best of the larger sizes: small ones wait for threads.
double pairs_a_second(const std::vector<SizeSample>& samples);
/// Arcs a second, by graphs of at most `largest` vertices: a complete graph against a sparse one of
/// as many vertices; 0: they cost nothing that could be seen.
double measure_arcs(const planner::KernelKind& kind, double largest, const SolveOne& solve_one);

/// Rows that were computed, and seconds by all threads.
struct RowsRun {
  double seconds = 0;
  double rows = 0;
};

/// Computes `count` rows, in whole blocks spread evenly over the order, and drops them. Ends early
/// once `most` seconds are over.
RowsRun time_rows(const flow::RowSource& source, std::int64_t count, int threads, double most,
                  const Control& control);

/// Pairs a second that statistics take row by row, of one thread: of pairs that have a path, or
/// have none.
double pairs_by_rows(const Graph& graph, const planner::KernelKind& kind, bool has_path = true);

/// Seconds by all threads.
struct EliminationParts {
  std::shared_ptr<const elimination::Tree> tree;
  double ordering = 0;  // METIS
  double eliminating = 0;
  double sweeping = 0;     // all distances, vertex by vertex, dropped
  double counting = 0;     // what statistics add to it
  double transposing = 0;  // what rows add to it
};

/// The shortest of some repetitions of each part. `graph` is undirected.
EliminationParts time_elimination(const Graph& graph, const planner::KernelKind& kind, int threads,
                                  const Control& control);

}  // namespace apsp::calibration
