#include "kernels/cuda/batch.hpp"

namespace apsp::kernels::cuda {

std::int64_t batch_side(int capability, bool tracks_via) {
  if (capability >= 90) return 512;
  return tracks_via ? 128 : 192;
}

void launch_batch(cudaStream_t stream, const CallerBatch& batch) {
  const bool sums = batch.semiring == Semiring::min_plus || batch.semiring == Semiring::max_plus;
  if (!sums) {
    launch_batch_of_bottlenecks(stream, batch);
  } else if (batch.type == ValueType::f32 || batch.type == ValueType::f64) {
    launch_batch_of_reals(stream, batch);
  } else {
    launch_batch_of_integers(stream, batch);
  }
}

}  // namespace apsp::kernels::cuda
