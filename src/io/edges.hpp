// Every edge of a graph once: all arcs of a directed graph, those with u ≤ v of an undirected one.
#pragma once

#include <apsp/graph.hpp>

namespace apsp::io {

/// Calls visit(u, v, weight) by rising u, then v; end_row() after those of each u.
template <class Visit, class EndRow>
void for_each_edge(const Graph& graph, const Visit& visit, const EndRow& end_row) {
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (graph.directed() || u <= v) visit(u, v, weight);
    });
    end_row();
  }
}

template <class Visit>
void for_each_edge(const Graph& graph, const Visit& visit) {
  for_each_edge(graph, visit, [] {});
}

}  // namespace apsp::io
