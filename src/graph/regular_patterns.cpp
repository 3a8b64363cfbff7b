// Patterns without chance: path, cycle, star, complete, grid.
#include "graph/patterns.hpp"

namespace apsp::patterns {
namespace {

void add(Edges& edges, std::int64_t from, std::int64_t to) {
  edges.push_back({static_cast<Vertex>(from), static_cast<Vertex>(to)});
}

}  // namespace

Edges path(std::int64_t n) {
  Edges edges;
  for (std::int64_t v = 1; v < n; ++v) add(edges, v - 1, v);
  return edges;
}

Edges cycle(std::int64_t n, bool directed) {
  Edges edges = path(n);
  if (n > 2 || (directed && n == 2)) add(edges, n - 1, 0);
  return edges;
}

Edges star(std::int64_t n) {
  Edges edges;
  for (std::int64_t v = 1; v < n; ++v) add(edges, 0, v);
  return edges;
}

Edges complete(std::int64_t n, bool directed) {
  Edges edges;
  edges.reserve(static_cast<std::size_t>(directed ? n * (n - 1) : n * (n - 1) / 2));
  for (std::int64_t u = 0; u < n; ++u) {
    for (std::int64_t v = directed ? 0 : u + 1; v < n; ++v) {
      if (v != u) add(edges, u, v);
    }
  }
  return edges;
}

std::int64_t grid_rows(std::int64_t n) {
  std::int64_t rows = n > 0 ? 1 : 0;
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) rows = d;
  }
  return rows;
}

Edges grid(std::int64_t n, bool directed) {
  Edges edges;
  if (n <= 0) return edges;
  const std::int64_t cols = n / grid_rows(n);
  for (std::int64_t v = 0; v < n; ++v) {
    for (const std::int64_t next : {v % cols + 1 < cols ? v + 1 : n, v + cols}) {
      if (next >= n) continue;
      add(edges, v, next);
      if (directed) add(edges, next, v);
    }
  }
  return edges;
}

}  // namespace apsp::patterns
