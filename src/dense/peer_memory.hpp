// A host matrix that several devices of one process solve, in their memories or streamed through
// them.
//
// A thread for each device runs the driver on its part (peer_transport.hpp), and copies that part
// over the device's own link. The host's matrix is pinned once, for all devices.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "dense/device_memory.hpp"
#include "dense/peer_transport.hpp"
#include "dense/streamed_memory.hpp"

namespace apsp::dense {

/// The common part of both. Devices have no queues yet, are given row by row of a grid of `cols`
/// columns, and two may be the same GPU.
class PeerTeam {
 protected:
  /// `piece_bytes`: see `PeerTransport`. Throws `Error`: does_not_fit, device (no way between two
  /// of them).
  PeerTeam(const std::vector<kernels::ComputeDevice*>& devices, int cols, const TiledMatrix& host,
           const Control& control, const TiledMatrix& via, std::int64_t piece_bytes);
  ~PeerTeam() = default;

  int size() const { return static_cast<int>(transports_.size()); }
  PeerTransport* transport(int number) const {
    return transports_[static_cast<std::size_t>(number)].get();
  }
  /// The control of one device; only the first one reports progress.
  const Control& control(int number) const { return number == 0 ? control_ : quiet_; }
  /// Runs each(number) for all devices, each on a thread.
  void together(const std::function<void(std::size_t)>& each);

 private:
  const Control& control_;
  Control quiet_;
  PeerExchange exchange_;
  PinnedMemory pinned_values_, pinned_via_;
  std::vector<std::unique_ptr<PeerTransport>> transports_;
};

/// A matrix that is distributed in tiles over the devices' memories: each copies its part in, all
/// solve, and each copies its part out. On a grid of one column a device's rows are contiguous, and
/// only one of the two panels travels.
///
/// Half of a symmetric matrix is solved on a square grid. Two or three GPUs form one by taking a
/// row of its places each, with queues and panels for each place.
class PeerMemory : public PeerTeam {
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
  void run() { each(&DeviceMemory::run); }
  void upload() { each(&DeviceMemory::upload); }
  void solve() { each(&DeviceMemory::solve); }
  void download() { each(&DeviceMemory::download); }

 private:
  void each(void (DeviceMemory::*operation)()) {
    together([&](std::size_t number) { ((*parts_[number]).*operation)(); });
  }

  std::vector<std::unique_ptr<DeviceMemory>> parts_;
};

/// A host matrix that is larger than the memories of the devices. It is in pinned host memory; each
/// device streams its strips and makes its share of the panels (streamed_memory.hpp), which go from
/// device to device (`SharedPanels`).
///
/// n³ relaxations, or half of them, and (n² / devices) · n / b values each way over each link. The
/// memory of a device is that of `StreamedMemory` without resident rows.
class StreamedPeers : public PeerTeam {
 public:
  /// Arguments as of `StreamedMemory`. `plan`: of `plan_offload` for as many devices. Throws as
  /// `PeerTeam`.
  StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices, const OffloadPlan& plan,
                const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                const TiledMatrix& via = {}, std::int64_t piece_bytes = std::int64_t{4} << 20);

  /// Solves. Throws `Error`: negative_cycle, interrupted (the matrix is then unspecified), device.
  void run() {
    together([&](std::size_t number) { parts_[number]->run(); });
  }

 private:
  std::vector<std::unique_ptr<StreamedMemory>> parts_;
};

}  // namespace apsp::dense
