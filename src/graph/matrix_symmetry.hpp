// Whether a weight matrix is its own transpose, and so an undirected graph.
#pragma once

#include <apsp/graph.hpp>

#include <optional>

namespace apsp::graph {

struct Place {
  Vertex row = 0, col = 0;
};

/// The first entry above the diagonal, by row and column, that differs from its mirror image.
/// O(n²) in tiles that fit the cache, by `threads` threads; ends early in every tile of rows.
std::optional<Place> find_asymmetry(const WeightMatrix& matrix, int threads);

/// Whether already the first few rows and columns differ, as they do in nearly every matrix that is
/// not symmetric by design; looks at nothing else, so that a mapped file stays unread.
bool begins_asymmetric(const WeightMatrix& matrix);

}  // namespace apsp::graph
