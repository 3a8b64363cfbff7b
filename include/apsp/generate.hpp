// Test graphs. The same kind, parameters and seed give the same graph on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <apsp/graph.hpp>

namespace apsp {

enum class GraphKind {
  dense,      ///< every ordered pair (Sao 2021, §5.1)
  gnp,        ///< Erdős-Rényi G(n, p)
  rmat,       ///< recursive matrix (Xia 2021, §V-B)
  grid,       ///< 2-D grid, 4 neighbours
  geometric,  ///< random points in the unit square joined within a radius; planar-like
  path,
  cycle,
  complete,
  star,
  roads,  ///< a percolated grid with chains, dead ends and arterial roads; mean degree 2.5
};

struct GenerateOptions {
  GraphKind kind = GraphKind::gnp;
  std::int64_t vertices = 1000;  ///< for grid: rows × columns, as near a square as divides
  std::int64_t edges = 0;        ///< rmat alone (0: 16 a vertex)
  double probability = 0.01;     ///< gnp
  double radius = 0;             ///< geometric alone; 0: mean degree 6
  double rmat[4] = {0.45, 0.22, 0.22, 0.11};
  double least_weight = 1;
  double greatest_weight = 100;
  bool real_weights = false;  ///< false: integers, both ends of the range included
  /// Undirected: each pair once. Directed: dense and complete have both arcs of a pair, grid, roads
  /// and geometric an arc each way, path, cycle and star point away from vertex 0.
  bool directed = true;
  /// Shift every weight by a vertex potential, w + h(u) − h(v): negative arcs, no negative cycle.
  /// Directed graphs only.
  bool negative = false;
  std::uint64_t seed = 1;
};

/// Throws `Error` (usage) for parameters out of range, naming the parameter.
Graph generate(const GenerateOptions& options);

std::string_view name(GraphKind kind);
std::optional<GraphKind> parse_graph_kind(std::string_view text);

}  // namespace apsp
