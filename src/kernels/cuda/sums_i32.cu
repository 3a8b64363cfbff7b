#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations min_plus_i32() {
  return operations_of<Relaxation<semiring::MinPlus<std::int32_t>>>();
}
DeviceOperations min_plus_i32_signed() { return operations_of<Signed>(); }
DeviceOperations max_plus_i32() { return operations_of<Signed, true>(); }

}  // namespace apsp::kernels::cuda
