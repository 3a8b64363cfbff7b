// A matrix of the host that is larger than the memories of several devices of one process: it rests
// in pinned host memory, and each device has a thread that passes its strips through and makes its
// share of the panels (streamed_memory.hpp). Panels go from device to device (shared_panels.hpp).
//
// n³ relaxations, or half of them; each device does an even share, and moves an even share each way
// over its link: (n² / devices) · n / b values. Memory of each: that of one alone, of which no rows
// stay.
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
  /// As `StreamedMemory`, on devices that were opened just now. `plan`: of `plan_offload` for as
  /// many. `piece_bytes`: see `PeerTransport`. Throws `Error`: does_not_fit, device (no way between
  /// two of them).
  StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices, const OffloadPlan& plan,
                const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                const TiledMatrix& via = {}, std::int64_t piece_bytes = std::int64_t{4} << 20);
  ~StreamedPeers();
  StreamedPeers(const StreamedPeers&) = delete;
  StreamedPeers& operator=(const StreamedPeers&) = delete;

  /// Throws `Error`: negative_cycle, interrupted (the host's matrix is then unspecified), device.
  void run();

 private:
  struct Share;

  Control quiet_;  // of all but the first: one of them tells of progress
  PeerExchange exchange_;
  PinnedMemory pinned_values_, pinned_via_;
  std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace apsp::places
