#include "graph/generators.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/control.hpp"

namespace apsp::patterns {
namespace {

void add(Edges& edges, std::int64_t from, std::int64_t to) {
  edges.push_back({static_cast<Vertex>(from), static_cast<Vertex>(to)});
}

/// How many misses come before the next hit when each trial hits with the probability p: a
/// geometric variable. The bits of such a variable are independent, bit k set with the probability
/// x / (1 + x), x = (1 − p)^(2^k): so it is drawn bit by bit with only products and quotients,
/// where the usual ⌊log U / log(1 − p)⌋ would depend on the machine's logarithm.
/// About log2(44 / p) draws each.
class GeometricSkips {
 public:
  /// Requires: p > 2^-54, below which 1 − p is 1.
  explicit GeometricSkips(double p) {
    double x = 1 - p;
    for (int k = 0; k < 63; ++k, x *= x) {
      const auto threshold = static_cast<std::uint64_t>(x / (1 + x) * 0x1p64);
      if (threshold == 0) break;
      thresholds_.push_back(threshold);
    }
  }

  std::uint64_t next(base::SplitMix64& random) const {
    std::uint64_t skips = 0;
    for (std::size_t k = 0; k < thresholds_.size(); ++k) {
      if (random.next() < thresholds_[k]) skips |= std::uint64_t{1} << k;
    }
    return skips;
  }

 private:
  std::vector<std::uint64_t> thresholds_;  // [bits] chance of each bit, in 2^-64
};

/// A half-open range of vertices that R-MAT halves until one is left.
struct VertexRange {
  std::uint64_t first;
  std::uint64_t size;

  void halve(bool lower) {
    if (size == 1) return;
    const std::uint64_t upper_half = (size + 1) / 2;
    first += lower ? upper_half : 0;
    size = lower ? size - upper_half : upper_half;
  }
};

/// Points on a lattice of 2^31 steps a side, so that squared distances fit 64 bits exactly.
constexpr std::uint64_t kSide = std::uint64_t{1} << 31;

struct Point {
  std::uint64_t x;
  std::uint64_t y;
};

/// Points sorted into cells × cells square cells, each at least `radius` wide.
struct CellGrid {
  std::uint64_t cells = 1;           // a side
  std::vector<Point> points;         // [n] by cell
  std::vector<std::uint64_t> start;  // [cells² + 1] first point of each cell

  std::uint64_t cell_of(std::uint64_t coordinate) const { return coordinate * cells / kSide; }
  std::uint64_t cell_of(Point p) const { return cell_of(p.y) * cells + cell_of(p.x); }

  CellGrid(std::int64_t n, std::uint64_t radius, base::SplitMix64& random) {
    const auto most = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
    cells = std::max<std::uint64_t>(1, std::min(radius == 0 ? most : kSide / radius, most));
    std::vector<Point> drawn(static_cast<std::size_t>(n));
    start.assign(cells * cells + 1, 0);
    for (Point& p : drawn) {
      p.x = random.next() >> 33;
      p.y = random.next() >> 33;
      ++start[cell_of(p) + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    points.resize(drawn.size());
    std::vector<std::uint64_t> slot(start.begin(), start.end() - 1);
    for (const Point& p : drawn) points[slot[cell_of(p)]++] = p;
  }
};

bool within(Point a, Point b, std::uint64_t radius) {
  const std::uint64_t dx = a.x > b.x ? a.x - b.x : b.x - a.x;
  const std::uint64_t dy = a.y > b.y ? a.y - b.y : b.y - a.y;
  return dx * dx + dy * dy <= radius * radius;
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
    base::poll(static_cast<std::size_t>(u), 64);
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
    base::poll(static_cast<std::size_t>(v));
    for (const std::int64_t next : {v % cols + 1 < cols ? v + 1 : n, v + cols}) {
      if (next >= n) continue;
      add(edges, v, next);
      if (directed) add(edges, next, v);
    }
  }
  return edges;
}

Edges gnp(std::int64_t n, bool directed, double p, base::SplitMix64& random) {
  Edges edges;
  if (n < 2 || p < 0x1p-53) return edges;
  const GeometricSkips skips(p);
  const auto size = static_cast<std::uint64_t>(n);
  std::uint64_t at = skips.next(random);  // place of the next edge, counted from the start of row u
  for (std::uint64_t u = 0; u < size; ++u) {
    base::poll(u, 64);
    const std::uint64_t row = directed ? size - 1 : size - 1 - u;
    while (at < row) {
      const std::uint64_t v = !directed ? u + 1 + at : at < u ? at : at + 1;
      edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v)});
      at += 1 + skips.next(random);
    }
    at -= row;
  }
  return edges;
}

Edges rmat(std::int64_t n, std::int64_t m, const double (&quadrants)[4], base::SplitMix64& random) {
  // A number in [0, 1) chooses a (both upper halves) up to `b`, b (columns lower) up to `c`, …
  const double b = quadrants[0], c = b + quadrants[1];
  const double d = c + quadrants[2];
  Edges edges(static_cast<std::size_t>(m));
  std::size_t drawn = 0;
  for (Edge& edge : edges) {
    base::poll(++drawn);
    VertexRange rows{0, static_cast<std::uint64_t>(n)};
    VertexRange cols = rows;
    while (rows.size > 1 || cols.size > 1) {
      const double chance = random.uniform();
      rows.halve(chance >= c);
      cols.halve(chance >= d || (chance >= b && chance < c));
    }
    edge.from = static_cast<Vertex>(rows.first);
    edge.to = static_cast<Vertex>(cols.first);
  }
  return edges;
}

double default_radius(std::int64_t n) {
  return std::sqrt(6 / (std::numbers::pi * static_cast<double>(std::max<std::int64_t>(n, 1))));
}

Edges geometric(std::int64_t n, bool directed, double radius, base::SplitMix64& random) {
  const double steps = std::min(radius, 1.5) * static_cast<double>(kSide);  // √2 reaches all
  const auto reach = static_cast<std::uint64_t>(steps);
  const CellGrid grid(n, reach, random);
  Edges edges;
  for (std::uint64_t u = 0; u < grid.points.size(); ++u) {
    base::poll(u, 256);
    const Point p = grid.points[u];
    const std::uint64_t cx = grid.cell_of(p.x), cy = grid.cell_of(p.y);
    const std::uint64_t left = cx == 0 ? 0 : cx - 1;
    const std::uint64_t right = std::min(cx + 1, grid.cells - 1);
    for (std::uint64_t row = cy; row <= std::min(cy + 1, grid.cells - 1); ++row) {
      // The cells of one row are neighbours in `points` too; rows above were done from there.
      const std::uint64_t last = grid.start[row * grid.cells + right + 1];
      for (std::uint64_t v = std::max(u + 1, grid.start[row * grid.cells + left]); v < last; ++v) {
        if (!within(p, grid.points[v], reach)) continue;
        edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v)});
        if (directed) edges.push_back({static_cast<Vertex>(v), static_cast<Vertex>(u)});
      }
    }
  }
  return edges;
}

}  // namespace apsp::patterns
