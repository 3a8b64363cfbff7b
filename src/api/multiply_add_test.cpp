// Products of a caller's matrices against the triple loop: on the host, through an invented device
// and on one. The device is strict about whose memory and queue is whose.
#include <apsp/apsp.hpp>

#include "api/multiply_add.hpp"

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::multiply_add_test {
namespace {

using kernels::View;
using planner::one_device;

constexpr std::int64_t kBeside = 3;  // columns behind each matrix that must survive

struct Shape3 {
  std::int64_t m, n, k;
};
constexpr Shape3 kShapes[] = {{1, 1, 1},    {1, 5, 3},     {7, 1, 2},    {16, 16, 16}, {17, 31, 5},
                              {50, 65, 33}, {193, 257, 8}, {3, 2, 1600}, {61, 130, 97}};

enum class Signs { positive, both };

template <class T>
struct Matrix {
  std::int64_t rows, cols, stride;
  std::vector<T> values;

  Matrix(std::int64_t rows_, std::int64_t cols_)
      : rows(rows_),
        cols(cols_),
        stride(cols_ + kBeside),
        values(static_cast<std::size_t>(rows_ * (cols_ + kBeside)), T(1)) {}
  T& operator()(std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(i * stride + j)];
  }
  Operand operand() const { return {values.data(), rows, cols, stride}; }
  MatrixView<T> view() { return {values.data(), rows, cols, stride}; }
};

/// Whole numbers up to 100, a fourth of them no path.
template <class S>
Matrix<typename S::Value> random_matrix(std::int64_t rows, std::int64_t cols, Signs signs,
                                        std::uint64_t seed) {
  using T = typename S::Value;
  base::SplitMix64 random(seed);
  Matrix<T> matrix(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) {
      auto value = static_cast<double>(random.below(100));
      if (signs == Signs::both) value -= 50;
      if (S::kKind == Semiring::or_and) value = 1;
      matrix(i, j) = random.below(4) == 0 ? S::zero() : static_cast<T>(value);
      if (S::kKind == Semiring::or_and && random.below(8) != 0) matrix(i, j) = 0;
    }
  }
  return matrix;
}

template <class S>
struct Problem {
  using T = typename S::Value;
  Matrix<T> c, a, b;

  Problem(const Shape3& shape, Signs signs)
      : c(random_matrix<S>(shape.m, shape.n, signs, 1)),
        a(random_matrix<S>(shape.m, shape.k, signs, 2)),
        b(random_matrix<S>(shape.k, shape.n, signs, 3)) {}
  Operands operands() const { return {c.operand(), a.operand(), b.operand()}; }
  std::vector<T> expected() {
    Matrix<T> result = c;
    for (std::int64_t i = 0; i < c.rows; ++i) {
      for (std::int64_t j = 0; j < c.cols; ++j) {
        for (std::int64_t k = 0; k < a.cols; ++k) {
          result(i, j) = S::plus(result(i, j), S::times(a(i, k), b(k, j)));
        }
      }
    }
    return result.values;
  }
};

/// f<S>(type, signs) for each supported pair.
template <class F>
void for_each_kernel(F&& f) {
  for (const auto& [semiring, type] : all_kinds()) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      f.template operator()<S>(type, Signs::positive);
      if (std::is_signed_v<typename S::Value>) f.template operator()<S>(type, Signs::both);
    });
  }
}

template <class S, class Multiply>
void expect_products(ValueType type, Signs signs, const Multiply& multiply) {
  for (const Shape3& shape : kShapes) {
    Problem<S> problem(shape, signs);
    const auto expected = problem.expected();
    multiply(problem.operands());
    EXPECT_EQ(problem.c.values, expected)
        << name(S::kKind) << " " << name(type) << ", " << shape.m << " × " << shape.n << " × "
        << shape.k << (signs == Signs::both ? ", of both signs" : "");
  }
}

TEST(MultiplyAdd, IsTheTripleLoopOfEverySemiringAndType) {
  for_each_kernel([]<class S>(ValueType type, Signs signs) {
    for (const int threads : {1, 3}) {
      expect_products<S>(type, signs, [&](const Operands& operands) {
        detail::multiply_add(S::kKind, type, operands, {.threads = threads});
      });
    }
  });
}

