#include "graph/derived_graphs.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>

#include "graph/search.hpp"

namespace apsp::graph {
namespace {

void set_weight(const Graph& graph, Vertex from, Vertex to, double weight, double* weights) {
  const std::span<const Vertex> targets = graph.targets(from);
  const auto [first, last] = std::equal_range(targets.begin(), targets.end(), to);
  if (first == last) {
    throw Error(ErrorKind::usage,
                fmt::format("the graph has no arc {} → {}: an update changes only weights, and a "
                            "new arc needs another order; solve the new graph",
                            graph.name(from), graph.name(to)));
  }
  double* const row = weights + graph.offsets()[from];
  std::fill(row + (first - targets.begin()), row + (last - targets.begin()), weight);
}

}  // namespace

Graph changed_weights(const Graph& graph, std::span<const Edge> changes) {
  const auto arcs = static_cast<std::size_t>(graph.arc_count());
  const std::shared_ptr<Vertex[]> targets(new Vertex[arcs]);
  const std::shared_ptr<double[]> weights(new double[arcs]);
  std::copy_n(graph.targets().data(), arcs, targets.get());
  std::copy_n(graph.weights().data(), arcs, weights.get());
  for (const auto& [from, to, weight] : changes) {
    if (!std::isfinite(weight)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("the arc {} → {} cannot have the weight {}: a weight is a finite number",
                      graph.name(from), graph.name(to), weight));
    }
    set_weight(graph, from, to, weight, weights.get());
    if (!graph.directed()) set_weight(graph, to, from, weight, weights.get());
  }
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  builder.set_first_id(graph.first_id());
  if (!graph.labels().empty()) {
    builder.set_distinct_labels({graph.labels().begin(), graph.labels().end()});
  }
  builder.set_rows({graph.offsets().begin(), graph.offsets().end()},
                   {.targets = targets,
                    .weights = weights,
                    .memory = graph.arc_count() * std::int64_t{sizeof(Vertex) + sizeof(double)}});
  return std::move(builder).build();
}

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
