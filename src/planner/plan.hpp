// What a solve will do: decided once, from the graph and the machine, and printable.
#pragma once

#include <apsp/solve.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/machine.hpp"
#include "kernels/contract.hpp"
#include "places/disk_plan.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/device_choice.hpp"
#include "planner/host_model.hpp"
#include "planner/rows_plan.hpp"
#include "planner/signed_weights.hpp"
#include "store/selection.hpp"

namespace apsp::planner {

/// Chunks of a .zarr: 1024² values are 2 to 8 MiB, large enough to stream, small enough to fetch.
inline constexpr std::int64_t kStoreChunk = 1024;

struct Plan {
  Algorithm algorithm = Algorithm::floyd_warshall;
  std::vector<CandidateReport> candidates{};  // the way that is taken first
  std::optional<RowsPlan> rows{};             // unless the algorithm is Floyd-Warshall
  Keep keep = Keep::matrix;                   // what the result will hold; never automatic
  std::string why_keep;                       // the reason of an automatic choice; else empty
  Keep stored = Keep::matrix;                 // what the output will hold: matrix or factor
  std::string why_stored;                     // the reason of an automatic choice; else empty
  std::optional<places::DiskPlan> on_disk{};  // the matrix rests on the disk while it is solved
  Device device = Device::cpu;
  std::optional<DevicePlan> on_device{};  // with `Device::cuda`
  std::string why_device;                 // the reason of an automatic choice; else empty
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  std::string why_type;
  kernels::Sign sign = kernels::Sign::any;
  places::Shape shape = places::Shape::full;
  kernels::Cycles cycles = kernels::Cycles::excluded;  ///< a graph is searched for them before
  bool with_via = false;                               ///< intermediate vertices are tracked
  std::int64_t n = 0;
  store::Selection selection{};  ///< whose rows and columns the result has
  std::int64_t tile = 0;         ///< side of a tile of the solve
  std::int64_t chunk = 0;        ///< side of a tile of the store
  int threads = 1;
  double distance_bound = 0;
  double unit_roundoff = 0;
  /// Sums of real weights of both signs are solved on reduced weights; null: as they are.
  std::shared_ptr<const SignedWeights> signed_weights{};
  std::int64_t bytes = 0;  ///< what the solve will take of the host's memory, the graph included
  std::int64_t bytes_allowed = 0;
  std::int64_t bytes_disk = 0;     ///< of the output, before any compression
  std::int64_t bytes_scratch = 0;  ///< of disk besides, until the output is complete
  /// What both may take; nothing that is written is refused where the disk cannot be asked.
  std::int64_t bytes_disk_allowed = std::numeric_limits<std::int64_t>::max();
  Prediction predicted{};  ///< from the graph in memory to the result

  /// Reachability alone is solved in packed bits, which have one tile and no symmetric half.
  bool in_bits() const { return semiring == Semiring::or_and && !with_via && !rows; }
  /// All distances are in memory at once, until the end.
  bool keeps_matrix() const { return !on_disk && (!rows || rows->keeps_matrix); }
  bool leaves_factor() const { return keep == Keep::factor || stored == Keep::factor; }
  /// Those of a selection are kept in memory, besides all others where there are such.
  bool keeps_selection() const { return keep == Keep::matrix && !selection.all(); }
  /// Rows and columns of the result.
  std::int64_t sources() const {
    return selection.sources.empty() ? n : std::ssize(selection.sources);
  }
  std::int64_t targets() const {
    return selection.targets.empty() ? n : std::ssize(selection.targets);
  }
  /// What the kernels compute: longest paths on reduced weights are shortest ones.
  Semiring kernel_semiring() const { return signed_weights ? Semiring::min_plus : semiring; }
  bool fits_memory() const { return bytes <= bytes_allowed; }
  bool fits_disk() const { return bytes_disk <= bytes_disk_allowed; }
  bool fits() const { return fits_memory() && fits_disk(); }
  double relaxations() const;
};

/// Throws `Error`: usage, does_not_fit (says what would fit), device (asked for by name and not
/// there, or it does not take the problem). `find` is asked only if a GPU may be chosen.
Plan make_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {});

/// The same, whether it fits or not. Throws `Error`: usage, device, does_not_fit (a GPU that was
/// asked for by name has too little memory; says what would fit).
Plan find_plan(const Graph& graph, const SolveOptions& options,
               const FindDevices& find = cuda_devices, const RateSource& rates = {});

/// The same; a GPU that has too little memory is a `DeviceTooSmall`.
Plan try_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
              const RateSource& rates = {});

/// The plan of the same solve on the CPU.
Plan on_cpu(const Graph& graph, const SolveOptions& options, const Plan& plan);

/// The same for a caller's matrix in memory: its type is given, and no bounds or bytes are
/// computed. Throws `Error` as above.
Plan plan_matrix(const DeviceProblem& problem, const DevicePreference& preference,
                 const FindDevices& find = cuda_devices, const RateSource& rates = {});

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
