// Which vertices reach which, in packed bits from start to end; only the result is bytes.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::places {

/// reach [n, n] of bytes ← 1 where there is a path, the empty one included, else 0. What the matrix
/// holds before is not read. Throws `Error` (interrupted).
void transitive_closure(const Graph& graph, kernels::View reach, int threads,
                        const Control& control = {});

/// The same in place: on entry bytes that are not 0 where there is an arc.
void transitive_closure(kernels::View matrix, int threads, const Control& control = {});

/// Bytes that a run takes besides the matrix of bytes.
std::int64_t transitive_closure_bytes(std::int64_t n);

}  // namespace apsp::places
