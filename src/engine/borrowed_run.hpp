// A matrix of a caller's that lies on a device is solved where it is: looked at, solved, and handed
// back to the caller's queue there. No other queue of the caller's waits for anything.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>

#include "algorithms/adjacency_matrix.hpp"
#include "kernels/contract.hpp"
#include "planner/device_plan.hpp"

namespace apsp::engine {

struct BorrowedMatrix {
  kernels::View values;      // [n, n], on the device
  std::uintptr_t queue = 0;  // a cudaStream_t: what is on it by now comes first
};

struct BorrowedFacts {
  algorithms::MatrixFacts matrix;
  bool symmetric = false;
};

/// `algorithms::prepare_matrix` there; `plan` says which device, semiring and type. Throws `Error`:
/// usage (as that; or the matrix is not on the device), device, does_not_fit.
BorrowedFacts prepare_borrowed(const planner::DevicePlan& plan, const BorrowedMatrix& matrix);

/// Solves in place. Throws `Error`: negative_cycle, interrupted, device, does_not_fit.
void solve_borrowed(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                    kernels::Cycles cycles, const Control& control);

/// To and from the host, complete on return; `host`: [n, n]. Throws `Error`: usage, device.
void copy_borrowed_out(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                       kernels::View host);
void copy_borrowed_in(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                      kernels::ConstView host);

}  // namespace apsp::engine
