#include "elimination/dissection.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/child_process.hpp"
#include "base/control.hpp"
#include "elimination/metis_graph.hpp"

namespace apsp::elimination {
namespace {

/// METIS orders smaller parts whole: 5 to 50 ms each, beside which a child, 1 ms, is cheap.
constexpr std::int64_t kWhole = 8192;
/// A side with more of the vertices than this is not worth the separator.
constexpr double kLargestSide = 0.9;

/// A part of the pattern that is to be dissected.
struct Part {
  MetisGraph graph;
  std::vector<Vertex> vertex;  // [n] whom the graph's vertices are in the pattern
  idx_t seed = 1;              // its number: 1 for the whole, 2 i and 2 i + 1 for the sides of i
};

Part whole(const Pattern& pattern) {
  Part part{MetisGraph(pattern), {}, 1};
  part.vertex.resize(static_cast<std::size_t>(pattern.vertices()));
  std::iota(part.vertex.begin(), part.vertex.end(), Vertex{0});
  return part;
}

/// Sides 0 and 1 and the separator, one after another in the order.
struct Sides {
  std::vector<idx_t> side_of;  // [n]
  std::array<std::int64_t, kSides + 1> vertices = {};
};

std::optional<Sides> divided(Part& part) {
  if (part.graph.vertices() < kWhole) return std::nullopt;
  Sides sides{part.graph.separator(part.seed)};
  for (const idx_t side : sides.side_of) ++at(sides.vertices, side);
  const auto larger = static_cast<double>(std::max(sides.vertices[0], sides.vertices[1]));
  if (larger > kLargestSide * static_cast<double>(part.graph.vertices())) return std::nullopt;
  return sides;
}

/// The part of one side.
Part side_of(const Part& part, const Sides& sides, idx_t side) {
  Part half;
  half.seed = 2 * part.seed + side;
  half.vertex.reserve(static_cast<std::size_t>(at(sides.vertices, side)));
  std::vector<idx_t> place(sides.side_of.size());
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (sides.side_of[v] != side) continue;
    place[v] = static_cast<idx_t>(half.vertex.size());
    half.vertex.push_back(part.vertex[v]);
  }
  half.graph.offsets.reserve(half.vertex.size() + 1);
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (sides.side_of[v] != side) continue;
    for (idx_t slot = part.graph.offsets[v]; slot < part.graph.offsets[v + 1]; ++slot) {
      const idx_t to = at(part.graph.neighbours, slot);
      if (at(sides.side_of, to) == side) half.graph.neighbours.push_back(at(place, to));
    }
    half.graph.offsets.push_back(static_cast<idx_t>(half.graph.neighbours.size()));
  }
  return half;
}

void order_whole(Part& part, std::span<Vertex> order) {
  if (part.graph.neighbours.empty()) {
    std::copy(part.vertex.begin(), part.vertex.end(), order.begin());
    return;
  }
  const std::vector<idx_t> vertex_at = part.graph.nested_dissection(part.seed);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = at(part.vertex, vertex_at[i]);
}

/// Gives `order` [n of the part] the part's vertices, by this process and processes − 1 children.
void dissect(Part part, std::span<Vertex> order, const OrderOptions& options) {
  base::check_cancelled(options.control);
  const std::optional<Sides> sides = divided(part);
  if (!sides) return order_whole(part, order);
  const auto first = static_cast<std::size_t>(sides->vertices[0]);
  const auto second = static_cast<std::size_t>(sides->vertices[1]);
  const auto dissect_side = [&](idx_t side, int processes) {
    const std::span<Vertex> of_side = side == 0 ? order.first(first) : order.subspan(first, second);
    dissect(side_of(part, *sides, side), of_side, {processes, options.control});
  };
  const int of_second = options.processes / 2;
  std::optional<base::ChildProcess> child;
  if (of_second > 0) child.emplace([&] { dissect_side(1, of_second); });
  dissect_side(0, child && child->began() ? options.processes - of_second : options.processes);
  if (!child || !child->succeeded()) dissect_side(1, options.processes);
  std::size_t next = first + second;
  for (std::size_t v = 0; v < part.vertex.size(); ++v) {
    if (sides->side_of[v] == kSeparator) order[next++] = part.vertex[v];
  }
}

}  // namespace

std::vector<Vertex> dissected(const Pattern& pattern, const OrderOptions& options) {
  if (pattern.neighbours.empty()) return natural_order(pattern.vertices()).vertex_at;
  const base::SharedArray<Vertex> order(static_cast<std::size_t>(pattern.vertices()));
  dissect(whole(pattern), order.values(), options);
  return {order.values().begin(), order.values().end()};
}

}  // namespace apsp::elimination