TEST(MultiplyAdd, PassesThroughADevice) {
  for_each_kernel([]<class S>(ValueType type, Signs signs) {
    for (const std::int64_t memory : {std::int64_t{0}, std::int64_t{260'000}}) {
      expect_products<S>(type, signs, [&](const Operands& operands) {
        api::multiply_add_among(one_device, S::kKind, type, operands,
                                {.threads = 2, .device = Device::cuda, .device_memory = memory});
      });
    }
  });
}

TEST(MultiplyAdd, OfMatricesOnADevice) {
  for_each_kernel([]<class S>(ValueType type, Signs signs) {
    for (const std::int64_t memory : {std::int64_t{0}, std::int64_t{120'000}}) {
      expect_products<S>(type, signs, [&](const Operands& operands) {
        api::ProductDevices devices(one_device);
        api::multiply_add_on_device_among(devices, S::kKind, {.operands = operands, .type = type},
                                          {.threads = 2, .device_memory = memory});
      });
    }
  });
}

/// Operands are packed before their signs are known, for the signs of the product before.
TEST(MultiplyAdd, SignsOfTheProductBeforeDecideNothing) {
  using S = semiring::MinPlus<float>;
  api::ProductDevices devices(one_device);
  for (const Signs signs :
       {Signs::positive, Signs::both, Signs::both, Signs::positive, Signs::positive}) {
    expect_products<S>(ValueType::f32, signs, [&](const Operands& operands) {
      api::multiply_add_on_device_among(devices, Semiring::min_plus, {.operands = operands}, {});
    });
  }
}

TEST(MultiplyAdd, TakesViewsOfMatrices) {
  Problem<semiring::MinPlus<float>> problem({20, 30, 40}, Signs::positive);
  const auto expected = problem.expected();
  multiply_add<MinPlus>(problem.c.view(), problem.a.view(), problem.b.view());
  EXPECT_EQ(problem.c.values, expected);
}

struct LeastProduct {
  using Value = double;
  static constexpr double zero() { return std::numeric_limits<double>::infinity(); }
  static constexpr double one() { return 1; }
  static constexpr double plus(double a, double b) { return std::min(a, b); }
  static constexpr double times(double a, double b) { return a * b; }
};

TEST(MultiplyAdd, OverASemiringOfOnesOwn) {
  for (const Shape3& shape : kShapes) {
    for (const int threads : {1, 3}) {
      Problem<semiring::MinPlus<double>> problem(shape, Signs::positive);
      for (auto* const matrix : {&problem.c, &problem.a, &problem.b}) {
        for (double& value : matrix->values) value = std::isinf(value) ? value : value + 1;
      }
      auto expected = problem.c;
      for (std::int64_t i = 0; i < shape.m; ++i) {
        for (std::int64_t j = 0; j < shape.n; ++j) {
          for (std::int64_t k = 0; k < shape.k; ++k) {
            expected(i, j) = std::min(expected(i, j), problem.a(i, k) * problem.b(k, j));
          }
        }
      }
      multiply_add<LeastProduct>(problem.c.view(), problem.a.view(), problem.b.view(),
                                 {.threads = threads});
      EXPECT_EQ(problem.c.values, expected.values);
    }
  }
}

TEST(MultiplyAdd, SumsThatReachNoPathAreNoPath) {
  std::vector<std::int32_t> c{(1 << 30) - 1}, a{1 << 29}, b{(1 << 29) + 7};
  multiply_add<MinPlus>(MatrixView<std::int32_t>(c.data(), 1, 1), {a.data(), 1, 1},
                        {b.data(), 1, 1});
  EXPECT_EQ(c.front(), (1 << 30) - 1);
  std::vector<std::uint16_t> none{(1 << 15) - 1}, half{20000};
  multiply_add<MinPlus>(MatrixView<std::uint16_t>(none.data(), 1, 1), {half.data(), 1, 1},
                        {half.data(), 1, 1});
  EXPECT_EQ(none.front(), (1 << 15) - 1);
}

/// −0 is less than 0 to kernels that compare bits.
TEST(MultiplyAdd, MinusZeroIsNotLessThanNegativeValues) {
  for (const bool there : {false, true}) {
    std::vector<float> c(64, -5.0F), a(64, -0.0F), b(64, -0.0F);
    const Operands operands{{c.data(), 8, 8}, {a.data(), 8, 8}, {b.data(), 8, 8}};
    if (there) {
      api::ProductDevices devices(one_device);
      api::multiply_add_on_device_among(devices, Semiring::min_plus, {.operands = operands}, {});
    } else {
      detail::multiply_add(Semiring::min_plus, ValueType::f32, operands, {});
    }
    EXPECT_EQ(c, std::vector<float>(64, -5.0F));
  }
}

TEST(MultiplyAdd, WithoutPivotsOrValuesChangesNothing) {
  std::vector<float> c{1, 2};
  multiply_add<MinPlus>(MatrixView<float>(c.data(), 1, 2), {nullptr, 1, 0}, {nullptr, 0, 2});
  multiply_add<MinPlus>(MatrixView<float>(nullptr, 0, 2), {nullptr, 0, 1}, {c.data(), 1, 2});
  EXPECT_EQ(c, (std::vector<float>{1, 2}));
}

Error refused(const Operands& operands, const MultiplyAddOptions& options = {},
              Semiring semiring = Semiring::min_plus, ValueType type = ValueType::f32) {
  return error_of([&] { api::multiply_add_among(one_device, semiring, type, operands, options); });
}

TEST(MultiplyAdd, RefusesWhatIsNoProduct) {
  std::vector<float> c(64, 1), a(64, 1), b(64, 1);
  const Operands good{{c.data(), 4, 5}, {a.data(), 4, 3}, {b.data(), 3, 5}};
  Operands bad = good;
  bad.b.rows = 4;
  refused(bad);
  bad = good;
  bad.c.cols = 6;
  EXPECT_EQ(refused(bad).kind(), ErrorKind::usage);
  bad = good;
  bad.a.rows = 5;
  EXPECT_EQ(refused(bad).kind(), ErrorKind::usage);
  bad = good;
  bad.a.stride = 2;
  refused(bad);
  bad = good;
  bad.b.data = nullptr;
  refused(bad);
  EXPECT_EQ(refused(good, {.threads = -1}).kind(), ErrorKind::usage);
  EXPECT_EQ(refused(good, {.device_memory = -1}).kind(), ErrorKind::usage);
  refused(good, {}, Semiring::or_and);
}

TEST(MultiplyAdd, RefusesAnOutputThatOverlaps) {
  std::vector<float> all(200, 1);
  float* const data = all.data();
  const auto overlaps = [&](const Operand& c, const Operand& a, const Operand& b) {
    try {
      detail::multiply_add(Semiring::min_plus, ValueType::f32, {c, a, b}, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return true;
    }
    return false;
  };
  const Operand corner{data, 4, 4, 10};
  EXPECT_TRUE(overlaps(corner, corner, corner));
  EXPECT_TRUE(overlaps(corner, {data + 4, 4, 4, 10}, {data + 33, 4, 4, 10}));
  EXPECT_TRUE(overlaps({data + 33, 4, 4, 10}, {data, 4, 4, 10}, {data + 4, 4, 4, 10}));
  EXPECT_TRUE(overlaps(corner, {data + 8, 4, 4, 11}, {data + 100, 4, 4, 10}));
  // B begins behind C's columns, and its row ends in C's next one.
  EXPECT_TRUE(overlaps(corner, {data + 100, 4, 1, 10}, {data + 7, 1, 4, 10}));
  EXPECT_FALSE(overlaps(corner, {data + 100, 4, 1, 10}, {data + 6, 1, 4, 10}));
  EXPECT_FALSE(overlaps(corner, {data + 4, 4, 4, 10}, {data + 40, 4, 4, 10}));
  EXPECT_FALSE(overlaps({data + 40, 4, 4, 10}, {data + 4, 4, 4, 10}, {data + 4, 4, 4, 10}));
}

TEST(MultiplyAdd, ABadValueIsNamedByItsPlace) {
  std::vector<float> c(20, 1), a(12, 1), b(15, 1);
  const Operands operands{{c.data(), 4, 5}, {a.data(), 4, 3}, {b.data(), 3, 5}};
  b[7] = std::numeric_limits<float>::quiet_NaN();
  refused(operands);
  const auto on_device = [&] {
    api::ProductDevices devices(one_device);
    api::multiply_add_on_device_among(devices, Semiring::min_plus, {.operands = operands}, {});
  };
  EXPECT_EQ(error_of(on_device).kind(), ErrorKind::usage);
  b[7] = 1;
  a[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_of(on_device).kind(), ErrorKind::usage);
  std::vector<std::uint16_t> beyond(4, 40000), good(4, 1);
  refused({{good.data(), 2, 2}, {beyond.data(), 2, 2}, {beyond.data(), 2, 2}}, {},
          Semiring::min_plus, ValueType::u16);
}

TEST(MultiplyAdd, DevicesSumSignedIntegersOnlyWhereTheyFit) {
  std::vector<std::int32_t> c{0}, a{-(1 << 27)}, b{1 << 27};
  const Operands operands{{c.data(), 1, 1}, {a.data(), 1, 1}, {b.data(), 1, 1}};
  const MultiplyAddOptions on_gpu{.device = Device::cuda};
  EXPECT_EQ(refused(operands, on_gpu, Semiring::min_plus, ValueType::i32).kind(),
            ErrorKind::does_not_fit);
  api::ProductDevices devices(one_device);
  const auto there = [&] {
    api::multiply_add_on_device_among(devices, Semiring::min_plus,
                                      {.operands = operands, .type = ValueType::i32}, {});
  };
  EXPECT_EQ(error_of(there).kind(), ErrorKind::does_not_fit);
  b.front() = 1;
  there();
  EXPECT_EQ(c.front(), 1 - (1 << 27));
  c.front() = 1 << 28;
  EXPECT_EQ(error_of(there).kind(), ErrorKind::does_not_fit);
}

TEST(MultiplyAdd, MissingDevicesAndMemoryAreNamed) {
  std::vector<float> c(1, 1);
  std::vector<float> a(1, 1);
  const Operands operands{{c.data(), 1, 1}, {a.data(), 1, 1}, {a.data(), 1, 1}};
  api::ProductDevices none(planner::no_device);
  EXPECT_ERROR(device, api::multiply_add_on_device_among(none, Semiring::min_plus,
                                                         {.operands = operands}, {}));
  api::ProductDevices devices(one_device);
  const auto with = [&](DeviceOperands there, const MultiplyAddOptions& options) {
    return error_of(
        [&] { api::multiply_add_on_device_among(devices, Semiring::min_plus, there, options); });
  };
  EXPECT_EQ(with({.operands = operands, .ordinal = 4}, {}).kind(), ErrorKind::device);
  EXPECT_EQ(with({.operands = operands}, {.device_memory = 20}).kind(), ErrorKind::does_not_fit);
  EXPECT_EQ(refused(operands, {.device = Device::cuda, .device_memory = 20}).kind(),
            ErrorKind::does_not_fit);
  EXPECT_ERROR(usage, multiply_add<LeastProduct>(MatrixView<double>(nullptr, 0, 0), {nullptr, 0, 0},
                                                 {nullptr, 0, 0}, {.device = Device::cuda}));
}

TEST(MultiplyAdd, StopsWhenAskedTo) {
  std::vector<float> c(150 * 150, 1), a(150 * 150, 1);
  const Operands operands{{c.data(), 150, 150}, {a.data(), 150, 150}, {a.data(), 150, 150}};
  Cancellation cancellation;
  cancellation.request();
  for (const Device device : {Device::cpu, Device::cuda}) {
    MultiplyAddOptions options{.device = device, .control = {nullptr, &cancellation}};
    EXPECT_EQ(refused(operands, options).kind(), ErrorKind::interrupted);
  }
  api::ProductDevices devices(one_device);
  EXPECT_ERROR(interrupted, api::multiply_add_on_device_among(
                                devices, Semiring::min_plus, {.operands = operands},
                                {.control = {nullptr, &cancellation}}));
}

}  // namespace
}  // namespace apsp::multiply_add_test
