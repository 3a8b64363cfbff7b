// Searches on a device that end at a distance, each from one source: its row has only the vertices
// that are near.
//
// Vertices whose distance became better are looked at in rounds, whatever their order (Bellman
// 1958). What a search touches it clears again, so a row costs what it reaches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels {

inline constexpr std::int32_t kSortedPairs = 1024;

/// Instead of how many vertices a source reaches.
enum NearFault : std::int32_t {
  kNoRoomForRow = -1,  ///< the pairs of other rows fill the arrays: to be searched again
  kTooManyInRow = -2,  ///< more than the lists of a search hold
};

/// Distances and weights are std::uint32_t where `whole`, else double; both from 0 on.
struct NearSearches {
  std::int64_t rows = 0, vertices = 0, arc_count = 0;
  bool whole = true;
  const std::uint32_t* sources = nullptr;  ///< [rows]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs of all vertices before each
  const std::byte* arcs = nullptr;         ///< [arc_count] `SearchArc`
  double limit = 0;                        ///< the greatest distance; below 2^30 where whole

  // What is found: pairs of row i from begin[i] on, the source's own among them; of up to
  // kSortedPairs by rising target, of more in no order.
  std::uint32_t* targets = nullptr;  ///< [most_pairs]
  std::byte* distances = nullptr;    ///< [most_pairs]
  std::int64_t most_pairs = 0;       ///< vertices or more: one row always has room
  std::int64_t* begin = nullptr;     ///< [rows]
  std::int32_t* found = nullptr;     ///< [rows] pairs, or a `NearFault`
  std::uint64_t* pairs = nullptr;    ///< all that were asked for; zero before

  std::int64_t searches = 0;     ///< at a time, at most
  std::int64_t listed = 0;       ///< vertices that the lists of a search hold
  bool fresh = true;             ///< nothing was searched in this scratch memory before
  std::byte* scratch = nullptr;  ///< [near_bytes(vertices, listed, searches, whole)]
};

/// Of a search: distances, then two lists of vertices with a distance, and one of vertices.
constexpr std::int64_t near_bytes_of_each(std::int64_t vertices, std::int64_t listed, bool whole) {
  const std::int64_t key = whole ? sizeof(std::uint32_t) : sizeof(double);
  const std::int64_t entry = whole ? sizeof(SearchArc<std::uint32_t>) : sizeof(SearchArc<double>);
  return search_key_bytes(vertices, static_cast<int>(key)) +
         search_key_bytes(listed,
                          static_cast<int>(2 * entry + std::int64_t{sizeof(std::uint32_t)}));
}
/// Behind what all searches share.
constexpr std::int64_t near_bytes(std::int64_t vertices, std::int64_t listed, std::int64_t searches,
                                  bool whole) {
  constexpr std::int64_t kShared = 256;
  return kShared + searches * near_bytes_of_each(vertices, listed, whole);
}

}  // namespace apsp::kernels
