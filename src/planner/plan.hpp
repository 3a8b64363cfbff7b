// A problem and the method that was chosen for it. `find_plan`
// (find_plan.hpp) makes it once, from the graph and the machine.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/contract.hpp"
#include "places/disk_plan.hpp"
#include "planner/choose_tile.hpp"
#include "planner/device_plan.hpp"
#include "planner/host_model.hpp"
#include "planner/problem.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

/// Floyd-Warshall over a matrix: in memory, or on the disk while it is solved.
struct DensePlan {
  std::int64_t tile = 0;  ///< side of a tile, vertices
  std::optional<places::DiskPlan> on_disk{};
};

/// `keep`, `stored` and `shape` of the problem are those of the method here: some methods keep a
/// factor in place of distances, and some solve both triangles of a symmetric matrix.
struct Plan : Problem {
  Plan() = default;
  explicit Plan(const Problem& problem) : Problem(problem) {}

  Algorithm algorithm = Algorithm::floyd_warshall;
  std::variant<DensePlan, RowsPlan> method{};          ///< what only a matrix has, or only rows
  std::optional<DevicePlan> on_device{};               ///< with either; empty: by the CPU
  std::vector<CandidateReport> candidates{};           ///< the one that is taken first
  kernels::Cycles cycles = kernels::Cycles::excluded;  ///< a graph is searched for them before
  std::int64_t bytes = 0;  ///< of the host's memory at the peak of the solve, the graph included
  Prediction predicted{};  ///< from the graph in memory to the result

  /// Null where a matrix is filled by Floyd-Warshall.
  const RowsPlan* rows() const { return std::get_if<RowsPlan>(&method); }
  RowsPlan* rows() { return std::get_if<RowsPlan>(&method); }
  /// Null where the matrix is in memory, or there is none.
  const places::DiskPlan* on_disk() const {
    const auto* const dense = std::get_if<DensePlan>(&method);
    return dense != nullptr && dense->on_disk ? &*dense->on_disk : nullptr;
  }
  /// Side of a tile of Floyd-Warshall's matrix; 0: there is none.
  std::int64_t tile() const { return rows() ? 0 : std::get<DensePlan>(method).tile; }
  Device device() const { return on_device ? Device::cuda : Device::cpu; }
  /// Reachability without via is solved in packed bits, which have one tile and no symmetric half.
  bool in_bits() const { return semiring == Semiring::or_and && !with_via && !rows(); }
  /// No byte a pair is kept: bits become rows of bytes as they are given out.
  bool stays_in_bits() const { return in_bits() && (keep != Keep::matrix || !selection.all()); }
  /// All distances are in memory at once, until the end.
  bool keeps_matrix() const {
    return rows() ? rows()->uses.keeps_matrix : on_disk() == nullptr && !stays_in_bits();
  }
  /// Sizes and times are estimates.
  bool estimated() const {
    return estimated_type || (rows() && rows()->factor() && rows()->factor()->estimated);
  }
  bool fits_memory() const { return bytes <= bytes_allowed; }
  bool fits_disk() const { return disk.output <= disk.allowed; }
  bool fits() const { return fits_memory() && fits_disk(); }
  double relaxations() const;
};

/// "2 CPU threads", "NVIDIA H200 (cuda:0)".
std::string worker(const Plan& plan);

/// The CPU's operations on tiles of the problem.
kernels::TileOperations operations_of(const Problem& problem);

}  // namespace apsp::planner
