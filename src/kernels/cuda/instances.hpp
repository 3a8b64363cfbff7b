// The instantiations, a few a file.
#pragma once

#include "kernels/cuda/device_operations.hpp"

namespace apsp::kernels::cuda {

DeviceOperations min_plus_f32();
DeviceOperations min_plus_f32_non_negative();
DeviceOperations min_plus_f64();
DeviceOperations min_plus_i32();
DeviceOperations min_plus_i32_signed();
DeviceOperations min_plus_u16();
DeviceOperations max_plus_f32();
DeviceOperations max_plus_f64();
DeviceOperations max_plus_i32();
DeviceOperations max_min_f32();
DeviceOperations max_min_f64();
DeviceOperations max_min_i32();
DeviceOperations max_min_u16();
DeviceOperations min_max_f32();
DeviceOperations min_max_f64();
DeviceOperations min_max_i32();
DeviceOperations min_max_u16();
/// Values are words of 32 vertices.
DeviceOperations or_and_bits();

}  // namespace apsp::kernels::cuda
