#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations min_plus_f32() { return operations_of<Relaxation<semiring::MinPlus<float>>>(); }
DeviceOperations max_plus_f32() {
  return operations_of<Relaxation<semiring::MinPlus<float>>, true>();
}
DeviceOperations min_plus_f32_non_negative() { return operations_of<NonNegative>(); }

}  // namespace apsp::kernels::cuda
