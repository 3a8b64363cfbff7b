// The CUDA engine as a library of its own, libapsp_cuda.so: the table that it exports.
#pragma once

#include <memory>
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

}  // namespace apsp::kernels::cuda

/// The only symbol that libapsp_cuda.so exports.
extern "C" const apsp::kernels::cuda::Engine apsp_cuda_engine;
