// Products with listed rows of the semirings that only compare: max-min, min-max, or-and. Compiled
// once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_orders.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/row_products-inl.h"
#include "semiring/max_min.hpp"
#include "semiring/min_max.hpp"
#include "semiring/or_and.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class S>
RowOperations order_rows_of() {
  return RowProducts<Relaxation<S, Sign::any>>::operations();
}

template <template <class> class S>
RowOperations bottleneck_rows(ValueType type) {
  switch (type) {
    case ValueType::f64:
      return order_rows_of<S<double>>();
    case ValueType::i32:
      return order_rows_of<S<std::int32_t>>();
    case ValueType::u16:
      return order_rows_of<S<std::uint16_t>>();
    default:
      return order_rows_of<S<float>>();
  }
}

RowOperations order_rows(Semiring semiring, ValueType type) {
  switch (semiring) {
    case Semiring::max_min:
      return bottleneck_rows<semiring::MaxMin>(type);
    case Semiring::min_max:
      return bottleneck_rows<semiring::MinMax>(type);
    default:
      return order_rows_of<semiring::OrAnd<std::uint8_t>>();
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(order_rows);

RowOperations rows_of_orders(Semiring semiring, ValueType type) {
  return HWY_DYNAMIC_DISPATCH(order_rows)(semiring, type);
}

}  // namespace apsp::kernels::cpu
#endif
