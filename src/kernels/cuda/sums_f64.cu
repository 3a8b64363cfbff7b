#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations min_plus_f64() { return operations_of<Relaxation<semiring::MinPlus<double>>>(); }
DeviceOperations max_plus_f64() {
  return operations_of<Relaxation<semiring::MinPlus<double>>, true>();
}

}  // namespace apsp::kernels::cuda
