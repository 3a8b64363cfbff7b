#include "kernels/cuda/launch_listed_inl.cuh"

namespace apsp::kernels::cuda {

template void launch_listed<Relaxation<semiring::MaxMin<float>>>(cudaStream_t,
                                                                 const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MaxMin<float>>>(cudaStream_t, View,
                                                                     const std::int32_t*);
template void launch_listed<Relaxation<semiring::MaxMin<double>>>(cudaStream_t,
                                                                  const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MaxMin<double>>>(cudaStream_t, View,
                                                                      const std::int32_t*);
template void launch_listed<Relaxation<semiring::MaxMin<std::int32_t>>>(cudaStream_t,
                                                                        const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MaxMin<std::int32_t>>>(cudaStream_t, View,
                                                                            const std::int32_t*);
template void launch_listed<Relaxation<semiring::MaxMin<std::uint16_t>>>(cudaStream_t,
                                                                         const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MaxMin<std::uint16_t>>>(cudaStream_t, View,
                                                                             const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinMax<float>>>(cudaStream_t,
                                                                 const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinMax<float>>>(cudaStream_t, View,
                                                                     const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinMax<double>>>(cudaStream_t,
                                                                  const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinMax<double>>>(cudaStream_t, View,
                                                                      const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinMax<std::int32_t>>>(cudaStream_t,
                                                                        const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinMax<std::int32_t>>>(cudaStream_t, View,
                                                                            const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinMax<std::uint16_t>>>(cudaStream_t,
                                                                         const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinMax<std::uint16_t>>>(cudaStream_t, View,
                                                                             const std::int32_t*);

}  // namespace apsp::kernels::cuda
