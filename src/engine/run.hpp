// Runs a plan: on the host or a device, in values or bits, resident or streamed, as the planner has
// decided (planner/plan.hpp). Nothing is decided here.
//
// `solve`, `floyd_warshall` and the measurements all call this, so that figures of `apsp bench` and
// predictions are about the code that a solve runs. Only `engine` and `distributed` run a Place
// or a closure (scripts/check-layering).
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

#include "graph/adjacency_matrix.hpp"
#include "kernels/contract.hpp"
#include "kernels/device.hpp"
#include "places/device_memory.hpp"
#include "places/peer_memory.hpp"
#include "places/reachable_bits.hpp"
#include "places/streamed_memory.hpp"
#include "places/tiled_matrix.hpp"
#include "planner/device_plan.hpp"
#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"

namespace apsp::engine {

using OpenDevices = std::vector<kernels::ComputeDevice*>;

/// A matrix of the host and what its solve takes of devices, resident or streamed as planned.
class DeviceSolve {
 public:
  /// Claims memory of the device and pins the host's. `host`, of the plan's tile, is solved in
  /// place. `via`: int32 of the same shape, kNoVia on entry; no data: not tracked. `devices`: those
  /// of the plan, opened just now. Throws `Error` (does_not_fit).
  DeviceSolve(const OpenDevices& devices, const planner::DevicePlan& plan,
              const places::TiledMatrix& host, kernels::Cycles cycles, const Control& control,
              const places::TiledMatrix& via = {});

  /// Returns the seconds from the first copy in to the last copy out. Throws `Error`:
  /// negative_cycle, interrupted, device.
  double run();

  /// The parts of a resident solve, for those who measure them; null where it is streamed.
  places::DeviceMemory* resident() { return std::get_if<places::DeviceMemory>(&place_); }

 private:
  std::variant<std::monostate, places::DeviceMemory, places::StreamedMemory, places::PeerMemory,
               places::StreamedPeers>
      place_;
};

/// What a plan says of the report of its solve, which lacks the seconds that it took.
DeviceReport report_of(const planner::DevicePlan& plan);

/// Opens the devices of the plan, all at the same time; `run` gives the seconds that it took.
/// Throws what `run` throws; does_not_fit and device say what would work.
DeviceReport with_devices(const planner::DevicePlan& plan,
                          const std::function<double(const OpenDevices&)>& run);

/// Matrices of the host, [n, n], that a solve works on.
struct Planes {
  kernels::View values;
  kernels::View via{};  // int32, kNoVia on entry; no data: not tracked
};

/// Reachability, a bit a pair.
struct ClosedBits {
  std::unique_ptr<places::ReachableBits> bits;
  std::optional<DeviceReport> on_device{};  // what the device did, if one did
};
/// Requires: the plan is in bits. Throws `Error`: interrupted; does_not_fit and device, which say
/// what would work.
ClosedBits close(const planner::Plan& plan, const Graph& arcs, const Control& control);

/// Solves in place. `arcs`: where the plan is in bits, the graph whose arcs are taken instead of
/// the matrix's, which is then not read. Returns what the device did, if one did. Throws `Error`:
/// negative_cycle, interrupted; does_not_fit and device, which say what would work.
std::optional<DeviceReport> run(const planner::Plan& plan, const Planes& planes,
                                const Control& control, const Graph* arcs = nullptr);

/// The same over a semiring of one's own, whose kernels the caller brings. `matrix`: [n, n] of its
/// values. Throws `Error`: negative_cycle, interrupted.
void run(const planner::OwnPlan& plan, const detail::OwnKernels& kernels, kernels::View matrix,
         const Control& control);

struct SolvedOnDisk {
  std::vector<std::string> damaged{};       // of what was complete; computed again
  std::optional<DeviceReport> on_device{};  // empty: the host did it
};

/// Solves a matrix on the disk step by step: all distances become `matrix`'s current generation. It
/// continues from its checkpoint, if it has one. Where values of that are damaged it begins from
/// the graph, once; after that they are an error. Requires: `plan.on_disk()`. Throws `Error`: input
/// (`store::DamagedMatrix`), interrupted, input_output, device, does_not_fit; checkpoints that are
/// reached stay.
SolvedOnDisk solve_on_disk(const Graph& graph, const planner::Plan& plan, store::DiskMatrix& matrix,
                           const Control& control);

// A matrix of a caller's that lies on a device is solved where it is, behind what the caller's
// queue there has to do. No other queue of the caller's waits for anything.

struct BorrowedMatrix {
  kernels::View values;      // [n, n], on the device
  std::uintptr_t queue = 0;  // a cudaStream_t: what is on it by now comes first
};

struct BorrowedFacts {
  graph::MatrixFacts matrix;
  bool symmetric = false;
};

/// What each call does is complete when it returns, so that whatever the caller puts on any queue
/// later comes after it.
class BorrowedRun {
 public:
  /// Opens the device of the plan, for its semiring, type and sign. Throws `Error`: device, usage
  /// (the matrix is not there). Requires: n > 0.
  BorrowedRun(const planner::DevicePlan& plan, const BorrowedMatrix& matrix);

  /// `graph::prepare_matrix` there. Throws `Error`: usage as that, device, does_not_fit.
  BorrowedFacts prepare();

  /// Solves in place, by the plan of the same device, semiring, type and sign. Throws `Error`:
  /// negative_cycle, interrupted, device, does_not_fit.
  void solve(const planner::DevicePlan& plan, kernels::Cycles cycles, const Control& control);

  /// To and from the host, [n, n]. Throws `Error` (device).
  void copy_out(kernels::View host);
  void copy_in(kernels::ConstView host);

 private:
  kernels::View values_;
  int value_size_;
  Semiring semiring_;
  ValueType type_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  kernels::QueueId queue_;  // behind the caller's
};

}  // namespace apsp::engine
