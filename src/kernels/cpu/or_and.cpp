// The tile operations of or-and, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/or_and.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/kernels-inl.h"
#include "semiring/or_and.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

TileOperations or_and_operations(ValueType /*type*/, Sign /*sign*/) {
  return operations_of<Kernels<semiring::OrAnd<std::uint8_t>, Sign::any>>(ValueType::boolean);
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(or_and_operations);

TileOperations or_and_operations(ValueType type, Sign sign) {
  return HWY_DYNAMIC_DISPATCH(or_and_operations)(type, sign);
}

}  // namespace apsp::kernels::cpu
#endif
