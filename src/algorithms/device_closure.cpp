#include "algorithms/device_closure.hpp"

#include <algorithm>
#include <cstdint>

#include "algorithms/device_memory.hpp"
#include "base/aligned_memory.hpp"
#include "base/control.hpp"

namespace apsp {
namespace {

constexpr int kBits = 32;

std::int64_t words_of(std::int64_t n) { return (n + kBits - 1) / kBits; }

Tiling bit_tiling(std::uint32_t* words, std::int64_t n) {
  Tiling tiling{{words, n, words_of(n), words_of(n)}, sizeof(std::uint32_t), kDeviceClosureTile};
  tiling.columns_per_value = kBits;
  return tiling;
}

/// work(row) for all n rows, by all threads, until the caller asks for an early end.
template <class F>
void for_each_row(std::int64_t n, int threads, const Control& control, F&& work) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < n; ++i) {
    if (!base::cancelled(control)) work(i);
  }
  base::check_cancelled(control);
}

}  // namespace

std::int64_t device_closure_host_bytes(std::int64_t n) {
  return n * words_of(n) * static_cast<std::int64_t>(sizeof(std::uint32_t));
}

std::int64_t device_closure_device_bytes(std::int64_t n, const kernels::Device& device) {
  return DeviceMemory::device_bytes(device, bit_tiling(nullptr, n), false);
}

void device_closure(kernels::Device& device, const Graph& graph, kernels::Tile reach, int threads,
                    const Control& control) {
  const std::int64_t n = graph.vertex_count();
  const std::int64_t words = words_of(n);
  base::AlignedMemory memory(device_closure_host_bytes(n));
  auto* const bits = memory.as<std::uint32_t>();
  const auto set = [&](std::int64_t i, std::int64_t j) {
    bits[i * words + j / kBits] |= std::uint32_t{1} << j % kBits;
  };
  for_each_row(n, threads, control, [&](std::int64_t i) {
    std::fill_n(bits + i * words, words, std::uint32_t{0});
    set(i, i);
    for (const Vertex target : graph.targets(static_cast<Vertex>(i))) set(i, target);
  });
  DeviceMemory(device, bit_tiling(bits, n), Shape::full, kernels::Cycles::excluded, control).run();
  for_each_row(n, threads, control, [&](std::int64_t i) {
    auto* const row = static_cast<std::uint8_t*>(reach.data) + i * reach.stride;
    for (std::int64_t j = 0; j < n; ++j) row[j] = bits[i * words + j / kBits] >> j % kBits & 1;
  });
}

}  // namespace apsp
