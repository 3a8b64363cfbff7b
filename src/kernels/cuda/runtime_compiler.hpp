// NVRTC, NVIDIA's compiler as a library, loaded when it is first needed.
#pragma once

#include <string>
#include <vector>

namespace apsp::kernels::cuda {

/// Returns the machine code of CUDA source for GPUs of one compute capability (90 for 9.0). Must be
/// called by one thread at a time. Throws `Error` (device): NVRTC is not found, with the names that
/// were tried; or the source does not compile, with the compiler's messages.
std::string compile_for_device(const std::string& source, int capability);

bool has_runtime_compiler();

/// File names of the library, in the order in which they are tried.
std::vector<std::string> runtime_compiler_names();

}  // namespace apsp::kernels::cuda
