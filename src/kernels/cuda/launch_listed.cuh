// Launches of products of listed rows. Their kernels are compiled apart from the dense ones
// (listed_sums.cu, listed_orders.cu).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/listed_rows.hpp"

namespace apsp::kernels::cuda {

template <class R>
void launch_listed(cudaStream_t stream, const ListedProduct& product);
template <class R>
void launch_begin_rows(cudaStream_t stream, View rows, const std::int32_t* columns);

}  // namespace apsp::kernels::cuda
