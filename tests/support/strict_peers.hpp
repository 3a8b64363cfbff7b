// Strict devices of one process, to be peers: of min-plus over i32 unless made otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "support/strict/strict_device.hpp"

namespace apsp {

class StrictPeers {
 public:
  static constexpr std::int64_t kMemory = 8 << 20;  // bytes of each

  template <class Make>
  StrictPeers(int count, const Make& make) {
    for (int i = 0; i < count; ++i) owned_.push_back(make());
    for (const auto& device : owned_) devices.push_back(device.get());
  }
  explicit StrictPeers(int count, std::int64_t memory = kMemory)
      : StrictPeers(count, [=] {
          return kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
        }) {}
  std::vector<kernels::ComputeDevice*> devices;

 private:
  std::vector<std::unique_ptr<kernels::ComputeDevice>> owned_;
};

}  // namespace apsp
