// The peak of each instruction mix, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/peak.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/peak-inl.h"
#include "semiring/min_plus.hpp"
#include "semiring/or_and.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

template <class T>
PeakRun peak_of_floats(bool by_bits) {
  using S = semiring::MinPlus<T>;
  return by_bits ? Peak<Relaxation<S, Sign::any, Least::by_bits>>::kernel()
                 : Peak<Relaxation<S, Sign::any>>::kernel();
}

PeakRun peak_run(ValueType type, Sign sign, bool by_bits) {
  using semiring::MinPlus;
  switch (type) {
    case ValueType::f64:
      return peak_of_floats<double>(by_bits);
    case ValueType::i32:
      return sign == Sign::any
                 ? Peak<Relaxation<MinPlus<std::int32_t>, Sign::any>>::kernel()
                 : Peak<Relaxation<MinPlus<std::int32_t>, Sign::non_negative>>::kernel();
    case ValueType::u16:
      return Peak<Relaxation<MinPlus<std::uint16_t>, Sign::non_negative>>::kernel();
    case ValueType::boolean:
      return Peak<Relaxation<semiring::OrAnd<std::uint8_t>, Sign::any>>::kernel(8);
    default:
      return peak_of_floats<float>(by_bits);
  }
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(peak_run);

PeakRun peak_run(ValueType type, Sign sign, bool by_bits) {
  return HWY_DYNAMIC_DISPATCH(peak_run)(type, sign, by_bits);
}

}  // namespace apsp::kernels::cpu
#endif
