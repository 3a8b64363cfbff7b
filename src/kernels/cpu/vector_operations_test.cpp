// Vectors of every semiring, type, sign and instruction set against scalar arithmetic.
#include "kernels/cpu/vector_operations.hpp"

#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "semiring/dispatch.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::kernels::cpu::vector_operations_test {
namespace {

template <class S>
class DrawnVectors {
 public:
  using T = typename S::Value;

  DrawnVectors(VectorOperations operations, Sign sign) : operations_(operations), sign_(sign) {}

  /// Unaligned, and followed by a value that must not change.
  void expect_right(std::size_t n) {
    const std::vector<T> x = drawn(n), y = drawn(n);
    for (const T a : {S::zero(), S::one(), value()}) {
      std::vector<T> found = y, expected = y;
      for (std::size_t i = 1; i <= n; ++i) {
        expected[i] = S::plus(expected[i], S::times(a, x[i]));
      }
      operations_.relax(&a, x.data() + 1, found.data() + 1, static_cast<std::int64_t>(n));
      ASSERT_EQ(found, expected) << n;
    }
    T met{}, expected = S::zero();
    for (std::size_t i = 1; i <= n; ++i) expected = S::plus(expected, S::times(x[i], y[i]));
    operations_.meet(x.data() + 1, y.data() + 1, static_cast<std::int64_t>(n), &met);
    ASSERT_EQ(met, expected) << n;
    expect_gathered(n);
    if (n < 20) expect_descended(static_cast<std::int32_t>(n));
  }

 private:
  /// Indices anywhere before the values, which are in the same array.
  void expect_gathered(std::size_t n) {
    constexpr std::size_t kPlaces = 50;
    for (const std::size_t rows : {1, 3}) {
      const std::vector<T> x = drawn(rows * n);
      std::vector<std::int32_t> places(n);
      for (auto& place : places) place = static_cast<std::int32_t>(random_.below(kPlaces));
      std::vector<T> found = drawn(kPlaces + rows), expected = found;
      for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t k = 0; k < n; ++k) {
          T& value = expected[kPlaces + j];
          const auto place = static_cast<std::size_t>(places[k]);
          value = S::plus(value, S::times(x[j * n + k], found[place]));
        }
      }
      operations_.meet_gathered(x.data(), static_cast<std::int64_t>(rows), found.data(),
                                places.data(), static_cast<std::int64_t>(n),
                                found.data() + kPlaces);
      ASSERT_EQ(found, expected) << rows << " × " << n;
    }
  }

  /// Blocks of up to 40 vertices, some of which have initial values, and whose columns are earlier
  /// distances.
  void expect_descended(std::int32_t columns) {
    constexpr std::int32_t kBefore = 30, kBlocks = 3;
    constexpr std::size_t kSlack = 1 + kDownwardSlack;
    for (const bool initial : {false, true}) {
      const auto width = static_cast<std::int32_t>(1 + random_.below(40));
      std::vector<std::int32_t> structure;
      for (std::int32_t block = 0; block < kBlocks; ++block) {
        structure.insert(structure.end(), {width, columns});
        const auto known = static_cast<std::uint64_t>(kBefore + block * width);
        for (std::int32_t k = 0; k < columns; ++k) {
          structure.push_back(static_cast<std::int32_t>(1 + random_.below(known - 1)));
        }
        for (std::int32_t k = columns; k % kDownwardColumns > 0; ++k) structure.push_back(0);
      }
      const auto sizes = static_cast<std::size_t>(kBlocks * width * columns);
      const std::vector<T> x = drawn(sizes + static_cast<std::size_t>(width) + kSlack);
      const std::vector<T> begin = drawn(static_cast<std::size_t>(width) + kSlack);
      std::vector<T> found = drawn(static_cast<std::size_t>(kBefore + kBlocks * width) + kSlack);
      found[0] = S::zero();
      std::vector<T> expected = found;
      std::size_t at = 0, to = kBefore, k = 2;
      for (std::int32_t block = 0; block < kBlocks; ++block) {
        for (std::int32_t j = 0; j < width; ++j) {
          expected[to + j] = initial ? begin[j] : S::zero();
          for (std::int32_t c = 0; c < columns; ++c) {
            const T product = S::times(x[at + c * width + j], expected[structure[k + c]]);
            expected[to + j] = S::plus(expected[to + j], product);
          }
        }
        at += width * columns;
        to += width;
        k += 2 + (columns + kDownwardColumns - 1) / kDownwardColumns * kDownwardColumns;
      }
      DownwardBlocks next{structure.data(), x.data(), found.data() + kBefore};
      operations_.descend(next, 1, found.data(), initial ? begin.data() : nullptr);
      operations_.descend(next, kBlocks - 1, found.data(), initial ? begin.data() : nullptr);
      ASSERT_EQ(next.to, found.data() + to);
      found.resize(to);
      expected.resize(to);
      ASSERT_EQ(found, expected) << columns << " columns of " << width;
    }
  }

  T value() {
    if (random_.below(5) == 0) return S::zero();
    if (S::kKind == Semiring::or_and) return static_cast<T>(random_.below(2));
    const bool negative = std::is_signed_v<T> && sign_ == Sign::any;
    return static_cast<T>(static_cast<int>(random_.below(100)) - (negative ? 40 : 0));
  }
  std::vector<T> drawn(std::size_t n) {
    std::vector<T> values(n + 2);
    for (T& each : values) each = value();
    return values;
  }

  VectorOperations operations_;
  Sign sign_;
  base::SplitMix64 random_{5};
};

class VectorKernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_instruction_set(GetParam()); }
  void TearDown() override { force_instruction_set(std::nullopt); }
};

TEST_P(VectorKernels, EverySemiringTypeAndSign) {
  for (const auto& [semiring, type] : all_kinds()) {
    for (const Sign sign : {Sign::any, Sign::non_negative}) {
      if (sign == Sign::any && type == ValueType::u16) continue;
      SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
      semiring::dispatch(semiring, type, [&]<class S>() {
        DrawnVectors<S> vectors(vector_operations(semiring, type, sign), sign);
        for (std::size_t n = 0; n < 70; ++n) vectors.expect_right(n);
        for (const std::size_t n : {127, 128, 129, 1000}) vectors.expect_right(n);
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, VectorKernels, testing::ValuesIn(instruction_sets()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           return each.param;
                         });

}  // namespace
}  // namespace apsp::kernels::cpu::vector_operations_test
