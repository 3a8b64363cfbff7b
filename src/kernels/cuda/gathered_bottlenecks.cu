#include "kernels/cuda/gathered_bottlenecks.hpp"

#include "kernels/cuda/listed_launch.cuh"

namespace apsp::kernels::cuda {

void set_listed_bottlenecks(ValueType type, DeviceOperations& operations) {
  using semiring::MinMax;
  switch (type) {
    case ValueType::u16:
      return set_listed<Relaxation<MinMax<std::uint16_t>>>(operations);
    case ValueType::i32:
      return set_listed<Relaxation<MinMax<std::int32_t>>>(operations);
    case ValueType::f32:
      return set_listed<Relaxation<MinMax<float>>>(operations);
    default:
      return set_listed<Relaxation<MinMax<double>>>(operations);
  }
}

}  // namespace apsp::kernels::cuda
