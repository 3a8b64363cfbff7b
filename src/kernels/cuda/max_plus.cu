#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations max_plus_f32() { return operations_of<Relaxation<semiring::MaxPlus<float>>>(); }
DeviceOperations max_plus_f64() { return operations_of<Relaxation<semiring::MaxPlus<double>>>(); }
DeviceOperations max_plus_i32() { return operations_of<Signed<semiring::MaxPlus<std::int32_t>>>(); }

}  // namespace apsp::kernels::cuda
