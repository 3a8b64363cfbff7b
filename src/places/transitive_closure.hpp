// Transitive closure on the host: which vertices reach which, in packed bits from start to end.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "kernels/contract.hpp"
#include "places/reachable_bits.hpp"

namespace apsp::places {

/// Where there is a path, the empty one included. Throws `Error`: interrupted, does_not_fit.
std::unique_ptr<ReachableBits> reachable_bits(const Graph& graph, int threads,
                                              const Control& control = {});
/// The same of a matrix of bytes that are not 0 where there is an arc.
std::unique_ptr<ReachableBits> reachable_bits(kernels::ConstView matrix, int threads,
                                              const Control& control = {});

/// reach [n, n] of bytes ← 1 where there is a path, else 0. What the matrix holds before is not
/// read. Throws as above.
void transitive_closure(const Graph& graph, kernels::View reach, int threads,
                        const Control& control = {});
/// The same in place: on entry bytes that are not 0 where there is an arc.
void transitive_closure(kernels::View matrix, int threads, const Control& control = {});

/// Bytes of the bits, and of what a run takes besides.
std::int64_t transitive_closure_bytes(std::int64_t n);
std::int64_t transitive_closure_panel_bytes(std::int64_t n);

}  // namespace apsp::places
