// An order of vertices in which near ones stand together, from their distances alone.
//
// What a dissection does with a graph: two vertices far apart are found, the others fall to the
// side whose end is nearer, half to each, and both halves are ordered in the same way, each
// reversed so that its near end comes first. Parts without a path between them stand one behind the
// other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace apsp::report {

/// distances: [count, count], row-major; what is not finite is no path. Returns the positions
/// 0 … count − 1 in order. O(count² log count).
std::vector<std::size_t> bisection_order(std::span<const double> distances, std::size_t count);

}  // namespace apsp::report
