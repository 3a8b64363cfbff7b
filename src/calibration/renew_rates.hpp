// The figures that most solves go by, measured anew and kept, without a solve at hand.
#pragma once

#include <apsp/progress.hpp>

namespace apsp::calibration {

/// Of shortest paths in u16, i32 and f32, of memory, and of the disk that keeps the figures.
/// `threads`: 0: all. Takes some two seconds. Throws `Error` (interrupted).
void renew_rates(int threads, const Control& control);

}  // namespace apsp::calibration
