// Whole rows on every instruction set: reduced and restored as single values are, and transposed.
#include "kernels/cpu/row_operations.hpp"

#include <bit>

#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "support/test.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::kernels::cpu::row_operations_test {
namespace {

using base::Potential;
using base::reduced;
using base::restored;

TEST(Potential, RoundsOnce) {
  // 1e16 + 1 is no double; in double-double it cancels exactly.
  const Potential large = base::two_sum(1e16, 1);
  EXPECT_EQ(reduced(0.25, large, Potential{1e16, 0}), 1.25);
  EXPECT_EQ(restored(0.25, Potential{1e16, 0}, large), 1.25);
  EXPECT_EQ(reduced(0.1, {0.2, 0}, {0.3, 0}), (0.1 - 0x1p-56) + (0.2 - 0.3) + 0x1p-56);
}

TEST(Potential, NoPathStaysAndZeroHasNoSign) {
  constexpr float none = std::numeric_limits<float>::infinity();
  EXPECT_EQ(reduced(none, {-1, 0}, {5, 0}), none);
  EXPECT_EQ(restored(none, {-1, 0}, {5, 0}), none);
  EXPECT_FALSE(std::signbit(reduced(-1.0F, {1, 0}, {0, 0})));
  EXPECT_FALSE(std::signbit(reduced(-1.0, {1, 0}, {0x1p-60, 0})));
}

template <class T>
class PotentialRows : public testing::Test {};
using Values = testing::Types<float, double>;
class ValueNames {
 public:
  template <class T>
  static std::string GetName(int) {
    return sizeof(T) == 4 ? "f32" : "f64";
  }
};
TYPED_TEST_SUITE(PotentialRows, Values, ValueNames);

template <class T>
std::vector<T> random_row(std::size_t n, base::SplitMix64& random, double sign) {
  std::vector<T> row(n);
  for (T& value : row) {
    value = static_cast<T>(100 * random.uniform() - 20);
    if (random.below(5) == 0) value = static_cast<T>(sign) * std::numeric_limits<T>::infinity();
  }
  return row;
}

TYPED_TEST(PotentialRows, AgreeWithSingleValues) {
  using T = TypeParam;
  const ValueType type = sizeof(T) == 4 ? ValueType::f32 : ValueType::f64;
  base::SplitMix64 random(5);
  for (const std::string& set : instruction_sets()) {
    force_instruction_set(set);
    const PotentialOperations operations = potential_operations(type);
    for (const std::size_t n : {0, 1, 7, 16, 33, 100}) {
      for (const double sign : {1.0, -1.0}) {
        const Potential from = base::two_sum(-30 * random.uniform(), 1e-17);
        std::vector<Potential> to(n);
        for (Potential& h : to) h = base::two_sum(-50 * random.uniform(), 1e-17 * random.uniform());
        const std::vector<T> weights = random_row<T>(n, random, sign);
        std::vector<T> row = weights;
        const auto width = static_cast<std::int64_t>(n);
        operations.reduce(row.data(), width, from, to.data(), sign);
        std::vector<T> lengths = row;
        for (std::size_t j = 0; j < n; ++j) {
          ASSERT_EQ(row[j], reduced(static_cast<T>(sign) * weights[j], from, to[j])) << set;
          ASSERT_FALSE(std::signbit(row[j]));
        }
        const LargestOfRow most = operations.restore(row.data(), width, from, to.data(), sign);
        double reduced_most = 0, distance_most = 0;
        for (std::size_t j = 0; j < n; ++j) {
          const T distance = restored(lengths[j], from, to[j]);
          ASSERT_EQ(row[j], static_cast<T>(sign) * distance) << set;
          if (std::isinf(lengths[j])) continue;
          reduced_most = std::max<double>(reduced_most, lengths[j]);
          distance_most = std::max<double>(distance_most, std::abs(distance));
        }
        EXPECT_EQ(most.reduced, reduced_most);
        EXPECT_NEAR(most.distance, distance_most, 1e-5);
      }
    }
  }
  force_instruction_set({});
}

class TransposedRowKernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_instruction_set(GetParam()); }
  void TearDown() override { force_instruction_set(std::nullopt); }
};

/// Rows of the result are `gap` values longer than whole lines, and values after them must not
/// change.
template <class T>
void expect_transposed(std::int64_t rows, std::int64_t count, std::int64_t gap) {
  constexpr std::int64_t kLine = 64 / sizeof(T);
  const std::int64_t stride = (count + kLine - 1) / kLine * kLine + kLine;
  system::AlignedMemory from(rows * stride * std::int64_t{sizeof(T)} + 64);
  base::SplitMix64 random(5);
  for (std::int64_t i = 0; i < rows * stride; ++i) from.as<T>()[i] = static_cast<T>(random.next());
  const std::int64_t apart = (rows + kLine - 1) / kLine * kLine + gap;
  system::AlignedMemory to(count * apart * std::int64_t{sizeof(T)} + 64);
  std::vector<void*> lines;
  for (std::int64_t i = 0; i < count; ++i) lines.push_back(to.as<T>() + i * apart);
  transpose_rows(sizeof(T))({from.data(), rows, count, stride}, lines.data(), count);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t j = 0; j < apart; ++j) {
      const T expected = j < rows ? from.as<T>()[j * stride + i] : T{0};
      ASSERT_EQ(to.as<T>()[i * apart + j], expected) << sizeof(T) << " bytes, " << rows << " rows, "
                                                     << count << " columns: " << i << ", " << j;
    }
  }
}

TEST_P(TransposedRowKernels, HoldColumnsOfEveryShape) {
  for (const std::int64_t rows : {0, 1, 7, 63, 64, 65, 200}) {
    for (const std::int64_t count : {0, 1, 2, 31, 32, 33, 64, 131}) {
      for (const std::int64_t gap : {0, 1, 64}) {
        expect_transposed<std::uint8_t>(rows, count, gap);
        expect_transposed<std::uint16_t>(rows, count, gap);
        expect_transposed<std::uint32_t>(rows, count, gap);
        expect_transposed<std::uint64_t>(rows, count, gap);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, TransposedRowKernels,
                         testing::ValuesIn(instruction_sets()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           return each.param;
                         });

}  // namespace
}  // namespace apsp::kernels::cpu::row_operations_test
