// Whether the roundings of f32 stay within a tolerance: a path of e edges has e of them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <string>

#include "planner/signed_weights.hpp"

namespace apsp::planner {

/// Why f32 may err by more than `tolerance`, relative to the distance; empty: it does not, as far
/// as searches tell (graph/path_edges.hpp). `weights`: those of both signs, else null; the error is
/// then relative to the reduced length. Throws `Error` (interrupted).
std::string why_f32_is_too_coarse(const Graph& graph, Semiring semiring,
                                  const SignedWeights* weights, double tolerance,
                                  const Control& control);

}  // namespace apsp::planner
