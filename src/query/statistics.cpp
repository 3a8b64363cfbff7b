#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/statistics.hpp>
#include <numeric>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "query/statistics_pass.hpp"

namespace apsp {

std::vector<Vertex> top(const std::vector<double>& values, std::size_t k) {
  std::vector<Vertex> order(values.size());
  std::iota(order.begin(), order.end(), Vertex{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(k, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](Vertex a, Vertex b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  });
  order.erase(end, order.end());
  return order;
}

}  // namespace apsp

namespace apsp::query {

Statistics statistics(const store::Store& store, const Graph& graph, const Control& control,
                      int threads, std::optional<double> greatest_possible) {
  const store::Layout& layout = store.layout();
  if (layout.n != graph.vertex_count()) {
    throw Error(ErrorKind::input, "matrix and graph differ in their number of vertices");
  }
  StatisticsPass pass(graph, layout.semiring, layout.type,
                      greatest_possible.value_or(largest_distance(layout.type)), threads);
  base::ProgressTask task(control, "statistics", static_cast<double>(layout.n), "row");
  const std::int64_t band = std::min(layout.tile, layout.n);
  const int size = size_of(layout.type);
  const auto* const in_memory = static_cast<const std::byte*>(store.data(store::Plane::distance));
  base::AlignedMemory rows(in_memory == nullptr ? band * layout.n * size : 0);
  for (std::int64_t first = 0; first < layout.n; first += band) {
    base::check_cancelled(control);
    const std::int64_t count = std::min(band, layout.n - first);
    if (in_memory != nullptr) {
      pass.add_rows(first, count, in_memory + first * store.stride() * size, store.stride());
    } else {
      store.read(store::Plane::distance, {first, 0, count, layout.n}, rows.data(), layout.n);
      pass.add_rows(first, count, rows.data(), layout.n);
    }
    task.advance(static_cast<double>(count));
  }
  return pass.finish();
}

}  // namespace apsp::query
