// How distances spread, as bars.
#pragma once

#include <apsp/statistics.hpp>
#include <string>

namespace apsp::report {

/// Bars over an axis with round numbers, the mean and the median marked. Empty without pairs.
/// `measure`: "distance".
std::string histogram_picture(const Statistics& statistics, std::string_view measure);

/// Round numbers, at most `most` and at least one, between two values: multiples of 1, 2 or 5
/// times a power of ten. Requires: low < high.
std::vector<double> round_numbers(double low, double high, int most);

}  // namespace apsp::report
