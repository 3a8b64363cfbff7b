// Strict devices in place of GPUs: whoever links this file before the kernels' library finds two.
// It has every function of the library's CUDA engine, or the linker would take both.
#include <apsp/error.hpp>
#include <cstdlib>

#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr std::int64_t kMemory = std::int64_t{1} << 31;

/// APSP_STRICT_FAULT: how many operations succeed before one fails.
const bool has_fault = [] {
  const char* const text = std::getenv("APSP_STRICT_FAULT");
  if (text != nullptr) strict::fail_after(std::atoll(text));
  return text != nullptr;
}();

}  // namespace

std::string back_end() { return "strict devices"; }
std::vector<DeviceFacts> devices() {
  const DeviceFacts first = {0, "strict device", kMemory, kMemory, 132, 1980, 90, "13.0"};
  DeviceFacts second = first;
  second.ordinal = 1;
  return {first, second};
}
std::int64_t memory_free(int) { return kMemory; }
void start(int) noexcept {}
std::string why_no_device() { return {}; }

std::unique_ptr<ComputeDevice> make_device(int, Semiring semiring, ValueType type, Sign,
                                           std::int64_t memory, PeerWay) {
  if (memory == 0) memory = kMemory;
  if (semiring == Semiring::or_and) return strict::make_bit_device(memory);
  return strict::make_device(semiring, type, memory);
}
std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type, Sign) {
  return semiring == Semiring::or_and ? strict::bit_sizes() : strict::sizes(semiring, type);
}
void multiply_add_compiled(const SemiringExpressions&, const CompiledProduct&) {
  throw Error(ErrorKind::device, "strict devices compile nothing");
}

}  // namespace apsp::kernels::cuda
