#pragma once

#include <apsp/error.hpp>
#include <cstdint>
#include <string>
#include <type_traits>

#include "base/value_types.hpp"
#include "semiring/semirings.hpp"

namespace apsp::semiring {

/// Calls f.operator()<S>() with S = MinPlus<float>, … Throws `Error` (usage) for an unsupported
/// pair.
template <class F>
decltype(auto) dispatch(Semiring semiring, ValueType type, F&& f) {
  const auto over_numbers = [&]<template <class> class S>() -> decltype(auto) {
    return base::with_type(type, [&]<class T>() -> decltype(auto) {
      constexpr bool kHolds =
          sizeof(T) > 2 || (sizeof(T) == 2 && S<double>::kKind != Semiring::max_plus);
      return f.template operator()<S<std::conditional_t<kHolds, T, float>>>();
    });
  };
  if (!supported(semiring, type)) {
    throw Error(ErrorKind::usage, "the semiring " + std::string(name(semiring)) +
                                      " has no values of type " + std::string(name(type)));
  }
  switch (semiring) {
    case Semiring::max_min:
      return over_numbers.template operator()<MaxMin>();
    case Semiring::min_max:
      return over_numbers.template operator()<MinMax>();
    case Semiring::max_plus:
      return over_numbers.template operator()<MaxPlus>();
    case Semiring::or_and:
      return f.template operator()<OrAnd<std::uint8_t>>();
    default:
      return over_numbers.template operator()<MinPlus>();
  }
}

}  // namespace apsp::semiring
