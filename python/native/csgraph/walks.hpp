// Lengths of the paths that a matrix of predecessors describes.
#pragma once

#include <cstdint>

namespace apsp::python::csgraph {

/// `weights`: [n, n], no arc as infinity. `predecessors`: [n, n], SciPy's. Fills `distances` [n,
/// n], `null_value` where predecessors lead nowhere. Throws `Error` (input) for predecessors that
/// are no vertices or go round in a circle. O(n²).
void walk_lengths(const double* weights, const std::int32_t* predecessors, std::int64_t n,
                  double null_value, double* distances);

}  // namespace apsp::python::csgraph
