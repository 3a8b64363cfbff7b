// The baseline of benchmarks: Floyd-Warshall with its two inner loops in parallel and nothing else
// (Schiff, Algorithm 2). It streams the whole matrix through the caches n times, which is what
// blocking saves.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>

namespace apsp::bench {

/// Shortest distances in place. On entry: weights, 0 on the diagonal, no path as +infinity (i32:
/// 2^30 − 1). Requires: no negative cycle; i32: every distance in (−2^30, 2^30 − 1).
/// `threads` 1: serial; 0: all. Throws `Error` (usage) if the matrix is not square.
template <class T>
void plain_k_loop(MatrixView<T> matrix, int threads = 0);

extern template void plain_k_loop(MatrixView<float>, int);
extern template void plain_k_loop(MatrixView<double>, int);
extern template void plain_k_loop(MatrixView<std::int32_t>, int);

}  // namespace apsp::bench
