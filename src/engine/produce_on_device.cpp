#include "engine/produce_on_device.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <vector>

#include "base/on_threads.hpp"
#include "base/team.hpp"
#include "elimination/device_rows.hpp"
#include "engine/device_run.hpp"
#include "search/device_hops.hpp"
#include "search/device_search.hpp"
#include "search/dijkstra_check.hpp"
#include "store/row_source.hpp"

namespace apsp::engine {
namespace {

/// Has each of the plan's devices claim blocks and count, count(device, blocks), and is timed. What
/// all have counted is added up: in whole numbers, so that it does not matter who had which block.
template <class F>
DeviceReport on_claimed_blocks(const planner::Plan& plan, std::span<const Vertex> sources,
                               store::ColumnSink* columns, const Control& control, F&& count) {
  return with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    const auto start = std::chrono::steady_clock::now();
    elimination::SourceBlocks blocks(sources, plan.rows->lanes, control);
    std::vector<store::CountedDistances> counted(devices.size());
    base::on_threads(
        plan.on_device->devices(),
        [&](int number) {
          const auto i = static_cast<std::size_t>(number);
          counted[i] = count(*devices[i], blocks);
        },
        [&] { blocks.stop(); });
    if (columns != nullptr && !sources.empty()) {
      for (std::size_t i = 1; i < counted.size(); ++i) counted.front().add(counted[i]);
      columns->take_counted(counted.front());
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
}

/// Threads of the host that pack the factor for one of the plan's devices.
int threads_of_each(const planner::Plan& plan) {
  return std::max(1, plan.threads / plan.on_device->devices());
}

/// `columns`: null, or must take counts below the plan's limit. Returns that, or 0.
std::int64_t limit_of(const planner::Plan& plan, const store::ColumnSink* columns) {
  if (columns == nullptr) return 0;
  if (columns->count_limit() < plan.rows->count_limit) {
    throw Error(ErrorKind::defect, "statistics do not take what a device counts");
  }
  return plan.rows->count_limit;
}

/// Rows that have come to `give(some of the sources, their rows, stride)` on all threads.
template <class F>
void share_rows(const planner::Plan& plan, std::span<const Vertex> sources, const void* rows,
                std::int64_t stride, F&& give) {
  // Pieces have hundreds of rows: enough for all threads, and few enough that blocks are long.
  constexpr std::int64_t kRowsOfABlock = 16;
  const std::int64_t blocks = (std::ssize(sources) + kRowsOfABlock - 1) / kRowsOfABlock;
  base::share_items(blocks, plan.threads, [&](std::int64_t i) {
    const auto first = static_cast<std::size_t>(i * kRowsOfABlock);
    const auto count = std::min(static_cast<std::size_t>(kRowsOfABlock), sources.size() - first);
    give(sources.subspan(first, count),
         static_cast<const std::byte*>(rows) +
             static_cast<std::int64_t>(first) * stride * size_of(plan.type),
         stride);
  });
}

/// Rows of a matrix in memory ← what came.
void copy_rows(std::span<const Vertex> some, const std::byte* rows, std::int64_t stride,
               kernels::View matrix, std::int64_t size) {
  for (std::size_t i = 0; i < some.size(); ++i) {
    std::memcpy(static_cast<std::byte*>(matrix.data) + some[i] * matrix.stride * size,
                rows + static_cast<std::int64_t>(i) * stride * size,
                static_cast<std::size_t>(matrix.cols * size));
  }
}

std::vector<Vertex> vertices_of(const planner::Plan& plan) {
  std::vector<Vertex> all(static_cast<std::size_t>(plan.n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

/// Rows to `give(some of the sources, their rows, stride)` on all threads.
template <class F>
DeviceReport hand_out(const elimination::Factor& factor, const planner::Plan& plan,
                      std::span<const Vertex> sources, store::ColumnSink* columns,
                      const Control& control, F&& give) {
  const std::int64_t limit = limit_of(plan, columns);
  const auto how = elimination::DeviceRows::of(plan.rows->lanes, plan.n, plan.type);
  std::mutex giving;  // one device's rows at a time, on all threads
  return on_claimed_blocks(plan, sources, columns, control, [&](auto& device, auto& claimed) {
    return elimination::rows_from_device(
        factor, device, claimed, how, limit,
        [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
          const std::lock_guard lock(giving);
          share_rows(plan, some, rows, stride, give);
        },
        threads_of_each(plan), plan.rows->cut);
  });
}

}  // namespace

DeviceReport count_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                             std::span<const Vertex> sources, store::ColumnSink& columns,
                             const Control& control) {
  const std::int64_t limit = limit_of(plan, &columns);
  return on_claimed_blocks(plan, sources, &columns, control, [&](auto& device, auto& blocks) {
    return elimination::count_on_device(factor, device, blocks, limit, threads_of_each(plan),
                                        plan.rows->cut);
  });
}

DeviceReport count_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                             store::ColumnSink& columns, const Control& control) {
  return count_on_device(factor, plan, factor.tree().order().vertex_at, columns, control);
}

DeviceReport give_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                            std::span<const Vertex> vertices,
                            std::span<store::RowSink* const> sinks, std::int64_t band,
                            store::ColumnSink* columns, const Control& control) {
  const std::vector<Vertex> sources =
      store::in_bands(factor.tree().order().vertex_at, vertices, band);
  return hand_out(factor, plan, sources, columns, control,
                  [&](std::span<const Vertex> some, const std::byte* rows, std::int64_t stride) {
                    for (store::RowSink* const sink : sinks) {
                      sink->take({some, rows, stride, plan.type});
                    }
                  });
}

DeviceReport produce_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                               std::span<const Vertex> vertices,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               store::ColumnSink* columns, const Control& control) {
  DeviceReport report = give_on_device(factor, plan, vertices, sinks, band, columns, control);
  for (store::RowSink* const sink : sinks) sink->finish();
  return report;
}

DeviceReport produce_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               store::ColumnSink* columns, const Control& control) {
  return produce_on_device(factor, plan, vertices_of(plan), sinks, band, columns, control);
}

