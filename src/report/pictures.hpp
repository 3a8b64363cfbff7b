// Distances as pictures: the matrix, a pixel a pair, and how distances spread, as bars.
#pragma once

#include <apsp/report.hpp>
#include <apsp/statistics.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::report {

/// The picture with its legend. Requires: at least one source and one target.
std::string heat_map(const DistanceSample& sample, Semiring semiring);

/// An order of vertices in which near ones stand together, from their distances alone.
///
/// What a dissection does with a graph: two vertices far apart are found, the others fall to the
/// side whose end is nearer, half to each, and both halves are ordered in the same way, each
/// reversed so that its near end comes first. Parts without a path between them stand one behind
/// the other.
///
/// distances: [count, count], row-major; what is not finite is no path. Returns the positions
/// 0 … count − 1 in order. O(count² log count).
std::vector<std::size_t> bisection_order(std::span<const double> distances, std::size_t count);

/// Bars over an axis with round numbers, the mean and the median marked. Empty without pairs.
/// `measure`: "distance".
std::string histogram_picture(const Statistics& statistics, std::string_view measure);

/// Round numbers, at most `most` and at least one, between two values: multiples of 1, 2 or 5
/// times a power of ten. Requires: low < high.
std::vector<double> round_numbers(double low, double high, int most);

}  // namespace apsp::report
