// A host matrix that several devices of one process solve, in their memories or streamed through
// them.
//
// A thread for each device runs the driver on its part (peer_transport.hpp), and copies that part
// over the device's own link. The host's matrix is pinned once, for all devices.
#pragma once

#include <apsp/progress.hpp>
#include <memory>
#include <vector>

#include "dense/device_memory.hpp"
#include "dense/peer_transport.hpp"
#include "dense/streamed_memory.hpp"
#include "system/threads.hpp"

namespace apsp::dense {

/// Several devices, each with a `Part` that a thread of its own runs. Devices have no queues yet,
/// are given row by row of a grid of `cols` columns, and two may be the same GPU.
template <class Part>
class PeerTeam {
 public:
  /// Runs all parts. Throws what one of them throws.
  void run() { each(&Part::run); }

 protected:
  /// `piece_bytes`: see `PeerTransport`. make(number, transport, control) returns the part of a
  /// device; only the first one reports progress. Throws `Error`: does_not_fit, device (no way
  /// between two of them).
  template <class Make>
  PeerTeam(const std::vector<kernels::ComputeDevice*>& devices, int cols, const TiledMatrix& host,
           const Control& control, const TiledMatrix& via, std::int64_t piece_bytes, Make&& make)
      : quiet_{nullptr, control.cancellation},
        exchange_(met(devices), cols),
        pinned_values_(*devices.front(), host.matrix, host.value_size),
        pinned_via_(*devices.front(), via.matrix, via.value_size) {
    for (int i = 0; i < static_cast<int>(devices.size()); ++i) {
      transports_.push_back(std::make_unique<PeerTransport>(exchange_, i, piece_bytes));
      parts_.push_back(make(i, transports_.back().get(), i == 0 ? control : quiet_));
    }
  }
  ~PeerTeam() = default;

  const std::vector<std::unique_ptr<Part>>& parts() const { return parts_; }
  void each(void (Part::*operation)()) {
    system::on_threads(
        static_cast<int>(parts_.size()),
        [&](int number) { ((*parts_[static_cast<std::size_t>(number)]).*operation)(); },
        [this] { exchange_.fail(); });
  }

 private:
  Control quiet_;
  PeerExchange exchange_;
  PinnedMemory pinned_values_, pinned_via_;
  std::vector<std::unique_ptr<PeerTransport>> transports_;
  std::vector<std::unique_ptr<Part>> parts_;
};

/// A matrix that is distributed in tiles over the devices' memories: each copies its part in, all
/// solve, and each copies its part out. On a grid of one column a device's rows are contiguous, and
/// only one of the two panels travels.
///
/// Half of a symmetric matrix is solved on a square grid. Two or three GPUs form one by taking a
/// row of its places each, with queues and panels for each place.
class PeerMemory : public PeerTeam<DeviceMemory> {
 public:
  /// Arguments as of `DeviceMemory`. Throws as `PeerTeam`.
  PeerMemory(const std::vector<kernels::ComputeDevice*>& devices, int cols, const TiledMatrix& host,
             kernels::Cycles cycles, const Control& control, const TiledMatrix& via = {},
             std::int64_t piece_bytes = std::int64_t{4} << 20, Shape shape = Shape::full);

  /// Returns the columns of the grid. Up to four devices form one column, because row panels of the
  /// whole width cost little there. More devices form a grid near a square.
  static int columns(int devices);
  /// Returns the side of the square grid on which the devices solve half of a symmetric matrix,
  /// each with the same number of places; 0: none is worth it.
  static int square(int devices);

  /// The operations of `DeviceMemory`, on all devices.
  void upload() { each(&DeviceMemory::upload); }
  void solve() { each(&DeviceMemory::solve); }
  void download() { each(&DeviceMemory::download); }
};

/// A host matrix that is larger than the memories of the devices. It is in pinned host memory; each
/// device streams its strips and makes its share of the panels (streamed_memory.hpp), which go from
/// device to device (`SharedPanels`).
///
/// n³ relaxations, or half of them, and (n² / devices) · n / b values each way over each link. The
/// memory of a device is that of `StreamedMemory` without resident rows.
class StreamedPeers : public PeerTeam<StreamedMemory> {
 public:
  /// Arguments as of `StreamedMemory`. `plan`: of `plan_offload` for as many devices. Throws as
  /// `PeerTeam`.
  StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices, const OffloadPlan& plan,
                const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                const TiledMatrix& via = {}, std::int64_t piece_bytes = std::int64_t{4} << 20);
};

}  // namespace apsp::dense
