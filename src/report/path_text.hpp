// Writes lines as the commands of one SVG path in few bytes: coordinates are relative, and where
// possible a line begins where the one before it ended.
#pragma once

#include <span>
#include <string>

#include "report/drawing.hpp"

namespace apsp::report {

/// The attribute d of a path (SVG 1.1, §8.3). Requires: no line of length 0.
std::string path_text(std::span<const Line> lines);

}  // namespace apsp::report
