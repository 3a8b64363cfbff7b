// How long a solve takes in the host's memory, from the graph to the result: pure functions of the
// problem and of a machine's figures.
//
//   start + arcs / arcs a second + solve(n) + n² / statistics + bytes / store
//
// `solve` is a curve that was measured (rate_curve.hpp) and holds all that grows with n² besides:
// first touch of the matrix's pages, filling, mirroring, closing of tiles.
#pragma once

#include <cstdint>
#include <string>

#include "planner/rates.hpp"

namespace apsp::planner {

/// Seconds from the graph in memory to the result, and what they are made of.
struct Prediction {
  double seconds = 0;  // the sum of the others
  double start = 0;    // a GPU's driver; trying out kernels
  double solve = 0;    // the matrix filled and solved, memory and copies included
  double statistics = 0;
  double store = 0;
  bool rough = true;       // by figures that were not measured on this machine
  std::string measured{};  // when the oldest of them was measured, UTC; empty where rough
  double end = 0;          // not of the sum: until a process has left its GPU's driver
};

struct HostProblem {
  std::int64_t n = 0;
  std::int64_t arcs = 0;
  KernelKind kernel{};
  places::Shape shape = places::Shape::full;
  int threads = 1;
  bool statistics = true;
};

/// Cautious figures of one thread, a second.
inline constexpr double kAssumedPairs = 1.5e8, kAssumedArcs = 2e7;

/// Cautious figures for a machine of which only the width of its vectors is known, in bytes.
HostRates assumed_host_rates(const KernelKind& kernel, places::Shape shape, int threads,
                             std::int64_t vector_bytes);
StoreRates assumed_store_rates();
/// Every byte is copied into the system's memory, then written.
StoreRates store_rates_by(const TransferRates& transfers);

/// What is written where.
struct StoreProblem {
  std::string output;
  bool compress = false;
  int threads = 1;
  double bytes = 0;
};

/// The figures that the source has for this build and machine, or else those above.
HostRates host_rates(const RateSource& source, const KernelKind& kernel, places::Shape shape,
                     int threads, std::int64_t n);
/// Of the last large output, else by what memory and disk move.
StoreRates store_rates(const RateSource& source, const StoreProblem& problem);

Prediction predict_on_host(const HostProblem& problem, const HostRates& rates);
/// Seconds that writing `bytes` takes.
double predict_store(double bytes, const StoreRates& rates);

}  // namespace apsp::planner
