// A matrix of the host that is larger than the memories of several devices of one process: each
// streams its rows through its memory (Sao 2021, §4.3–4.5, on the GPUs of one host; Katz 2008,
// §4.4).
//
// The matrix rests in pinned host memory; its rows are dealt out in blocks as wide as a panel. Of
// step k the owner of block k brings it, closes its diagonal tile, updates it and broadcasts it,
// packed, from device to device (peer_transport.hpp), and copies it out. Then each device passes
// its other rows through a ring of buffers (tile_stream.hpp), two products for a piece:
//
//   A(s,k) ← A(s,k) ⊕ A(s,k) ⊗ A(k,k)          its part of the column panel
//   A(s,:) ← A(s,:) ⊕ A(s,k) ⊗ A(k,:)          the rest
//
// so no column panel travels. Block k + 1 is left out of that: its owner brings it, does for it
// what step k owes it, and makes it the next panel, under the rest of step k. Block k + 2 passes
// first, so that it is out in time.
//
// n³ relaxations; n² / devices · n / b values each way over the link of each, besides the panels'.
// Memory of a device: three panels of b · n values, and the buffers. Intermediate vertices are not
// tracked.
//
// Of a symmetric matrix the devices pass the lower triangle, as one does, and make its panels
// together (streamed_memory.hpp): half the work and half of what goes over each link.
#pragma once

#include <apsp/progress.hpp>
#include <memory>
#include <vector>

#include "places/device_buffer.hpp"
#include "places/offload_plan.hpp"
#include "places/peer_transport.hpp"
#include "places/tiled_matrix.hpp"

namespace apsp::places {

class StreamedPeers {
 public:
  /// `devices` were opened just now. `plan`: of `plan_streamed_peers` for as many; the matrix is of
  /// its shape. Throws `Error`:
  /// does_not_fit, device (no way between two of them).
  StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices, const OffloadPlan& plan,
                const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                std::int64_t piece_bytes = std::int64_t{4} << 20);
  ~StreamedPeers();
  StreamedPeers(const StreamedPeers&) = delete;
  StreamedPeers& operator=(const StreamedPeers&) = delete;

  /// Throws `Error`: negative_cycle, interrupted (the host's matrix is then unspecified), device.
  void run();

 private:
  class Part;
  struct Share;

  Control quiet_;  // of all but the first: one of them tells of progress
  PeerExchange exchange_;
  PinnedMemory pinned_;
  std::vector<std::unique_ptr<Part>> parts_;    // of a full matrix
  std::vector<std::unique_ptr<Share>> shares_;  // of a symmetric one
};

/// How `devices` of them share a problem, each with `problem.device_memory`: the width, the buffers
/// and the time, by what one does. Throws `Error` (does_not_fit).
OffloadPlan plan_streamed_peers(const OffloadProblem& problem, int devices,
                                const OffloadRates& rates, const kernels::DeviceSizes& sizes);

}  // namespace apsp::places
