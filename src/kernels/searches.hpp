// Many searches at once on a device, each from one source. Arcs are compressed rows in device
// memory.
//
// Near-far searches compute rows of distances (Davidson 2014; Xia 2021, §II-B and §III-B). A search
// keeps vertices with improved distances in two sets: the near ones, at most a step worse than the
// best, are processed until none is left; then the far ones are divided again.
//
// Breadth-first searches compute hops, with one bit for each source (Then 2014).
//
// Near searches end at a given distance; the row of a source has only near vertices. Vertices with
// improved distances are processed in rounds, in any order (Bellman 1958). A search resets only
// what it touched, so its cost is proportional to what it reaches.
//
// Predecessors are found from rows of distances. An arc (u, v) of weight w is tight in a row if
// d(u) ⊗ w = d(v). Breadth-first searches over tight arcs give each vertex the path of the fewest
// arcs. Like those of the host (paths/path_trees.hpp), they enter no cycle, whatever its weight.
#pragma once

#include <apsp/semiring.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/contract.hpp"
#include "semiring/semirings.hpp"

namespace apsp::kernels {

/// An arc, loaded by one instruction of 8 or 16 bytes.
template <class T>
struct alignas(sizeof(T) == 8 ? 16 : 8) SearchArc {
  std::uint32_t to = 0;
  T weight = 0;
};

/// Keys of searches with weights of both signs: sums of reduced weights that are integers (Johnson
/// 1977). No potential exceeds a distance, so keys of i32 are below 2^31 − 1, twice its longest
/// distance. Keys of other types are doubles.
template <class T>
struct ReducedSum {
  using Value = std::conditional_t<std::is_integral_v<T>, std::uint32_t, double>;
  static constexpr Semiring kKind = Semiring::min_plus;
  static constexpr Value zero() {
    if constexpr (std::is_integral_v<T>) {
      return (std::uint32_t{1} << 31) - 1;
    } else {
      return std::numeric_limits<double>::infinity();
    }
  }
  static constexpr Value one() { return 0; }
  static constexpr bool better(Value a, Value b) { return a < b; }
  static constexpr Value plus(Value a, Value b) { return better(b, a) ? b : a; }
  static constexpr Value times(Value a, Value b) { return a + b < zero() ? a + b : zero(); }

  /// Returns the distance of a key between vertices of two potentials. `sign`: −1 for max-plus.
  static constexpr T distance(Value key, double from, double to, double sign) {
    using None = semiring::Infinity<T>;
    if (key == zero()) return sign > 0 ? None::plus : None::minus;
    // + 0.0 turns −0 into 0
    return static_cast<T>(sign * (static_cast<double>(key) + (to - from)) + 0.0);
  }
};

/// Semirings whose sums may be reduced; u16 has no distances below 0.
template <class S>
inline constexpr bool kReducible = (S::kKind == Semiring::min_plus ||
                                    S::kKind == Semiring::max_plus) &&
                                   sizeof(typename S::Value) >= 4;

/// Bytes of arcs that fit in a GPU's second-level cache (50 MB) together with distances.
inline constexpr std::int64_t kArcsKept = std::int64_t{32} << 20;

/// Row i ← the best paths from sources[i]; no path if there is none. Requires a semiring in which
/// extending a path never improves it.
///
/// Given integer potentials h ≤ 0, arcs have the weights w + h(u) − h(v) ≥ 0 in `ReducedSum`, and
/// distances are restored. Max-plus uses the w and h of the negated graph.
struct SearchedRows {
  View rows;  ///< [sources, columns]
  std::int64_t vertices = 0;
  const std::uint32_t* sources = nullptr;  ///< [rows.rows]
  const std::uint32_t* columns =
      nullptr;  ///< [rows.cols] vertices of the columns; null: all, in order
  const std::uint32_t* first = nullptr;  ///< [vertices + 1] arcs of all earlier vertices
  const std::byte* arcs = nullptr;       ///< [arc_count] `SearchArc` of the keys
  std::int64_t arc_count = 0;            ///< first[vertices], up to kSearchedNumbers
  const double* potentials = nullptr;    ///< [vertices], or null for original weights
  double step = 0;                       ///< largest difference between a near path and the best
  std::int64_t searches = 0;             ///< concurrent, at most
  std::byte* scratch = nullptr;          ///< [search_bytes(vertices, searches, key size)]
  /// Limit of a search's shared memory, in bytes.
  std::int64_t shared_memory = std::numeric_limits<std::int64_t>::max();
  /// Larger arrays of arcs bypass the shared cache, which then keeps distances.
  std::int64_t arcs_kept = kArcsKept;
};

/// Most vertices and most arcs of a graph.
inline constexpr std::int64_t kSearchedNumbers = (std::int64_t{1} << 32) - 4096;

constexpr std::int64_t search_key_bytes(std::int64_t vertices, int key_size) {
  constexpr std::int64_t kLine = 256;
  return (vertices * key_size + kLine - 1) / kLine * kLine;
}
/// Each search has keys, three lists of vertices, and a bit for each vertex.
constexpr std::int64_t search_bytes_of_each(std::int64_t vertices, int key_size) {
  constexpr std::int64_t kLists = 3;
  const std::int64_t numbers = kLists * vertices + (vertices + 31) / 32;
  return search_key_bytes(vertices, key_size) + search_key_bytes(numbers, sizeof(std::uint32_t));
}
constexpr std::int64_t search_bytes(std::int64_t vertices, std::int64_t searches, int key_size) {
  constexpr std::int64_t kShared = 256;
  return kShared + searches * search_bytes_of_each(vertices, key_size);
}

/// Most sources of a breadth-first search, and sources in one line of bits.
inline constexpr std::int64_t kLevelSources = 4096, kLevelLine = 128;

/// Column j ← the number of arcs of shortest paths from sources[j] to each vertex; no path if there
/// is none. Values are those of min-plus and hold all numbers of hops.
struct SearchedLevels {
  View hops;                               ///< [vertices, sources], up to kLevelSources
  const std::uint32_t* sources = nullptr;  ///< [hops.cols]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs into all earlier vertices
  const std::uint32_t* before = nullptr;   ///< [arc_count] tails of the arcs
  std::int64_t arc_count = 0;
  std::int64_t most = 0;         ///< most arcs of a shortest path
  std::byte* scratch = nullptr;  ///< [level_bytes(vertices, hops.cols, most)]
};

constexpr std::int64_t level_lines(std::int64_t sources) {
  return (sources + kLevelLine - 1) / kLevelLine;
}

constexpr std::int64_t level_digits(std::int64_t most) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(most)));
}

