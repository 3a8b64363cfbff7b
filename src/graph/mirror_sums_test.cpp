#include "graph/mirrored.hpp"

#include "base/random.hpp"
#include "support/test.hpp"
#include "support/weight_matrices.hpp"

namespace apsp::graph::mirror_sums_test {
namespace {

template <class T>
class MirrorSumsOf : public testing::Test {};
TYPED_TEST_SUITE(MirrorSumsOf, WeightTypes, WeightTypeNames);

template <class T>
bool told_symmetric(const std::vector<T>& values, std::int64_t n, std::int64_t parts) {
  MirrorSums sums;
  for (std::int64_t part = 0; part < parts; ++part) {
    sums.add(mirror_sums(matrix_of(values, n), {n * part / parts, n * (part + 1) / parts}, 2));
  }
  return sums.symmetric();
}

template <class T>
std::vector<T> symmetric_values(std::int64_t n) {
  base::SplitMix64 random(9);
  std::vector<T> values(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      const auto drawn = static_cast<T>(random.below(1000));
      const T value = random.below(4) == 0 ? WeightMatrix::no_arc<T>() : drawn;
      values[static_cast<std::size_t>(i * n + j)] = values[static_cast<std::size_t>(j * n + i)] =
          value;
    }
  }
  return values;
}

TYPED_TEST(MirrorSumsOf, KnowASymmetricMatrixByItsLines) {
  for (const std::int64_t n : {0, 1, 2, 7, 64, 131}) {
    const std::vector<TypeParam> values = symmetric_values<TypeParam>(n);
    for (const std::int64_t parts : {1, 3, 8}) EXPECT_TRUE(told_symmetric(values, n, parts)) << n;
  }
}

/// Changes one value by the least possible amount.
TYPED_TEST(MirrorSumsOf, NoticeEveryValueThatDiffers) {
  constexpr std::int64_t kN = 23;
  std::vector<TypeParam> values = symmetric_values<TypeParam>(kN);
  for (std::int64_t at = 0; at < kN * kN; ++at) {
    TypeParam& value = values[static_cast<std::size_t>(at)];
    const TypeParam before = value;
    value = before == TypeParam(5) ? TypeParam(6) : TypeParam(5);
    EXPECT_EQ(told_symmetric(values, kN, 2), at / kN == at % kN || value == before) << at;
    value = before;
  }
}

TYPED_TEST(MirrorSumsOf, NoticeTwoThatChangedPlaces) {
  std::vector<TypeParam> values = {0, 1, 2, 3,  //
                                   1, 0, 4, 5,  //
                                   2, 4, 0, 6,  //
                                   3, 5, 6, 0};
  EXPECT_TRUE(told_symmetric(values, 4, 1));
  std::swap(values[1], values[2]);
  EXPECT_FALSE(told_symmetric(values, 4, 1));
  std::swap(values[4], values[8]);
  EXPECT_TRUE(told_symmetric(values, 4, 1)) << "their mirror images too";
  std::swap(values[6], values[11]);
  EXPECT_FALSE(told_symmetric(values, 4, 1));
}

TEST(MirrorSums, ZeroHasNoSignAndHighBitsCount) {
  std::vector<double> values = {0, 0.0, -0.0, 0};
  EXPECT_TRUE(told_symmetric(values, 2, 1));
  values[1] = std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(told_symmetric(values, 2, 1));
  values[1] = 1;  // zeros below
  EXPECT_FALSE(told_symmetric(values, 2, 1));
}

}  // namespace
}  // namespace apsp::graph::mirror_sums_test
