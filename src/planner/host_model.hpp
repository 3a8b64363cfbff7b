// How long a solve takes in the host's memory, from the graph to the result: pure functions of the
// problem and of a machine's figures.
//
//   start + arcs / arcs a second + solve(n) + n² / statistics + bytes / store
//
// `solve` is a curve that was measured (rate_curve.hpp) and also holds all that grows with n²:
// first touch of the matrix's pages, filling, mirroring, closing of tiles.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "places/disk_plan.hpp"
#include "planner/rates.hpp"

namespace apsp::planner {

using Prediction = PredictionReport;

/// Cautious figures of one thread, a second.
inline constexpr double kAssumedPairs = 1.5e8, kAssumedArcs = 2e7;

/// The figures that the source has for this build and machine, or else cautious ones.
HostRates host_rates(const RateSource& source, const KernelKind& kernel, places::Shape shape,
                     int threads, std::int64_t n);
/// Those of the last large output, else by the rates of memory and disk. `bytes` are written to
/// `output`.
StoreRates store_rates(const RateSource& source, RateQuery output, double bytes);

/// A solve of a matrix, on the host or a device.
struct MatrixWork {
  std::int64_t n = 0;
  std::int64_t arcs = 0;
  bool statistics = true;
};

/// `solve`: seconds without the arcs, by the same rates.
template <class Rates>
Prediction predict_matrix(const MatrixWork& work, const Rates& rates, double solve) {
  const auto n = static_cast<double>(work.n), arcs = static_cast<double>(work.arcs);
  Prediction prediction;
  prediction.start = rates.start;
  prediction.solve = (rates.arcs > 0 ? arcs / rates.arcs : 0) + solve;
  if (work.statistics && rates.statistics > 0) prediction.statistics = n * n / rates.statistics;
  prediction.seconds = prediction.start + prediction.solve + prediction.statistics;
  prediction.rough = rates.uncalibrated;
  prediction.measured = rates.measured;
  return prediction;
}

Prediction predict_on_host(const MatrixWork& work, const HostRates& rates);
/// Seconds that writing `bytes` takes.
double predict_store(double bytes, const StoreRates& rates);

/// Seconds of the steps over a matrix on the disk, on the host or a device. `work`: seconds of the
/// relaxations without transfers. A diagonal tile, b³ of n³ relaxations, is closed under no
/// transfer:
///
///   steps · (closing + max(work of a step − closing, bytes in + bytes out))
///
/// Where rows stay on a device, the first step comes with bytes in alone, those of its diagonal
/// tile before any work, and the last one with bytes out.
double steps_on_disk(const places::DiskPlan& plan, std::int64_t n, int value_size, double work,
                     const TransferRates& rates);
/// The same of a whole solve, until all rows have been emitted:
///
///   fill + steps + bytes in, for the sinks
///
/// A disk reads and writes one after another, in the order of requests (places/disk_queue.hpp).
double predict_on_disk(const places::DiskPlan& plan, std::int64_t n, int value_size, double work,
                       const TransferRates& rates);

}  // namespace apsp::planner
