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

#include <apsp/semiring.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/contract.hpp"
#include "semiring/semirings.hpp"

namespace apsp::kernels {

/// An arc of a row, of 8 bytes, or of 16 where the weight has 8; read at once.
template <class T>
struct alignas(sizeof(T) == 8 ? 16 : 8) SearchArc {
  std::uint32_t to = 0;
  T weight = 0;
};

/// Sums of reduced weights of the value type T, which are whole numbers (Johnson 1977): keys of
/// searches where weights have both signs. No potential is longer than a distance, so keys of i32
/// are below 2^31 − 1, twice its longest distance. Doubles hold those of other types.
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

  /// The distance of a key between vertices of two potentials; `sign`: −1 of max-plus.
  static constexpr T distance(Value key, double from, double to, double sign) {
    using None = semiring::Infinity<T>;
    if (key == zero()) return sign > 0 ? None::plus : None::minus;
    return static_cast<T>(sign * (static_cast<double>(key) + (to - from)) + 0.0);  // one zero only
  }
};

/// Sums of weights of both signs; u16 holds no distance below 0.
template <class S>
inline constexpr bool kReducible = (S::kKind == Semiring::min_plus ||
                                    S::kKind == Semiring::max_plus) &&
                                   sizeof(typename S::Value) >= 4;

/// Bytes of arcs that a GPU's second-level cache, of 50 MB, keeps beside distances.
inline constexpr std::int64_t kArcsKept = std::int64_t{32} << 20;

/// Row i ← the best paths from sources[i], by a semiring in which no path becomes better by going
/// on; no path where there is none.
///
/// With potentials h of whole numbers, up to 0, arcs have the weights w + h(u) − h(v) ≥ 0, as
/// values of `ReducedSum`, and distances are restored; of max-plus w and h are those of the negated
/// graph.
struct SearchedRows {
  View rows;                               ///< [sources, columns]
  std::int64_t vertices = 0;               ///< up to kSearchedNumbers
  const std::uint32_t* sources = nullptr;  ///< [rows.rows]
  const std::uint32_t* columns =
      nullptr;                           ///< [rows.cols] their vertices; null: all, in their order
  const std::uint32_t* first = nullptr;  ///< [vertices + 1] arcs of all vertices before each
  const std::byte* arcs = nullptr;       ///< [arc_count] `SearchArc` of the keys
  std::int64_t arc_count = 0;            ///< first[vertices], up to kSearchedNumbers
  const double* potentials = nullptr;    ///< [vertices], or null: weights are the graph's
  double step = 0;                       ///< how much worse a near path may be than the best
  std::int64_t searches = 0;             ///< at a time, at most
  std::byte* scratch = nullptr;          ///< [search_bytes(vertices, searches, bytes of a key)]
  /// Bytes of a multiprocessor's memory that a search may take, where there are so many.
  std::int64_t shared_memory = std::numeric_limits<std::int64_t>::max();
  /// Arcs of more bytes pass through the cache that all searches share, and distances stay there.
  std::int64_t arcs_kept = kArcsKept;
};

/// Vertices of a graph, and arcs, at most.
inline constexpr std::int64_t kSearchedNumbers = (std::int64_t{1} << 32) - 4096;

constexpr std::int64_t search_key_bytes(std::int64_t vertices, int key_size) {
  constexpr std::int64_t kLine = 256;
  return (vertices * key_size + kLine - 1) / kLine * kLine;
}
/// Of a search: keys, then three lists of vertices and a bit of each.
constexpr std::int64_t search_bytes_of_each(std::int64_t vertices, int key_size) {
  constexpr std::int64_t kLists = 3;
  const std::int64_t numbers = kLists * vertices + (vertices + 31) / 32;
  return search_key_bytes(vertices, key_size) + search_key_bytes(numbers, sizeof(std::uint32_t));
}
/// Behind what all searches share.
constexpr std::int64_t search_bytes(std::int64_t vertices, std::int64_t searches, int key_size) {
  constexpr std::int64_t kShared = 256;
  return kShared + searches * search_bytes_of_each(vertices, key_size);
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
