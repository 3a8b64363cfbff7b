// `floyd_warshall` of a caller's matrix, with GPUs as an argument, for tests and batches.
#pragma once

#include <apsp/matrix.hpp>

#include "kernels/contract.hpp"
#include "planner/devices.hpp"

namespace apsp::api {

/// `via`: int32, the same shape; no data: not tracked.
void floyd_warshall_among(const planner::FindDevices& find, Semiring semiring, ValueType type,
                          kernels::View matrix, const FloydWarshallOptions& options,
                          kernels::View via = {});

void floyd_warshall_on_device_among(const planner::FindDevices& find, Semiring semiring,
                                    const DeviceMatrix& matrix,
                                    const FloydWarshallOptions& options);

}  // namespace apsp::api
