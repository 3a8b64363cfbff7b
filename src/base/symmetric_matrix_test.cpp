#include "base/symmetric_matrix.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace apsp::base {
namespace {

template <class T>
class SymmetricMatrix : public testing::Test {
 protected:
  static bool symmetric(const std::vector<T>& values, std::int64_t n, std::int64_t stride) {
    return is_symmetric(values.data(), n, stride, sizeof(T), 3);
  }

  /// [n, n] with rows n + 3 apart; what lies between the rows is no part of it.
  static std::vector<T> mirrored(std::int64_t n) {
    std::vector<T> values(static_cast<std::size_t>(n * (n + 3)));
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n + 3; ++j) {
        const std::int64_t low = std::min(i, j), high = std::max(i, j);
        values[static_cast<std::size_t>(i * (n + 3) + j)] =
            static_cast<T>(j < n ? (7 * low + 3 * high) % 101 : i);
      }
    }
    return values;
  }
};

struct ValueNames {
  template <class T>
  static std::string GetName(int) {
    return sizeof(T) == 1 ? "u8" : sizeof(T) == 2 ? "u16" : sizeof(T) == 4 ? "f32" : "f64";
  }
};
using Values = testing::Types<std::uint8_t, std::uint16_t, float, double>;
TYPED_TEST_SUITE(SymmetricMatrix, Values, ValueNames);

TYPED_TEST(SymmetricMatrix, IsRecognisedAtEverySize) {
  for (const std::int64_t n : {0, 1, 2, 15, 16, 17, 33, 1024, 1040}) {
    EXPECT_TRUE(this->symmetric(this->mirrored(n), n, n + 3)) << n;
  }
}

TYPED_TEST(SymmetricMatrix, OneValueThatDiffersIsFoundWhereverItIs) {
  for (const std::int64_t n : {2, 17, 35, 1027}) {
    const std::vector<TypeParam> whole = this->mirrored(n);
    const std::vector<std::pair<std::int64_t, std::int64_t>> places = {
        {0, 1}, {1, 0}, {0, n - 1}, {n - 1, 0}, {n - 1, n - 2}, {n - 2, n - 1}, {n / 2, n / 3 + 1}};
    for (const auto& [i, j] : places) {
      if (i == j) continue;
      std::vector<TypeParam> spoilt = whole;
      spoilt[static_cast<std::size_t>(i * (n + 3) + j)] += 1;
      EXPECT_FALSE(this->symmetric(spoilt, n, n + 3)) << n << ": " << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace apsp::base
