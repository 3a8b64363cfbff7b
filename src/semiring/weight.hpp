// From the weight of an arc to a value of a semiring.
#pragma once

#include <apsp/semiring.hpp>

#include <limits>
#include <type_traits>

namespace apsp::semiring {

/// Whether there are weights that the type does not hold, or holds as "no path".
template <class S, class Weight>
inline constexpr bool kWeightsMayExceed =
    S::kKind == Semiring::min_plus&& std::is_integral_v<typename S::Value>&& static_cast<double>(
                    std::numeric_limits<Weight>::max()) > static_cast<double>(S::zero());

/// The value of an arc of this weight; without weights, of the empty path. Integers of shortest
/// paths are chosen by the distances (planner/value_type.hpp): a weight that the type does not hold
/// lies on no shortest path then, and is as good as no path.
template <class S, class Weight>
constexpr typename S::Value weight_as([[maybe_unused]] Weight weight) {
  using T = typename S::Value;
  if constexpr (S::kKind == Semiring::or_and) {
    return S::one();
  } else if constexpr (kWeightsMayExceed<S, Weight>) {
    constexpr auto kNone = static_cast<Weight>(S::zero());
    return weight < kNone ? static_cast<T>(weight) : S::zero();
  } else {
    return static_cast<T>(weight);
  }
}

}  // namespace apsp::semiring
