// Graphs are generated in three steps: a pattern of edges, then weights, then, for negative
// weights, a shift by potentials. Each step draws from its own random stream, so the edges do not
// change with the range of weights.
//
// A shift to w + h(u) − h(v) changes no cycle's weight, whatever h is (Johnson 1977), so that no
// negative cycle arises from weights ≥ 0. The sums must be exact: integers stay integers, and real
// weights are first cut to multiples of 2^-24 of the range, whose sums along any path are exact
// doubles.
//
// Roads are a percolated grid of streets with bends and arterial roads. A street is kept with
// probability 0.72, which leaves dead ends and holes of all sizes; half a bend a street, on
// average, makes chains. The vertices are those nearest to the middle in streets, so that they are
// connected and have 2.5 neighbours on average.
#include "graph/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "base/units.hpp"
#include "system/machine.hpp"

namespace apsp::patterns {
namespace {

void add(Edges& edges, std::int64_t from, std::int64_t to) {
  edges.push_back({static_cast<Vertex>(from), static_cast<Vertex>(to)});
}

/// The number of misses before the next hit of trials with probability p, a geometric variable. Its
/// bits are independent; bit k is set with probability x / (1 + x), x = (1 − p)^(2^k). Drawing bits
/// needs only products and quotients, whereas ⌊log U / log(1 − p)⌋ would depend on the machine's
/// logarithm. About log2(44 / p) draws per value.
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
  std::vector<std::uint64_t> thresholds_;
};

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

/// Points are on a lattice of 2^31 steps per side, so that squared distances are exact in 64 bits.
constexpr std::uint64_t kSide = std::uint64_t{1} << 31;

struct Point {
  std::uint64_t x;
  std::uint64_t y;
};

struct CellGrid {
  std::uint64_t cells = 1;
  std::vector<Point> points;
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
  std::uint64_t at = skips.next(random);
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
  const double steps = std::min(radius, 1.5) * static_cast<double>(kSide);
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
      // Cells of one row are consecutive in `points`; pairs with rows above are already done.
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

namespace {

constexpr std::uint64_t kKept = 72, kOutOf = 100;
constexpr std::uint64_t kBend = 3;
constexpr std::int64_t kArterial = 16;  // streets between arterial roads
constexpr double kArterialSpeed = 3;

/// Streets to the right and down: the number of bends, or no street.
class Streets {
 public:
  Streets(std::int64_t side, base::SplitMix64 random)
      : side_(side), bends_(static_cast<std::size_t>(2 * side * side), kNone) {
    for (std::int64_t at = 0; at < side * side; ++at) {
      base::poll(static_cast<std::size_t>(at));
      const std::int64_t row = at / side, col = at % side;
      if (col + 1 < side) draw(2 * at, row % kArterial == 0, random);
      if (row + 1 < side) draw(2 * at + 1, col % kArterial == 0, random);
    }
  }

  std::int64_t side() const { return side_; }

  template <class Visit>
  void for_each_street(std::int64_t at, Visit&& visit) const {
    const std::int64_t row = at / side_, col = at % side_;
    const auto give = [&](std::int64_t street, std::int64_t to, bool is_arterial) {
      const std::uint8_t bends = bends_[static_cast<std::size_t>(street)];
      if (bends != kNone) visit(to, bends, is_arterial);
    };
    if (col > 0) give(2 * (at - 1), at - 1, row % kArterial == 0);
    if (row > 0) give(2 * (at - side_) + 1, at - side_, col % kArterial == 0);
    give(2 * at, at + 1, row % kArterial == 0);
    give(2 * at + 1, at + side_, col % kArterial == 0);
  }

 private:
  static constexpr std::uint8_t kNone = 255, kMost = 100;

  void draw(std::int64_t street, bool is_arterial, base::SplitMix64& random) {
    const bool kept = random.below(kOutOf) < kKept;
    std::uint8_t bends = 0;
    while (bends < kMost && random.below(kBend) == 0) ++bends;
    if (kept || is_arterial) bends_[static_cast<std::size_t>(street)] = bends;
  }

