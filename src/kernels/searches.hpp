// Searches on a device: many at once, each from one source.
//
// Rows of distances by near-far searches (Davidson 2014; Xia 2021, §II-B and §III-B). A search
// keeps vertices whose distance became better and whose arcs are still to be looked at in two sets:
// near ones, at most a step worse than the best, are looked at until there are none. Then the far
// ones are divided again.
//
// Hops by breadth-first searches, a bit a source (Then 2014).
//
// Arcs lie in device memory, in compressed rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

/// An arc of a row, of 8 bytes, or of 16 where the weight has 8; read at once.
template <class T>
struct alignas(sizeof(T) == 8 ? 16 : 8) SearchArc {
  std::uint32_t to = 0;
  T weight = 0;
};

/// Row i ← the best paths from sources[i], by a semiring in which no path becomes better by going
/// on; no path where there is none.
struct SearchedRows {
  View rows;                               ///< [sources, vertices]
  const std::uint32_t* sources = nullptr;  ///< [rows.rows]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs of all vertices before each
  const std::byte* arcs = nullptr;         ///< [arc_count] `SearchArc` of the value type
  std::int64_t arc_count = 0;              ///< first[vertices]
  double step = 0;                         ///< how much worse a near path may be than the best
  std::int64_t searches = 0;               ///< at a time, at most
  std::byte* scratch = nullptr;            ///< [search_bytes(vertices, searches)]
};

/// Vertices of a graph, at most: a set of them is a bit each in a multiprocessor's memory.
inline constexpr std::int64_t kSearchedVertices = std::int64_t{3} << 17;

/// Three lists of vertices a search, behind what all searches share.
constexpr std::int64_t search_bytes(std::int64_t vertices, std::int64_t searches) {
  constexpr std::int64_t kShared = 256;
  return kShared + searches * vertices * 3 * std::int64_t{sizeof(std::uint32_t)};
}

/// Sources of a breadth-first search, at most, and those whose bits are one line.
inline constexpr std::int64_t kLevelSources = 4096, kLevelLine = 128;

/// Column j ← how many arcs lie on a shortest path from sources[j] to each vertex; no path where
/// there is none. Values are those of min-plus, and hold all hops there are.
struct SearchedLevels {
  View hops;                               ///< [vertices, sources], up to kLevelSources
  const std::uint32_t* sources = nullptr;  ///< [hops.cols]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs to all vertices before each
  const std::uint32_t* before = nullptr;   ///< [arc_count] the vertices that those come from
  std::int64_t arc_count = 0;              ///< first[vertices]
  std::int64_t most = 0;                   ///< no shortest path has more arcs
  std::byte* scratch = nullptr;            ///< [level_bytes(vertices, hops.cols, most)]
};

constexpr std::int64_t level_lines(std::int64_t sources) {
  return (sources + kLevelLine - 1) / kLevelLine;
}

/// In base 2.
constexpr std::int64_t level_digits(std::int64_t most) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(most)));
}

/// Three lines of bits, one for each digit of a level and four numbers a vertex, behind what all
/// share.
constexpr std::int64_t level_bytes(std::int64_t vertices, std::int64_t sources, std::int64_t most) {
  constexpr std::int64_t kShared = 256, kNumbers = 4 * sizeof(std::uint32_t);
  const std::int64_t numbers = (vertices * kNumbers + kShared - 1) / kShared * kShared;
  const std::int64_t lines = (3 + level_digits(most)) * vertices * level_lines(sources);
  return kShared + numbers + lines * (kLevelLine / 8);
}

}  // namespace apsp::kernels
