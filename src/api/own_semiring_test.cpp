// Semirings of one's own against the triple loop and against the built-in ones; what breaks a law,
// throws or is no square ends as an error.
#include <apsp/solve.hpp>

#include "base/random.hpp"
#include "support/own_semirings.hpp"
#include "support/test.hpp"

namespace apsp::own_semiring_test {
namespace {

constexpr std::int64_t kSizes[] = {0, 1, 2, 7, 48, 64, 65, 200};

template <class Real>
struct RealSums {
  using Value = Real;
  static constexpr Value zero() { return std::numeric_limits<Real>::infinity(); }
  static constexpr Value one() { return 0; }
  static constexpr Value plus(Value a, Value b) { return std::min(a, b); }
  static constexpr Value times(Value a, Value b) { return a + b; }
};
using FloatSums = RealSums<float>;
using DoubleSums = RealSums<double>;

struct Reach {
  using Value = bool;
  static constexpr Value zero() { return false; }
  static constexpr Value one() { return true; }
  static constexpr Value plus(Value a, Value b) { return a || b; }
  static constexpr Value times(Value a, Value b) { return a && b; }
};

template <class S>
typename S::Value random_value(base::SplitMix64& random) {
  return random.uniform() < 0.7 ? S::zero() : edge_value<S>([&](std::int32_t most) {
    return 1 + static_cast<std::int32_t>(random.uniform() * most);
  });
}

/// A plain array, for std::vector<bool> has no values of its own.
template <class T>
class Matrix {
 public:
  explicit Matrix(std::int64_t n, std::int64_t stride)
      : n_(n),
        stride_(stride),
        values_(std::make_unique<T[]>(static_cast<std::size_t>(n * stride))) {}
  T& operator()(std::int64_t i, std::int64_t j) {
    return values_[static_cast<std::size_t>(i * stride_ + j)];
  }
  MatrixView<T> view() { return {values_.get(), n_, n_, stride_}; }

 private:
  std::int64_t n_, stride_;
  std::unique_ptr<T[]> values_;
};

template <class S>
Matrix<typename S::Value> random_matrix(std::int64_t n, std::int64_t stride) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n) + 5);
  Matrix<typename S::Value> matrix(n, stride);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < stride; ++j) matrix(i, j) = random_value<S>(random);
  }
  return matrix;
}

template <class S>
void triple_loop(Matrix<typename S::Value>& d, std::int64_t n) {
  for (std::int64_t k = 0; k < n; ++k) d(k, k) = S::plus(d(k, k), S::one());
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        d(i, j) = S::plus(d(i, j), S::times(d(i, k), d(k, j)));
      }
    }
  }
}

template <class S>
class OwnSemiringTest : public testing::Test {};
using AllKinds =
    testing::Types<Sums, FloatSums, DoubleSums, Reach, ShortestWidest, FirstEdge, Sets>;
struct KindNames {
  template <class S>
  static std::string GetName(int kind) {
    static constexpr const char* kNames[] = {"Sums",           "FloatSums", "DoubleSums", "Reach",
                                             "ShortestWidest", "FirstEdge", "Sets"};
    return kNames[kind];
  }
};
TYPED_TEST_SUITE(OwnSemiringTest, AllKinds, KindNames);

TYPED_TEST(OwnSemiringTest, AgreesWithTheTripleLoop) {
  using S = TypeParam;
  for (const std::int64_t n : kSizes) {
    Matrix<typename S::Value> expected = random_matrix<S>(n, n + 3);
    triple_loop<S>(expected, n);
    for (const int threads : {1, 3}) {
      for (const std::int64_t tile : {0, 7, 48, 150}) {
        Matrix<typename S::Value> solved = random_matrix<S>(n, n + 3);
        floyd_warshall<S>(solved.view(), {.threads = threads, .tile = tile});
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t j = 0; j < n + 3; ++j) {  // beyond n: nothing was written
            ASSERT_TRUE(solved(i, j) == expected(i, j))
                << n << " vertices, tile " << tile << ", " << threads << " threads: " << i << ", "
                << j;
          }
        }
      }
    }
  }
}

TYPED_TEST(OwnSemiringTest, KeepsTheLaws) {
  base::SplitMix64 random(3);
  std::vector<typename TypeParam::Value> samples;
  for (int i = 0; i < 12; ++i) samples.push_back(random_value<TypeParam>(random));
  if constexpr (!std::is_same_v<TypeParam, Reach>) {
    EXPECT_EQ(broken_semiring_law<TypeParam>(samples), "");
  }
}

TEST(OwnSemiring, IntegersAreThoseOfTheBuiltInSemiring) {
  for (const std::int64_t n : kSizes) {
    Matrix<std::int32_t> own = random_matrix<Sums>(n, n), built_in = random_matrix<Sums>(n, n);
    floyd_warshall<Sums>(own.view());
    floyd_warshall<MinPlus>(built_in.view());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) ASSERT_EQ(own(i, j), built_in(i, j)) << n;
    }
  }
}

