#include "places/streamed_peers.hpp"

#include "base/on_threads.hpp"
#include "places/streamed_memory.hpp"

namespace apsp::places {

/// What one device does.
struct StreamedPeers::Share {
  Share(PeerExchange& exchange, kernels::ComputeDevice& device, int members, int rank,
        const OffloadPlan& plan, const TiledMatrix& host, kernels::Cycles cycles,
        const Control& control, const TiledMatrix& via, std::int64_t piece_bytes)
      : transport(exchange, rank, piece_bytes),
        memory(device, plan, host, cycles, control, via, {members, rank, &transport}) {}

  PeerTransport transport;
  StreamedMemory memory;
};

StreamedPeers::StreamedPeers(const std::vector<kernels::ComputeDevice*>& devices,
                             const OffloadPlan& plan, const TiledMatrix& host,
                             kernels::Cycles cycles, const Control& control, const TiledMatrix& via,
                             std::int64_t piece_bytes)
    : quiet_{nullptr, control.cancellation},
      exchange_(met(devices), 1),
      pinned_values_(*devices.front(), host.matrix, host.value_size),
      pinned_via_(*devices.front(), via.matrix, via.value_size) {
  const auto count = static_cast<int>(devices.size());
  for (int i = 0; i < count; ++i) {
    shares_.push_back(std::make_unique<Share>(exchange_, *devices[static_cast<std::size_t>(i)],
                                              count, i, plan, host, cycles,
                                              i == 0 ? control : quiet_, via, piece_bytes));
  }
}

StreamedPeers::~StreamedPeers() = default;

void StreamedPeers::run() {
  base::on_threads(
      static_cast<int>(shares_.size()),
      [&](int number) { shares_[static_cast<std::size_t>(number)]->memory.run(); },
      [this] { exchange_.fail(); });
}

}  // namespace apsp::places
