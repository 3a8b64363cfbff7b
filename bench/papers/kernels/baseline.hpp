// Floyd-Warshall on a GPU as the papers have it: kernels that take one value a thread.
//
// `solve` works in place on a device matrix [side, side], row-major, side a multiple of the block.
// float or int32: lengths that are not negative, no path at infinity or 2^30 − 1. uint8: 1 where
// there is a path. Launches go to the default stream. `marks`, if any, is called after each launch
// with the number of its phase.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace apsp::baselines {

using Mark = std::function<void(int phase)>;

template <class T>
using Solve = void (*)(T* matrix, std::int64_t side, const Mark& mark);

/// One launch for each of the n intermediate vertices, a thread for each pair (Schiff, Algorithms 2
/// and 3). Phase 0.
template <class T>
void solve_plain(T* matrix, std::int64_t side, const Mark& mark);
/// The same with a thread for each row (Schiff, §III).
template <class T>
void solve_rows(T* matrix, std::int64_t side, const Mark& mark);
/// solve_plain where arithmetic takes the place of the branch (Lee, "Branches on GPUs").
void solve_arithmetic(std::int32_t* matrix, std::int64_t side, const Mark& mark);

/// Three launches for each block of the diagonal (Katz 2008; Lee). Phases 0, 1, 2. Blocks of 2, 4,
/// 8, 16, 18 and 32.
template <class T, int kBlock>
void solve_tiled(T* matrix, std::int64_t side, const Mark& mark);

/// Phases 1 and 2 of the diagonal block `pivot`, and phase 3 of the rows of blocks [begin, end).
/// Blocks as above.
void update_rows(float* matrix, std::int64_t side, int block, std::int64_t pivot,
                 std::int64_t begin, std::int64_t end);

/// The plain kernel's overheads, float matrices of n vertices; "equal": both results, entry by
/// entry. Throws `Error` (device).
nlohmann::json measure_overheads(std::int64_t n);
/// Rows of several GPUs, one of which may be named twice; "equal": to what one GPU leaves. Throws
/// `Error` (device).
nlohmann::json measure_stages(const std::vector<int>& gpus, std::int64_t n,
                              const std::vector<int>& blocks);

}  // namespace apsp::baselines
