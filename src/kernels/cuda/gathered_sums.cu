#include "kernels/cuda/gathered_sums.hpp"

#include "kernels/cuda/count_whole.hpp"
#include "kernels/cuda/listed_launch.cuh"
#include "kernels/cuda/mirror.hpp"

namespace apsp::kernels::cuda {

void set_listed_sums(Semiring semiring, ValueType type, Sign sign, DeviceOperations& operations) {
  using semiring::MinPlus;
  const bool non_negative = semiring == Semiring::min_plus && sign == Sign::non_negative;
  switch (type) {
    case ValueType::u16:
      return set_listed<Relaxation<MinPlus<std::uint16_t>>>(operations);
    case ValueType::i32:
      return non_negative ? set_listed<Relaxation<MinPlus<std::int32_t>>>(operations)
                          : set_listed<Signed>(operations);
    case ValueType::f32:
      return non_negative ? set_listed<NonNegative>(operations)
                          : set_listed<Relaxation<MinPlus<float>>>(operations);
    default:
      return set_listed<Relaxation<MinPlus<double>>>(operations);
  }
}

void set_whole_rows(DeviceOperations& operations) {
  operations.listed_form = ListedForm::whole;
  set_listed<WholeRows>(operations);
  operations.transpose_rows = transposed_whole_rows();
  operations.counts_rows = true;
  operations.count_distances = count_whole_rows();
}

}  // namespace apsp::kernels::cuda
