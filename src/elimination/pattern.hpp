// Which vertices are neighbours, whichever way their arcs point: what an order is made of.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace apsp::elimination {

struct Pattern {
  std::vector<std::int64_t> offsets = {0};  // [n + 1]
  std::vector<Vertex> neighbours;           // rising in a row; no loops, none twice

  std::int64_t vertices() const { return std::ssize(offsets) - 1; }
  std::span<const Vertex> of(Vertex v) const {
    return {neighbours.data() + offsets[v], neighbours.data() + offsets[v + 1]};
  }
  std::int64_t degree(Vertex v) const { return offsets[v + 1] - offsets[v]; }
};

Pattern pattern_of(const Graph& graph);

}  // namespace apsp::elimination
