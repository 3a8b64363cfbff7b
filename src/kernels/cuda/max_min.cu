#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations max_min_f32() { return operations_of<Relaxation<semiring::MaxMin<float>>>(); }
DeviceOperations max_min_f64() { return operations_of<Relaxation<semiring::MaxMin<double>>>(); }
DeviceOperations max_min_i32() {
  return operations_of<Relaxation<semiring::MaxMin<std::int32_t>>>();
}
DeviceOperations max_min_u16() {
  return operations_of<Relaxation<semiring::MaxMin<std::uint16_t>>>();
}

}  // namespace apsp::kernels::cuda
