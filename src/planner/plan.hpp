// What a solve will do: decided once, from the graph and the machine, and printable.
#pragma once

#include <apsp/solve.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/machine.hpp"
#include "kernels/contract.hpp"
#include "places/disk_plan.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/device_plan.hpp"
#include "planner/estimates.hpp"
#include "planner/host_model.hpp"
#include "planner/rows_plan.hpp"
#include "planner/signed_weights.hpp"
#include "store/selection.hpp"

namespace apsp::planner {

/// Chunks of a .zarr: 1024² values are 2 to 8 MiB, large enough to stream, small enough to fetch.
inline constexpr std::int64_t kStoreChunk = 1024;

/// Floyd-Warshall over a matrix: in memory, or on the disk while it is solved.
struct DensePlan {
  std::int64_t tile = 0;  ///< side of a tile, vertices
  std::optional<places::DiskPlan> on_disk{};
};

/// Why something was chosen automatically; empty: it was asked for.
struct Reasons {
  std::string keep, stored, device, type;
};

/// Of the disk, bytes.
struct DiskUse {
  std::int64_t output = 0;   ///< every file of it, before any compression
  std::int64_t scratch = 0;  ///< besides, until the output is complete
  std::int64_t graph = 0;    ///< that a .zarr, or a matrix on the disk, has beside it
  /// What both may take; nothing that is written is refused where the disk cannot be asked.
  std::int64_t allowed = std::numeric_limits<std::int64_t>::max();
};

struct Plan {
  Algorithm algorithm = Algorithm::floyd_warshall;
  std::variant<DensePlan, RowsPlan> way{};    // what only a matrix has, or only rows
  std::optional<DevicePlan> on_device{};      // with either; empty: by the CPU
  std::vector<CandidateReport> candidates{};  // the way that is taken first
  Reasons why{};
  Keep keep = Keep::matrix;    // what the result will hold; never automatic
  Keep stored = Keep::matrix;  // what the output will hold: matrix or factor
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  places::Shape shape = places::Shape::full;
  kernels::Cycles cycles = kernels::Cycles::excluded;  ///< a graph is searched for them before
  bool with_via = false;                               ///< intermediate vertices are tracked
  std::int64_t n = 0;
  store::Selection selection{};  ///< whose rows and columns the result has
  std::int64_t chunk = 0;        ///< side of a tile of the store
  int threads = 1;
  double distance_bound = 0;
  double least_distance = 0;  ///< of those other than 0, before rounding; 0: not known
  bool whole = false;         ///< all weights are whole numbers
  bool symmetric = false;     ///< distances are the same in both directions
  double unit_roundoff = 0;
  /// Sums of real weights of both signs are solved on reduced weights; null: as they are.
  std::shared_ptr<const SignedWeights> signed_weights{};
  std::int64_t bytes = 0;  ///< what the solve will take of the host's memory, the graph included
  std::int64_t bytes_allowed = 0;
  DiskUse disk{};
  Prediction predicted{};  ///< from the graph in memory to the result
  /// What is known from samples only, in a plan that nothing is solved by; null: nothing.
  std::shared_ptr<const Estimates> estimates{};
  bool estimated_type = false;  ///< by samples too

