// Blocked Floyd-Warshall, in place.
//
// The distance matrix A is cut into tiles; for each diagonal tile k in turn (paper 000, Algorithm 2;
// paper 002, §4.1; paper 003, Algorithm 1):
//
//   A(k,k) ← A(k,k)*                           close the diagonal tile
//   A(k,:) ← A(k,:) ⊕ A(k,k) ⊗ A(k,:)          update the row panel
//   A(:,k) ← A(:,k) ⊕ A(:,k) ⊗ A(k,k)          update the column panel
//   A(i,j) ← A(i,j) ⊕ A(i,k) ⊗ A(k,j)          update the rest, i ≠ k, j ≠ k
//
// n³ relaxations; n² values and nothing besides. The page is written against a Place: where tiles
// live, and who needs the panels. A host's memory, a device's memory and a process grid are Places.
#pragma once

#include <apsp/error.hpp>
#include <concepts>
#include <cstdint>
#include <string>

namespace apsp {

template <class P>
concept Place = requires(P place, std::int64_t k) {
  { place.tiles() } -> std::convertible_to<std::int64_t>;  // tiles a side
  { place.close(k) } -> std::same_as<std::int64_t>;        // vertex on a cycle, or −1
  place.update_row_panel(k);
  place.update_column_panel(k);
  place.share_panels(k);  // with whoever updates the rest
  place.update_rest(k);
};

template <Place P>
void blocked_floyd_warshall(P& place) {
  for (std::int64_t k = 0; k < place.tiles(); ++k) {
    if (const std::int64_t vertex = place.close(k); vertex >= 0) {
      throw Error::negative_cycle({{static_cast<std::uint32_t>(vertex)}, 0},
                                  "a negative cycle leads through vertex number " +
                                      std::to_string(vertex) + " (counted from 0)");
    }
    place.update_row_panel(k);
    place.update_column_panel(k);
    place.share_panels(k);
    place.update_rest(k);
  }
}

}  // namespace apsp
