// Many searches at once on a device, each from one source. Arcs are compressed rows in device
// memory.
//
// Near-far searches compute rows of distances (Davidson 2014; Xia 2021, §II-B and §III-B). A search
// keeps vertices with improved distances in two sets: the near ones, at most a step worse than the
// best, are processed until none is left; then the far ones are divided again.
//
// Breadth-first searches compute hops, with one bit for each source (Then 2014).
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

}  // namespace apsp::kernels
