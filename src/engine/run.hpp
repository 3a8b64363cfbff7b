// Runs a plan (planner/plan.hpp) and decides nothing. Solves and measurements share this code. Only
// `engine` and `cluster` run a Place or a closure (scripts/check-layering).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dense/device_memory.hpp"
#include "dense/peer_memory.hpp"
#include "dense/reachable_bits.hpp"
#include "dense/streamed_memory.hpp"
#include "dense/tiled_matrix.hpp"
#include "graph/adjacency_matrix.hpp"
#include "kernels/caller_matrices.hpp"
#include "kernels/contract.hpp"
#include "kernels/device.hpp"
#include "planner/device_plan.hpp"
#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::engine {

using OpenDevices = std::vector<kernels::ComputeDevice*>;

class DeviceSolve {
 public:
  /// Allocates device memory and pins host memory. `host` is solved in place. `via`: int32, the
  /// same shape, kNoVia on entry; no data: not tracked. `devices`: just opened. Throws `Error`
  /// (does_not_fit).
  DeviceSolve(const OpenDevices& devices, const planner::DevicePlan& plan,
              const dense::TiledMatrix& host, kernels::Cycles cycles, const Control& control,
              const dense::TiledMatrix& via = {});

  /// Returns the seconds from the first copy in to the last copy out. Throws `Error`:
  /// negative_cycle, interrupted, device.
  double run();

  /// A resident solve, for measurements; null if streamed.
  dense::DeviceMemory* resident() { return std::get_if<dense::DeviceMemory>(&place_); }

 private:
  std::variant<std::monostate, dense::DeviceMemory, dense::StreamedMemory, dense::PeerMemory,
               dense::StreamedPeers>
      place_;
};

DeviceReport report_of(const planner::DevicePlan& plan);

/// Opens the plan's devices and calls `run`, which returns its seconds. Throws what `run` throws;
/// errors of devices say what would work.
DeviceReport with_devices(const planner::DevicePlan& plan,
                          const std::function<double(const OpenDevices&)>& run);

/// Matrices of a solve in host memory, [n, n].
struct Planes {
  kernels::View values;
  kernels::View via{};  // int32, kNoVia on entry; no data: not tracked
};

/// Reachability, one bit a pair.
struct ClosedBits {
  std::unique_ptr<dense::ReachableBits> bits;
  std::optional<DeviceReport> on_device{};  // empty: the host did it
};
/// Requires: the plan is in bits. Throws `Error`: interrupted, does_not_fit, device.
ClosedBits close(const planner::Plan& plan, const Graph& arcs, const Control& control);

/// Solves in place. `arcs`: read instead of the matrix if the plan is in bits. Returns the device's
/// report, if any. Throws `Error`: negative_cycle, interrupted, does_not_fit, device.
std::optional<DeviceReport> run(const planner::Plan& plan, const Planes& planes,
                                const Control& control, const Graph* arcs = nullptr);

/// The same over a caller's semiring. Throws `Error`: negative_cycle, interrupted.
void run(const planner::OwnPlan& plan, const detail::OwnKernels& kernels, kernels::View matrix,
         const Control& control);

struct SolvedOnDisk {
  std::vector<std::string> damaged{};       // chunks that were computed again
  std::optional<DeviceReport> on_device{};  // empty: the host did it
};

/// Solves on the disk in steps; the distances become `matrix`'s current generation. Resumes from
/// its checkpoint; if damaged, begins again, once. Requires: `plan.on_disk()`. Throws `Error`:
/// input (`store::DamagedMatrix`), interrupted, input_output, device, does_not_fit; reached
/// checkpoints are kept.
SolvedOnDisk solve_on_disk(const Graph& graph, const planner::Plan& plan, store::DiskMatrix& matrix,
                           const Control& control);

// A caller's matrix on a device is solved in place, after the present work of the caller's queue.

struct BorrowedMatrix {
  kernels::View values;      // [n, n], on the device
  std::uintptr_t queue = 0;  // a cudaStream_t; its present work comes first
};

struct BorrowedFacts {
  graph::MatrixFacts matrix;
  bool symmetric = false;
};

/// Each call is complete when it returns, so later work of any queue comes after it.
class BorrowedRun {
 public:
  /// Requires: n > 0. Throws `Error`: device, usage (the matrix is not on the device).
  BorrowedRun(const planner::DevicePlan& plan, const BorrowedMatrix& matrix);

  /// `graph::prepare_matrix` on the device. Throws `Error`: usage as that, device, does_not_fit.
  BorrowedFacts prepare();

  /// Solves in place. Requires: `plan` has the same device, semiring, type and sign. Throws
  /// `Error`: negative_cycle, interrupted, device, does_not_fit.
  void solve(const planner::DevicePlan& plan, kernels::Cycles cycles, const Control& control);

  /// Copies to and from the host, [n, n]. Throws `Error` (device).
  void copy_out(kernels::View host);
  void copy_in(kernels::ConstView host);

 private:
  kernels::View values_;
  int value_size_;
  Semiring semiring_;
  ValueType type_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  kernels::QueueId queue_;  // after the caller's
};

/// A caller's batch on a device (kernels/caller_matrices.hpp), without `left`.
class BorrowedBatch {
 public:
  /// Requires: count and n > 0. Throws `Error`: device, usage (it is not on the device).
  BorrowedBatch(std::unique_ptr<kernels::ComputeDevice> device, const kernels::CallerBatch& batch,
                std::uintptr_t queue);

  /// Solves what one launch takes, and returns the numbers of the other matrices, in order. Throws
  /// `Error` (device).
  std::vector<std::int64_t> solve();
  /// Whether no launch takes such sides.
  bool is_large() const;

  /// Copy a matrix, [n, n], and its via, if any, from and to the host. Throw `Error` (device).
  void copy_out(std::int64_t number, kernels::View host);
  void copy_in(std::int64_t number, kernels::ConstView host, kernels::ConstView via);
  kernels::View matrix(std::int64_t number) const;

 private:
  std::vector<std::int64_t> left_by(kernels::Sign sign, std::byte* left);

  kernels::CallerBatch batch_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  kernels::QueueId queue_;  // after the caller's
};

}  // namespace apsp::engine
