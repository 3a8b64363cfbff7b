#include "kernels/cuda/compiled_product.hpp"

#include <fmt/format.h>

#include <apsp/device_product.cuh>
#include <apsp/error.hpp>
#include <bit>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/expressions.hpp"
#include "kernels/cuda/runtime_compiler.hpp"

namespace apsp::kernels::cuda {
namespace {

struct Grid {
  unsigned blocks, threads;
};
template <int kBytes>
Grid grid_of(std::int64_t m, std::int64_t n) {
  struct Value {
    std::byte bytes[kBytes];
  };
  device::Product<Value> sizes{};
  sizes.m = m;
  sizes.n = n;
  const device::Index blocks = device::blocks_of(sizes);
  if (blocks >= device::Index{1} << 31) {
    throw Error(ErrorKind::does_not_fit,
                "C has too many values for one launch: multiply its rows in parts");
  }
  return {static_cast<unsigned>(blocks), device::Shape<kBytes>::kThreads};
}
Grid grid_of(int bytes, std::int64_t m, std::int64_t n) {
  switch (bytes) {
    case 1:
      return grid_of<1>(m, n);
    case 2:
      return grid_of<2>(m, n);
    case 8:
      return grid_of<8>(m, n);
    default:
      return grid_of<4>(m, n);
  }
}

#if CUDART_VERSION >= 12080

/// Returns the kernel of the source for this GPU. Libraries stay loaded until the process ends.
cudaKernel_t kernel_of(const SemiringExpressions& semiring, ValueType type, int capability) {
  using Key = std::tuple<std::string, std::string, ValueType, int>;
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<Key, cudaLibrary_t>;
  const std::lock_guard lock(mutex);
  const auto [entry, fresh] = known.try_emplace(
      Key{semiring.plus, semiring.times, type, capability}, cudaLibrary_t{nullptr});
  if (fresh) {
    try {
      const std::string code = compile_for_device(expression_source(semiring, type), capability);
      check(cudaLibraryLoadData(&entry->second, code.data(), nullptr, nullptr, 0, nullptr, nullptr,
                                0),
            "loading a compiled kernel");
    } catch (...) {
      known.erase(entry);
      throw;
    }
  }
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, entry->second, kExpressionKernel),
        "looking for a compiled kernel");
  return kernel;
}

void launch(const SemiringExpressions& semiring, const CompiledProduct& p, cudaStream_t stream,
            int capability) {
  const cudaKernel_t kernel = kernel_of(semiring, p.type, capability);
  const Grid grid = grid_of(size_of(p.type), p.c.rows, p.c.cols);
  device::Product<std::byte> product{p.c.rows,   p.c.cols,
                                     p.a.cols,   static_cast<std::byte*>(p.c.data),
                                     p.c.stride, static_cast<const std::byte*>(p.a.data),
                                     p.a.stride, static_cast<const std::byte*>(p.b.data),
                                     p.b.stride};
  void* arguments[] = {&product};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(grid.blocks),
                         dim3(grid.threads), arguments, 0, stream),
        "launching a compiled product");
  check(cudaStreamSynchronize(stream), "a compiled product");
}

#else

void launch(const SemiringExpressions&, const CompiledProduct&, cudaStream_t, int) {
  throw Error(ErrorKind::device,
              "expressions on a GPU need a build with CUDA 12.8 or later: rebuild with it");
}

#endif

}  // namespace

void multiply_add_compiled(const SemiringExpressions& semiring, const CompiledProduct& product) {
  expression_source(semiring, product.type);  // reports a wrong name before a missing GPU
  const DeviceFacts facts = facts_of(product.ordinal);
  if (product.c.rows == 0 || product.c.cols == 0 || product.a.cols == 0) return;
  check(cudaSetDevice(product.ordinal), "choosing the device");
  for (const ConstView& matrix : {ConstView(product.c), product.a, product.b}) {
    require_on_device(matrix.data, product.ordinal);
  }
  const auto stream =
      product.stream == 0 ? cudaStreamLegacy : std::bit_cast<cudaStream_t>(product.stream);
  launch(semiring, product, stream, facts.capability);
}

}  // namespace apsp::kernels::cuda
