// Searches on a device that end at a given distance; the row of a source has only near vertices.
//
// Vertices with improved distances are processed in rounds, in any order (Bellman 1958). A search
// resets only what it touched, so its cost is proportional to what it reaches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels {

inline constexpr std::int32_t kSortedPairs = 1024;

enum NearFault : std::int32_t {
  kNoRoomForRow = -1,  ///< the arrays are full: search again
  kTooManyInRow = -2,  ///< more vertices than the lists of a search hold
};

/// Distances and weights ≥ 0: std::uint32_t if `whole`, else double.
struct NearSearches {
  std::int64_t rows = 0, vertices = 0, arc_count = 0;
  bool whole = true;
  const std::uint32_t* sources = nullptr;  ///< [rows]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs of all vertices before each
  const std::byte* arcs = nullptr;         ///< [arc_count] `SearchArc`
  double limit = 0;                        ///< greatest distance; below 2^30 if whole

  // Result: pairs of row i from begin[i] on, including the source itself; up to kSortedPairs by
  // ascending target, more in any order.
  std::uint32_t* targets = nullptr;  ///< [most_pairs]
  std::byte* distances = nullptr;    ///< [most_pairs]
  std::int64_t most_pairs = 0;       ///< at least `vertices`, so that one row always fits
  std::int64_t* begin = nullptr;     ///< [rows]
  std::int32_t* found = nullptr;     ///< [rows] pairs, or a `NearFault`
  std::uint64_t* pairs = nullptr;    ///< number of all pairs requested; zero before the call

  std::int64_t searches = 0;     ///< concurrent, at most
  std::int64_t listed = 0;       ///< capacity of a search's lists, in vertices
  bool fresh = true;             ///< the scratch memory was not used by an earlier call
  std::byte* scratch = nullptr;  ///< [near_bytes(vertices, listed, searches, whole)]
};

/// Each search has distances, two lists of vertices with a distance, and one of vertices.
constexpr std::int64_t near_bytes_of_each(std::int64_t vertices, std::int64_t listed, bool whole) {
  const std::int64_t key = whole ? sizeof(std::uint32_t) : sizeof(double);
  const std::int64_t entry = whole ? sizeof(SearchArc<std::uint32_t>) : sizeof(SearchArc<double>);
  return search_key_bytes(vertices, static_cast<int>(key)) +
         search_key_bytes(listed,
                          static_cast<int>(2 * entry + std::int64_t{sizeof(std::uint32_t)}));
}
constexpr std::int64_t near_bytes(std::int64_t vertices, std::int64_t listed, std::int64_t searches,
                                  bool whole) {
  constexpr std::int64_t kShared = 256;
  return kShared + searches * near_bytes_of_each(vertices, listed, whole);
}

}  // namespace apsp::kernels
