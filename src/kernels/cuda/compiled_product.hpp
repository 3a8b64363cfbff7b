// Products over ⊕ and ⊗ by name on a GPU. This header is free of CUDA; libraries without kernels
// for GPUs have the function from loaded_engine.cpp.
#pragma once

#include <apsp/matrix.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

struct CompiledProduct {
  View c;
  ConstView a, b;
  ValueType type = ValueType::f32;
  int ordinal = 0;
  std::uintptr_t stream = 0;  // a cudaStream_t; 0: the default stream
};

/// C ← C ⊕ A ⊗ B on the stream; C is complete on return. Kernels are compiled once and kept. Throws
/// `Error`: usage (`expression_source`; a matrix is not on that GPU), device.
void multiply_add_compiled(const SemiringExpressions& semiring, const CompiledProduct& product);

}  // namespace apsp::kernels::cuda
