// ⊕ and ⊗ by name as the source of a kernel (apsp/device_product.cuh), for NVRTC.
#pragma once

#include <apsp/matrix.hpp>
#include <string>

namespace apsp::kernels::cuda {

/// The name of the kernel in that source: extern "C", of one `device::Product`.
inline constexpr const char* kExpressionKernel = "apsp_multiply_add";

/// Throws `Error` (usage): no such name, with all that there are; the type does not have it.
std::string expression_source(const SemiringExpressions& semiring, ValueType type);

}  // namespace apsp::kernels::cuda
