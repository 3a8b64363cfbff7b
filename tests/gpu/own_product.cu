#include <apsp/device_product.cuh>

#include "gpu/own_semirings.hpp"

namespace apsp {

template <class S>
int multiply_on_gpu(const OwnOperands<typename S::Value>& p) {
  cudaError_t status = device::multiply_add<S>(
      {p.m, p.n, p.k, p.c, p.n + p.beside, p.a, p.k + p.beside, p.b, p.n + p.beside});
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  return static_cast<int>(status);
}

template int multiply_on_gpu<OwnMinPlus<float>>(const OwnOperands<float>&);
template int multiply_on_gpu<OwnMinPlus<double>>(const OwnOperands<double>&);
template int multiply_on_gpu<OwnMinPlus<std::uint16_t>>(const OwnOperands<std::uint16_t>&);
template int multiply_on_gpu<OwnMinPlus<std::uint8_t>>(const OwnOperands<std::uint8_t>&);
template int multiply_on_gpu<OwnLeast>(const OwnOperands<std::int32_t>&);
template int multiply_on_gpu<OwnLabelled>(const OwnOperands<OwnLabelled::Value>&);
template int multiply_on_gpu<OwnPair>(const OwnOperands<OwnPair::Value>&);

void* managed_memory(std::size_t bytes) {
  void* memory = nullptr;
  return cudaMallocManaged(&memory, bytes) == cudaSuccess ? memory : nullptr;
}

void release_managed(void* memory) { cudaFree(memory); }

}  // namespace apsp
