// Seconds of a solve in the host's memory, from the graph to the result: pure functions of the
// problem and of a machine's rates.
//
//   start + arcs / arcs a second + solve(n) + n² / statistics + bytes / store
//
// `solve` is a measured curve (rates.hpp), which includes what grows with n²: first touch of
// the matrix's pages, filling, mirroring, closing of tiles.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

#include "dense/disk_plan.hpp"
#include "planner/plan.hpp"
#include "planner/rates.hpp"

namespace apsp::planner {

/// Cautious rates of one thread, a second.
inline constexpr double kAssumedPairs = 1.5e8, kAssumedArcs = 2e7;

HostRates host_rates(const RateSource& source, const KernelKind& kernel, dense::Shape shape,
                     int threads, std::int64_t n);
/// Returns the rates of the last large output, or else those of memory and disk. `bytes`: written
/// to `output`.
StoreRates store_rates(const RateSource& source, RateQuery output, double bytes);

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
double predict_store(double bytes, const StoreRates& rates);

/// Seconds of the steps over a matrix on disk, on the host or a device. `work`: seconds of the
/// relaxations without transfers. Closing a diagonal tile, b³ of n³ relaxations, overlaps with no
/// transfer:
///
///   steps · (closing + max(work of a step − closing, bytes in + bytes out))
///
/// If rows stay on a device, the first step only reads, its diagonal tile before any work, and the
/// last one only writes.
double steps_on_disk(const dense::DiskPlan& plan, std::int64_t n, int value_size, double work,
                     const TransferRates& rates);
/// The same for a whole solve, until all rows have been emitted:
///
///   fill + steps + bytes in, for the sinks
///
/// A disk serves requests one after another, in order (dense/disk_share.hpp).
double predict_on_disk(const dense::DiskPlan& plan, std::int64_t n, int value_size, double work,
                       const TransferRates& rates);

}  // namespace apsp::planner
