// A problem and the method chosen for it, made once by `find_plan` (find_plan.hpp); or why there is
// none. Orders and symbolic eliminations are part of a plan of rows; they count relaxations and
// bytes exactly, and the solve uses them.
#pragma once

#include <apsp/error.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dense/disk_plan.hpp"
#include "dense/offload_plan.hpp"
#include "kernels/contract.hpp"
#include "planner/choose_tile.hpp"
#include "planner/problem.hpp"
#include "planner/rates.hpp"
#include "search/device_search.hpp"
#include "sparse/factor.hpp"
#include "sparse/tree.hpp"
#include "sparse/tree_share.hpp"
#include "sparse/trim.hpp"
#include "statistics/device_count.hpp"

namespace apsp::planner {

using Prediction = PredictionReport;

/// The uses of rows.
struct RowUses {
  bool keeps_matrix = true;     ///< otherwise rows are emitted as they are computed
  bool computes_rows = true;    ///< otherwise the source answers queries later
  bool gives_columns = false;   ///< distances are emitted by column, only to statistics
  bool counts_columns = false;  ///< the same, while others receive rows
  /// A device computes the predecessors of rows that leave it; otherwise the host.
  bool finds_predecessors = false;
  bool stays_on_device = false;  ///< rows are read on the device, and none is copied to the host
  bool writes_views = false;     ///< rows are written directly into the memory that keeps them

  bool operator==(const RowUses&) const = default;
};

struct SweepsOnDevice {
  std::int64_t lanes = 0;  ///< sources at a time
  statistics::CountMethod counting{};
  kernels::ListedForm form = kernels::ListedForm::values;
  /// Blocks of sources that are near each other have reduced rows (sparse/block_potentials.hpp) in
  /// the memory of the others.
  bool reduces = false;
  /// The division of a factor that does not fit the device. `passing_bytes`: of the parts that do
  /// not stay there, which every block of sources copies.
  sparse::FactorPartition partition{};
  std::int64_t passing_bytes = 0;
  /// The device's part of the elimination (sparse/device_front.hpp): fronts that it eliminates
  /// completely, ascending; supernodes from `closed_from` on are closed there in tiles of
  /// `closed_tile`; 0: none.
  std::vector<sparse::SupernodeId> fronts{};
  std::int64_t closed_from = 0, closed_tile = 0;
  bool eliminates() const { return !fronts.empty() || closed_from > 0; }
};
struct SearchesOnDevice {
  search::SearchBatches batches{};
  statistics::CountMethod counting{};
};
struct HopsOnDevice {
  std::int64_t lanes = 0;  ///< sources at a time
  statistics::CountMethod counting{};
};

// The data of each engine; the device part exists only on a device.

struct RowsByFactor {
  std::shared_ptr<const sparse::Tree> tree;
  std::shared_ptr<const sparse::Trim> trim{};  ///< if the tree is of the graph's core
  /// If the factor is divided among processes: the share of this one, which has the tree.
  std::shared_ptr<const sparse::TreeShare> share{};
  std::int64_t undivided_bytes = 0;  ///< of the whole factor, if it is divided
  std::optional<SweepsOnDevice> on_device{};
  bool symmetric = false;  ///< distances are the same both ways, and half of each front is kept
  bool estimated = false;  ///< the tree is estimated and cannot be solved
};
/// A search from each source, by the plan's algorithm.
struct RowsBySearches {
  double levels = 0;
  std::optional<SearchesOnDevice> on_device{};
};
/// Searches from many sources at once.
struct RowsByBreadthFirst {
  double levels = 0;
  double line_levels = 0;  ///< levels on which a vertex is visited for a block of sources
  std::optional<HopsOnDevice> on_device{};
};

/// Costs of making the source of rows, such as a factor, and of computing all rows.
struct RowCosts {
  double making_relaxations = 0, rows_relaxations = 0;  ///< arcs, or entries of the factor
  /// Seconds of making the source, of all rows, and of all distances by column instead.
  double making_seconds = 0, rows_seconds = 0, columns_seconds = 0;
  double front_relaxation = 0;  ///< s of a relaxation of fronts, while all threads work
  double asking_seconds = 0;    ///< for the wanted pairs, from the factor, without rows
  double ordering_seconds = 0;  ///< of an order that is estimated and still to be made
  /// Pairs a second in statistics, all threads: by row; by column without consumers of rows; by
  /// column with them.
  double counted = 0, counted_swept = 0, counted_with_rows = 0;
  std::string measured{};           ///< when rates were measured, UTC; empty: assumed
  std::int64_t source_bytes = 0;    ///< of the source: the factor, or arcs in narrow arrays
  std::int64_t ordering_bytes = 0;  ///< before the source is made, of all processes that order
  std::int64_t making_bytes = 0;    ///< in addition to the source, while it is made
  std::int64_t worker_bytes = 0;    ///< in addition to it, of all threads that compute rows
  std::int64_t columns_worker_bytes = 0;  ///< the same for distances by column
  std::int64_t block_bytes = 0;           ///< of the threads' blocks of rows, without a matrix
};

struct RowsPlan {
  Algorithm algorithm = Algorithm::nested_dissection;
  std::variant<RowsByFactor, RowsBySearches, RowsByBreadthFirst> by{};
  RowUses uses{};
  RowCosts costs{};

