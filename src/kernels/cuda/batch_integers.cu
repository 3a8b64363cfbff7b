#include "kernels/cuda/batch_launch.cuh"

namespace apsp::kernels::cuda {

void launch_batch_of_integers(cudaStream_t stream, const CallerBatch& batch) {
  using Whole = Relaxation<semiring::MinPlus<std::int32_t>>;
  using Short = Relaxation<semiring::MinPlus<std::uint16_t>>;
  const bool longest = batch.semiring == Semiring::max_plus;
  const bool again = batch.sign == Sign::any;
  if (batch.type == ValueType::u16) {
    if (!again) launch_batch_of<Short, false>(stream, batch);
  } else if (longest) {
    if (!again) launch_batch_of<Signed, true>(stream, batch);
  } else if (again) {
    launch_batch_of<Signed, false>(stream, batch);
  } else {
    launch_batch_of<Whole, false>(stream, batch);
  }
}

}  // namespace apsp::kernels::cuda
