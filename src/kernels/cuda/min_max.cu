#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations min_max_f32() { return operations_of<Relaxation<semiring::MinMax<float>>>(); }
DeviceOperations min_max_f64() { return operations_of<Relaxation<semiring::MinMax<double>>>(); }
DeviceOperations min_max_i32() {
  return operations_of<Relaxation<semiring::MinMax<std::int32_t>>>();
}
DeviceOperations min_max_u16() {
  return operations_of<Relaxation<semiring::MinMax<std::uint16_t>>>();
}

}  // namespace apsp::kernels::cuda
