// What memory and one disk move in a second.
//
// Memory is copied by all threads, more of it than caches hold. The disk is written in pieces, each
// twice as long as the one before and each waited for, until the next one would take too long; what
// was written is then read back from the disk. The file has no name, so that nothing stays of it
// however the process ends.
#pragma once

#include <optional>
#include <string>

#include "calibration/measure_rates.hpp"

namespace apsp::calibration {

/// Of the file system that holds `folder`. Takes about `limits.seconds`, and half of it again on a
/// disk whose speed changes. Empty where nothing can be written there, or too little is free.
/// Throws `Error` (interrupted).
std::optional<planner::TransferRates> measure_transfers(const std::string& folder, int threads,
                                                        const MeasureLimits& limits);

}  // namespace apsp::calibration
