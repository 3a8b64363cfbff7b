// What the CUDA runtime reports, as the library's own errors.
#pragma once

#include <cuda_runtime_api.h>

namespace apsp::kernels::cuda {

/// Throws `Error`: does_not_fit for spent memory, device for all else; `doing` says what failed.
void check(cudaError_t status, const char* doing);
/// The same for the launch just made.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace apsp::kernels::cuda
