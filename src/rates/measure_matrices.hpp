// Rates of matrices in host memory or on a GPU, and of copies to a GPU.
//
// Matrices are measured by whole solves of small random graphs, up to statistics, on growing sizes
// until the time is spent: this includes page faults, filling, panels, waiting threads and, on a
// GPU, queues, pinning, copies. The best of three counts, because other processes only slow them
// down.
#pragma once

#include "planner/rates.hpp"
#include "rates/timed_solves.hpp"

namespace apsp::rates {

Measure<planner::HostRates> measure_host;
Measure<planner::DeviceRates> measure_device;
/// Takes about 40 ms.
Measure<planner::LinkRates> measure_link;

}  // namespace apsp::rates
