// A line chart of how quick Floyd-Warshall is with tiles of different sides.
#pragma once

#include <string>

#include "program/block_sizes.hpp"

namespace apsp::report {

/// The text of an SVG file: for each size of graph a line over the sides of tiles (logarithmic);
/// the side that the planner takes is a full dot. Requires: the report has rows.
std::string block_sizes_picture(const bench::BlockSizeReport& report);

}  // namespace apsp::report
