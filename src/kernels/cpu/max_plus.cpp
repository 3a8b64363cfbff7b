// The tile operations of max-plus, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/max_plus.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/kernels-inl.h"
#include "semiring/max_plus.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

TileOperations max_plus_operations(ValueType type, Sign /*sign*/) {
  switch (type) {
    case ValueType::f64:
      return operations_of<Kernels<semiring::MaxPlus<double>, Sign::any>>(type);
    case ValueType::i32:
      return operations_of<Kernels<semiring::MaxPlus<std::int32_t>, Sign::any>>(type);
    default:
      return operations_of<Kernels<semiring::MaxPlus<float>, Sign::any>>(type);
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(max_plus_operations);

TileOperations max_plus_operations(ValueType type, Sign sign) {
  return HWY_DYNAMIC_DISPATCH(max_plus_operations)(type, sign);
}

}  // namespace apsp::kernels::cpu
#endif
