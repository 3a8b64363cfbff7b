// Weight matrices over values of every type that they may have, for typed tests.
#pragma once

#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace apsp {

using WeightTypes = testing::Types<float, double, std::int32_t, std::uint16_t>;

template <class T>
constexpr ValueType kWeightType = std::is_same_v<T, float>          ? ValueType::f32
                                  : std::is_same_v<T, double>       ? ValueType::f64
                                  : std::is_same_v<T, std::int32_t> ? ValueType::i32
                                                                    : ValueType::u16;

struct WeightTypeNames {
  template <class T>
  static std::string GetName(int /*number*/) {
    return std::string(name(kWeightType<T>));
  }
};

/// values: [n, n], copied.
template <class T>
WeightMatrix matrix_of(const std::vector<T>& values, std::int64_t n, bool by_columns = false) {
  WeightMatrix matrix;
  matrix.type = kWeightType<T>;
  matrix.n = n;
  matrix.by_columns = by_columns;
  auto owned = std::make_shared<const std::vector<T>>(values);
  matrix.data = owned->data();
  matrix.owner = owned;
  return matrix;
}

}  // namespace apsp
