#include "kernels/cuda/gathered_bottlenecks.hpp"

#include "kernels/cuda/listed_launch.cuh"

namespace apsp::kernels::cuda {

void set_listed_bottlenecks(ValueType type, DeviceOperations& operations) {
  with_bottleneck(type, [&]<class R>() { set_listed<R>(operations); });
}

}  // namespace apsp::kernels::cuda