DeviceReport fill_on_device(const elimination::Factor& factor, const planner::Plan& plan,
                            kernels::View matrix, const Control& control) {
  return hand_out(factor, plan, factor.tree().order().vertex_at, nullptr, control,
                  [&](std::span<const Vertex> some, const std::byte* rows, std::int64_t stride) {
                    copy_rows(some, rows, stride, matrix, size_of(plan.type));
                  });
}

namespace {

/// Runs on the plan's device and is timed.
template <class F>
DeviceReport timed_on_device(const planner::Plan& plan, F&& run) {
  return with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    const auto start = std::chrono::steady_clock::now();
    run(*devices.front());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
}

void check_searched(const Graph& graph, const planner::Plan& plan) {
  search::check_dijkstra(graph, plan.semiring, plan.type, nullptr, plan.distance_bound);
}

std::int64_t most_hops(const planner::Plan& plan) {
  return search::DeviceHops::most_of(plan.n, plan.distance_bound);
}

/// The same by breadth-first searches.
template <class F>
DeviceReport hand_out_hops(const Graph& graph, const planner::Plan& plan,
                           std::span<const Vertex> vertices, std::int64_t band,
                           const Control& control, F&& give) {
  const search::Links before = search::links_before(graph);
  const std::vector<Vertex> sources = store::in_bands(search::hop_order(before), vertices, band);
  const elimination::Order order = elimination::natural_order(plan.n);
  const auto how = elimination::DeviceRows::of(plan.rows->lanes, plan.n, plan.type);
  std::mutex giving;
  return on_claimed_blocks(plan, sources, nullptr, control, [&](auto& device, auto& claimed) {
    search::DeviceHops hops(before, plan.type, device, sources, how.lanes, most_hops(plan));
    return elimination::rows_from_device(
        order, plan.type, device, hops, claimed, how, 0,
        [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
          const std::lock_guard lock(giving);
          share_rows(plan, some, rows, stride, give);
        });
  });
}

/// The same by searches of one kind or the other.
template <class F>
DeviceReport hand_out(const Graph& graph, const planner::Plan& plan,
                      std::span<const Vertex> sources, std::int64_t band, const Control& control,
                      F&& give) {
  check_searched(graph, plan);
  if (!plan.rows->batches) return hand_out_hops(graph, plan, sources, band, control, give);
  return timed_on_device(plan, [&](kernels::ComputeDevice& device) {
    search::rows_by_searches(
        graph, plan.semiring, plan.type, device, sources, *plan.rows->batches,
        [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
          share_rows(plan, some, rows, stride, give);
        },
        control);
  });
}

}  // namespace

DeviceReport count_on_device(const Graph& graph, const planner::Plan& plan,
                             store::ColumnSink& columns, const Control& control) {
  return count_on_device(graph, plan, vertices_of(plan), columns, control);
}

DeviceReport count_on_device(const Graph& graph, const planner::Plan& plan,
                             std::span<const Vertex> vertices, store::ColumnSink& columns,
                             const Control& control) {
  const std::int64_t limit = limit_of(plan, &columns);
  check_searched(graph, plan);
  if (!plan.rows->batches) {
    const search::Links before = search::links_before(graph);
    const std::vector<Vertex> sources = store::in_bands(search::hop_order(before), vertices, 0);
    const elimination::Order order = elimination::natural_order(plan.n);
    return on_claimed_blocks(plan, sources, &columns, control, [&](auto& device, auto& claimed) {
      search::DeviceHops hops(before, plan.type, device, sources, claimed.lanes(), most_hops(plan));
      return elimination::count_on_device(order, device, hops, claimed, limit);
    });
  }
  return timed_on_device(plan, [&](kernels::ComputeDevice& device) {
    columns.take_counted(search::count_by_searches(graph, plan.type, device, vertices,
                                                   *plan.rows->batches, limit, control));
  });
}

DeviceReport give_on_device(const Graph& graph, const planner::Plan& plan,
                            std::span<const Vertex> vertices,
                            std::span<store::RowSink* const> sinks, std::int64_t band,
                            const Control& control) {
  return hand_out(graph, plan, vertices, band, control,
                  [&](std::span<const Vertex> some, const std::byte* rows, std::int64_t stride) {
                    for (store::RowSink* const sink : sinks) {
                      sink->take({some, rows, stride, plan.type});
                    }
                  });
}

DeviceReport produce_on_device(const Graph& graph, const planner::Plan& plan,
                               std::span<const Vertex> vertices,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               const Control& control) {
  DeviceReport report = give_on_device(graph, plan, vertices, sinks, band, control);
  for (store::RowSink* const sink : sinks) sink->finish();
  return report;
}

DeviceReport produce_on_device(const Graph& graph, const planner::Plan& plan,
                               std::span<store::RowSink* const> sinks, std::int64_t band,
                               const Control& control) {
  return produce_on_device(graph, plan, vertices_of(plan), sinks, band, control);
}

DeviceReport fill_on_device(const Graph& graph, const planner::Plan& plan, kernels::View matrix,
                            const Control& control) {
  return hand_out(graph, plan, vertices_of(plan), 0, control,
                  [&](std::span<const Vertex> some, const std::byte* rows, std::int64_t stride) {
                    copy_rows(some, rows, stride, matrix, size_of(plan.type));
                  });
}

}  // namespace apsp::engine
