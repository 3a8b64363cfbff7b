#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

TileOperations max_plus_f32() { return operations_of<Relaxation<semiring::MaxPlus<float>>>(); }
TileOperations max_plus_f64() { return operations_of<Relaxation<semiring::MaxPlus<double>>>(); }
TileOperations max_plus_i32() { return operations_of<Signed<semiring::MaxPlus<std::int32_t>>>(); }

}  // namespace apsp::kernels::cuda
