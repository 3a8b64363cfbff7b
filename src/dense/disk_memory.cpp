#include "dense/disk_memory.hpp"

#include <algorithm>

#include "dense/disk_passing.hpp"
#include "dense/disk_staying.hpp"

namespace apsp::dense {

DiskMemory::DiskMemory(store::DiskMatrix& matrix, const DiskPlan& plan,
                       const std::vector<kernels::ComputeDevice*>& devices, int threads,
                       const Control& control, std::int64_t piece_bytes)
    : PeerTeam(devices, 1, TiledMatrix{}, control, TiledMatrix{}, piece_bytes) {
  for (int i = 0; i < size(); ++i) {
    const DiskArguments arguments{matrix, plan, *devices[static_cast<std::size_t>(i)],
                                  std::max(1, threads / size()), this->control(i)};
    shares_.push_back(plan.stays ? disk_staying(arguments, {size(), i, transport(i)})
                                 : disk_passing(arguments));
  }
}

DiskMemory::~DiskMemory() {
  for (const auto& share : shares_) share->drain_queues();
}

void DiskMemory::run() {
  together([&](std::size_t number) { shares_[number]->run(); });
}

double DiskMemory::waited() const {
  double most = 0;
  for (const auto& share : shares_) most = std::max(most, share->waited());
  return most;
}

}  // namespace apsp::dense
