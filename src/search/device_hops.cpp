#include "search/device_hops.hpp"

#include <algorithm>

#include "base/rounded_up.hpp"

namespace apsp::search {

Links links_before(const Graph& graph) {
  Links links = links_of(graph);
  return graph.symmetric() ? links : reversed(links);
}

DeviceHops::DeviceHops(const Links& before, ValueType type, kernels::ComputeDevice& device,
                       std::span<const Vertex> sources, std::int64_t lanes, std::int64_t most)
    : device_(device),
      all_(sources),
      lanes_(lanes),
      most_(most),
      first_(device, before.first),
      before_(device, before.targets),
      sources_(device, {sources.begin(), sources.end()}),
      scratch_(device, kernels::level_bytes(before.vertices(), lanes, most)),
      distances_(device, before.vertices() * lanes * size_of(type)),
      queue_(device.make_queue()) {
  first_.copy_in(device, queue_);
  before_.copy_in(device, queue_);
  sources_.copy_in(device, queue_);
}

std::int64_t DeviceHops::lanes_of(std::int64_t sources) {
  return base::rounded_up(std::clamp<std::int64_t>(sources, 1, kernels::kLevelSources),
                          kernels::kLevelLine);
}

std::int64_t DeviceHops::device_bytes(std::int64_t vertices, std::int64_t arcs,
                                      std::int64_t sources, ValueType type, std::int64_t lanes,
                                      std::int64_t most) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  return (vertices + 1 + arcs + sources) * kNumber + kernels::level_bytes(vertices, lanes, most) +
         vertices * lanes * size_of(type);
}

std::int64_t DeviceHops::most_of(std::int64_t vertices, double distance_bound) {
  const auto others = static_cast<double>(std::max<std::int64_t>(1, vertices) - 1);
  return static_cast<std::int64_t>(std::min(others, distance_bound));
}

void DeviceHops::begin(std::span<const Vertex> sources) {
  const kernels::EventId before_last = ended_[blocks_++ % ended_.size()];
  if (before_last >= 0) device_.await(before_last);
  begun_ = sources.data() - all_.data();
  columns_ = std::ssize(sources);
  const auto n = std::ssize(first_.host()) - 1;
  kernels_.search_levels(queue_, {.hops = {distances_.data(), n, columns_, lanes_},
                                  .sources = column_labels(),
                                  .first = first_.data(),
                                  .before = before_.data(),
                                  .arc_count = std::ssize(before_.host()),
                                  .most = most_,
                                  .scratch = scratch_.data()});
}

kernels::ConstView DeviceHops::distances() const {
  return {distances_.data(), std::ssize(first_.host()) - 1, columns_, lanes_};
}

}  // namespace apsp::search
