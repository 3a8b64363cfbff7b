// The tile operations of min-max, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/min_max.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/kernels-inl.h"
#include "semiring/min_max.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

TileOperations min_max_operations(ValueType type, Sign /*sign*/) {
  switch (type) {
    case ValueType::f64:
      return operations_of<Kernels<semiring::MinMax<double>, Sign::any>>(type);
    case ValueType::i32:
      return operations_of<Kernels<semiring::MinMax<std::int32_t>, Sign::any>>(type);
    case ValueType::u16:
      return operations_of<Kernels<semiring::MinMax<std::uint16_t>, Sign::any>>(type);
    default:
      return operations_of<Kernels<semiring::MinMax<float>, Sign::any>>(type);
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(min_max_operations);

TileOperations min_max_operations(ValueType type, Sign sign) {
  return HWY_DYNAMIC_DISPATCH(min_max_operations)(type, sign);
}

}  // namespace apsp::kernels::cpu
#endif
