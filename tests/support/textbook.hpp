// The oracle of every test: Floyd-Warshall's triple loop in the arithmetic of a semiring (Sao 2021,
// Algorithm 1), and textbook algorithms over doubles that share no code with any engine.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "semiring/semirings.hpp"

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

/// The value of a pair in memory, row by row.
template <class T>
struct RowMajor {
  T* values;
  std::int64_t pitch;  // from one row to the next
  T& operator()(std::int64_t i, std::int64_t j) const { return values[i * pitch + j]; }
};
extern template void close_by_the_textbook<semiring::MinPlus<std::int32_t>>(
    std::int64_t, RowMajor<std::int32_t>&&);

}  // namespace apsp

namespace apsp::verifier {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// (⊕, ⊗) over doubles: `none` is no path, `one` the empty path. Infinities of opposite sign never
/// meet: paths of value `none` are not extended.
struct Algebra {
  double none, one;
  bool least;  ///< ⊕ is the minimum, else the maximum
  bool sums;   ///< ⊗ is the sum, else the maximum or the minimum

  static Algebra of(Semiring semiring) {
    switch (semiring) {
      case Semiring::max_min:
        return {-kInfinity, kInfinity, false, false};
      case Semiring::min_max:
        return {kInfinity, -kInfinity, true, false};
      case Semiring::max_plus:
        return {-kInfinity, 0, false, true};
      case Semiring::or_and:
        return {0, 1, false, false};
      default:
        return {kInfinity, 0, true, true};
    }
  }
  double best(double a, double b) const { return least ? std::min(a, b) : std::max(a, b); }
  double join(double a, double b) const {
    if (sums) return a + b;
    return least ? std::max(a, b) : std::min(a, b);
  }
};

/// [n, n] row-major: the best arc of each ordered pair, the empty path on the diagonal, ±infinity
/// (or-and: 0) where there is none. A negative loop beats the empty path of min-plus and shows on
/// the diagonal, a positive one that of max-plus.
std::vector<double> adjacency(const Graph& graph, Semiring semiring);

/// The triple loop (Sao 2021, Algorithm 1; Schiff, Algorithm 1). Integer weights: exact. After
/// a negative (max-plus: positive) cycle the diagonal of its vertices is better than the empty path
/// and the distances through it mean nothing.
std::vector<double> floyd_warshall(const Graph& graph, Semiring semiring);

/// [n] distances from `source` by Dijkstra's algorithm with a binary heap, +infinity where there is
/// no path. O((n + m) log m). Requires: no negative weights.
std::vector<double> dijkstra(const Graph& graph, Vertex source);

/// The largest finite distance of a graph. Requires: no negative weights.
double longest_distance(const Graph& graph);

/// [n] least number of arcs from `source` by breadth-first search, −1 where there is no path;
/// weights play no part. O(n + m).
std::vector<std::int64_t> bfs(const Graph& graph, Vertex source);

/// Sums over ordered pairs.
struct Betweenness {
  std::vector<double> vertices;                      // [n]
  std::map<std::pair<Vertex, Vertex>, double> arcs;  // loops apart, parallel arcs together
};

/// Brandes 2001, Algorithm 1, over Dijkstra's distances from each of `sources`. Paths are equally
/// long where their rounded sums are. `endpoints`: paths count for both of their ends. Requires:
/// weights > 0. O(m log m) a source.
Betweenness betweenness(const Graph& graph, const std::vector<Vertex>& sources,
                        bool endpoints = false);

}  // namespace apsp::verifier
