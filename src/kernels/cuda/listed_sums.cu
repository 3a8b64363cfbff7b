#include "kernels/cuda/launch_listed_inl.cuh"

namespace apsp::kernels::cuda {

template void launch_listed<Relaxation<semiring::MinPlus<float>>>(cudaStream_t,
                                                                  const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinPlus<float>>>(cudaStream_t, View,
                                                                      const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinPlus<double>>>(cudaStream_t,
                                                                   const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinPlus<double>>>(cudaStream_t, View,
                                                                       const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinPlus<std::int32_t>>>(cudaStream_t,
                                                                         const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinPlus<std::int32_t>>>(cudaStream_t, View,
                                                                             const std::int32_t*);
template void launch_listed<Relaxation<semiring::MinPlus<std::uint16_t>>>(cudaStream_t,
                                                                          const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MinPlus<std::uint16_t>>>(cudaStream_t, View,
                                                                              const std::int32_t*);
template void launch_listed<NonNegative>(cudaStream_t, const ListedProduct&);
template void launch_begin_rows<NonNegative>(cudaStream_t, View, const std::int32_t*);
template void launch_listed<Signed<semiring::MinPlus<std::int32_t>>>(cudaStream_t,
                                                                     const ListedProduct&);
template void launch_begin_rows<Signed<semiring::MinPlus<std::int32_t>>>(cudaStream_t, View,
                                                                         const std::int32_t*);
template void launch_listed<Relaxation<semiring::MaxPlus<float>>>(cudaStream_t,
                                                                  const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MaxPlus<float>>>(cudaStream_t, View,
                                                                      const std::int32_t*);
template void launch_listed<Relaxation<semiring::MaxPlus<double>>>(cudaStream_t,
                                                                   const ListedProduct&);
template void launch_begin_rows<Relaxation<semiring::MaxPlus<double>>>(cudaStream_t, View,
                                                                       const std::int32_t*);
template void launch_listed<Signed<semiring::MaxPlus<std::int32_t>>>(cudaStream_t,
                                                                     const ListedProduct&);
template void launch_begin_rows<Signed<semiring::MaxPlus<std::int32_t>>>(cudaStream_t, View,
                                                                         const std::int32_t*);

}  // namespace apsp::kernels::cuda