  std::int64_t side_;
  std::vector<std::uint8_t> bends_;
};

/// The n vertices nearest to the middle; fewer if the grid is too small.
class Roads {
 public:
  Roads(std::int64_t n, std::int64_t side, const base::SplitMix64& random)
      : n_(n), streets_(side, random), number_(static_cast<std::size_t>(side * side), kNone) {
    number_of(side / 2 * side + side / 2);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      base::poll(next);
      leave(queue_[next]);
    }
  }

  bool complete() const { return count_ == n_; }
  Edges edges() && { return std::move(edges_); }
  std::vector<Place> places() && { return std::move(places_); }

 private:
  static constexpr Vertex kNone = ~Vertex{0};

  Place place_of(std::int64_t junction) const {
    const std::int64_t row = junction / streets_.side(), col = junction % streets_.side();
    return {static_cast<float>(row), static_cast<float>(col)};
  }

  Vertex number_of(std::int64_t junction) {
    Vertex& number = number_[static_cast<std::size_t>(junction)];
    if (number == kNone && count_ < n_) {
      number = static_cast<Vertex>(count_++);
      queue_.push_back(junction);
      places_.push_back(place_of(junction));
    }
    return number;
  }

  void leave(std::int64_t junction) {
    const Vertex from = number_[static_cast<std::size_t>(junction)];
    streets_.for_each_street(junction, [&](std::int64_t to, std::uint8_t bends, bool is_arterial) {
      const Vertex known = number_[static_cast<std::size_t>(to)];
      if (known < from) return;
      Vertex last = from;
      const double speed = is_arterial ? kArterialSpeed : 1;
      for (int bend = 0; bend < bends && count_ < n_; ++bend) {
        edges_.push_back({last, static_cast<Vertex>(count_), speed});
        const Place begin = place_of(junction), end = place_of(to);
        const float share = static_cast<float>(bend + 1) / static_cast<float>(bends + 1);
        places_.push_back(
            {begin.row + share * (end.row - begin.row), begin.col + share * (end.col - begin.col)});
        last = static_cast<Vertex>(count_++);
      }
      if (const Vertex end = number_of(to); end != kNone) edges_.push_back({last, end, speed});
    });
  }

  std::int64_t n_;
  Streets streets_;
  std::vector<Vertex> number_;  // [junctions] kNone: not yet reached
  std::vector<std::int64_t> queue_;
  std::int64_t count_ = 0;
  Edges edges_;
  std::vector<Place> places_;
};

/// The roads of the smallest grid with n vertices. Requires: n > 0.
Roads complete_roads(std::int64_t n, const base::SplitMix64& random) {
  constexpr double kVerticesOfJunction = 1.5;
  auto side =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(n) / kVerticesOfJunction)) + 3;
  for (;; side += side / 4 + 1) {
    Roads made(n, side, random);
    if (made.complete()) return made;
  }
}

}  // namespace

Edges roads(std::int64_t n, bool directed, const base::SplitMix64& random) {
  if (n <= 0) return {};
  Edges edges = complete_roads(n, random).edges();
  const std::size_t streets = directed ? edges.size() : 0;
  for (std::size_t i = 0; i < streets; ++i) {
    edges.push_back({edges[i].to, edges[i].from, edges[i].weight});
  }
  return edges;
}

std::vector<Place> road_places(std::int64_t n, const base::SplitMix64& random) {
  if (n <= 0) return {};
  return complete_roads(n, random).places();
}

}  // namespace apsp::patterns

