// Shares of shortest paths on a device: Brandes 2001, from rows of distances that lie there. On the
// host the same is paths/path_counts.hpp, to the same bits where one thread adds up a vertex' arcs.
//
// An arc (u, v) of weight w is tight in a row if d(u) + w = d(v). Weights are above 0, so tight
// arcs make no cycle. A vertex is counted once all vertices before it are (Kahn 1962): the vertices
// that become ready together are a level. Shares are added up against the levels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels {

/// Distances as paths are counted: whole ones in 32 bits, or doubles.
inline constexpr std::uint32_t kNoCountedPath = std::uint32_t{1} << 31;

/// to(i, j) ← from(i, columns[j]), as std::uint32_t or double. No path is `kNoCountedPath` or
/// infinite. Requires: min-plus; whole distances from 0 on below 2^30 where `whole`.
struct GatheredDistances {
  View to;                                 ///< [rows, columns] without gaps
  ConstView from;                          ///< [rows, n] values of the device
  const std::uint32_t* columns = nullptr;  ///< [to.cols] distinct
  bool whole = true;
};

/// Arcs of all vertices, in compressed rows; `SearchArc` of std::uint32_t or double.
struct CountedArcRows {
  const std::uint32_t* first = nullptr;  ///< [vertices + 1] arcs of all vertices before each
  const std::byte* arcs = nullptr;
};

/// Sums in two slices of binary digits (base/sum_slices.hpp): no addition rounds, in any order.
struct SlicedSums {
  double* high = nullptr;
  double* low = nullptr;
};

/// What `PathShares::found` may have.
enum PathFault : std::uint32_t {
  kTornPaths = 1,     ///< some vertex has a distance, and no tight arcs lead to it
  kTooManyPaths = 2,  ///< more paths than a double counts
};

/// Adds up, over rows, the shares of vertices and arcs.
struct PathShares {
  std::int64_t rows = 0, vertices = 0;   ///< of these, `arcs` has more: those after are not counted
  bool whole = true;                     ///< distances and weights are std::uint32_t, not double
  const std::byte* distances = nullptr;  ///< [rows, vertices] as `GatheredDistances`
  const std::uint32_t* sources = nullptr;  ///< [rows]
  const double* times = nullptr;           ///< [rows] how many sources each stands for
  CountedArcRows out, in;                  ///< the same where the graph is symmetric
  std::int64_t arc_count = 0;
  std::uint32_t most_arcs = 0;           ///< of a vertex, in or out
  const double* stand_for = nullptr;     ///< [vertices] how many targets each stands for
  bool ends = false;                     ///< a path counts for its ends too
  SlicedSums of_vertices{}, of_arcs{};   ///< [vertices]; [arc_count], or null: not asked for
  double round_high = 0, round_low = 0;  ///< of both: `SliceRange::round`
  std::uint32_t* found = nullptr;        ///< a union of `PathFault`, zero before
  std::int64_t searches = 0;             ///< at a time, at most
  std::byte* scratch = nullptr;          ///< [share_bytes(vertices, searches)]
};

/// Of each search: how many paths lead to a vertex, then what stands behind it; how many vertices
/// before it are not counted; vertices level behind level; where levels end; those of many arcs.
/// Behind what all share.
constexpr std::int64_t share_bytes(std::int64_t vertices, std::int64_t searches) {
  constexpr std::int64_t kShared = 256, kSpare = 2;
  constexpr std::int64_t kNumber = sizeof(std::uint32_t), kValue = sizeof(double);
  return kShared + searches * ((vertices + kSpare) * (kValue + 4 * kNumber));
}

}  // namespace apsp::kernels
