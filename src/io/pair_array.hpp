// Pairs of vertices in a NumPy .npy file.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <span>
#include <string>
#include <vector>

namespace apsp::io {

/// The rows of an array [pairs, 2] of integers, each the name of a vertex: its number in the
/// graph's file, or a label that is such a number. `bytes`: of the file, which begins as an .npy.
/// Throws `Error`: input (another shape or type, a file cut short, a number that names no vertex,
/// with its row), interrupted.
std::vector<VertexPair> pairs_of_npy(std::span<const char> bytes, const std::string& file,
                                     const Graph& graph, const Control& control);

}  // namespace apsp::io