namespace apsp {
namespace {

using patterns::Edges;

constexpr std::array<std::string_view, 10> kNames = {
    "dense", "gnp", "rmat", "grid", "geometric", "path", "cycle", "complete", "star", "roads"};
constexpr std::int64_t kRmatEdgesPerVertex = 16;
constexpr double kMostInteger = 0x1p53;
constexpr int kLeastUnitExponent = -1000;

template <class... Values>
void require(bool condition, std::string_view message, const Values&... values) {
  if (condition) return;
  throw Error(ErrorKind::usage, fmt::vformat(message, fmt::make_format_args(values...)));
}

bool is_integer(double x) { return x == std::trunc(x) && std::abs(x) <= kMostInteger; }

void validate_weights(const GenerateOptions& o) {
  require(std::isfinite(o.least_weight), "least_weight must be finite, not {}", o.least_weight);
  require(std::isfinite(o.greatest_weight), "greatest_weight must be finite, not {}",
          o.greatest_weight);
  require(o.least_weight <= o.greatest_weight, "least_weight {} exceeds greatest_weight {}",
          o.least_weight, o.greatest_weight);
  require(std::isfinite(2 * (o.greatest_weight - o.least_weight)),
          "least_weight {} and greatest_weight {} lie too far apart", o.least_weight,
          o.greatest_weight);
  if (!o.real_weights) {
    require(is_integer(o.least_weight), "least_weight {} is not an integer (up to 2^53)",
            o.least_weight);
    require(is_integer(o.greatest_weight), "greatest_weight {} is not an integer (up to 2^53)",
            o.greatest_weight);
  }
  if (o.negative) {
    require(o.directed, "negative weights need a directed graph: a negative edge is a cycle");
    require(o.least_weight >= 0, "negative shifts weights of at least 0; least_weight is {}",
            o.least_weight);
    require(o.real_weights || is_integer(2 * o.greatest_weight),
            "negative needs a greatest_weight of at most 2^52, not {}", o.greatest_weight);
  }
}

void validate(const GenerateOptions& o) {
  const std::string_view kind = name(o.kind);
  require(o.vertices >= 0, "vertices must be at least 0, not {}", o.vertices);
  require(o.edges >= 0, "edges must be at least 0, not {}", o.edges);
  require(o.edges == 0 || o.kind == GraphKind::rmat,
          "edges cannot be asked of a {} graph, which derives them", kind);
  require(o.edges == 0 || o.vertices > 0, "edges must be 0 without vertices, not {}", o.edges);
  require(o.probability >= 0 && o.probability <= 1, "probability must lie in [0, 1], not {}",
          o.probability);
  require(o.radius >= 0 && std::isfinite(o.radius), "radius must be at least 0, not {}", o.radius);
  require(o.radius == 0 || o.kind == GraphKind::geometric, "radius says nothing of a {} graph",
          kind);
  double sum = 0;
  for (const double quadrant : o.rmat) {
    require(quadrant >= 0 && quadrant <= 1, "rmat: a probability must lie in [0, 1], not {}",
            quadrant);
    sum += quadrant;
  }
  require(std::abs(sum - 1) <= 1e-6, "rmat: the four probabilities add up to {}, not 1", sum);
  validate_weights(o);
}

std::int64_t rmat_edges(const GenerateOptions& o) {
  return o.edges > 0 ? o.edges : kRmatEdgesPerVertex * o.vertices;
}

double radius_of(const GenerateOptions& o) {
  return o.radius > 0 ? o.radius : patterns::default_radius(o.vertices);
}

double expected_arcs(const GenerateOptions& o) {
  const auto n = static_cast<double>(o.vertices);
  switch (o.kind) {
    case GraphKind::gnp:
      return n * n * o.probability;
    case GraphKind::rmat:
      return static_cast<double>(rmat_edges(o)) * (o.directed ? 1 : 2);
    case GraphKind::geometric:
      return n * n * std::min(1.0, std::numbers::pi * radius_of(o) * radius_of(o));
    case GraphKind::dense:
    case GraphKind::complete:
      return n * n;
    default:
      return 4 * n;
  }
}

/// Refuses before memory is allocated: 16 bytes per collected edge, 12 per arc, and some words per
/// vertex.
void require_memory(const GenerateOptions& o) {
  const double bytes = 28 * expected_arcs(o) + 32 * static_cast<double>(o.vertices);
  const std::int64_t available = system::available_memory();
  if (bytes <= static_cast<double>(available)) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("this {} graph takes about {}; {} are free", name(o.kind),
                          base::format_bytes(static_cast<std::int64_t>(std::min(bytes, 0x1p62))),
                          base::format_bytes(available)));
}

Edges draw_pattern(const GenerateOptions& o, base::SplitMix64 random) {
  switch (o.kind) {
    case GraphKind::gnp:
      return patterns::gnp(o.vertices, o.directed, o.probability, random);
    case GraphKind::rmat:
      return patterns::rmat(o.vertices, rmat_edges(o), o.rmat, random);
    case GraphKind::grid:
      return patterns::grid(o.vertices, o.directed);
    case GraphKind::geometric:
      return patterns::geometric(o.vertices, o.directed, radius_of(o), random);
    case GraphKind::path:
      return patterns::path(o.vertices);
    case GraphKind::cycle:
      return patterns::cycle(o.vertices, o.directed);
    case GraphKind::star:
      return patterns::star(o.vertices);
    case GraphKind::roads:
      return patterns::roads(o.vertices, o.directed, random);
    default:
      return patterns::complete(o.vertices, o.directed);
  }
}

/// Divides drawn weights by the speed of the edge and clamps them to the range.
void draw_weights(const GenerateOptions& o, Edges& edges, base::SplitMix64 random) {
  std::size_t drawn_weights = 0;
  if (o.real_weights) {
    const double range = o.greatest_weight - o.least_weight;
    for (Edge& edge : edges) {
      base::poll(++drawn_weights);
      const double drawn = std::min(o.least_weight + range * random.uniform(), o.greatest_weight);
      edge.weight = edge.weight == 1 ? drawn : std::max(o.least_weight, drawn / edge.weight);
    }
    return;
  }
  const auto least = static_cast<std::int64_t>(o.least_weight);
  const auto count =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(o.greatest_weight) - least + 1);
  for (Edge& edge : edges) {
    base::poll(++drawn_weights);
    const auto drawn = static_cast<double>(least + static_cast<std::int64_t>(random.below(count)));
    edge.weight =
        edge.weight == 1 ? drawn : std::max(o.least_weight, std::floor(drawn / edge.weight));
  }
}

