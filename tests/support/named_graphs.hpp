// Graphs of many shapes on which searches have to give the textbook's rows.
#pragma once

#include <apsp/graph.hpp>

#include <string>
#include <vector>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"

namespace apsp {

struct NamedGraph {
  std::string name;
  Graph graph;
};

/// Integer weights in [1, greatest]; at most 130 vertices, around whole words of bits.
inline std::vector<NamedGraph> named_graphs(double greatest) {
  const auto random = [&](std::int64_t n, std::int64_t arcs, bool directed) {
    return random_graph(
        {.n = n, .arcs = arcs, .least = 1, .greatest = greatest, .directed = directed});
  };
  const auto shape = [&](GraphKind kind, std::int64_t n, bool directed = false) {
    return generate(
        {.kind = kind, .vertices = n, .greatest_weight = greatest, .directed = directed});
  };
  return {
      {"NoVertex", graph_of(0, {})},
      {"OneVertexWithLoop", graph_of(1, {{0, 0, greatest}})},
      {"TwoVertices", graph_of(2, {{0, 1, greatest}})},
      {"TwoVerticesUndirected", graph_of(2, {{0, 1, greatest}}, false)},
      {"NoArcs", graph_of(65, {})},
      {"Directed", random(130, 500, true)},
      {"ParallelArcsAndLoops", random(9, 200, true)},
      {"Undirected", random(127, 300, false)},
      {"Disconnected", random(90, 60, false)},
      {"DirectedDisconnected", random(90, 90, true)},
      {"TreeOfChains", random(120, 119, false)},
      {"Path", shape(GraphKind::path, 70)},
      {"DirectedPath", shape(GraphKind::path, 70, true)},
      {"Cycle", shape(GraphKind::cycle, 129)},
      {"Star", shape(GraphKind::star, 64)},
      {"Complete", shape(GraphKind::complete, 63)},
      {"Grid", shape(GraphKind::grid, 100)},
  };
}

}  // namespace apsp
