// Transitive closure on the host, in packed bits.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "dense/reachable_bits.hpp"
#include "kernels/contract.hpp"

namespace apsp::dense {

/// Returns the pairs with a path, including the empty one. Throws `Error`: interrupted,
/// does_not_fit.
std::unique_ptr<ReachableBits> reachable_bits(const Graph& graph, int threads,
                                              const Control& control = {});
/// The same for a matrix of bytes, not 0 where there is an arc.
std::unique_ptr<ReachableBits> reachable_bits(kernels::ConstView matrix, int threads,
                                              const Control& control = {});

/// Return bytes of the bits, and of the other memory of a run.
std::int64_t transitive_closure_bytes(std::int64_t n);
std::int64_t transitive_closure_panel_bytes(std::int64_t n);

}  // namespace apsp::dense
