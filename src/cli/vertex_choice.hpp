// Vertices that an option names: a list, a file, or some at random.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

#include "cli/arguments.hpp"

namespace apsp::cli {

/// --sources and --targets.
void declare_vertices(Arguments& arguments, std::string& sources, std::string& targets);

struct VertexChoice {
  std::string option;  ///< "--sources"
  std::string text;    ///< "17,2093", "@towns.txt", "random:100"; empty: none
};

/// The vertices, in the order in which they are named; random ones rising, the same for a seed and
/// an option. Throws `Error`: usage (no such vertex, one that comes twice, a wrong number), input
/// (the same in a file, with line and column; an empty file), input_output, interrupted.
std::vector<Vertex> chosen_vertices(const VertexChoice& choice, const Graph& graph,
                                    std::uint64_t seed, const Control& control);

}  // namespace apsp::cli
