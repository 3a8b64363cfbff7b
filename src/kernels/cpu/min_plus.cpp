// The tile operations of min-plus, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/min_plus.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/kernels-inl.h"
#include "semiring/min_plus.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

/// `by_bits`: the integer minimum for floats. Requires then: no negative values.
TileOperations min_plus_operations(ValueType type, Sign sign, bool by_bits) {
  using semiring::MinPlus;
  switch (type) {
    case ValueType::f64:
      return by_bits ? operations_of<Kernels<MinPlus<double>, Sign::any, Least::by_bits>>(type)
                     : operations_of<Kernels<MinPlus<double>, Sign::any>>(type);
    case ValueType::i32:
      return sign == Sign::any
                 ? operations_of<Kernels<MinPlus<std::int32_t>, Sign::any>>(type)
                 : operations_of<Kernels<MinPlus<std::int32_t>, Sign::non_negative>>(type);
    case ValueType::u16:
      return operations_of<Kernels<MinPlus<std::uint16_t>, Sign::non_negative>>(type);
    default:
      return by_bits ? operations_of<Kernels<MinPlus<float>, Sign::any, Least::by_bits>>(type)
                     : operations_of<Kernels<MinPlus<float>, Sign::any>>(type);
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(min_plus_operations);

TileOperations min_plus_operations(ValueType type, Sign sign, bool by_bits) {
  return HWY_DYNAMIC_DISPATCH(min_plus_operations)(type, sign, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
