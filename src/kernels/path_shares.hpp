// Dependencies of shortest paths (Brandes 2001) on a device, from rows of distances. The host has
// paths/path_counts.hpp, with equal bits where one thread sums the arcs of a vertex.
//
// An arc (u, v) of weight w is tight in a row if d(u) + w = d(v). Weights are positive, so tight
// arcs form no cycle. A vertex is ready when all vertices before it are counted (Kahn 1962); those
// that become ready together form a level. Dependencies are summed in the reverse order of levels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

/// Marks no path among integer distances.
inline constexpr std::uint32_t kNoCountedPath = std::uint32_t{1} << 31;

/// to(i, j) ← from(i, columns[j]), as std::uint32_t or double; no path is `kNoCountedPath` or
/// infinity. Requires: min-plus; integer distances in [0, 2^30) if `whole`.
struct GatheredDistances {
  View to;                                 ///< [rows, columns] without gaps
  ConstView from;                          ///< [rows, n] values of the device
  const std::uint32_t* columns = nullptr;  ///< [to.cols] distinct
  bool whole = true;
};

/// Compressed rows of `SearchArc`, of std::uint32_t or double.
struct CountedArcRows {
  const std::uint32_t* first = nullptr;  ///< [vertices + 1] arcs of all earlier vertices
  const std::byte* arcs = nullptr;
};

/// Sums in two slices of binary digits (base/sum_slices.hpp), independent of the order of addition.
struct SlicedSums {
  double* high = nullptr;
  double* low = nullptr;
};

enum PathFault : std::uint32_t {
  kTornPaths = 1,     ///< a vertex has a distance, but no tight arcs lead to it
  kTooManyPaths = 2,  ///< more paths than a double can count
};

struct PathShares {
  std::int64_t rows = 0, vertices = 0;  ///< vertices that are counted, the first ones of `arcs`
  bool whole = true;
  const std::byte* distances = nullptr;    ///< [rows, vertices] as `GatheredDistances`
  const std::uint32_t* sources = nullptr;  ///< [rows]
  const double* times = nullptr;           ///< [rows] number of sources that each represents
  CountedArcRows out, in;                  ///< equal if the graph is symmetric
  std::int64_t arc_count = 0;
  std::uint32_t most_arcs = 0;           ///< of a vertex, in or out
  const double* stand_for = nullptr;     ///< [vertices] number of targets that each represents
  bool ends = false;                     ///< paths also count for their ends
  SlicedSums of_vertices{}, of_arcs{};   ///< [vertices]; [arc_count], or null if not requested
  double round_high = 0, round_low = 0;  ///< of both: `SliceRange::round`
  std::uint32_t* found = nullptr;        ///< a union of `PathFault`, zero before
  std::int64_t searches = 0;             ///< concurrent, at most
  std::byte* scratch = nullptr;          ///< [share_bytes(vertices, searches)]
};

/// Bytes of counters, then for each search: numbers of paths, then dependencies; counts of vertices
/// before that are not ready; vertices by level; ends of levels; vertices with many arcs.
constexpr std::int64_t share_bytes(std::int64_t vertices, std::int64_t searches) {
  constexpr std::int64_t kShared = 256, kSpare = 2;
  constexpr std::int64_t kNumber = sizeof(std::uint32_t), kValue = sizeof(double);
  return kShared + searches * ((vertices + kSpare) * (kValue + 4 * kNumber));
}

}  // namespace apsp::kernels
