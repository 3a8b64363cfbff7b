#include "search/device_searches.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "semiring/dispatch.hpp"
#include "semiring/weight.hpp"

namespace apsp::search {
namespace {

std::int64_t arc_bytes(ValueType type) {
  return type == ValueType::f64 ? sizeof(kernels::SearchArc<double>)
                                : sizeof(kernels::SearchArc<float>);
}

/// Where each vertex's arcs begin, [n + 1]; without loops, which no path needs.
std::vector<std::uint32_t> offsets_of(const Graph& graph, Direction direction) {
  std::vector<std::uint32_t> first(static_cast<std::size_t>(graph.vertex_count()) + 1);
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (from != to) ++first[(direction == Direction::kept ? from : to) + std::size_t{1}];
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

/// Bytes of `SearchArc`, each at its place.
std::vector<std::byte> arcs_of(const Graph& graph, Semiring semiring, ValueType type,
                               Direction direction, const std::vector<std::uint32_t>& first) {
  std::vector<std::byte> bytes(first.back() * static_cast<std::size_t>(arc_bytes(type)));
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  semiring::dispatch(semiring, type, [&]<class S>() {
    auto* const arcs = reinterpret_cast<kernels::SearchArc<typename S::Value>*>(bytes.data());
    graph.visit_all([&](Vertex from, Vertex to, double weight) {
      if (from == to) return;
      if (direction == Direction::reversed) std::swap(from, to);
      arcs[next[from]++] = {to, semiring::weight_as<S>(weight + 0.0)};  // one zero only
    });
  });
  return bytes;
}

}  // namespace

DeviceSearches::DeviceSearches(const Graph& graph, Semiring semiring, ValueType type,
                               Direction direction, kernels::ComputeDevice& device,
                               kernels::QueueId queue, std::span<const Vertex> sources,
                               std::int64_t searches, double step)
    : device_(device),
      queue_(queue),
      searches_(searches),
      step_(step),
      first_(device, offsets_of(graph, direction)),
      arcs_(device, arcs_of(graph, semiring, type, direction, first_.host())),
      sources_(device, {sources.begin(), sources.end()}),
      scratch_(device, kernels::search_bytes(graph.vertex_count(), searches)) {
  first_.copy_in(device, queue);
  arcs_.copy_in(device, queue);
  sources_.copy_in(device, queue);
}

std::int64_t DeviceSearches::bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                   ValueType type, std::int64_t searches) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  return (vertices + 1 + sources) * kNumber + arcs * arc_bytes(type) +
         kernels::search_bytes(vertices, searches);
}

void DeviceSearches::find(kernels::View rows, std::int64_t begin) {
  device_.search_rows(queue_, {.rows = rows,
                               .sources = sources_.data() + begin,
                               .first = first_.data(),
                               .arcs = arcs_.data(),
                               .arc_count = std::int64_t{first_.host().back()},
                               .step = step_,
                               .searches = searches_,
                               .scratch = scratch_.data()});
}

}  // namespace apsp::search
