// A matrix of distances that is named as the graph of a result.
//
// It is a graph too, whose arcs are all shortest paths. Every result of its own passes all checks
// then, and every path has one edge.
#pragma once

#include <string>

#include <apsp/solve.hpp>

#include "cli/session.hpp"

namespace apsp::cli {

/// Throws `Error` (usage) if both are the same file.
void require_other_file(const std::string& result, const std::string& graph);

/// Notes it where every vertex has an arc to every other one, as long as their distance. Reads the
/// result as far as that holds; a graph that is not complete costs nothing.
void warn_of_distances(Session& session, const Result& result, const std::string& graph);

}  // namespace apsp::cli
