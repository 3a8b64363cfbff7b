// Blocked Floyd-Warshall, in place, pipelined.
//
// The distance matrix A is cut into tiles; for each diagonal tile k in turn (Sao 2021, Algorithm 2;
// Katz 2008, §4.1; Xia 2021, Algorithm 1):
//
//   A(k,k) ← A(k,k)*                           close the diagonal tile
//   A(k,:) ← A(k,:) ⊕ A(k,k) ⊗ A(k,:)          update the row panel
//   A(:,k) ← A(:,k) ⊕ A(:,k) ⊗ A(k,k)          update the column panel
//   A(i,j) ← A(i,j) ⊕ A(i,k) ⊗ A(k,j)          update the remainder, i ≠ k, j ≠ k
//
// The remainder is nearly all of the work, and the next diagonal tile and panels need only row and
// column k+1 of it. So these come first, and step k+1 begins during the remainder of step k
// (look-ahead; Sao 2021, Algorithm 4). n³ relaxations; n² values and the panels.
//
// A Place stores tiles, updates them and sends panels to the workers that need them. Every worker
// of a Place runs this loop; the operations share the work out and wait for their operands. One
// host memory, one device's memory and a process grid are Places.
#pragma once

#include <concepts>
#include <cstdint>

#include "dense/tile.hpp"

namespace apsp::dense {

template <class P>
concept Place = requires(P& place, Tile k) {
  { place.tiles() } -> std::convertible_to<std::int64_t>;  // tiles a side
  place.close(k);          // A(k,k)*, one worker; a negative cycle stops the Place
  place.update_panels(k);  // row and column k, and share them with the workers that need them
  place.update_cross(k);   // row and column k+1 of the remainder of step k
  place.update_rest(k);    // all other tiles of the remainder of step k
  // A cycle was met, the caller asked to end, or a checkpoint is due.
  { place.stopped() } -> std::convertible_to<bool>;
};

/// Operations of step k + 1 that begin before step k has ended (Sao 2021, §3): `baseline` none
/// (Algorithm 3); `pipelined` its row and column, made and sent during the remainder of step k, and
/// all workers wait for both (Algorithm 4); `overlapped` the same, and no worker waits.
enum class Schedule { baseline, pipelined, overlapped };

/// Runs steps one after the other. The Place begins none before the last has ended.
template <Place P>
void floyd_warshall_without_look_ahead(P& place, Tile first) {
  const Tile end(place.tiles());
  for (Tile k = first; k < end && !place.stopped(); ++k) {
    place.close(k);
    place.update_panels(k);
    if (k + 1 < end) place.update_cross(k);
    place.update_rest(k);
  }
}

/// `first`: the steps before it were done.
template <Place P>
void blocked_floyd_warshall(P& place, Tile first = kFirstTile,
                            Schedule schedule = Schedule::overlapped) {
  const Tile end(place.tiles());
  if (first == end) return;
  if (schedule == Schedule::baseline) return floyd_warshall_without_look_ahead(place, first);
  place.close(first);
  place.update_panels(first);
  for (Tile k = first; k < end && !place.stopped(); ++k) {
    const bool last = k + 1 == end;
    if (!last) {
      place.update_cross(k);
      place.close(k + 1);
    }
    place.update_rest(k);
    if (!last) place.update_panels(k + 1);
  }
}

}  // namespace apsp::dense
