// Meshes of tetrahedra in a cube, as finite elements have them.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <utility>

#include "base/random.hpp"

namespace apsp {

/// side³ vertices. Each has an arc to those that lie 1 further in some of the three directions
/// (Kuhn 1960), and one back. Weights are whole, 1 … greatest; both ways the same unless directed.
inline Graph mesh(std::int64_t side, bool directed = false, std::int64_t greatest = 100,
                  std::uint64_t seed = 1) {
  base::SplitMix64 random(seed);
  const auto weight = [&] {
    return static_cast<double>(1 + random.below(static_cast<std::uint64_t>(greatest)));
  };
  const auto number = [side](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<Vertex>((x * side + y) * side + z);
  };
  GraphBuilder builder(side * side * side, directed);
  for (std::int64_t v = 0; v < side * side * side; ++v) {
    const std::int64_t x = v / side / side, y = v / side % side, z = v % side;
    for (int ways = 1; ways < 8; ++ways) {
      const std::int64_t to_x = x + (ways & 1), to_y = y + (ways >> 1 & 1), to_z = z + (ways >> 2);
      if (to_x >= side || to_y >= side || to_z >= side) continue;
      const Vertex from = number(x, y, z), to = number(to_x, to_y, to_z);
      builder.add_edge(from, to, weight());
      if (directed) builder.add_edge(to, from, weight());
    }
  }
  return std::move(builder).build();
}

}  // namespace apsp
