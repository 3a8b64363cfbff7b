#include "kernels/cuda/bottlenecks.hpp"

#include "kernels/cuda/launch.cuh"

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

}  // namespace apsp::kernels::cuda
