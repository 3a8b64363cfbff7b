#include "graph/derived_graphs.hpp"

#include "graph/search.hpp"

namespace apsp::graph {

Graph reversed(const Graph& graph) {
  ReversedArcs arcs(graph);
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  // Arcs come by rising origin, parallel ones by rising weight: rows are sorted as they are filled.
  builder.set_rows(std::move(arcs.offsets),
                   {.targets = std::move(arcs.tails),
                    .weights = std::move(arcs.weights),
                    .memory = graph.arc_count() * std::int64_t{sizeof(Vertex) + sizeof(double)}});
  return std::move(builder).build();
}

}  // namespace apsp::graph
