// The graph of near-far searches on a device (kernels/searches.hpp). Potentials reduce weights of
// both signs (Johnson 1977). If distances exceed a multiprocessor's memory and most arcs lead to
// few vertices, as in R-MATs, these get the first numbers, so that their distances fill whole cache
// lines.
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

/// Rows hold distances from their vertices (kept) or to them (reversed).
enum class Direction { kept, reversed };

/// Distances of a type, or sums of reduced weights.
struct SearchKeys {
  ValueType type = ValueType::i32;
  bool reduced = false;

  int bytes() const;
  int arc_bytes() const;
};

/// Distances of up to so many bytes fit in a multiprocessor's memory.
inline constexpr std::int64_t kNearBytes = 200'000;
/// Keeps the vertices' own numbers, instead of `kNearBytes`.
inline constexpr std::int64_t kOwnNumbers = std::numeric_limits<std::int64_t>::max();

struct SearchedGraph {
  Semiring semiring = Semiring::min_plus;
  SearchKeys keys{};
  std::int64_t vertices = 0;
  std::vector<std::uint32_t> first;  ///< [n + 1] offset of each number
  std::vector<std::byte> arcs;       ///< `kernels::SearchArc` of the keys, without loops
  std::vector<double> potentials;    ///< [n] by number; empty: not reduced
  std::vector<Vertex> numbers;       ///< [n] of each vertex; empty: its own
  double step = 1;                   ///< the width of near, which suits the weights

  std::int64_t arc_count() const { return first.back(); }
  Vertex number_of(Vertex v) const { return numbers.empty() ? v : numbers[v]; }
  static std::int64_t bytes(std::int64_t vertices, std::int64_t arcs, const SearchKeys& keys);
};

/// Why a device cannot search a graph, as the end of "johnson …", or empty.
std::string why_too_large(std::int64_t vertices, std::int64_t arcs);

/// `potentials`: null or integers; for max-plus those of the negated graph. Renumbers vertices if
/// distances take more than `near_bytes`. O(n + m). Throws `Error`: usage (too large), defect
/// (wrong potentials).
SearchedGraph searched_graph(const Graph& graph, Semiring semiring, ValueType type,
                             Direction direction, const Potentials* potentials = nullptr,
                             std::int64_t near_bytes = kNearBytes);

}  // namespace apsp::search
