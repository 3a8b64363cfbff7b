#include "kernels/cuda/gathered_sums.hpp"

#include "kernels/cuda/count_whole.hpp"
#include "kernels/cuda/listed_launch.cuh"

namespace apsp::kernels::cuda {

void set_listed_sums(Semiring semiring, ValueType type, Sign sign, DeviceOperations& operations) {
  with_sum(type, semiring == Semiring::min_plus && sign == Sign::non_negative,
           [&]<class R>() { set_listed<R>(operations); });
}

void set_whole_rows(DeviceOperations& operations) {
  operations.listed_form = ListedForm::whole;
  set_listed<WholeRows>(operations);
  operations.counts_rows = true;
  operations.count_distances = count_whole_rows();
}

}  // namespace apsp::kernels::cuda
