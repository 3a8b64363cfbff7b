// The plan of a matrix that is larger than the device's memory: resident rows, the width of panels,
// the buffers of the remainder, and the predicted time.
//
// A step with panels of width b does n² · b relaxations and moves w = n² − resident values each
// way. Copies hide during work if (Sao 2021, Eq. 5)
//
//   n² b / relaxations ≥ 2 w · value bytes / (bytes a second, both ways)
//
// Panels take 2 n b values, buffers and resident rows the remainder of the memory. Twice the width
// halves the traffic; resident rows save as much only where they are half of the matrix. The plan
// with the least sum over all steps is taken, of all widths and buffers that fit, by the model
//
//   step = max(work, copies in, copies out, both, (streamed work + in + out) / buffers)
//          + 15 % of the hidden time / buffers + 10 µs a piece + b³ / relaxations for closing
//
// Three copies are never hidden: the first and the last one of the resident rows, and that of the
// first diagonal tile. Products of bits work on 1,024 rows at the same time, so lower strips have a
// lower rate. A symmetric matrix is computed and moved as its lower triangle, and the values above
// the diagonal are written once, at the end. Several devices share work and copies evenly, and none
// has resident rows. Each receives the panels that others made; this copy is not hidden either.
#pragma once

#include <cstdint>

#include "dense/tiled_matrix.hpp"
#include "kernels/device.hpp"

namespace apsp::dense {

/// Seconds for each piece: its orders, and the end of its launch.
inline constexpr double kPieceSeconds = 10e-6;

/// Rates of a machine.
struct OffloadRates {
  double relaxations = 0;
  double in = 0;         // bytes, host to device
  double out = 0;        // bytes, device to host
  double both = 0;       // bytes, the sum of both directions while both run
  double peers = 300e9;  // bytes, from other devices' memories: two H200 in pieces of 16 MiB
};

struct OffloadProblem {
  std::int64_t n = 0;
  int value_size = 0;              // bytes
  bool tracks_via = false;         // a matrix of int32 is streamed too
  std::int64_t tile = 0;           // side of the tiles in which diagonal tiles are closed
  std::int64_t device_memory = 0;  // bytes that may be used
  Shape shape = Shape::full;
  int devices = 1;  // each with a share of the matrix; rates and memory are of each
  int columns_per_value = 1;

  std::int64_t values_of(std::int64_t columns) const {
    return (columns + columns_per_value - 1) / columns_per_value;
  }
};

struct OffloadPlan {
  std::int64_t width = 0;          // width of a panel, and side of a diagonal tile
  std::int64_t resident_rows = 0;  // whole tiles of `width`, or n; a symmetric matrix has as many
                                   // columns of them
  std::int64_t buffers = 0;
  std::int64_t strip_rows = 0;     // rows of the remainder that a buffer takes
  std::int64_t buffer_values = 0;  // strip_rows · stride, or a bit more
  std::int64_t device_bytes = 0;
  Shape shape = Shape::full;
  int devices = 1;  // that share the matrix

  // Predicted seconds.
  double work = 0;     // only the work
  double copies = 0;   // only the copies
  double seconds = 0;  // both, overlapped
};

/// Returns the least device memory with which there is a plan, in bytes.
/// `problem.device_memory` is not read.
std::int64_t least_offload_bytes(const OffloadProblem& problem, const kernels::DeviceSizes& device);

/// Throws `Error` (does_not_fit), with the least memory that would do.
OffloadPlan plan_offload(const OffloadProblem& problem, const OffloadRates& rates,
                         const kernels::DeviceSizes& device);

/// Returns the plan with panels and buffers of this size and no resident rows, for measurements.
/// `width`: a multiple of the granule. `strip_rows`: at most `width`. Throws `Error`
/// (does_not_fit).
OffloadPlan streamed_plan(const OffloadProblem& problem, const kernels::DeviceSizes& device,
                          std::int64_t width, std::int64_t strip_rows, std::int64_t buffers);

}  // namespace apsp::dense
