// Products over ⊕ and ⊗ by name on a GPU. This header knows nothing of CUDA; a library without
// kernels for GPUs has the function from loaded_engine.cpp.
#pragma once

#include <apsp/matrix.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/contract.hpp"

namespace apsp::kernels::cuda {

struct CompiledProduct {
  View c;
  ConstView a, b;
  ValueType type = ValueType::f32;
  int ordinal = 0;
  std::uintptr_t stream = 0;  // a cudaStream_t; 0: the default stream
};

/// C ← C ⊕ A ⊗ B on the stream; C is complete when it returns. Kernels are compiled once and kept.
/// Throws `Error`: usage (`expression_source`; a matrix is not on that GPU), device.
void multiply_add_compiled(const SemiringExpressions& semiring, const CompiledProduct& product);

// NVRTC, NVIDIA's compiler as a library, is loaded when it is first asked for. Machines without it
// run everything else.

/// The machine code of CUDA source for GPUs of one compute capability, 90 for 9.0. From one thread
/// at a time. Throws `Error` (device): no NVRTC, with the names that were tried; the source does
/// not compile, with what the compiler says.
std::string compile_for_device(const std::string& source, int capability);

/// Whether there is one.
bool has_runtime_compiler();

/// The names of the library, in the order in which they are tried.
std::vector<std::string> runtime_compiler_names();

}  // namespace apsp::kernels::cuda
