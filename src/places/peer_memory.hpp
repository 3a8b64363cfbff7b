// A matrix of the host solved in the memories of several devices of one process: distributed in
// tiles, copied in by each over a link of its own, solved together, copied out.
//
// Every device has a thread that runs the driver's page on its part (peer_transport.hpp). The
// host's matrix is pinned once, for all of them. Where whole rows of tiles are distributed (a grid
// of one column) what a device copies lies together, and one panel of two travels.
//
// Half of a symmetric matrix is solved on a square grid. Two or three GPUs are one where each has
// several places of it: a row of the grid, with queues and panels for each.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "places/device_memory.hpp"
#include "places/peer_transport.hpp"

namespace apsp::places {

class PeerMemory {
 public:
  /// As `DeviceMemory`, on a grid of `cols` columns of devices that are given row by row, and were
  /// opened just now; two may be the same GPU. `piece_bytes`: see `PeerTransport`. Throws `Error`:
  /// does_not_fit, device (no way between two of them).
  PeerMemory(const std::vector<kernels::ComputeDevice*>& devices, int cols, const TiledMatrix& host,
             kernels::Cycles cycles, const Control& control, const TiledMatrix& via = {},
             std::int64_t piece_bytes = std::int64_t{4} << 20, Shape shape = Shape::full);
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  /// Columns of the grid for so many devices. Up to four devices make one column, although row
  /// panels of the whole width then travel: between so few that costs little. More devices make a
  /// grid near a square.
  static int columns(int devices);
  /// Sides of the square grid on which so many devices solve half of a symmetric matrix, each with
  /// the same number of places; 0: there is none that pays.
  static int square(int devices);

  /// As of `DeviceMemory`.
  void run();
  void upload();
  void solve();
  void download();

 private:
  void together(const std::function<void(DeviceMemory&)>& each);

  const Control& control_;
  Control quiet_;  // of all but the first: one of them tells of progress
  PeerExchange exchange_;
  PinnedMemory pinned_values_, pinned_via_;
  std::vector<std::unique_ptr<PeerTransport>> transports_;
  std::vector<std::unique_ptr<DeviceMemory>> parts_;
};

}  // namespace apsp::places