/// Potentials are multiples of `unit` in [0, greatest_weight], at least one unit.
void shift_by_potentials(const GenerateOptions& o, Edges& edges, base::SplitMix64 random) {
  double unit = 1;
  if (o.real_weights) {
    int exponent = 0;
    std::frexp(o.greatest_weight, &exponent);
    unit = std::ldexp(1.0, std::max(exponent - 24, kLeastUnitExponent));
  }
  const auto steps = static_cast<std::uint64_t>(std::max(1.0, o.greatest_weight / unit));
  std::vector<double> h(static_cast<std::size_t>(o.vertices));
  for (double& potential : h) potential = unit * static_cast<double>(random.below(steps + 1));
  for (Edge& edge : edges) {
    edge.weight = unit * std::floor(edge.weight / unit) + h[edge.from] - h[edge.to];
  }
}

}  // namespace

Graph generate(const GenerateOptions& options) {
  validate(options);
  GraphBuilder builder(options.vertices, options.directed);
  require_memory(options);
  base::SplitMix64 seeds(options.seed);
  Edges edges = draw_pattern(options, base::SplitMix64(seeds.next()));
  draw_weights(options, edges, base::SplitMix64(seeds.next()));
  if (options.negative) shift_by_potentials(options, edges, base::SplitMix64(seeds.next()));
  builder.add_edges(std::move(edges));
  return std::move(builder).build();
}

std::string_view name(GraphKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<GraphKind> parse_graph_kind(std::string_view text) {
  const auto at = std::find(kNames.begin(), kNames.end(), text);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<GraphKind>(at - kNames.begin());
}

}  // namespace apsp
