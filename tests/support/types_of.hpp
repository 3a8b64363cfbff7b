// The types of value that a semiring takes, for tests that go through all of both.
#pragma once

#include <apsp/semiring.hpp>
#include <vector>

namespace apsp {

inline std::vector<ValueType> types_of(Semiring semiring) {
  std::vector<ValueType> types;
  for (const ValueType type :
       {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16, ValueType::boolean}) {
    if (supported(semiring, type)) types.push_back(type);
  }
  return types;
}

}  // namespace apsp