  /// Null if rows do not come from a factor.
  const RowsByFactor* factor() const { return std::get_if<RowsByFactor>(&by); }
  /// Whether each row is a search of its own.
  bool searches() const { return std::holds_alternative<RowsBySearches>(by); }
  const sparse::Tree* tree() const { return factor() ? factor()->tree.get() : nullptr; }
  bool on_device() const {
    return std::visit([](const auto& engine) { return engine.on_device.has_value(); }, by);
  }
  double relaxations() const {
    return costs.making_relaxations + (uses.computes_rows ? costs.rows_relaxations : 0);
  }
  double seconds() const {
    const double rows = uses.gives_columns ? costs.columns_seconds : costs.rows_seconds;
    return costs.making_seconds + (uses.computes_rows ? rows : costs.asking_seconds);
  }
  std::int64_t solving_bytes() const;
};

/// Returns n³, or half of it if the shape is symmetric.
double relaxations(std::int64_t n, dense::Shape shape);

struct DevicePlan {
  /// Returns a plan on all of `there.taken`, at least one, without bytes and seconds. `memory`:
  /// bytes of each device that may be used; 0: what is free.
  static DevicePlan begun(const KernelKind& kernel, std::int64_t n, std::int64_t memory,
                          const NamedDevice& there);

  DeviceFacts device;
  /// Further GPUs; bytes are of each, at most. A matrix is distributed over all
  /// (dense/peer_memory.hpp).
  std::vector<int> peers{};
  int places = 1;  // of each GPU on their grid: so many devices are opened on it
  KernelKind kernel{};
  std::int64_t n = 0;
  dense::Shape shape = dense::Shape::full;
  std::int64_t tile = 0;
  bool streamed = false;
  dense::OffloadPlan offload{};  // if streamed
  int processes = 1;
  std::int64_t bytes = 0;
  std::int64_t bytes_allowed = 0;
  bool limited = false;  // `bytes_allowed` was asked for; otherwise it is what is free
  bool stays_in_bits = false;
  double seconds = 0;
  DeviceRates rates{};
  LinkRates link{};
  DeviceRowRates row_rates{};
  Devices::Open open;
  /// Why the devices have too little memory; then `bytes` is the least that is enough, and no time
  /// is known. Empty: it fits.
  std::string too_small{};

