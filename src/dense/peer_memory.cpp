#include "dense/peer_memory.hpp"

#include <cmath>

#include "system/threads.hpp"

namespace apsp::dense {

PeerTeam::PeerTeam(const std::vector<kernels::ComputeDevice*>& devices, int cols,
                   const TiledMatrix& host, const Control& control, const TiledMatrix& via,
                   std::int64_t piece_bytes)
    : control_(control),
      quiet_{nullptr, control.cancellation},
      exchange_(met(devices), cols),
      pinned_values_(*devices.front(), host.matrix, host.value_size),
      pinned_via_(*devices.front(), via.matrix, via.value_size) {
  for (int i = 0; i < static_cast<int>(devices.size()); ++i) {
    transports_.push_back(std::make_unique<PeerTransport>(exchange_, i, piece_bytes));
  }
}

void PeerTeam::together(const std::function<void(std::size_t)>& each) {
  system::on_threads(
      size(), [&](int number) { each(static_cast<std::size_t>(number)); },
      [this] { exchange_.fail(); });
}

PeerMemory::PeerMemory(const std::vector<kernels::ComputeDevice*>& devices, int cols,
                       const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                       const TiledMatrix& via, std::int64_t piece_bytes, Shape shape)
    : PeerTeam(devices, cols, host, control, via, piece_bytes) {
  for (int i = 0; i < size(); ++i) {
    const GridPart part{host.n(), {size() / cols, i / cols}, {cols, i % cols}, transport(i)};
    parts_.push_back(std::make_unique<DeviceMemory>(*devices[static_cast<std::size_t>(i)], host,
                                                    shape, cycles, this->control(i), via, part));
  }
}

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
    : PeerTeam(devices, 1, host, control, via, piece_bytes) {
  for (int i = 0; i < size(); ++i) {
    const StreamedShare share{size(), i, transport(i)};
    parts_.push_back(std::make_unique<StreamedMemory>(*devices[static_cast<std::size_t>(i)], plan,
                                                      host, cycles, this->control(i), via, share));
  }
}

}  // namespace apsp::dense
