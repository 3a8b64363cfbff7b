// Invented GPUs: the facts of an H200, and a strict device behind every one.
#pragma once

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "planner/devices.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::planner {

inline constexpr std::int64_t kGiB = std::int64_t{1} << 30;

inline DeviceFacts invented_h200(int ordinal, std::int64_t memory_free = 136 * kGiB) {
  return {ordinal,     "NVIDIA H200", 140 * kGiB,
          memory_free, 132,           1980,
          90,          "13.0",        fmt::format("GPU-{}", ordinal)};
}

inline Devices invented_devices(std::vector<DeviceFacts> list) {
  const auto open = [](int, Semiring semiring, ValueType type, kernels::Sign, std::int64_t memory) {
    return semiring == Semiring::or_and ? kernels::strict::make_bit_device(memory)
                                        : kernels::strict::make_device(semiring, type, memory);
  };
  const auto sizes = [](Semiring semiring, ValueType type, kernels::Sign) {
    return semiring == Semiring::or_and ? kernels::strict::bit_sizes()
                                        : kernels::strict::sizes(semiring, type);
  };
  return {std::move(list), "", open, {}, sizes};
}

/// So many H200s with all their memory free: cuda:0, cuda:1, …
template <int count>
Devices several_devices() {
  std::vector<DeviceFacts> list;
  for (int ordinal = 0; ordinal < count; ++ordinal) list.push_back(invented_h200(ordinal));
  return invented_devices(std::move(list));
}
/// One H200 with all its memory free.
inline Devices one_device() { return invented_devices({invented_h200(0)}); }
inline Devices no_device() { return {{}, "no CUDA device: no driver", {}}; }

}  // namespace apsp::planner
