#include "dense/peer_memory.hpp"

#include <cmath>

namespace apsp::dense {

PeerMemory::PeerMemory(const std::vector<kernels::ComputeDevice*>& devices, int cols,
                       const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                       const TiledMatrix& via, std::int64_t piece_bytes, Shape shape)
    : PeerTeam(devices, cols, host, control, via, piece_bytes,
               [&](int i, PeerTransport* transport, const Control& of_part) {
                 const int rows = static_cast<int>(devices.size()) / cols;
                 const GridPart part{host.n(), {rows, i / cols}, {cols, i % cols}, transport};
                 return std::make_unique<DeviceMemory>(*devices[static_cast<std::size_t>(i)], host,
                                                       shape, cycles, of_part, via, part);
               }) {}

int PeerMemory::columns(int devices) {
  constexpr int kMostRows = 4;
  if (devices <= kMostRows) return 1;
  auto cols = static_cast<int>(std::sqrt(devices));
  while (devices % cols != 0) --cols;
  return cols;
}

int PeerMemory::square(int devices) {
  constexpr int kMostPlaces = 3;  // of a device
  int side = 1;
  while (side * side % devices != 0) ++side;
  return side * side / devices <= kMostPlaces ? side : 0;
}

StreamedPeers::StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices,
                             const OffloadPlan& plan, const TiledMatrix& host,
                             kernels::Cycles cycles, const Control& control, const TiledMatrix& via,
                             std::int64_t piece_bytes)
    : PeerTeam(devices, 1, host, control, via, piece_bytes,
               [&](int i, PeerTransport* transport, const Control& of_part) {
                 const StreamedShare share{static_cast<int>(devices.size()), i, transport};
                 return std::make_unique<StreamedMemory>(*devices[static_cast<std::size_t>(i)],
                                                         plan, host, cycles, of_part, via, share);
               }) {}

}  // namespace apsp::dense
