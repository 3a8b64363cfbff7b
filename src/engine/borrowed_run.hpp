// A matrix of a caller's that lies on a device is solved where it is, behind what the caller's
// queue there has to do. No other queue of the caller's waits for anything.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "graph/adjacency_matrix.hpp"
#include "kernels/contract.hpp"
#include "kernels/device.hpp"
#include "planner/device_plan.hpp"

namespace apsp::engine {

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