/// Bytes of counters, then for each vertex: three lines, one per digit of a level, and four
/// numbers.
constexpr std::int64_t level_bytes(std::int64_t vertices, std::int64_t sources, std::int64_t most) {
  constexpr std::int64_t kShared = 256, kNumbers = 4 * sizeof(std::uint32_t);
  const std::int64_t numbers = (vertices * kNumbers + kShared - 1) / kShared * kShared;
  const std::int64_t lines = (3 + level_digits(most)) * vertices * level_lines(sources);
  return kShared + numbers + lines * (kLevelLine / 8);
}

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

/// Bytes of a predecessor: 2 if 16 bits hold all vertices, else 4. All bits are set for none.
constexpr int predecessor_size(std::int64_t vertices) {
  constexpr std::int64_t kNone = 0xFFFF;
  return vertices <= kNone ? 2 : 4;
}

/// Row i ← the vertex before each vertex on a best path from sources[i] with the fewest arcs, then
/// the smallest such vertex; none for the source and without a path. Requires: sums are exact.
struct SearchedPredecessors {
  View predecessors;                       ///< [sources, vertices] of `predecessor_size`
  ConstView distances;                     ///< the same shape; values of the device
  const std::uint32_t* sources = nullptr;  ///< [predecessors.rows]
  const std::uint32_t* first = nullptr;    ///< [vertices + 1] arcs of all earlier vertices
  const std::byte* arcs = nullptr;         ///< [arc_count] `SearchArc` of the value type
  std::int64_t arc_count = 0;
  std::int64_t searches = 0;  ///< concurrent, at most
  /// Counts rows with distances that no path of tight arcs has; they do not belong to the graph.
  std::uint32_t* torn = nullptr;
  std::byte* scratch = nullptr;  ///< [predecessor_bytes(vertices, searches)]
};

/// Bytes of counters, then for each search: vertices, bits, and a row of 32 bits if needed.
constexpr std::int64_t predecessor_bytes(std::int64_t vertices, std::int64_t searches) {
  constexpr std::int64_t kShared = 256, kNumber = sizeof(std::uint32_t);
  const std::int64_t rows = predecessor_size(vertices) < kNumber ? 2 : 1;
  return kShared + searches * (rows * vertices + (vertices + 31) / 32) * kNumber;
}

}  // namespace apsp::kernels
