// Floyd-Warshall by the side of its tiles, as lines.
#pragma once

#include <string>

#include "measure/block_sizes.hpp"

namespace apsp::report {

/// A picture that stands by itself, SVG: a line a size over the sides of tiles, each twice as far
/// as the one before; what the planner takes is a full dot. Requires: there are rows.
std::string block_sizes_picture(const measure::BlockSizeReport& report);

}  // namespace apsp::report
