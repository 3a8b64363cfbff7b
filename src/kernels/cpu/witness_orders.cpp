// The operations with witness of the semirings that only compare: max-min, min-max, or-and.
// Compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/witness_orders.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/witness-inl.h"
#include "semiring/max_min.hpp"
#include "semiring/min_max.hpp"
#include "semiring/or_and.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <template <class> class S>
WitnessOperations bottleneck_witness(ValueType type) {
  switch (type) {
    case ValueType::f64:
      return witness_operations_of<S<double>, Sign::any>();
    case ValueType::i32:
      return witness_operations_of<S<std::int32_t>, Sign::any>();
    case ValueType::u16:
      return witness_operations_of<S<std::uint16_t>, Sign::any>();
    default:
      return witness_operations_of<S<float>, Sign::any>();
  }
}

WitnessOperations order_witness(Semiring semiring, ValueType type) {
  switch (semiring) {
    case Semiring::max_min:
      return bottleneck_witness<semiring::MaxMin>(type);
    case Semiring::min_max:
      return bottleneck_witness<semiring::MinMax>(type);
    default:
      return witness_operations_of<semiring::OrAnd<std::uint8_t>, Sign::any>();
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(order_witness);

WitnessOperations witness_of_orders(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(order_witness)(semiring, type);
}

}  // namespace apsp::kernels::cpu
#endif
