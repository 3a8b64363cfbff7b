// Products of listed rows on the device (kernels/listed_rows.hpp), for the distances that sweeps
// over a factor take there.
#pragma once

#include <apsp/semiring.hpp>

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

/// Sets `multiply_listed` and `begin_rows`, null but for min-plus over u16 and i32: of i32, no
/// weight is negative.
void set_listed_rows(Semiring semiring, ValueType type, DeviceOperations& operations);

}  // namespace apsp::kernels::cuda
