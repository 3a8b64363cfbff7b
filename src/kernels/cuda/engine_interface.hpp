// The version check between the library and the CUDA engine.
#pragma once

namespace apsp::kernels::cuda {

/// The value of `Engine::interface` for this source and compiler: a digest of the headers, and the
/// binary interface.
extern const char kEngineInterface[];
extern const char kEngineVersion[];

}  // namespace apsp::kernels::cuda
