#include "graph/reversed.hpp"

#include <numeric>

namespace apsp::graph {

Graph reversed(const Graph& graph) {
  const auto arcs = static_cast<std::size_t>(graph.arc_count());
  std::vector<std::int64_t> first(static_cast<std::size_t>(graph.vertex_count()) + 1);
  for (const Vertex to : graph.targets()) ++first[to + std::size_t{1}];
  std::partial_sum(first.begin(), first.end(), first.begin());
  const std::shared_ptr<Vertex[]> targets(new Vertex[arcs]);
  const std::shared_ptr<double[]> weights(new double[arcs]);
  // Arcs come by rising origin, parallel ones by rising weight: rows are sorted as they are filled.
  std::vector<std::int64_t> next = first;
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    const std::int64_t at = next[to]++;
    targets[at] = from;
    weights[at] = weight;
  });
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  builder.set_rows(std::move(first),
                   {.targets = targets,
                    .weights = weights,
                    .memory = graph.arc_count() * std::int64_t{sizeof(Vertex) + sizeof(double)}});
  return std::move(builder).build();
}

}  // namespace apsp::graph
