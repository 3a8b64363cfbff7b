#include "kernels/cuda/sums.hpp"

#include "kernels/cuda/launch.cuh"

namespace apsp::kernels::cuda {

DeviceOperations sums(Semiring semiring, ValueType type, Sign sign) {
  const bool longest = semiring == Semiring::max_plus;
  return with_sum(type, !longest && sign == Sign::non_negative,
                  [&]<class R>() { return operations_of<R>(longest); });
}

}  // namespace apsp::kernels::cuda
