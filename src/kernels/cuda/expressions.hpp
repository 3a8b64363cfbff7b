// ⊕ and ⊗ by name as the source of a kernel for NVRTC (apsp/device_product.cuh).
#pragma once

#include <apsp/matrix.hpp>
#include <string>

namespace apsp::kernels::cuda {

/// The extern "C" name of the kernel; it takes a `device::Product`.
inline constexpr const char* kExpressionKernel = "apsp_multiply_add";

/// Throws `Error` (usage): an unknown name, with the known ones; or one that the type lacks.
std::string expression_source(const SemiringExpressions& semiring, ValueType type);

}  // namespace apsp::kernels::cuda
