// What near-far searches on a device read of a graph (kernels/searches.hpp). The host makes it
// once, and every device has a copy.
//
// Weights of both signs are reduced by potentials (Johnson 1977). Where the distances of a search
// do not fit a multiprocessor's memory and most arcs lead to few vertices, as in R-MATs, these
// vertices get the first numbers: their distances fill whole lines of the cache.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "graph/negative_cycle.hpp"

namespace apsp::search {

/// Of arcs: rows hold distances from their vertices, or to them.
enum class Direction { kept, reversed };

/// What searches compare: distances of a type, or sums of reduced weights.
struct SearchKeys {
  ValueType type = ValueType::i32;
  bool reduced = false;

  int bytes() const;      ///< of a key
  int arc_bytes() const;  ///< of an arc with its weight
};

/// Distances of up to so many bytes lie in a multiprocessor's memory.
inline constexpr std::int64_t kNearBytes = 200'000;
/// Instead of that: vertices have their own numbers, however many there are.
inline constexpr std::int64_t kOwnNumbers = std::numeric_limits<std::int64_t>::max();

struct SearchedGraph {
  Semiring semiring = Semiring::min_plus;
  SearchKeys keys{};
  std::int64_t vertices = 0;
  std::vector<std::uint32_t> first;  ///< [n + 1] where each number's arcs begin
  std::vector<std::byte> arcs;       ///< `kernels::SearchArc` of the keys; none is a loop
  std::vector<double> potentials;    ///< [n] by number; empty: weights are the graph's
  std::vector<Vertex> numbers;       ///< [n] of each vertex; empty: it is its own number
  double step = 1;                   ///< of near paths, that suits the weights

  std::int64_t arc_count() const { return first.back(); }
  Vertex number_of(Vertex v) const { return numbers.empty() ? v : numbers[v]; }
  /// Memory of all arrays.
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs, const SearchKeys& keys);
};

/// Why a device takes no graph of so many vertices and arcs, as the end of "johnson …"; or nothing.
std::string why_too_large(std::int64_t vertices, std::int64_t arcs);

/// `potentials`: null, or those of the graph, for max-plus of the negated graph; whole numbers.
/// `near_bytes`: vertices are numbered anew where the distances of a search take more. O(n + m).
/// Throws `Error`: usage (too large, as above), defect (potentials of another graph).
SearchedGraph searched_graph(const Graph& graph, Semiring semiring, ValueType type,
                             Direction direction, const Potentials* potentials = nullptr,
                             std::int64_t near_bytes = kNearBytes);

}  // namespace apsp::search
