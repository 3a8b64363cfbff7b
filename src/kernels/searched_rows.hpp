// Rows of distances by searches on a device, many at once: near-far (Davidson 2014; Xia 2021, §II-B
// and §III-B). A search keeps vertices whose distance became better and whose arcs are still to be
// looked at in two sets: near ones, at most a step worse than the best, are looked at until there
// are none; then the far ones are parted anew.
//
// Arcs lie in device memory: compressed rows, a target beside its weight.
#pragma once

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

}  // namespace apsp::kernels
