// Rates of memory and of the disk of an output.
//
// Memory is copied by all threads, more than fits in caches. The disk is written in pieces of
// doubling length, each awaited, until the next one would take too long, and then read back, in a
// file without a name, so that nothing remains.
#pragma once

#include "planner/rates.hpp"
#include "rates/timed_solves.hpp"

namespace apsp::rates {

/// Takes about `limits.seconds`, or half as much again on a disk of varying speed. Returns nothing
/// if the folder of `asked.path` is not writable or too full.
Measure<planner::TransferRates> measure_transfers;

}  // namespace apsp::rates
