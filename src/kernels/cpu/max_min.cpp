// The tile operations of max-min, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/max_min.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/kernels-inl.h"
#include "semiring/max_min.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

TileOperations max_min_operations(ValueType type, Sign /*sign*/) {
  switch (type) {
    case ValueType::f64:
      return operations_of<Kernels<semiring::MaxMin<double>, Sign::any>>(type);
    case ValueType::i32:
      return operations_of<Kernels<semiring::MaxMin<std::int32_t>, Sign::any>>(type);
    case ValueType::u16:
      return operations_of<Kernels<semiring::MaxMin<std::uint16_t>, Sign::any>>(type);
    default:
      return operations_of<Kernels<semiring::MaxMin<float>, Sign::any>>(type);
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(max_min_operations);

TileOperations max_min_operations(ValueType type, Sign sign) {
  return HWY_DYNAMIC_DISPATCH(max_min_operations)(type, sign);
}

}  // namespace apsp::kernels::cpu
#endif
