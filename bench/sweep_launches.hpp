// Where the time of a sweep on a GPU goes: each launch of a block, repeated, as a table.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "elimination/device_sweep.hpp"
#include "weighted_graph.hpp"

namespace apsp::bench {

/// What a launch relaxes, a column.
inline double relaxations_of(const elimination::SweepLaunch& launch) {
  double all = 0;
  for (const kernels::ListedItem& item : launch.items) {
    all += static_cast<double>(item.rows) * item.depth;
  }
  return all;
}

/// Each launch by itself: what it takes beyond its relaxations is waiting, and what a block takes
/// beyond the longer one of its two queues is the host.
inline void show_launches(const elimination::Factor& factor, kernels::ComputeDevice& device,
                          std::int64_t lanes, double peak, int times) {
  using SweepPhase = elimination::SweepLaunch::SweepPhase;
  const std::span<const Vertex> order = factor.tree().order().vertex_at;
  const std::size_t cols = std::min(static_cast<std::size_t>(lanes), order.size());
  const std::size_t blocks = (order.size() + cols - 1) / cols;
  const std::size_t first = blocks / 2 * cols;
  const auto sources = order.subspan(first, std::min(cols, order.size() - first));
  elimination::DeviceSweep sweep(factor, device, order, lanes);
  sweep.begin(sources);
  sweep.end();
  sweep.finish();
  fmt::print(
      "  launches of the block from source {} on: part, rows of the widest item, items, "
      "listed rows of the deepest, G relaxations, us, us at the product's rate\n",
      first);
  constexpr const char* kParts[] = {"up", "closing", "down"};
  double taken[3] = {}, least[3] = {};
  for (const elimination::SweepLaunch& launch : sweep.launches()) {
    const auto again = [&] {
      device.gathered_rows()->multiply_listed(sweep.queue(), launch.product);
    };
    again();
    device.synchronize(sweep.queue());
    const double time = seconds([&] {
                          for (int i = 0; i < times; ++i) again();
                          device.synchronize(sweep.queue());
                        }) /
                        times;
    const double relaxations = relaxations_of(launch) * static_cast<double>(sources.size());
    std::int32_t deepest = 0;
    for (const kernels::ListedItem& item : launch.items) deepest = std::max(deepest, item.depth);
    const auto part = static_cast<std::size_t>(launch.part);
    taken[part] += time;
    least[part] += relaxations / peak;
    fmt::print("    {:<8}{:>4}{:>9}{:>7}{:>10.3f}{:>10.1f}{:>10.1f}\n", kParts[part],
               launch.product.widest, launch.items.size(), deepest, relaxations / 1e9, time * 1e6,
               relaxations / peak * 1e6);
  }
  for (const SweepPhase each : {SweepPhase::up, SweepPhase::closing, SweepPhase::down}) {
    const auto part = static_cast<std::size_t>(each);
    fmt::print("  {:<34} {:9.3f} ms, {:.3f} at the product's rate\n", kParts[part],
               taken[part] * 1e3, least[part] * 1e3);
  }
}

}  // namespace apsp::bench
