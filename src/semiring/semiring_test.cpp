// The laws of a closed semiring, for every pair of semiring and value type, over values that
// include both infinities, negatives and zero.
#include <apsp/semiring.hpp>

#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::semiring_test {
namespace {

template <class S>
std::vector<typename S::Value> sample_values() {
  using T = typename S::Value;
  std::vector<T> values = {S::zero(), S::one(), T(0), T(1)};
  if constexpr (S::kKind != Semiring::or_and) {
    for (const int v : {2, 3, 7, 100, 10000}) values.push_back(T(v));
    if constexpr (std::is_signed_v<T>) {
      for (const int v : {-1, -5, -10000}) values.push_back(T(v));
    }
  }
  return values;
}

template <class S>
void check_laws() {
  const auto values = sample_values<S>();
  for (const auto a : values) {
    EXPECT_EQ(S::plus(a, a), a) << "⊕ is idempotent";
    EXPECT_EQ(S::plus(a, S::zero()), a) << "no path is neutral for ⊕";
    EXPECT_EQ(S::times(a, S::one()), a) << "the empty path is neutral for ⊗";
    EXPECT_EQ(S::times(S::one(), a), a);
    EXPECT_EQ(S::times(a, S::zero()), S::zero()) << "no path absorbs";
    EXPECT_EQ(S::times(S::zero(), a), S::zero());
    EXPECT_FALSE(S::better(a, a));
    for (const auto b : values) {
      EXPECT_EQ(S::plus(a, b), S::plus(b, a)) << "⊕ commutes";
      EXPECT_EQ(S::better(a, b), S::plus(a, b) == a && a != b);
      for (const auto c : values) {
        EXPECT_EQ(S::plus(a, S::plus(b, c)), S::plus(S::plus(a, b), c));
        EXPECT_EQ(S::times(a, S::times(b, c)), S::times(S::times(a, b), c));
        EXPECT_EQ(S::times(a, S::plus(b, c)), S::plus(S::times(a, b), S::times(a, c)));
        EXPECT_EQ(S::times(S::plus(a, b), c), S::plus(S::times(a, c), S::times(b, c)));
      }
    }
  }
}

TEST(Semiring, LawsHoldForEveryPair) {
  int pairs = 0;
  for (const auto& [semiring, type] : all_kinds()) {
    SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
    semiring::dispatch(semiring, type, []<class S>() { check_laws<S>(); });
    ++pairs;
  }
  EXPECT_EQ(pairs, 16);
}

TEST(Semiring, SumOfTwoIntegerInfinitiesDoesNotWrap) {
  constexpr std::int64_t i32 = semiring::Infinity<std::int32_t>::plus;
  EXPECT_LE(2 * i32, std::numeric_limits<std::int32_t>::max());
  constexpr std::int64_t u16 = semiring::Infinity<std::uint16_t>::plus;
  EXPECT_LE(2 * u16, std::numeric_limits<std::uint16_t>::max());
}

// A constant expression: undefined sums would not compile.
TEST(Semiring, SumsOfDamagedIntegersWrap) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  static_assert(semiring::MinPlus<std::int32_t>::times(most, 2) == -most);
  static_assert(semiring::MaxPlus<std::int32_t>::times(-most, -2) == most);
  static_assert(semiring::MinPlus<std::uint16_t>::times(65535, 2) == 1);
}

TEST(Semiring, NamesGoBothWays) {
  for (const Semiring semiring : all_semirings())
    EXPECT_EQ(parse_semiring(name(semiring)), semiring);
  for (const ValueType type : all_value_types()) EXPECT_EQ(parse_value_type(name(type)), type);
  EXPECT_EQ(parse_semiring("plus-min"), std::nullopt);
  EXPECT_EQ(parse_value_type("f16"), std::nullopt);
}

TEST(Semiring, PairsThatMakeNoSenseAreRefused) {
  EXPECT_FALSE(supported(Semiring::max_plus, ValueType::u16));
  EXPECT_FALSE(supported(Semiring::or_and, ValueType::f32));
  EXPECT_THROW(no_path(Semiring::min_plus, ValueType::boolean), Error);
}

TEST(Semiring, InfinitiesAreExact) {
  EXPECT_EQ(no_path(Semiring::min_plus, ValueType::f32), INFINITY);
  EXPECT_EQ(no_path(Semiring::max_min, ValueType::f64), -INFINITY);
  EXPECT_EQ(no_path(Semiring::min_plus, ValueType::i32), 1073741823);
  EXPECT_EQ(no_path(Semiring::min_plus, ValueType::u16), 32767);
  EXPECT_EQ(no_path(Semiring::max_plus, ValueType::i32), -1073741823);
  EXPECT_EQ(empty_path(Semiring::max_min, ValueType::i32), 1073741823);
  EXPECT_EQ(largest_distance(ValueType::u16), 32766);
}

TEST(WeightAs, IsNoPathWhereTheTypeDoesNotHoldTheWeight) {
  using Half = semiring::MinPlus<std::uint16_t>;
  using Word = semiring::MinPlus<std::int32_t>;
  for (const double above : {32767.0, 32768.0, 65536.0, 65537.0, 1e18}) {
    EXPECT_EQ(semiring::weight_as<Half>(above), Half::zero()) << above;
  }
  EXPECT_EQ(semiring::weight_as<Half>(32766.0), 32766);
  EXPECT_EQ(semiring::weight_as<Half>(std::int32_t{65536}), Half::zero());
  EXPECT_EQ(semiring::weight_as<Half>(std::uint16_t{40000}), Half::zero());
  EXPECT_EQ(semiring::weight_as<Half>(std::uint16_t{32766}), 32766);
  EXPECT_EQ(semiring::weight_as<Word>(std::uint16_t{40000}), 40000);
  EXPECT_EQ(semiring::weight_as<Word>(0x1p30), Word::zero());
  EXPECT_EQ(semiring::weight_as<Word>(0x1p30F), Word::zero());
  EXPECT_EQ(semiring::weight_as<Word>(0x1p30 - 2), (1 << 30) - 2);
  EXPECT_EQ(semiring::weight_as<Word>(-7.0), -7);
  EXPECT_EQ(semiring::weight_as<semiring::OrAnd<std::uint8_t>>(0.0), 1);
  EXPECT_EQ(semiring::weight_as<semiring::MinPlus<float>>(0.5), 0.5F);
}

}  // namespace
}  // namespace apsp::semiring_test
