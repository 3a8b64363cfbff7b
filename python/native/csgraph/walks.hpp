// Lengths of the paths that a matrix of predecessors describes.
#pragma once

#include <cstdint>

namespace apsp::python::csgraph {

/// `weights`: [n, n], infinity for no arc. `predecessors`: [n, n] of SciPy. Fills `distances` [n,
/// n], with `null_value` where predecessors lead nowhere. Throws `Error` (input) for predecessors
/// that are no vertices or form a cycle. O(n²).
void walk_lengths(const double* weights, const std::int32_t* predecessors, std::int64_t n,
                  double null_value, double* distances);

}  // namespace apsp::python::csgraph
