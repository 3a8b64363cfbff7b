// Floyd-Warshall on a GPU as the papers have it: kernels that take one value a thread.
//
// `solve` works in place on a device matrix [side, side] of float or int32, row-major, no path at
// 2^30 − 1 or infinity, side a multiple of the block; weights are not negative. It gives its orders
// to the default stream. `marks`, if any, is called after each launch with the number of its phase.
#pragma once

#include <cstdint>
#include <functional>

namespace apsp::baselines {

using Mark = std::function<void(int phase)>;

template <class T>
using Solve = void (*)(T* matrix, std::int64_t side, const Mark& mark);

/// One launch for each of the n intermediate vertices (Schiff, Algorithms 2 and 3). Phase 0.
template <class T>
void solve_plain(T* matrix, std::int64_t side, const Mark& mark);

/// Three launches for each block of the diagonal (Katz 2008; Lee). Phases 0, 1, 2.
template <class T>
void solve_tiled_8(T* matrix, std::int64_t side, const Mark& mark);
template <class T>
void solve_tiled_16(T* matrix, std::int64_t side, const Mark& mark);
template <class T>
void solve_tiled_32(T* matrix, std::int64_t side, const Mark& mark);

}  // namespace apsp::baselines
