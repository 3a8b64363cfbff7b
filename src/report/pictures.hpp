// Pictures of distances: the matrix with a pixel per pair, and the histogram.
#pragma once

#include <apsp/report.hpp>
#include <apsp/statistics.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::report {

/// The picture of the matrix with its legend. Requires: at least one source and one target.
std::string heat_map(const DistanceSample& sample, Semiring semiring, std::string_view what);

/// Orders vertices so that near ones are neighbours, from their distances only.
///
/// Recursive bisection: two distant vertices are found, each half of the others joins the nearer
/// one, and both halves are ordered in the same way, reversed if necessary so that the near end
/// comes first. Parts without a path between them follow each other.
///
/// distances: [count, count], row-major; values that are not finite mean no path. Returns the
/// positions 0 … count − 1 in order. O(count² log count).
std::vector<std::size_t> bisection_order(std::span<const double> distances, std::size_t count);

/// Bars over an axis with round numbers, with mean and median marked. Empty without pairs.
/// `measure`: "distance".
std::string histogram_picture(const Statistics& statistics, std::string_view measure);

/// At least one and at most `most` round numbers between two values: multiples of 1, 2 or 5 times a
/// power of ten. Requires: low < high.
std::vector<double> round_numbers(double low, double high, int most);

}  // namespace apsp::report
