// The CUDA engine as a library of its own, libapsp_cuda.so: the table that it exports, and how a
// library without kernels for GPUs finds it.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/cuda_device.hpp"

namespace apsp::kernels::cuda {

/// The functions of cuda_device.hpp and compiled_product.hpp. They pass objects of C++, so both
/// sides are of one version, of the same headers, and of compilers with the same binary interface.
struct Engine {
  // These two stay where they are in all versions: each can read them in any other one.
  const char* version;
  const char* interface;

  std::string (*back_end)();
  std::vector<DeviceFacts> (*devices)();
  std::int64_t (*memory_free)(int ordinal);
  void (*start)(int ordinal) noexcept;
  std::string (*why_no_device)();
  std::unique_ptr<ComputeDevice> (*make_device)(int ordinal, Semiring semiring, ValueType type,
                                                Sign sign, std::int64_t memory);
  std::unique_ptr<ComputeDevice> (*make_staged_device)(int ordinal, Semiring semiring,
                                                       ValueType type, Sign sign);
  std::unique_ptr<DeviceSizes> (*sizes)(Semiring semiring, ValueType type, Sign sign);
  void (*multiply_add_compiled)(const SemiringExpressions& semiring,
                                const CompiledProduct& product);
};

/// What `Engine::interface` is of this source and compiler: a digest of the headers, and the binary
/// interface.
extern const char kEngineInterface[];
extern const char kEngineVersion[];

/// An engine, or why there is none.
struct LoadedEngine {
  const Engine* engine = nullptr;
  std::string file;
  std::string why_none;  // one line
};

/// Where libapsp_cuda.so may be: what APSP_CUDA_ENGINE names, else the folder of this library or
/// program, the Python package apsp_cuda13 beside it, and the folders of the system's loader.
std::vector<std::string> engine_files();

/// The first engine of these files that fits; it stays loaded. Files that are not there are passed
/// over, but for a file that is the only one.
LoadedEngine load_engine(const std::vector<std::string>& files);

}  // namespace apsp::kernels::cuda

/// What libapsp_cuda.so exports.
extern "C" const apsp::kernels::cuda::Engine apsp_cuda_engine;