  /// Null where a matrix is filled by Floyd-Warshall.
  const RowsPlan* rows() const { return std::get_if<RowsPlan>(&way); }
  RowsPlan* rows() { return std::get_if<RowsPlan>(&way); }
  /// Null where the matrix is in memory, or there is none.
  const places::DiskPlan* on_disk() const {
    const auto* const dense = std::get_if<DensePlan>(&way);
    return dense != nullptr && dense->on_disk ? &*dense->on_disk : nullptr;
  }
  /// Of Floyd-Warshall's matrix; 0: there is none.
  std::int64_t tile() const { return rows() ? 0 : std::get<DensePlan>(way).tile; }
  Device device() const { return on_device ? Device::cuda : Device::cpu; }
  /// Reachability alone is solved in packed bits, which have one tile and no symmetric half.
  bool in_bits() const { return semiring == Semiring::or_and && !with_via && !rows(); }
  /// No byte a pair is kept: bits become rows of bytes as they are given out.
  bool stays_in_bits() const { return in_bits() && (keep != Keep::matrix || !selection.all()); }
  /// All distances are in memory at once, until the end.
  bool keeps_matrix() const {
    return rows() ? rows()->uses.keeps_matrix : on_disk() == nullptr && !stays_in_bits();
  }
  bool leaves_factor() const { return keep == Keep::factor || stored == Keep::factor; }
  /// Those of a selection are kept in memory, besides all others where there are such.
  bool keeps_selection() const { return keep == Keep::matrix && !selection.all(); }
  /// Rows and columns of the result.
  std::int64_t sources() const { return selection.sources.size(n); }
  std::int64_t targets() const { return selection.targets.size(n); }
  /// What the kernels compute: longest paths on reduced weights are shortest ones.
  Semiring kernel_semiring() const { return signed_weights ? Semiring::min_plus : semiring; }
  /// Sizes and times are estimates.
  bool estimated() const {
    return estimated_type || (rows() && rows()->factor() && rows()->factor()->estimated);
  }
  bool fits_memory() const { return bytes <= bytes_allowed; }
  bool fits_disk() const { return disk.output <= disk.allowed; }
  bool fits() const { return fits_memory() && fits_disk(); }
  double relaxations() const;
  KernelKind kernel() const { return {kernel_semiring(), type, sign, with_via}; }
};

/// The CPU's operations on tiles of the plan.
kernels::TileOperations operations_of(const Plan& plan);

/// What is planned, and where devices and figures come from. All must outlive this.
struct PlanRequest {
  const Graph& graph;
  const SolveOptions& options;
  const FindDevices& find;
  const RateSource& rates;
  bool names_ways = true;  ///< a refusal says what takes the problem, which is planned too
  /// Graphs of so many vertices are planned by samples (estimates.hpp), if these tell enough.
  std::int64_t estimated_from = kNeverEstimated;
};

/// Throws `Error`: usage, does_not_fit (says what would fit), device (asked for by name and not
/// there, or it does not take the problem). `find` is asked only if a GPU may be chosen.
Plan make_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {});

/// The same, whether it fits or not. Throws `Error`: usage, device, does_not_fit (a GPU that was
/// asked for by name has too little memory; says what would fit).
Plan find_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {},
               std::int64_t estimated_from = kNeverEstimated);

/// The same; a GPU that has too little memory is a `DeviceTooSmall`.
Plan try_plan(const PlanRequest& asked);

/// The plan of the same solve on the CPU.
Plan on_cpu(const Graph& graph, const SolveOptions& options, const Plan& plan);

/// The same for a caller's matrix in memory: its type is given, and no bounds or bytes are
/// computed. Throws `Error` as above.
Plan plan_matrix(const DeviceProblem& problem, const DevicePreference& preference,
                 const FindDevices& find = cuda_devices, const RateSource& rates = {});

/// Throws `Error` (usage) of a side that is negative, or larger than a store takes. 0: chosen.
void require_tile(std::int64_t tile);

/// How a matrix over a semiring of one's own is solved, on the host. Throws `Error` (usage).
struct OwnPlan {
  std::int64_t tile = 0;  ///< side, vertices
  int threads = 1;
};
OwnPlan plan_own_matrix(std::int64_t n, int value_size, const FloydWarshallOptions& options);

/// The side of a Floyd-Warshall tile for n vertices on `threads` threads, each with a first-level
/// cache of `cache` bytes.
std::int64_t choose_tile(std::int64_t n, int threads, const kernels::TileOperations& operations,
                         std::int64_t level1_bytes = base::level1_cache_bytes());

}  // namespace apsp::planner
