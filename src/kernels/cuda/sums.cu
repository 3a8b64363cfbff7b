#include "kernels/cuda/sums.hpp"

#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations sums(Semiring semiring, ValueType type, Sign sign) {
  using semiring::MinPlus;
  const bool longest = semiring == Semiring::max_plus;
  const bool non_negative = !longest && sign == Sign::non_negative;
  switch (type) {
    case ValueType::f64:
      return operations_of<Relaxation<MinPlus<double>>>(longest);
    case ValueType::i32:
      if (!non_negative) return operations_of<Signed>(longest);
      return operations_of<Relaxation<MinPlus<std::int32_t>>, false>();
    case ValueType::u16:
      return operations_of<Relaxation<MinPlus<std::uint16_t>>, false>();
    default:
      if (non_negative) return operations_of<NonNegative, false>();
      return operations_of<Relaxation<MinPlus<float>>>(longest);
  }
}

}  // namespace apsp::kernels::cuda
