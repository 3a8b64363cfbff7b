// Test graphs: a pattern of edges, then weights, then perhaps a shift by potentials.
//
// The three draw from random streams of their own, so the edges stay the same when only the weights
// change. Undirected graphs of every kind have one weight an edge; directed grids and geometric
// graphs one for each way; directed paths, cycles and stars go one way only.
//
// Negative weights: w + h(u) − h(v) changes no cycle's weight, whatever h is (Johnson 1977), so
// from weights ≥ 0 no negative cycle arises. That holds for rounded arithmetic only if nothing is
// rounded: integers stay integers, and real weights are first cut to multiples of 2^-24 of the
// range, whose sums along any path are exact doubles.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <array>
#include <cmath>
#include <numbers>

#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/random.hpp"
#include "base/units.hpp"
#include "graph/generators.hpp"

namespace apsp {
namespace {

using patterns::Edges;

constexpr std::array<std::string_view, 10> kNames = {
    "dense", "gnp", "rmat", "grid", "geometric", "path", "cycle", "complete", "star", "roads"};
constexpr std::int64_t kRmatEdgesPerVertex = 16;
constexpr double kMostInteger = 0x1p53;
constexpr int kLeastUnitExponent = -1000;  // keeps the unit a normal double

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

/// Refuse before the memory is claimed: 16 bytes an edge as collected, 12 an arc of the graph, and
/// some words a vertex.
void require_memory(const GenerateOptions& o) {
  const double bytes = 28 * expected_arcs(o) + 32 * static_cast<double>(o.vertices);
  const std::int64_t available = base::available_memory();
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

/// An edge's weight is its speed: what is drawn is divided by it, but stays in the range.
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

/// Potentials are multiples of `unit` in [0, greatest_weight] (at least one unit, so that weights
/// of zero are shifted too).
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
