// A problem: the question and the facts of the graph, before any method is considered. It is made
// by `describe_problem`, read by models, candidates and advice, and never changed.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dense/tiled_matrix.hpp"
#include "kernels/contract.hpp"
#include "planner/findings.hpp"
#include "planner/rates.hpp"
#include "planner/signed_weights.hpp"
#include "store/selection.hpp"
#include "store/store.hpp"

namespace apsp::planner {

/// Side of a chunk of a .zarr: 1024² values are 2 to 8 MiB, large enough to stream, small enough to
/// fetch.
inline constexpr std::int64_t kStoreChunk = 1024;

/// Reasons of choices; empty: there is nothing to explain.
struct Reasons {
  std::string keep, stored, device, type;
  double cpu_seconds = 0;  ///< of the CPU, if a GPU was chosen as it is faster; else 0
};

struct DiskUse {
  std::int64_t output = 0;   ///< all of its files, before compression
  std::int64_t scratch = 0;  ///< in addition, until the output is complete
  std::int64_t graph = 0;    ///< the graph in a .zarr, or next to a matrix on disk
  /// The limit of both; unlimited if the disk cannot be asked.
  std::int64_t allowed = std::numeric_limits<std::int64_t>::max();
};

struct Problem {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  int threads = 1;
  kernels::Sign sign = kernels::Sign::any;
  double distance_bound = 0;  ///< no distance has a larger magnitude
  double least_distance = 0;  ///< no smaller distance except 0, before rounding; 0: not known
  bool whole = false;
  std::int64_t n = 0;
  store::Selection selection{};
  dense::Shape shape = dense::Shape::full;
  bool with_via = false;
  std::int64_t chunk = 0;  ///< side of a tile of the store
  bool symmetric = true;   ///< distances are the same in both directions
  double unit_roundoff = 0;
  /// Reduced weights, if real weights have both signs; null: weights as they are.
  std::shared_ptr<const SignedWeights> signed_weights{};
  Keep keep = Keep::matrix;
  Keep stored = Keep::matrix;
  Reasons why{};
  std::int64_t bytes_allowed = 0;  ///< of the host's memory
  DiskUse disk{};
  /// The number of pairs, if only pairs are asked for; 0: whole rows.
  std::int64_t pairs = 0;
  /// Facts from samples, for a plan that is only shown; else null.
  std::shared_ptr<const Estimates> estimates{};
  bool estimated_type = false;  ///< the value type follows from samples

  std::int64_t sources() const { return selection.sources.size(n); }
  std::int64_t targets() const { return selection.targets.size(n); }
  /// Longest paths on reduced weights are shortest paths for kernels.
  Semiring kernel_semiring() const { return signed_weights ? Semiring::min_plus : semiring; }
  int value_bytes() const { return kernel().value_bytes(); }
  KernelKind kernel() const { return {kernel_semiring(), type, sign, with_via}; }
  bool leaves_factor() const { return keep == Keep::factor || stored == Keep::factor; }
  /// Whether the selected rows and columns are stored in addition to a matrix.
  bool keeps_selection() const { return keep == Keep::matrix && !selection.all(); }
};

/// A question, and the sources of devices and rates. All references must outlive this.
struct PlanRequest {
  const Graph& graph;
  const SolveOptions& options;
  FoundDevices gpus;
  const RateSource& rates;
  /// Graphs of so many vertices are planned from samples (findings.hpp), if these are
  /// representative.
  std::int64_t estimated_from = kNeverEstimated;
  /// Facts shared by all questions about the graph over one semiring.
  std::shared_ptr<Findings> findings = std::make_shared<Findings>();

  /// The same question with other options and rates, which must outlive it.
  PlanRequest with(const SolveOptions& others, const RateSource& other_rates) const {
    return {graph, others, gpus, other_rates, estimated_from, findings};
  }
};

/// Whether only pairs are asked for, so that a factor may be kept instead of rows.
bool wants_pairs_alone(const SolveOptions& options);

/// Whether nested dissection was named, or may be chosen.
bool may_dissect(const SolveOptions& options);

/// Whether the output was asked to hold the factor.
bool stores_factor(const SolveOptions& options);
/// Whether the output may hold the factor by default.
bool may_store_factor(const SolveOptions& options, const Problem& problem);

/// Whether an algorithm that computes rows was named.
bool names_rows(const SolveOptions& options);

/// `options.machine.memory`, or nine tenths of what is free.
std::int64_t allowed_bytes(const SolveOptions& options);

/// `options.storage.disk`, or what the output's disk has free.
std::int64_t allowed_disk(const SolveOptions& options);

}  // namespace apsp::planner
