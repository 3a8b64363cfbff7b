#include "paths/device_predecessors.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "graph/whole_weights.hpp"

namespace apsp::paths {

DevicePredecessors::DevicePredecessors(const Graph& graph, Semiring semiring, ValueType type,
                                       kernels::ComputeDevice& device,
                                       std::span<const Vertex> sources, std::int64_t rows)
    : DevicePredecessors(search::searched_graph(graph, semiring, type, search::Direction::kept,
                                                nullptr, search::kOwnNumbers),
                         device, sources, rows) {}

DevicePredecessors::DevicePredecessors(search::SearchedGraph graph, kernels::ComputeDevice& device,
                                       std::span<const Vertex> sources, std::int64_t rows)
    : device_(device),
      n_(graph.vertices),
      searches_(searches_of(rows)),
      first_(device, std::move(graph.first)),
      arcs_(device, std::move(graph.arcs)),
      sources_(device, {sources.begin(), sources.end()}),
      torn_(device, std::vector<std::uint32_t>(kSlots)) {
  // Copies begin once all memory is claimed: what a claim throws finds none queued.
  for (Slot& slot : slots_) {
    slot.rows = dense::DeviceBuffer(device, rows * n_ * kernels::predecessor_size(n_));
    slot.scratch = dense::DeviceBuffer(device, kernels::predecessor_bytes(n_, searches_));
  }
  for (Slot& slot : slots_) slot.queue = device.make_queue();
  const kernels::QueueId queue = slots_.front().queue;
  first_.copy_in(device, queue);
  arcs_.copy_in(device, queue);
  sources_.copy_in(device, queue);
  torn_.copy_in(device, queue);
  const kernels::EventId there = device.record(queue);
  for (const Slot& slot : slots_) device.wait(slot.queue, there);
}

void DevicePredecessors::drain() noexcept {
  for (const Slot& slot : slots_) dense::drain(device_, slot.queue);
}

bool DevicePredecessors::takes(const Graph& graph, Semiring semiring, ValueType type,
                               double distance_bound) {
  constexpr double kWholeInF32 = 1 << 24, kWholeInF64 = graph::kMostExact;
  if (semiring != Semiring::min_plus) return false;
  const std::int64_t n = graph.vertex_count();
  if (n > std::numeric_limits<std::int32_t>::max()) return false;
  if (!search::why_too_large(n, graph.arc_count()).empty()) return false;
  if (type != ValueType::f32 && type != ValueType::f64) return true;
  const double most = type == ValueType::f32 ? kWholeInF32 : kWholeInF64;
  return graph.weight_facts().integral && distance_bound <= most;
}

std::int64_t DevicePredecessors::searches_of(std::int64_t rows) {
  constexpr std::int64_t kMost = 512;
  return std::min(rows, kMost);
}

std::int64_t DevicePredecessors::array_bytes(std::int64_t vertices, std::int64_t arcs,
                                             std::int64_t sources, ValueType type) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  return (vertices + 1 + sources + std::int64_t{kSlots}) * kNumber +
         arcs * search::SearchKeys{type}.arc_bytes();
}

std::int64_t DevicePredecessors::device_bytes(std::int64_t vertices, std::int64_t arcs,
                                              std::int64_t sources, ValueType type,
                                              std::int64_t rows) {
  const std::int64_t slot = rows * vertices * kernels::predecessor_size(vertices) +
                            kernels::predecessor_bytes(vertices, searches_of(rows));
  return array_bytes(vertices, arcs, sources, type) + std::int64_t{kSlots} * slot;
}

std::int64_t DevicePredecessors::host_bytes(std::int64_t vertices, std::int64_t arcs,
                                            std::int64_t sources, ValueType type,
                                            std::int64_t rows) {
  return array_bytes(vertices, arcs, sources, type) +
         dense::RowPieces::bytes(rows, vertices, kernels::predecessor_size(vertices));
}

DevicePredecessors::QueuedRows DevicePredecessors::find(std::size_t number, kernels::EventId ready,
                                                        kernels::EventId copied,
                                                        kernels::ConstView distances,
                                                        std::size_t first) {
  const std::size_t place = number % kSlots;
  const Slot& slot = slots_[place];
  dense::wait_for(device_, slot.queue, copied);
  device_.wait(slot.queue, ready);
  const kernels::View rows{slot.rows.data(), distances.rows, n_, n_};
  kernels_.search_predecessors(slot.queue, {.predecessors = rows,
                                            .distances = distances,
                                            .sources = sources_.data() + first,
                                            .first = first_.data(),
                                            .arcs = arcs_.data(),
                                            .arc_count = std::int64_t{first_.host().back()},
                                            .searches = searches_,
                                            .torn = torn_.data() + place,
                                            .scratch = slot.scratch.data()});
  return {device_.record(slot.queue), rows};
}

void DevicePredecessors::finish() {
  const kernels::QueueId queue = slots_.front().queue;
  for (const Slot& slot : slots_) device_.wait(queue, device_.record(slot.queue));
  torn_.copy_out(device_, queue);
  device_.synchronize(queue);
  const std::vector<std::uint32_t>& torn = torn_.host();
  if (std::all_of(torn.begin(), torn.end(), [](std::uint32_t rows) { return rows == 0; })) return;
  throw Error(ErrorKind::defect,
              "the distances that the device found do not belong to the graph: no paths of these "
              "lengths lead to all vertices");
}

}  // namespace apsp::paths
