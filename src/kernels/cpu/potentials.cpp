// Rows are reduced and restored in double-double (kernels/potential.hpp), a vector of doubles at a
// time: some twenty additions a value, which an AVX-512 core does about as fast as memory gives the
// values. Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/potentials.cpp"
#include "base/targets.hpp"
// The instruction sets are chosen above, before Highway looks at them.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "kernels/cpu/potentials.hpp"

HWY_BEFORE_NAMESPACE();
namespace apsp::kernels::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
static_assert(sizeof(Potential) == 2 * sizeof(double));

struct TwoDoubles {
  Vector high, low;
};

HWY_INLINE TwoDoubles two_sum(Vector a, Vector b) {
  const Vector sum = hn::Add(a, b);
  const Vector of_b = hn::Sub(sum, a);
  return {sum, hn::Add(hn::Sub(a, hn::Sub(sum, of_b)), hn::Sub(b, of_b))};
}

/// a − b + c, rounded to a double.
HWY_INLINE Vector combine(TwoDoubles a, TwoDoubles b, Vector c) {
  const TwoDoubles highs = two_sum(a.high, hn::Neg(b.high));
  const Vector low = hn::Add(highs.low, hn::Sub(a.low, b.low));
  const TwoDoubles value = two_sum(highs.high, c);
  return hn::Add(value.high, hn::Add(value.low, low));
}

HWY_INLINE Vector load(Doubles d, const double* values) { return hn::LoadU(d, values); }
HWY_INLINE Vector load(Doubles d, const float* values) {
  const hn::Rebind<float, Doubles> narrow;
  return hn::PromoteTo(d, hn::LoadU(narrow, values));
}
HWY_INLINE void store(Doubles d, Vector values, double* out) { hn::StoreU(values, d, out); }
HWY_INLINE void store(Doubles, Vector values, float* out) {
  const hn::Rebind<float, Doubles> narrow;
  hn::StoreU(hn::DemoteTo(narrow, values), narrow, out);
}

HWY_INLINE TwoDoubles load_potentials(Doubles d, const Potential* potentials) {
  TwoDoubles pair;
  hn::LoadInterleaved2(d, &potentials->high, pair.high, pair.low);
  return pair;
}

/// Without vectors Highway narrows infinity to the largest float: single values are as good there.
constexpr bool kVectors = HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128;

template <class T>
void reduce(void* row, std::int64_t n, Potential from, const Potential* to, double sign) {
  const Doubles d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const TwoDoubles source = {hn::Set(d, from.high), hn::Set(d, from.low)};
  const Vector signs = hn::Set(d, sign), largest = hn::Set(d, kLargestFinite);
  auto* const values = static_cast<T*>(row);
  std::int64_t j = 0;
  for (; kVectors && j + lanes <= n; j += lanes) {
    const Vector weight = hn::Mul(load(d, values + j), signs);
    const Vector value = combine(source, load_potentials(d, to + j), weight);
    const Vector positive = hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value);
    store(d, hn::IfThenElse(hn::Gt(weight, largest), weight, positive), values + j);
  }
  for (; j < n; ++j) values[j] = reduced(static_cast<T>(sign) * values[j], from, to[j]);
}

template <class T>
LargestOfRow restore(void* row, std::int64_t n, Potential from, const Potential* to, double sign) {
  const Doubles d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const TwoDoubles source = {hn::Set(d, from.high), hn::Set(d, from.low)};
  const Vector signs = hn::Set(d, sign), largest = hn::Set(d, kLargestFinite);
  Vector most_reduced = hn::Zero(d), most_distant = hn::Zero(d);
  auto* const values = static_cast<T*>(row);
  std::int64_t j = 0;
  for (; kVectors && j + lanes <= n; j += lanes) {
    const Vector length = load(d, values + j);
    const Vector value = combine(load_potentials(d, to + j), source, length);
    const auto none = hn::Gt(length, largest);
    const Vector distance = hn::IfThenElse(none, length, value);
    most_reduced = hn::Max(most_reduced, hn::IfThenZeroElse(none, length));
    most_distant = hn::Max(most_distant, hn::IfThenZeroElse(none, hn::Abs(value)));
    store(d, hn::Mul(distance, signs), values + j);
  }
  LargestOfRow most{hn::GetLane(hn::MaxOfLanes(d, most_reduced)),
                    hn::GetLane(hn::MaxOfLanes(d, most_distant))};
  for (; j < n; ++j) {
    const T length = values[j];
    const T distance = restored(length, from, to[j]);
    values[j] = static_cast<T>(sign) * distance;
    if (static_cast<double>(length) > kLargestFinite) continue;
    most.reduced = std::max(most.reduced, static_cast<double>(length));
    most.distance = std::max(most.distance, std::abs(static_cast<double>(distance)));
  }
  return most;
}

PotentialOperations potential_operations(ValueType type) {
  if (type == ValueType::f64) return {&reduce<double>, &restore<double>};
  return {&reduce<float>, &restore<float>};
}

}  // namespace apsp::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsp::kernels::cpu {

HWY_EXPORT(potential_operations);

PotentialOperations potential_operations(ValueType type) {
  return HWY_DYNAMIC_DISPATCH(potential_operations)(type);
}

}  // namespace apsp::kernels::cpu
#endif
