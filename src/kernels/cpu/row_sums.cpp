// Products with listed rows of min-plus and max-plus, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_sums.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/row_products-inl.h"
#include "semiring/max_plus.hpp"
#include "semiring/min_plus.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class S, Sign sign, Least least = Least::by_value>
RowOperations row_operations_of() {
  return RowProducts<Relaxation<S, sign, least>>::operations();
}

template <class T>
RowOperations min_plus_rows_of_floats(bool by_bits) {
  using S = semiring::MinPlus<T>;
  return by_bits ? row_operations_of<S, Sign::any, Least::by_bits>()
                 : row_operations_of<S, Sign::any>();
}

/// `by_bits`: the integer minimum for floats. Requires then: no negative values.
RowOperations min_plus_rows(ValueType type, Sign sign, bool by_bits) {
  using semiring::MinPlus;
  switch (type) {
    case ValueType::f64:
      return min_plus_rows_of_floats<double>(by_bits);
    case ValueType::i32:
      return sign == Sign::any ? row_operations_of<MinPlus<std::int32_t>, Sign::any>()
                               : row_operations_of<MinPlus<std::int32_t>, Sign::non_negative>();
    case ValueType::u16:
      return row_operations_of<MinPlus<std::uint16_t>, Sign::non_negative>();
    default:
      return min_plus_rows_of_floats<float>(by_bits);
  }
}

RowOperations max_plus_rows(ValueType type) {
  using semiring::MaxPlus;
  switch (type) {
    case ValueType::f64:
      return row_operations_of<MaxPlus<double>, Sign::any>();
    case ValueType::i32:
      return row_operations_of<MaxPlus<std::int32_t>, Sign::any>();
    default:
      return row_operations_of<MaxPlus<float>, Sign::any>();
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(min_plus_rows);
HWY_EXPORT(max_plus_rows);

RowOperations rows_of_sums(Semiring semiring, ValueType type, Sign sign, bool by_bits) {
  if (semiring == Semiring::max_plus) return HWY_DYNAMIC_DISPATCH(max_plus_rows)(type);
  return HWY_DYNAMIC_DISPATCH(min_plus_rows)(type, sign, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
