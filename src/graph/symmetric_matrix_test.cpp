#include "graph/symmetric_matrix.hpp"

#include "support/test.hpp"

namespace apsp::graph::symmetric_matrix_test {
namespace {

template <class T>
constexpr ValueType kType = std::is_same_v<T, std::uint8_t>    ? ValueType::boolean
                            : std::is_same_v<T, std::uint16_t> ? ValueType::u16
                            : std::is_same_v<T, std::int32_t>  ? ValueType::i32
                            : std::is_same_v<T, float>         ? ValueType::f32
                                                               : ValueType::f64;

template <class T>
class SymmetricMatrix : public testing::Test {
 protected:
  static SquareMatrix matrix(const std::vector<T>& values, std::int64_t n) {
    return {values.data(), n, n + 3, kType<T>};
  }
  static T& at(std::vector<T>& values, std::int64_t n, std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(i * (n + 3) + j)];
  }

  /// [n, n] with rows n + 3 apart; the padding does not count.
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
    switch (kType<T>) {
      case ValueType::boolean:
        return "bool";
      case ValueType::u16:
        return "u16";
      case ValueType::i32:
        return "i32";
      case ValueType::f32:
        return "f32";
      default:
        return "f64";
    }
  }
};
using Values = testing::Types<std::uint8_t, std::uint16_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(SymmetricMatrix, Values, ValueNames);

TYPED_TEST(SymmetricMatrix, IsRecognisedAtEverySize) {
  for (const std::int64_t n : {0, 1, 2, 7, 8, 15, 16, 17, 33, 64, 65, 1024, 1040}) {
    const auto values = this->mirrored(n);
    EXPECT_FALSE(find_asymmetry(this->matrix(values, n), 3)) << n;
    EXPECT_FALSE(begins_asymmetric(this->matrix(values, n))) << n;
  }
}

TYPED_TEST(SymmetricMatrix, OneValueThatDiffersIsFoundWhereverItIs) {
  for (const std::int64_t n : {2, 17, 35, 71, 1027}) {
    const std::vector<TypeParam> whole = this->mirrored(n);
    const std::vector<std::pair<std::int64_t, std::int64_t>> places = {
        {0, 1}, {1, 0}, {0, n - 1}, {n - 1, 0}, {n - 1, n - 2}, {n - 2, n - 1}, {n / 2, n / 3 + 1}};
    for (const auto& [i, j] : places) {
      if (i == j) continue;
      std::vector<TypeParam> spoilt = whole;
      this->at(spoilt, n, i, j) += 1;
      const auto found = find_asymmetry(this->matrix(spoilt, n), 3);
      ASSERT_TRUE(found) << n << ": " << i << ", " << j;
      EXPECT_EQ(std::pair(found->row, found->col), std::minmax({i, j}));
      EXPECT_EQ(begins_asymmetric(this->matrix(spoilt, n)), std::max(i, j) < 64);
    }
  }
}

TYPED_TEST(SymmetricMatrix, TheFirstOfManyDifferencesIsNamed) {
  constexpr std::int64_t n = 1100;
  for (const auto& [row, col] : {std::pair{3, 1099}, std::pair{70, 71}, std::pair{1097, 1098}}) {
    std::vector<TypeParam> spoilt = this->mirrored(n);
    this->at(spoilt, n, col, row) += 1;
    if (col + 1 < n) this->at(spoilt, n, row, col + 1) += 1;     // further right
    if (row < 1000) this->at(spoilt, n, row + 5, row + 6) += 1;  // further down and left
    this->at(spoilt, n, n - 1, n - 2) += 1;
    for (const int threads : {1, 4}) {
      const auto found = find_asymmetry(this->matrix(spoilt, n), threads);
      ASSERT_TRUE(found);
      EXPECT_EQ(std::pair(found->row, found->col),
                (std::pair<std::int64_t, std::int64_t>(row, col)));
    }
  }
}

TEST(SymmetricMatrixValues, ZerosOfBothSignsAreEqualAndNaNEqualsNothing) {
  std::vector<float> values = {1, -0.0f, 0, 1};
  EXPECT_FALSE(find_asymmetry({values.data(), 2, 2, ValueType::f32}, 1));
  values[1] = values[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(find_asymmetry({values.data(), 2, 2, ValueType::f32}, 1));
}

}  // namespace
}  // namespace apsp::graph::symmetric_matrix_test
