// The subgraph of some vertices (apsp/graph.hpp).
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "graph/components.hpp"

namespace apsp {
namespace {

constexpr Vertex kAbsent = std::numeric_limits<Vertex>::max();

/// `vertices`: rising. Vertex i of the result is vertices[i], by its name. O(n + m).
Graph subgraph(const Graph& graph, std::span<const Vertex> vertices) {
  std::vector<Vertex> number(static_cast<std::size_t>(graph.vertex_count()), kAbsent);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    number[vertices[i]] = static_cast<Vertex>(i);
    names.push_back(graph.name(vertices[i]));
  }
  GraphBuilder builder(std::ssize(vertices), graph.directed());
  for (const Vertex from : vertices) {
    graph.for_each_arc(from, [&](Vertex to, double weight) {
      const bool once = graph.directed() || from <= to;
      if (number[to] != kAbsent && once) builder.add_edge(number[from], number[to], weight);
    });
  }
  builder.set_distinct_labels(std::move(names));
  return std::move(builder).build();
}

}  // namespace

Graph largest_component(const Graph& graph) {
  const auto largest = graph::largest_of_several(graph);
  if (!largest) return graph;
  Graph found = subgraph(graph, largest->vertices);
  for (const std::string& remark : graph.remarks()) found = found.with_remark(remark);
  return found.with_remark(fmt::format("{} of {} vertices are kept: the largest of {} components",
                                       largest->size(), graph.vertex_count(), largest->components));
}

}  // namespace apsp
