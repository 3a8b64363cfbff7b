// Nested dissection by all cores.
//
// METIS finds a separator of the graph; each of its sides is divided in the same way, until parts
// are small enough that METIS orders them by itself. METIS serves one thread of a process, because
// of its random numbers: they come from rand(), whose state all threads share. So one side of a
// separator is the work of a child process (base/child_process.hpp), which divides it further by
// children of its own. Where no child is to be had, or one ends early, its parent does the same
// work. The parts and the seed of each depend on the graph alone, and so does the order.
//
// The largest separator is found by one process, half as large ones by two: about a tenth of all
// work for a million vertices, then a twentieth and so on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elimination/order.hpp"

namespace apsp::elimination {

/// METIS orders smaller parts whole: 5 to 50 ms each, beside which a child, 1 ms, is cheap.
inline constexpr std::int64_t kWhole = 8192;

/// All vertices, separators last. Throws `Error`: does_not_fit, interrupted.
std::vector<Vertex> dissected(const Pattern& pattern, const OrderOptions& options);

/// Memory of all processes that dissect so many vertices, bytes, besides the pattern and the order:
/// pages that they share count once.
std::int64_t dissection_bytes(std::int64_t vertices, std::int64_t neighbours, int workers);

}  // namespace apsp::elimination
