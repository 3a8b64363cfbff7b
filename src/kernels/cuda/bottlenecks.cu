#include "kernels/cuda/bottlenecks.hpp"

#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations bottlenecks(Semiring semiring, ValueType type) {
  return with_bottleneck(
      type, [&]<class R>() { return operations_of<R>(semiring == Semiring::max_min); });
}

}  // namespace apsp::kernels::cuda
