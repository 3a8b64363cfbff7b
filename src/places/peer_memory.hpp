// A matrix of the host solved by several devices of one process: in their memories, or passing
// through them where it is larger.
//
// Every device has a thread that runs the driver's page on its part (peer_transport.hpp), and
// copies that part over a link of its own. The host's matrix is pinned once, for all of them.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "places/device_memory.hpp"
#include "places/peer_transport.hpp"
#include "places/streamed_memory.hpp"

namespace apsp::places {

/// The common part of both ways. Devices were opened just now, are given row by row of a grid of
/// `cols` columns, and two may be the same GPU.
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
  /// One of them tells of progress.
  const Control& control(int number) const { return number == 0 ? control_ : quiet_; }
  /// each(number), each on a thread.
  void together(const std::function<void(std::size_t)>& each);

 private:
  const Control& control_;
  Control quiet_;
  PeerExchange exchange_;
  PinnedMemory pinned_values_, pinned_via_;
  std::vector<std::unique_ptr<PeerTransport>> transports_;
};

/// A matrix that is distributed in tiles over the devices' memories, copied in by each, solved
/// collectively, copied out. Where whole rows of tiles are distributed (a grid of one column) what
/// a device copies lies together, and one panel of two travels.
///
/// Half of a symmetric matrix is solved on a square grid. Two or three GPUs are one where each has
/// several places of it: a row of the grid, with queues and panels for each.
class PeerMemory : public PeerTeam {
 public:
  /// As `DeviceMemory`. Throws as `PeerTeam`.
  PeerMemory(const std::vector<kernels::ComputeDevice*>& devices, int cols, const TiledMatrix& host,
             kernels::Cycles cycles, const Control& control, const TiledMatrix& via = {},
             std::int64_t piece_bytes = std::int64_t{4} << 20, Shape shape = Shape::full);

  /// Columns of the grid for so many devices. Up to four devices make one column, although row
  /// panels of the whole width then travel: between so few that costs little. More devices make a
  /// grid near a square.
  static int columns(int devices);
  /// Sides of the square grid on which so many devices solve half of a symmetric matrix, each with
  /// the same number of places; 0: there is none that pays.
  static int square(int devices);

  /// As of `DeviceMemory`.
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

/// A matrix of the host that is larger than the memories of the devices: it is stored in pinned
/// host memory, and each device passes its strips through and makes its share of the panels
/// (streamed_memory.hpp). Panels go from device to device (`SharedPanels`).
///
/// n³ relaxations, or half of them; each device does an even share, and moves an even share each
/// way over its link: (n² / devices) · n / b values. Memory of each: that of a single one, of which
/// no rows stay.
class StreamedPeers : public PeerTeam {
 public:
  /// As `StreamedMemory`. `plan`: of `plan_offload` for as many devices. Throws as `PeerTeam`.
  StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices, const OffloadPlan& plan,
                const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                const TiledMatrix& via = {}, std::int64_t piece_bytes = std::int64_t{4} << 20);

  /// Throws `Error`: negative_cycle, interrupted (the host's matrix is then unspecified), device.
  void run() {
    together([&](std::size_t number) { parts_[number]->run(); });
  }

 private:
  std::vector<std::unique_ptr<StreamedMemory>> parts_;
};

}  // namespace apsp::places
