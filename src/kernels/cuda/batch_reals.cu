#include "kernels/cuda/batch_launch.cuh"

namespace apsp::kernels::cuda {

void launch_batch_of_reals(cudaStream_t stream, const CallerBatch& batch) {
  using Single = Relaxation<semiring::MinPlus<float>>;
  using Double = Relaxation<semiring::MinPlus<double>>;
  const bool longest = batch.semiring == Semiring::max_plus;
  const bool again = batch.sign == Sign::any;
  if (batch.type == ValueType::f32) {
    if (longest && !again) return launch_batch_of<Single, true>(stream, batch);
    if (!longest && again) return launch_batch_of<Single, false>(stream, batch);
    if (!longest) launch_batch_of<NonNegative, false>(stream, batch);
  } else if (!again) {
    longest ? launch_batch_of<Double, true>(stream, batch)
            : launch_batch_of<Double, false>(stream, batch);
  }
}

}  // namespace apsp::kernels::cuda
