#include "kernels/cuda/batch_launch.cuh"

namespace apsp::kernels::cuda {

void launch_batch_of_bottlenecks(cudaStream_t stream, const CallerBatch& batch) {
  if (batch.sign == Sign::any) return;       // the first launch took values of both
  if (batch.semiring == Semiring::or_and) {  // the widest path between two widths
    using Bits = Relaxation<semiring::MinMax<std::uint16_t>>;
    return launch_batch_of<Bits, true, std::uint8_t>(stream, batch);
  }
  with_bottleneck(batch.type, [&]<class R>() {
    batch.semiring == Semiring::max_min ? launch_batch_of<R, true>(stream, batch)
                                        : launch_batch_of<R, false>(stream, batch);
  });
}

}  // namespace apsp::kernels::cuda
