// Rows that a device sweeps: beside those that the CPU sweeps over the same factor, and their time,
// with predecessors and without.
#pragma once

#include <fmt/format.h>
#include <apsp/graph.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/device_rows.hpp"
#include "elimination/device_sweep.hpp"
#include "elimination/factor_rows.hpp"
#include "paths/device_predecessors.hpp"
#include "paths/path_trees.hpp"
#include "semiring/dispatch.hpp"
#include "sweep_launches.hpp"

namespace apsp::bench {

/// Distances of some rows that are further from the CPU's than rounding explains.
inline std::int64_t wrong_in_rows(std::shared_ptr<const elimination::Factor> factor,
                                  kernels::ComputeDevice& device) {
  constexpr std::int64_t kRows = 64, kMostBytes = std::int64_t{1} << 30;
  const ValueType type = factor->type();
  const elimination::Order& order = factor->tree().order();
  const auto n = std::ssize(order.vertex_at);
  const std::int64_t most = std::clamp<std::int64_t>(
      kMostBytes / (std::max<std::int64_t>(1, n) * size_of(type)), 1, std::min(kRows, n));
  const std::span sources = std::span(order.vertex_at).first(static_cast<std::size_t>(most));
  const elimination::FactorRows rows(factor, kernels::Sign::non_negative);
  const auto worker = rows.worker();
  const Control control;
  elimination::SourceBlocks blocks(sources, kRows, control);
  elimination::DeviceSweep sweep(*factor, device, sources, kRows);
  std::int64_t wrong = 0;
  semiring::dispatch(factor->semiring(), type, [&]<class S>() {
    using T = typename S::Value;
    const double relative = type == ValueType::f32 ? 1e-5 : type == ValueType::f64 ? 1e-13 : 0;
    std::vector<T> wanted(sources.size() * static_cast<std::size_t>(n));
    elimination::rows_from_device(
        order, {}, type, device, sweep, blocks, elimination::DeviceRows::of(kRows, n, type), 0,
        [&](std::span<const Vertex> some, const void* found, std::int64_t) {
          worker->compute(some, wanted.data(), n);
          for (std::size_t i = 0; i < some.size() * static_cast<std::size_t>(n); ++i) {
            const auto here = static_cast<double>(wanted[i]);
            const auto there = static_cast<double>(static_cast<const T*>(found)[i]);
            wrong += there == here || std::abs(there - here) <= relative * here ? 0 : 1;
          }
        });
  });
  return wrong;
}

inline void show(const char* what, double time, const std::string& more = {}) {
  fmt::print("{:<34} {:9.1f} ms{}\n", what, time * 1e3, more);
  std::fflush(stdout);
}

/// `found`: [wanted.size()] of so many bytes, all of them set for none.
inline bool same_predecessors(std::span<const std::int64_t> wanted, const std::byte* found,
                              int size) {
  return std::all_of(wanted.begin(), wanted.end(), [&](std::int64_t before) {
    const auto number = static_cast<std::int32_t>(before);
    const bool same = std::memcmp(&number, found, static_cast<std::size_t>(size)) == 0;
    found += size;
    return same;
  });
}

/// Seconds until the first rows are there, and of all rows as fast as those that follow.
struct RowTimes {
  double before = 0, all = 0;
};

/// `pass(took)` passes on so many rows and calls `took()` with each piece.
template <class Pass>
RowTimes time_rows(std::size_t rows, std::int64_t piece, Pass&& pass) {
  const auto begun = std::chrono::steady_clock::now();
  std::optional<std::chrono::steady_clock::time_point> first;
  const double all = seconds([&] {
    pass([&] {
      if (!first) first = std::chrono::steady_clock::now();
    });
  });
  const double before = std::chrono::duration<double>(*first - begun).count();
  const auto count = static_cast<std::int64_t>(rows);
  return {before, (all - before) * static_cast<double>(count) /
                      static_cast<double>(std::max<std::int64_t>(1, count - piece))};
}

/// The same rows with their predecessors, beside the seconds of distances alone.
inline void show_predecessors(const Graph& graph, const elimination::Factor& factor,
                              kernels::ComputeDevice& device, std::span<const Vertex> sources,
                              const elimination::DeviceRows& how, double alone) {
  constexpr std::size_t kCompared = 16;
  const ValueType type = factor.type();
  const auto n = std::ssize(factor.tree().order().vertex_at);
  const int size = kernels::predecessor_size(n);
  paths::PredecessorTree tree(graph, Semiring::min_plus, type);
  std::int64_t compared = 0, wrong = 0;
  const RowTimes times = time_rows(sources.size(), how.piece, [&](auto&& took) {
    const Control control;
    elimination::SourceBlocks blocks(sources, how.lanes, control);
    elimination::DeviceSweep sweep(factor, device, sources, how.lanes);
    paths::DevicePredecessors search(graph, Semiring::min_plus, type, device, sources, how.piece);
    elimination::trees_from_device(
        factor.tree().order(), type, device, sweep, search, blocks, how, 0,
        [&](std::span<const Vertex> some, const void* rows, std::int64_t stride,
            const std::byte* found) {
          const std::size_t these = compared == 0 ? std::min(kCompared, some.size()) : 0;
          for (std::size_t i = 0; i < these; ++i, ++compared) {
            const auto at = static_cast<std::int64_t>(i) * stride;
            const auto wanted =
                tree.of(some[i], static_cast<const std::byte*>(rows) + at * size_of(type));
            wrong += same_predecessors(wanted, found + at * size, size) ? 0 : 1;
          }
          took();
        });
  });
  const double bytes = static_cast<double>(std::ssize(sources) * n) * (size_of(type) + size);
  show("  with predecessors", times.all,
       fmt::format(", {:.1f} GB/s, {:.2f} of the time of distances alone", bytes / times.all / 1e9,
                   times.all / alone));
  fmt::print("  rows of predecessors that differ from the CPU's: {} of {}\n", wrong, compared);
}

/// The rows to pinned memory with and without two measures: pieces of many rows instead of single
/// ones, and copies under the sweep of the next block (Xia 2021, Figure 8).
inline void show_transfers(const elimination::Factor& factor, kernels::ComputeDevice& device,
                           std::span<const Vertex> sources, const elimination::DeviceRows& how) {
  const auto taken = [&](std::int64_t piece, bool overlapped) {
    const elimination::DeviceRows these{how.lanes, piece};
    const std::size_t at_once = overlapped ? sources.size() : static_cast<std::size_t>(how.lanes);
    const Control control;
    elimination::DeviceSweep sweep(factor, device, sources, how.lanes);
    return seconds([&] {
      for (std::size_t first = 0; first < sources.size(); first += at_once) {
        const auto some = sources.subspan(first, std::min(at_once, sources.size() - first));
        elimination::SourceBlocks blocks(some, how.lanes, control);
        elimination::rows_from_device(factor.tree().order(), {}, factor.type(), device, sweep,
                                      blocks, these, 0,
                                      [](std::span<const Vertex>, const void*, std::int64_t) {});
      }
    });
  };
  taken(how.piece, true);  // pins memory for the first time
  const double batched = taken(how.piece, true), single = taken(1, true),
               waiting = taken(how.piece, false);
  show("  overlapped, many rows a copy", batched);
  show("  overlapped, one row a copy", single, fmt::format(", {:.2f} x", single / batched));
  show("  not overlapped, many rows a copy", waiting, fmt::format(", {:.2f} x", waiting / batched));
}

/// Seconds of rows to pinned memory, making and pinning it included and apart, of rows that stay on
/// the device, and of bare copies.
/// `graph`: with predecessors too; or null.
inline void show_rows(const elimination::Factor& factor, kernels::ComputeDevice& device,
                      std::int64_t lanes, std::int64_t rows, const Graph* graph) {
  const std::vector<Vertex>& order = factor.tree().order().vertex_at;
  const std::span<const Vertex> sources =
      std::span(order).first(std::min(static_cast<std::size_t>(rows), order.size()));
  const auto n = std::ssize(order);
  const auto how = elimination::DeviceRows::of(lanes, n, factor.type());
  const auto bytes = static_cast<double>(std::ssize(sources) * n * size_of(factor.type()));
  const auto timed = [&](bool to_host) {
    return time_rows(sources.size(), how.piece, [&](auto&& took) {
      const Control control;
      elimination::SourceBlocks blocks(sources, how.lanes, control);
      elimination::DeviceSweep sweep(factor, device, sources, how.lanes);
      elimination::TakeRows take;
      if (to_host) take = [](std::span<const Vertex>, const void*, std::int64_t) {};
      elimination::rows_from_device(factor.tree().order(), {}, factor.type(), device, sweep, blocks,
                                    how, 0, take,
                                    [&](std::span<const Vertex>, kernels::View) { took(); });
    });
  };
  const RowTimes times = timed(true), there = timed(false);
  const std::int64_t piece = how.piece * n * size_of(factor.type());
  base::AlignedMemory host(piece);
  std::byte* const on_device = device.allocate(piece);
  device.pin(host.data(), piece);
  const auto queue = device.make_queue();
  const auto copy = [&] {
    device.copy_out(queue, {host.data(), how.piece, n, n}, {on_device, how.piece, n, n},
                    size_of(factor.type()));
  };
  device.copy_in(queue, {on_device, 1, piece, piece}, {host.data(), 1, piece, piece}, 1);
  copy();
  device.synchronize(queue);
  constexpr int kCopies = 20;
  const double copying = seconds([&] {
    for (int i = 0; i < kCopies; ++i) copy();
    device.synchronize(queue);
  });
  device.unpin(host.data());
  device.release(on_device);
  const auto rate = [](double of, double time) {
    return fmt::format(", {:.1f} GB/s", of / time / 1e9);
  };
  show("  until the first rows are there", times.before);
  show(fmt::format("  {} rows to pinned memory", sources.size()).c_str(), times.all,
       rate(bytes, times.all));
  const double bare = copying * bytes / (static_cast<double>(piece) * kCopies);
  show("  bare copies of as much", bare, rate(bytes, bare));
  fmt::print("  rows to pinned memory take {:.2f} x of bare copies\n", times.all / bare);
  show("  rows that stay on the device", there.all, rate(bytes, there.all));
  show_transfers(factor, device, sources, how);
  if (graph != nullptr) show_predecessors(*graph, factor, device, sources, how, times.all);
}

}  // namespace apsp::bench
