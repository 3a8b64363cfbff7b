#include "places/peer_memory.hpp"

#include <cmath>

#include "base/on_threads.hpp"

namespace apsp::places {

PeerMemory::PeerMemory(const std::vector<kernels::ComputeDevice*>& devices, int cols,
                       const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
                       const TiledMatrix& via, std::int64_t piece_bytes, Shape shape)
    : control_(control),
      quiet_{nullptr, control.cancellation},
      exchange_(met(devices), cols),
      pinned_values_(*devices.front(), host.matrix, host.value_size),
      pinned_via_(*devices.front(), via.matrix, via.value_size) {
  const auto count = static_cast<int>(devices.size());
  for (int i = 0; i < count; ++i) {
    transports_.push_back(std::make_unique<PeerTransport>(exchange_, i, piece_bytes));
    const GridPart part{
        host.n(), {count / cols, i / cols}, {cols, i % cols}, transports_.back().get()};
    parts_.push_back(std::make_unique<DeviceMemory>(*devices[static_cast<std::size_t>(i)], host,
                                                    shape, cycles, i == 0 ? control_ : quiet_, via,
                                                    part));
  }
}

PeerMemory::~PeerMemory() = default;

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

void PeerMemory::together(const std::function<void(DeviceMemory&)>& each) {
  base::on_threads(
      static_cast<int>(parts_.size()),
      [&](int number) { each(*parts_[static_cast<std::size_t>(number)]); },
      [this] { exchange_.fail(); });
}

void PeerMemory::run() {
  together([](DeviceMemory& part) { part.run(); });
}
void PeerMemory::upload() {
  together([](DeviceMemory& part) { part.upload(); });
}
void PeerMemory::solve() {
  together([](DeviceMemory& part) { part.solve(); });
}
void PeerMemory::download() {
  together([](DeviceMemory& part) { part.download(); });
}

}  // namespace apsp::places
