#include "graph/search.hpp"

namespace apsp::graph {

ReversedArcs::ReversedArcs(const Graph& graph)
    : begin_(static_cast<std::size_t>(graph.vertex_count()) + 1),
      tails_(static_cast<std::size_t>(graph.arc_count())),
      weights_(tails_.size()) {
  graph.visit_all([&](Vertex, Vertex to, double) { ++begin_[to + std::size_t{1}]; });
  for (std::size_t v = 1; v < begin_.size(); ++v) begin_[v] += begin_[v - 1];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    tails_[next[to]] = from;
    weights_[next[to]++] = weight;
  });
}

}  // namespace apsp::graph
