// What the parts of a sweep on a GPU take: lists, blocks, counts, and a product beside them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "elimination/device_sweep.hpp"
#include "elimination/factor.hpp"
#include "kernels/device.hpp"
#include "search/device_count.hpp"
#include "weighted_graph.hpp"

namespace apsp::bench {

inline std::string rate_of(double pairs, double time) {
  return fmt::format(", {:.1f} G pairs/s", pairs / time / 1e9);
}

/// Sweeps alone; returns the seconds of the lists and the first copy, and of the sweeps.
inline std::pair<double, double> sweep_all(const elimination::Factor& factor,
                                           kernels::ComputeDevice& device, std::int64_t lanes,
                                           int threads) {
  const std::span<const Vertex> sources = factor.tree().order().vertex_at;
  std::optional<elimination::DeviceSweep> sweep;
  const double making = seconds([&] {
    sweep.emplace(factor, device, sources, lanes, threads);
    sweep->finish();
  });
  const double sweeping = seconds([&] {
    for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
      sweep->begin(sources.subspan(
          first, std::min(static_cast<std::size_t>(lanes), sources.size() - first)));
      sweep->end();
    }
    sweep->finish();
  });
  return {making, sweeping};
}

/// Relaxations of all blocks: up, closing and down.
inline double relaxations_of(const elimination::Tree& tree, std::int64_t lanes) {
  return static_cast<double>(tree.upper_entries()) * static_cast<double>(tree.vertices()) +
         elimination::UpSweepLists::relaxations(tree, tree.order().vertex_at, lanes);
}

/// Relaxations a second of a product that fills the device, from packed operands.
inline double product_rate(kernels::ComputeDevice& device, int value_size) {
  constexpr std::int64_t kSide = 8192, kDepth = 2048;
  constexpr int kTimes = 4;
  const auto queue = device.make_queue();
  const std::vector<std::byte> zeros(static_cast<std::size_t>(kSide * kSide * value_size));
  std::byte* const c = device.allocate(std::ssize(zeros));
  std::byte* const left = device.allocate(device.tiles().left_bytes(kSide, kDepth));
  std::byte* const right = device.allocate(device.tiles().right_bytes(kSide, kDepth));
  const auto bytes = std::ssize(zeros);
  device.copy_in(queue, {c, 1, bytes, bytes}, {zeros.data(), 1, bytes, bytes}, 1);
  device.tiles().pack_left(queue, {c, kSide, kDepth, kSide}, false, left);
  device.tiles().pack_right(queue, {c, kDepth, kSide, kSide}, false, right);
  const auto multiply = [&] {
    device.tiles().multiply_add(
        queue, {.c = {c, kSide, kSide, kSide}, .left = left, .right = right, .depth = kDepth});
  };
  multiply();
  device.synchronize(queue);
  const double time = seconds([&] {
    for (int i = 0; i < kTimes; ++i) multiply();
    device.synchronize(queue);
  });
  for (std::byte* const memory : {c, left, right}) device.release(memory);
  return kTimes * static_cast<double>(kSide * kSide * kDepth) / time;
}

/// Seconds that the host takes to make the lists of all blocks.
inline double list_all(const elimination::Factor& factor, std::int64_t lanes) {
  const std::span<const Vertex> sources = factor.tree().order().vertex_at;
  const elimination::DownSweepLists down(factor);
  elimination::UpSweepLists up(factor, down);
  return seconds([&] {
    for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
      up.find(sources.subspan(first,
                              std::min(static_cast<std::size_t>(lanes), sources.size() - first)));
    }
  });
}

/// Seconds of a sweep and of the count of the first block, so many times.
inline std::pair<double, double> one_block(const elimination::Factor& factor,
                                           kernels::ComputeDevice& device, std::int64_t lanes,
                                           const search::CountMethod& way, int times) {
  const std::vector<Vertex>& order = factor.tree().order().vertex_at;
  const auto sources =
      std::span(order).first(std::min(static_cast<std::size_t>(lanes), order.size()));
  elimination::DeviceSweep sweep(factor, device, sources, lanes);
  const auto counter =
      search::device_counter(device, sweep.queue(), std::ssize(order), order, sources, way);
  counter->begin();
  sweep.begin(sources);
  sweep.end();
  sweep.finish();
  const double sweeping = seconds([&] {
    for (int i = 0; i < times; ++i) {
      sweep.begin(sources);
      sweep.end();
    }
    sweep.finish();
  });
  const double counting = seconds([&] {
    for (int i = 0; i < times; ++i) {
      counter->add(sweep.distances(), 0, sweep.column_labels(), 0);
    }
    sweep.finish();
  });
  counter->counted();
  return {sweeping / times, counting / times};
}

inline void show_first_upward_sweep(const elimination::Factor& factor, std::int64_t lanes) {
  const std::vector<Vertex>& order = factor.tree().order().vertex_at;
  const elimination::DownSweepLists down(factor);
  elimination::UpSweepLists up(factor, down);
  up.find(std::span(order).first(std::min(static_cast<std::size_t>(lanes), order.size())));
  std::int32_t deepest = 0;
  for (const kernels::ListedItem& item : up.items()) deepest = std::max(deepest, item.depth);
  const auto alone =
      std::count_if(up.upward_groups().begin(), up.upward_groups().end(),
                    [](const elimination::UpwardGroup& group) { return group.alone; });
  fmt::print(
      "first block: {} upward rows, {} weights, {} launches, {} of one supernode, {} rows "
      "listed at most\n",
      up.rows(), up.entries(), up.upward_groups().size(), alone, deepest);
}

}  // namespace apsp::bench
