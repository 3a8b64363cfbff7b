// The instantiations, a few a file.
#pragma once

#include "kernels/cuda/tile_operations.hpp"

namespace apsp::kernels::cuda {

TileOperations min_plus_f32();
TileOperations min_plus_f32_non_negative();
TileOperations min_plus_f64();
TileOperations min_plus_i32();
TileOperations min_plus_i32_signed();
TileOperations min_plus_u16();
TileOperations max_plus_f32();
TileOperations max_plus_f64();
TileOperations max_plus_i32();
TileOperations max_min_f32();
TileOperations max_min_f64();
TileOperations max_min_i32();
TileOperations max_min_u16();
TileOperations min_max_f32();
TileOperations min_max_f64();
TileOperations min_max_i32();
TileOperations min_max_u16();
/// Values are words of 32 vertices.
TileOperations or_and_bits();

}  // namespace apsp::kernels::cuda
