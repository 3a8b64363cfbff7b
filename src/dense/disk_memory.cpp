#include "dense/disk_memory.hpp"

#include <algorithm>

#include "dense/disk_passing.hpp"
#include "dense/disk_staying.hpp"

namespace apsp::dense {

DiskMemory::DiskMemory(store::DiskMatrix& matrix, const DiskPlan& plan,
                       const std::vector<kernels::ComputeDevice*>& devices, int threads,
                       const Control& control, std::int64_t piece_bytes)
    : PeerTeam(devices, 1, TiledMatrix{}, control, TiledMatrix{}, piece_bytes,
               [&](int i, PeerTransport* transport, const Control& of_share) {
                 const auto count = static_cast<int>(devices.size());
                 const DiskArguments arguments{matrix, plan, *devices[static_cast<std::size_t>(i)],
                                               std::max(1, threads / count), of_share};
                 return plan.stays ? disk_staying(arguments, {count, i, transport})
                                   : disk_passing(arguments);
               }) {}

DiskMemory::~DiskMemory() {
  for (const auto& share : parts()) share->drain_queues();
}

double DiskMemory::waited() const {
  double most = 0;
  for (const auto& share : parts()) most = std::max(most, share->waited());
  return most;
}

}  // namespace apsp::dense
