// Lines as the commands of one SVG path, in few bytes: where it can, a line begins at the end of
// the one before it, and numbers count from there.
#pragma once

#include <span>
#include <string>

#include "report/drawing.hpp"

namespace apsp::report {

/// The attribute d of a path (SVG 1.1, §8.3). Requires: no line of length 0.
std::string path_text(std::span<const Line> lines);

}  // namespace apsp::report
