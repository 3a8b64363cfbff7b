// The matrix of distances as a picture: a pixel a pair.
#pragma once

#include <apsp/report.hpp>
#include <string>
#include <vector>

namespace apsp::report {

using Sample = DistanceSample;

/// The picture with its legend. Requires: at least one source and one target.
std::string heat_map(const Sample& sample, Semiring semiring);

}  // namespace apsp::report
