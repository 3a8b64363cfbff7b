// Breadth-first searches from many sources at once on a device, a bit a source (Then 2014): arcs of
// the shortest paths from each of them to all vertices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

/// Sources of a search, at most, and those whose bits stand side by side.
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