/// Sums, but for one law each.
struct WrongZero : Sums {
  static constexpr Value zero() { return 1000; }
  static constexpr Value times(Value a, Value b) { return std::min(a + b, zero()); }
};
struct WrongOne : Sums {
  static constexpr Value one() { return 1; }
};
struct Counting : Sums {  // number of paths
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static constexpr Value plus(Value a, Value b) { return a + b; }
  static constexpr Value times(Value a, Value b) { return a * b; }
};
struct PassingZero : Sums {
  static constexpr Value times(Value a, Value b) { return a + b; }
};
struct KeepsTheFirst : Sums {
  static constexpr Value plus(Value a, Value b) { return a == zero() ? b : a; }
};
struct Differences : Sums {
  static constexpr Value times(Value a, Value b) {
    return a == zero() || b == zero() ? zero() : b == one() ? a : a == one() ? b : std::abs(a - b);
  }
};
struct Products : FloatSums {  // of factors, of which some are below 1
  static constexpr Value one() { return 1; }
  static constexpr Value times(Value a, Value b) {
    return a == zero() || b == zero() ? zero() : a * b;
  }
};

TEST(OwnSemiring, LawsThatDoNotHoldAreNamed) {
  const std::vector<std::int32_t> samples = {3, 5, 2000};
  EXPECT_EQ(broken_semiring_law<Sums>(samples), "");
  EXPECT_EQ(broken_semiring_law<WrongZero>(samples), "zero is not neutral for ⊕: sample 2");
  EXPECT_EQ(broken_semiring_law<WrongOne>(samples), "one is not neutral for ⊗: sample 0");
  EXPECT_EQ(broken_semiring_law<Counting>(samples), "⊕ is not idempotent: sample 0");
  EXPECT_EQ(broken_semiring_law<PassingZero>(samples), "zero does not absorb in ⊗: sample 0");
  EXPECT_EQ(broken_semiring_law<KeepsTheFirst>(samples),
            "⊕ is not commutative: sample 0, sample 1");
  EXPECT_EQ(broken_semiring_law<Differences>(samples),
            "⊗ is not associative: sample 0, sample 0, sample 1");
  EXPECT_EQ(broken_semiring_law<Products>(std::vector<float>{2, 0.5F}),
            "one ⊕ a is not one: sample 1");
}

TEST(OwnSemiring, RefusesWhatIsNoSquareAndNoCpu) {
  std::vector<float> values(12);
  const auto kind_of = [&](MatrixView<float> matrix, const FloydWarshallOptions& options) {
    return error_of([&] { floyd_warshall<FloatSums>(matrix, options); }).kind();
  };
  EXPECT_EQ(kind_of({values.data(), 3, 4}, {}), ErrorKind::usage);
  EXPECT_EQ(kind_of({values.data(), 3, 3, 2}, {}), ErrorKind::usage);
  EXPECT_EQ(kind_of({nullptr, 3, 3}, {}), ErrorKind::usage);
  EXPECT_EQ(kind_of({values.data(), 3, 3}, {.threads = -1}), ErrorKind::usage);
  EXPECT_EQ(kind_of({values.data(), 3, 3}, {.tile = -1}), ErrorKind::usage);
  EXPECT_EQ(kind_of({values.data(), 3, 3}, {.device = Device::cuda}), ErrorKind::usage);
  EXPECT_NO_THROW(floyd_warshall<FloatSums>(MatrixView<float>{values.data(), 3, 3},
                                            {.device = Device::automatic}));
}

TEST(OwnSemiring, CycleBetterThanTheEmptyPathIsAnError) {
  for (const std::int64_t n : {3, 70, 200}) {
    Matrix<float> matrix(n, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) matrix(i, j) = i == j ? 0 : 1;
    }
    matrix(n - 1, 0) = -3;
    const Error error = error_of([&] { floyd_warshall<FloatSums>(matrix.view(), {.threads = 2}); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(error.cycle().vertices.size(), 1u);
    EXPECT_NE(std::string(error.what()).find("one ⊕ a = one"), std::string::npos);
  }
}

/// Throws when it is called for the so manieth time, on whatever thread.
struct Throwing : Sums {
  static inline std::atomic<std::int64_t> calls_left{0};
  static Value times(Value a, Value b) {
    if (calls_left.fetch_sub(1) == 0) throw std::domain_error("times");
    return Sums::times(a, b);
  }
};

TEST(OwnSemiring, WhatAnOperationThrowsEndsTheCall) {
  constexpr std::int64_t kSide = 200;
  for (const int threads : {1, 2, 5}) {
    for (const std::int64_t calls : {0, 1'000, 100'000, 1'000'000, 5'000'000}) {
      Matrix<std::int32_t> matrix = random_matrix<Sums>(kSide, kSide);
      Throwing::calls_left = calls;
      EXPECT_THROW(floyd_warshall<Throwing>(matrix.view(), {.threads = threads, .tile = 48}),
                   std::domain_error)
          << threads << " threads, " << calls << " calls";
    }
  }
}

TEST(OwnSemiring, MayBeInterrupted) {
  Cancellation cancellation;
  cancellation.request();
  Matrix<std::int32_t> matrix = random_matrix<Sums>(200, 200);
  EXPECT_ERROR(interrupted,
               floyd_warshall<Sums>(matrix.view(), {.control = {nullptr, &cancellation}}));
}

}  // namespace
}  // namespace apsp::own_semiring_test
