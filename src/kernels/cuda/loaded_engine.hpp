// The CUDA engine as a library of its own, libapsp_cuda.so: the table that it exports, and how a
// library without kernels for GPUs finds it.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/cuda_device.hpp"

namespace apsp::kernels::cuda {

/// The functions of cuda_device.hpp and compiled_product.hpp. They pass C++ objects, so both sides
/// need the same version, headers and binary interface of compilers.
struct Engine {
  // These two stay first in all versions, so that each version can read them in any other.
  const char* version;
  const char* interface;

  std::string (*back_end)();
  std::vector<DeviceFacts> (*devices)();
  std::int64_t (*memory_free)(int ordinal);
  void (*start)(int ordinal) noexcept;
  std::string (*why_no_device)();
  std::unique_ptr<ComputeDevice> (*make_device)(int ordinal, Semiring semiring, ValueType type,
                                                Sign sign, std::int64_t memory, PeerWay peer_way);
  std::unique_ptr<DeviceSizes> (*sizes)(Semiring semiring, ValueType type, Sign sign);
  void (*multiply_add_compiled)(const SemiringExpressions& semiring,
                                const CompiledProduct& product);
};

/// The value of `Engine::interface` for this source and compiler: a digest of the headers, and the
/// binary interface.
extern const char kEngineInterface[];
extern const char kEngineVersion[];

/// An engine, or why there is none.
struct LoadedEngine {
  const Engine* engine = nullptr;
  std::string file;
  std::string why_none;  // one line
};

/// Returns where libapsp_cuda.so may be: the file named by APSP_CUDA_ENGINE, else the folder of
/// this library or program, the Python package apsp_cuda13 next to it, and folders of the system's
/// loader.
std::vector<std::string> engine_files();

/// Loads the first engine of these files that fits, for good. Missing files are skipped, except an
/// only one.
LoadedEngine load_engine(const std::vector<std::string>& files);

}  // namespace apsp::kernels::cuda

/// The only symbol that libapsp_cuda.so exports.
extern "C" const apsp::kernels::cuda::Engine apsp_cuda_engine;
