// Nested dissection by all cores.
//
// METIS finds a separator, and each side is divided in the same way until parts are small enough
// for METIS to order them. METIS draws from rand(), whose state belongs to the process, so one side
// of a separator is the work of a child process (system/child_process.hpp) while a worker is idle.
// Sides differ in size, so workers are not shared out beforehand. If no child can be started, or
// one ends early, the parent does the same work. Parts and seeds depend only on the graph, and so
// does the order.
//
// One process finds the largest separator: a tenth of all work for a million vertices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/order.hpp"

namespace apsp::sparse {

/// METIS orders smaller parts whole, in 5 to 50 ms each. A child process costs 1 ms.
inline constexpr std::int64_t kWhole = 8192;

/// Returns all vertices, separators last. Throws `Error`: does_not_fit, interrupted.
std::vector<Vertex> dissected(const Pattern& pattern, const OrderOptions& options);

/// Bytes that all processes take while they dissect so many vertices, without the pattern and the
/// order. Shared pages count once.
std::int64_t dissection_bytes(std::int64_t vertices, std::int64_t neighbours, int workers);

}  // namespace apsp::sparse
