#include "kernels/cuda/launches.hpp"

#include "kernels/cuda/launch_listed.cuh"

namespace apsp::kernels::cuda {
namespace {

template <class R>
void set(DeviceOperations& operations) {
  operations.multiply_listed = launch_listed<R>;
  operations.begin_rows = launch_begin_rows<R>;
}

}  // namespace

void set_listed_rows(Semiring semiring, ValueType type, DeviceOperations& operations) {
  if (semiring != Semiring::min_plus) return;
  if (type == ValueType::u16) set<Relaxation<semiring::MinPlus<std::uint16_t>>>(operations);
  if (type == ValueType::i32) set<Relaxation<semiring::MinPlus<std::int32_t>>>(operations);
}

}  // namespace apsp::kernels::cuda
