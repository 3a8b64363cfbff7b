// A problem: the question, and the facts of the graph, before any method is considered.
//
// `describe_problem` (describe.hpp) makes a problem; nothing changes it afterwards. Models,
// candidates and advice read it. A `Plan` (plan.hpp) is a problem with the method that was chosen
// for it.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "kernels/contract.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/estimates.hpp"
#include "planner/rates.hpp"
#include "planner/signed_weights.hpp"
#include "store/selection.hpp"

namespace apsp::planner {

/// Side of a chunk of a .zarr: 1024² values are 2 to 8 MiB, large enough to stream, small enough to
/// fetch.
inline constexpr std::int64_t kStoreChunk = 1024;

/// Why something was chosen automatically; empty: it was asked for.
struct Reasons {
  std::string keep, stored, device, type;
  double cpu_seconds = 0;  ///< of the CPU, where a GPU was chosen as it is faster; else 0
};

/// Disk space, in bytes.
struct DiskUse {
  std::int64_t output = 0;   ///< every file of it, before any compression
  std::int64_t scratch = 0;  ///< in addition, until the output is complete
  std::int64_t graph = 0;    ///< of the graph in a .zarr, or next to a matrix on the disk
  /// The most that both may take; unlimited where the disk cannot be asked.
  std::int64_t allowed = std::numeric_limits<std::int64_t>::max();
};

struct Problem {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  int threads = 1;
  kernels::Sign sign = kernels::Sign::any;  ///< of the weights that kernels see
  double distance_bound = 0;                ///< no distance has a larger magnitude
  double least_distance = 0;     ///< of those other than 0, before rounding; 0: not known
  bool whole = false;            ///< all weights are integers
  std::int64_t n = 0;            ///< vertices
  store::Selection selection{};  ///< whose rows and columns the result has
  places::Shape shape = places::Shape::full;
  bool with_via = false;   ///< intermediate vertices are tracked
  std::int64_t chunk = 0;  ///< side of a tile of the store
  bool symmetric = true;   ///< distances are the same in both directions
  double unit_roundoff = 0;
  /// Sums of real weights of both signs are solved on reduced weights; null: as they are.
  std::shared_ptr<const SignedWeights> signed_weights{};
  Keep keep = Keep::matrix;    ///< what the result will hold; never automatic
  Keep stored = Keep::matrix;  ///< what the output will hold: matrix or factor
  Reasons why{};
  std::int64_t bytes_allowed = 0;  ///< of the host's memory
  DiskUse disk{};
  /// Pairs that are all that is asked for; 0: rows are, whole.
  std::int64_t pairs = 0;
  /// Facts from samples, in a plan that nothing is solved by; null: there are none.
  std::shared_ptr<const Estimates> estimates{};
  bool estimated_type = false;  ///< the value type follows from samples

  /// Rows and columns of the result.
  std::int64_t sources() const { return selection.sources.size(n); }
  std::int64_t targets() const { return selection.targets.size(n); }
  /// The kernels' semiring: longest paths on reduced weights are shortest ones.
  Semiring kernel_semiring() const { return signed_weights ? Semiring::min_plus : semiring; }
  int value_bytes() const { return kernel().value_bytes(); }
  KernelKind kernel() const { return {kernel_semiring(), type, sign, with_via}; }
  bool leaves_factor() const { return keep == Keep::factor || stored == Keep::factor; }
  /// The chosen rows and columns are kept in memory, in addition to all others where those are.
  bool keeps_selection() const { return keep == Keep::matrix && !selection.all(); }
};

class Findings;
std::shared_ptr<Findings> new_findings();

/// A question: what is planned, and where devices and figures come from. All must outlive this.
struct PlanRequest {
  const Graph& graph;
  const SolveOptions& options;
  const FindDevices& find;
  const RateSource& rates;
  /// Graphs of so many vertices are planned by samples (estimates.hpp), if these tell enough.
  std::int64_t estimated_from = kNeverEstimated;
  /// Facts of the graph, shared by all questions about it over one semiring.
  std::shared_ptr<Findings> findings = new_findings();

  /// The same question with other options and no measured figures.
  PlanRequest with(const SolveOptions& others) const;
};

/// Whether some pairs are all that is asked for, so that the factor may be kept in place of rows.
bool wants_pairs_alone(const SolveOptions& options);

/// Whether the output may hold the factor unasked.
bool may_store_factor(const SolveOptions& options, const Problem& problem);

/// Whether one of the algorithms that compute rows was named.
bool names_rows(const SolveOptions& options);

}  // namespace apsp::planner
