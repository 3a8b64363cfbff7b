// Linked where the build found no CUDA toolkit.
#include <apsp/error.hpp>

#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/cuda/expressions.hpp"

namespace apsp::kernels::cuda {

bool built_in() { return false; }
std::vector<DeviceFacts> devices() { return {}; }
std::int64_t memory_free(int) { throw Error(ErrorKind::device, why_no_device()); }
void start(int) noexcept {}
KeptGpu::KeptGpu() = default;  // nobody has a GPU in use
KeptGpu::~KeptGpu() { context_ = nullptr; }
std::string why_no_device() { return "this build has no CUDA engine (apsp doctor)"; }

std::unique_ptr<ComputeDevice> make_device(int, Semiring, ValueType, Sign, std::int64_t) {
  throw Error(ErrorKind::device, why_no_device());
}

std::unique_ptr<ComputeDevice> make_staged_device(int, Semiring, ValueType, Sign) {
  throw Error(ErrorKind::device, why_no_device());
}

std::unique_ptr<DeviceSizes> sizes(Semiring, ValueType, Sign) {
  throw Error(ErrorKind::device, why_no_device());
}

void multiply_add_compiled(const SemiringExpressions& semiring, const CompiledProduct& product) {
  expression_source(semiring, product.type);  // a wrong name is told before a missing GPU
  throw Error(ErrorKind::device, why_no_device());
}

}  // namespace apsp::kernels::cuda
