// Textbook all-pairs algorithms over doubles: the oracle of every test.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <vector>

namespace apsp::reference {

/// [n, n] row-major: the best arc of each ordered pair, the empty path on the diagonal, ±infinity
/// (or-and: 0) where there is none. A negative loop beats the empty path of min-plus and shows on
/// the diagonal, a positive one that of max-plus.
std::vector<double> adjacency(const Graph& graph, Semiring semiring);

/// The triple loop (Sao 2021, Algorithm 1; Schiff, Algorithm 1). Integer weights: exact. After
/// a negative (max-plus: positive) cycle the diagonal of its vertices is better than the empty path
/// and the distances through it mean nothing.
std::vector<double> floyd_warshall(const Graph& graph, Semiring semiring);

}  // namespace apsp::reference
