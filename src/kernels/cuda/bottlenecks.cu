#include "kernels/cuda/bottlenecks.hpp"

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/listed_launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations bottlenecks(Semiring semiring, ValueType type) {
  using semiring::MinMax;
  const bool widest = semiring == Semiring::max_min;
  switch (type) {
    case ValueType::f64:
      return operations_of<Relaxation<MinMax<double>>>(widest);
    case ValueType::i32:
      return operations_of<Relaxation<MinMax<std::int32_t>>>(widest);
    case ValueType::u16:
      return operations_of<Relaxation<MinMax<std::uint16_t>>>(widest);
    default:
      return operations_of<Relaxation<MinMax<float>>>(widest);
  }
}

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
