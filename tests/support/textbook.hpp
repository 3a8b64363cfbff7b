// The oracle: Floyd-Warshall's triple loop, in the arithmetic of a semiring (Sao 2021, Algorithm
// 1). `reference::floyd_warshall` is the same over doubles, from a graph.
#pragma once

#include <cstdint>

namespace apsp {

/// d ← d*. `d(i, j)` is a reference to the value of a pair; n vertices.
template <class S, class At>
void close_by_the_textbook(std::int64_t n, At&& d) {
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        d(i, j) = S::plus(d(i, j), S::times(d(i, k), d(k, j)));
      }
    }
  }
}

}  // namespace apsp
