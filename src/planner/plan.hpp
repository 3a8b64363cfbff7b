// A problem and the method chosen for it, made once by `find_plan` (find_plan.hpp).
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dense/disk_plan.hpp"
#include "kernels/contract.hpp"
#include "planner/choose_tile.hpp"
#include "planner/device_plan.hpp"
#include "planner/host_model.hpp"
#include "planner/problem.hpp"
#include "planner/rows_plan.hpp"

namespace apsp::planner {

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
};

/// "2 CPU threads", "NVIDIA H200 (cuda:0)".
std::string worker(const Plan& plan);

kernels::TileOperations operations_of(const Problem& problem);

}  // namespace apsp::planner