  bool fits() const { return too_small.empty(); }
  /// Records that `needing` ("3 vertices need") takes at least so many bytes of each device, more
  /// than the plan may use.
  void refuse(const std::string& needing, std::int64_t least);
  bool in_bits() const { return kernel.in_bits(); }
  int devices() const { return 1 + static_cast<int>(peers.size()); }
  /// The side of their square grid (`dense::PeerMemory`); 0: none.
  int square() const;
  /// Returns the ordinal of GPU `number`, from 0.
  int ordinal(int number) const {
    return number == 0 ? device.ordinal : peers[static_cast<std::size_t>(number) - 1];
  }
  std::string title() const { return planner::title(device, peers); }
};

struct DensePlan {
  std::int64_t tile = 0;  ///< side of a tile, vertices
  std::optional<dense::DiskPlan> on_disk{};
};

/// `keep`, `stored` and `shape` are those of the method: some methods keep a factor instead of
/// distances, and some solve both triangles of a symmetric matrix.
struct Plan : Problem {
  Plan() = default;
  explicit Plan(const Problem& problem) : Problem(problem) {}

  Algorithm algorithm = Algorithm::floyd_warshall;
  std::variant<DensePlan, RowsPlan> method{};
  std::optional<DevicePlan> on_device{};               ///< empty: by the CPU
  std::vector<CandidateReport> candidates{};           ///< the taken one first
  kernels::Cycles cycles = kernels::Cycles::excluded;  ///< a graph is searched for them before
  std::int64_t bytes = 0;  ///< peak of the host's memory, the graph included
  Prediction predicted{};  ///< from the graph in memory to the result

  const RowsPlan* rows() const { return std::get_if<RowsPlan>(&method); }
  RowsPlan* rows() { return std::get_if<RowsPlan>(&method); }
  /// Null unless the matrix is on disk.
  const dense::DiskPlan* on_disk() const {
    const auto* const dense = std::get_if<DensePlan>(&method);
    return dense != nullptr && dense->on_disk ? &*dense->on_disk : nullptr;
  }
  /// The share of this process; null unless processes divide the factor.
  const sparse::TreeShare* divided() const {
    return rows() && rows()->factor() ? rows()->factor()->share.get() : nullptr;
  }
  /// Side of a tile of Floyd-Warshall's matrix; 0: no matrix.
  std::int64_t tile() const { return rows() ? 0 : std::get<DensePlan>(method).tile; }
  Device device() const { return on_device ? Device::cuda : Device::cpu; }
  /// Reachability without via is solved in packed bits, which have one tile and no symmetric half.
  bool in_bits() const { return semiring == Semiring::or_and && !with_via && !rows(); }
  /// Bits become rows of bytes only when rows are emitted.
  bool stays_in_bits() const { return in_bits() && (keep != Keep::matrix || !selection.all()); }
  /// All distances are in memory until the end.
  bool keeps_matrix() const {
    return rows() ? rows()->uses.keeps_matrix : on_disk() == nullptr && !stays_in_bits();
  }
  bool estimated() const {
    return estimated_type || (rows() && rows()->factor() && rows()->factor()->estimated);
  }
  bool fits_memory() const { return bytes <= bytes_allowed; }
  bool fits_disk() const { return disk.output <= disk.allowed; }
  bool fits() const { return fits_memory() && fits_disk(); }
  double relaxations() const;
  /// The predicted seconds without the start, which is over when planning ends.
  double work_seconds() const { return predicted.seconds - predicted.start; }
  /// Seconds of an order that a solve makes, as the plan only estimates it; 0: it is made.
  double ordering_seconds() const { return rows() ? rows()->costs.ordering_seconds : 0; }
  /// Begins all predictions, the candidates' too, with the seconds before any method's work.
  void begin_after(double seconds);
};

/// "2 CPU threads".
std::string host_worker(const Problem& problem);
/// The same, or "NVIDIA H200 (cuda:0)".
std::string worker(const Plan& plan);

kernels::TileOperations operations_of(const Problem& problem);

struct Refusal {
  ErrorKind kind = ErrorKind::usage;
  std::string cause{};
  /// The least memory of each GPU that is enough, in bytes, if that is missing; else 0.
  std::int64_t device_bytes = 0;
  /// Another algorithm, device or kind of output may solve the problem.
  bool of_method = false;
};
using Planned = std::variant<Plan, Refusal>;

}  // namespace apsp::planner
