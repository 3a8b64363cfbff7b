#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/statistics.hpp>
#include <cmath>

#include "query/statistics_pass.hpp"
#include "store/feed.hpp"

namespace apsp {

std::vector<Vertex> top(const std::vector<double>& values, std::size_t k) {
  std::vector<Vertex> order;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!std::isnan(values[v])) order.push_back(static_cast<Vertex>(v));
  }
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
                      greatest_possible.value_or(largest_distance(layout.type)), layout.selection);
  store::feed(store, pass, threads, control);
  pass.finish();
  return pass.statistics();
}

}  // namespace apsp::query
