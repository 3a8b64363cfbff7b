// NVRTC, NVIDIA's compiler as a library, loaded when it is asked for first: machines without it run
// everything else.
#pragma once

#include <string>
#include <vector>

namespace apsp::kernels::cuda {

/// The machine code of CUDA source for GPUs of one compute capability, 90 for 9.0. From one thread
/// at a time. Throws `Error` (device): no NVRTC, with the names that were tried; the source does
/// not compile, with what the compiler says.
std::string compile_for_device(const std::string& source, int capability);

/// Whether there is one.
bool has_runtime_compiler();

/// The names of the library, in the order in which they are tried.
std::vector<std::string> runtime_compiler_names();

}  // namespace apsp::kernels::cuda
