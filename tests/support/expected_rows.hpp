// All distances of a graph as the textbook has them, for tests of whatever gives rows.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <vector>

#include "semiring/dispatch.hpp"
#include "support/textbook.hpp"

namespace apsp {

/// [n, n] doubles; ±infinity is no path. The diagonal is the empty path, which integers hold as
/// their own "infinity".
inline std::vector<double> expected_rows(const Graph& graph, Semiring semiring, ValueType type) {
  std::vector<double> expected = verifier::floyd_warshall(graph, semiring);
  semiring::dispatch(semiring, type, [&]<class S>() {
    const std::int64_t n = graph.vertex_count();
    for (std::int64_t v = 0; v < n; ++v) {
      expected[static_cast<std::size_t>(v * (n + 1))] = static_cast<double>(S::one());
    }
  });
  return expected;
}

}  // namespace apsp
