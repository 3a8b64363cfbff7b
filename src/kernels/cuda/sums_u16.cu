#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations min_plus_u16() {
  return operations_of<Relaxation<semiring::MinPlus<std::uint16_t>>>();
}

}  // namespace apsp::kernels::cuda
