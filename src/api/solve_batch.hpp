// Batches of a caller's small matrices, with GPUs as an argument, for tests.
#pragma once

#include <apsp/matrix.hpp>

#include "planner/devices.hpp"

namespace apsp::api {

void solve_batch_on_device_among(const planner::FindDevices& find, Semiring semiring,
                                 const DeviceBatch& batch, const BatchOptions& options);

}  // namespace apsp::api
