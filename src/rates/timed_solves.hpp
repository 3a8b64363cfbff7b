// Timed solves of generated graphs: of matrices on growing sizes, and of parts of sparse solves.
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
#include "flow/row_source.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"
#include "sparse/tree.hpp"

namespace apsp::rates {

using base::seconds_since;

struct MeasureLimits {
  double seconds = 0.3;          // approximate limit
  std::int64_t bytes = 1 << 30;  // of host memory for a solve
  const Cancellation* cancellation = nullptr;
  std::vector<std::int64_t> sizes{};  // of solves, ascending; empty: chosen
  const planner::Devices* devices = nullptr;
  double driver_start = 0;  // s, start of the GPU's driver
};

/// Returns nothing if no measurement is possible. Throws `Error`.
template <class Rates>
using Measure = std::optional<Rates>(const planner::RateQuery& asked, const MeasureLimits& limits);

/// Seconds of the shortest of `runs` runs, or fewer after `enough` seconds.
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

/// Plans, solves and gathers statistics as `apsp::solve` does; nothing is kept. `options` have no
/// output, predecessors or hops. Throws `Error` as `apsp::solve`.
PhaseSeconds timed_solve(const planner::FindDevices& find, const Graph& graph,
                         const SolveOptions& options);

/// Seconds on the devices of a plan by rows whose distances are only counted, the best of two runs.
struct RowsOnDevice {
  double planned = 0, taken = 0;
};
/// Returns nothing if the plan does not count rows on a device. Throws `Error` as `apsp::solve`.
std::optional<RowsOnDevice> time_rows_on_device(const planner::FindDevices& find,
                                                const Graph& graph, const SolveOptions& options);

/// Returns the seconds that each source adds to near-far searches, without the copy of the arcs:
/// the difference of twice as many sources as run at once and as many, divided by their number.
/// Throws `Error`: device, does_not_fit, interrupted.
double time_searches_on_device(const Graph& graph, const planner::DeviceSearchSample& searches,
                               const Control& control);

struct SizeSample {
  double n = 0;
  PhaseSeconds parts;
};

using SolveOne = std::function<PhaseSeconds(const Graph&)>;

/// A sparse random graph with integer weights for this kind of kernel, or nothing (undirected
/// graphs with negative edges).
std::optional<Graph> measuring_graph(const planner::KernelKind& kind, dense::Shape shape,
                                     std::int64_t n);

/// Options for the CPU, with statistics only.
SolveOptions measuring_options(const planner::RateQuery& asked, const MeasureLimits& limits);

/// Solves random graphs of growing sizes, `usual` unless the limits name others, then all of them
/// again while time is left. Stops at a size whose solve would take too much of the time.
std::vector<SizeSample> sample_sizes(std::span<const std::int64_t> usual,
                                     const planner::RateQuery& asked, const MeasureLimits& limits,
                                     const SolveOne& solve_one);

planner::RateCurve curve(const std::vector<SizeSample>& samples, double PhaseSeconds::*part);
/// The best of the larger sizes, because threads wait in small ones.
double pairs_a_second(const std::vector<SizeSample>& samples);
/// Arcs per second, from a complete and a sparse graph of at most `largest` vertices; 0:
/// negligible.
double measure_arcs(const planner::KernelKind& kind, double largest, const SolveOne& solve_one);

struct RowsRun {
  double seconds = 0;
  double rows = 0;
};

/// Computes `count` rows, in blocks spread evenly over the order, for at most `most` seconds.
RowsRun time_rows(const flow::RowSource& source, std::int64_t count, int threads, double most,
                  const Control& control);

/// Pairs per second of statistics by rows in one thread. `at_once`: rows of a block. The pairs have
/// a path or not.
double pairs_by_rows(const Graph& graph, const planner::KernelKind& kind, std::int64_t at_once,
                     bool has_path = true);

/// Seconds by all threads.
struct EliminationParts {
  std::shared_ptr<const sparse::Tree> tree;
  double ordering = 0;  // METIS
  double eliminating = 0;
  double sweeping = 0;     // all distances by columns, discarded
  double counting = 0;     // additional time of statistics
  double transposing = 0;  // additional time of rows
};

/// The shortest of some repetitions of each part. `graph` is undirected.
EliminationParts time_elimination(const Graph& graph, const planner::KernelKind& kind, int threads,
                                  const Control& control);

}  // namespace apsp::rates
