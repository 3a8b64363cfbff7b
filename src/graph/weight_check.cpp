#include "graph/weight_check.hpp"

#include <optional>

#include "base/refusal.hpp"

namespace apsp::graph {
namespace {

template <class IsWrong>
Edge first_edge(const Graph& graph, const IsWrong& is_wrong) {
  std::optional<Edge> found;
  for (Vertex from = 0; !found; ++from) {
    graph.for_each_arc(from, [&](Vertex to, double weight) {
      if (!found && is_wrong(weight)) found = Edge{from, to, weight};
    });
  }
  return *found;
}

[[noreturn]] void refuse(const Graph& graph, const Edge& edge, std::string_view what,
                         const char* bound, std::string_view way_out) {
  throw usage_error("{} weights {}, but the edge {} → {} has the weight {}: {}", what, bound,
                    graph.name(edge.from), graph.name(edge.to), edge.weight, way_out);
}

}  // namespace

void require_non_negative(const Graph& graph, std::string_view what, std::string_view way_out) {
  if (graph.arc_count() == 0 || graph.weight_facts().least >= 0) return;
  const Edge edge = first_edge(graph, [](double weight) { return weight < 0; });
  refuse(graph, edge, what, "of at least 0", way_out);
}

void require_positive(const Graph& graph, std::string_view what, std::string_view way_out) {
  if (graph.arc_count() == 0 || graph.weight_facts().least > 0) return;
  const Edge edge = first_edge(graph, [](double weight) { return weight <= 0; });
  refuse(graph, edge, what, "above 0", way_out);
}

}  // namespace apsp::graph
