// Products of gathered rows against scalar arithmetic.
#include "kernels/cpu/row_products.hpp"

#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "semiring/dispatch.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::kernels::cpu {

RowOperations row_operations(Semiring semiring, ValueType type, Sign sign, bool by_bits);

namespace {

/// A matrix with rows aligned to 64 bytes and followed by a gap of 64 bytes.
template <class T>
class PaddedMatrix {
 public:
  static constexpr std::int64_t kLine = 64 / sizeof(T);

  PaddedMatrix(std::int64_t rows, std::int64_t cols)
      : rows_(rows),
        cols_(cols),
        stride_(cols + kLine),
        memory_((rows + 1) * stride_ * std::int64_t{sizeof(T)}) {}

  T& at(std::int64_t i, std::int64_t j) { return memory_.as<T>()[i * stride_ + j]; }
  View view() { return {memory_.data(), rows_, cols_, stride_}; }
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  /// Includes the gaps.
  std::vector<T> values() const {
    return {memory_.as<T>(), memory_.as<T>() + (rows_ + 1) * stride_};
  }

 private:
  std::int64_t rows_, cols_, stride_;
  system::AlignedMemory memory_;
};

struct Shape {
  std::int64_t m, depth, lines;
};

/// Products of one semiring, value type and sign on random values.
template <class S>
class RowProducts {
 public:
  using T = typename S::Value;
  using Matrix = PaddedMatrix<T>;

  RowProducts(RowOperations operations, Sign sign) : operations_(operations), sign_(sign) {
    EXPECT_EQ(operations_.lanes, Matrix::kLine);
  }

  /// C is the first m rows of the matrix of the other rows.
  void expect_gathered(Shape shape) {
    const std::int64_t others = 1 + below(shape.depth + 1);
    Matrix x = matrix(shape.m + others, shape.lines * Matrix::kLine);
    std::vector<std::int32_t> rows(static_cast<std::size_t>(shape.depth));
    for (auto& row : rows) row = static_cast<std::int32_t>(shape.m + below(others));
    const std::int64_t stride = shape.depth + below(5);
    const std::vector<T> a = left(shape.m, stride);
    std::vector<T> expected = x.values();
    for (std::int64_t i = 0; i < shape.m; ++i) {
      for (std::int64_t k = 0; k < shape.depth; ++k) {
        const T value = a[static_cast<std::size_t>(i * stride + k + 1)];
        relax_row(expected, x, i, value, &x.at(rows[static_cast<std::size_t>(k)], 0));
      }
    }
    View c = x.view();
    c.rows = shape.m;
    operations_.multiply_gathered(c, {a.data() + 1, shape.m, shape.depth, stride}, x.view(),
                                  rows.data());
    expect_same(x, expected, shape);
  }

  void expect_scattered(Shape shape) {
    Matrix x = matrix(shape.m + below(20), shape.lines * Matrix::kLine);
    Matrix y = matrix(shape.depth, x.cols());
    const std::vector<std::int32_t> rows = distinct_rows(x.rows());
    const std::int64_t stride = shape.m + below(5);
    const std::vector<T> a = left(shape.depth, stride);
    std::vector<T> expected = x.values();
    for (std::int64_t i = 0; i < shape.m; ++i) {
      for (std::int64_t k = 0; k < shape.depth; ++k) {
        const T value = a[static_cast<std::size_t>(k * stride + i + 1)];
        relax_row(expected, x, rows[static_cast<std::size_t>(i)], value, &y.at(k, 0));
      }
    }
    operations_.multiply_scattered(x.view(), rows.data(),
                                   {a.data() + 1, shape.depth, shape.m, stride}, y.view());
    expect_same(x, expected, shape);
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  /// Every fifth is "no path". Negative if type and sign allow.
  T value() {
    if (below(5) == 0) return S::zero();
    if (S::kKind == Semiring::or_and) return static_cast<T>(below(2));
    const bool negative = std::is_signed_v<T> && sign_ == Sign::any;
    return static_cast<T>(below(100) - (negative ? 40 : 0));
  }

  Matrix matrix(std::int64_t rows, std::int64_t cols) {
    Matrix out(rows, cols);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols + Matrix::kLine; ++j) out.at(i, j) = value();
    }
    return out;
  }

  /// Unaligned rows of `stride` values.
  std::vector<T> left(std::int64_t rows, std::int64_t stride) {
    std::vector<T> values(static_cast<std::size_t>(rows * stride + 1));
    for (T& each : values) each = value();
    return values;
  }

  std::vector<std::int32_t> distinct_rows(std::int64_t count) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    for (std::int64_t i = count; i > 1; --i) {
      std::swap(rows[static_cast<std::size_t>(i - 1)], rows[static_cast<std::size_t>(below(i))]);
    }
    return rows;
  }

  /// Row `row` of `values`, which has the shape of x, ← itself ⊕ (left ⊗ right).
  static void relax_row(std::vector<T>& values, Matrix& x, std::int64_t row, T left,
                        const T* right) {
    T* const out = values.data() + row * x.view().stride;
    for (std::int64_t j = 0; j < x.cols(); ++j) out[j] = S::plus(out[j], S::times(left, right[j]));
  }

  static void expect_same(const Matrix& x, const std::vector<T>& expected, Shape shape) {
    ASSERT_EQ(x.values(), expected)
        << shape.m << " rows, depth " << shape.depth << ", " << shape.lines << " lines of 64 bytes";
  }

  RowOperations operations_;
  Sign sign_;
  base::SplitMix64 random_{7};
};

class RowKernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_instruction_set(GetParam()); }
  void TearDown() override { force_instruction_set(std::nullopt); }

  static std::vector<Shape> shapes() {
    std::vector<Shape> shapes = {{0, 0, 0}, {0, 5, 3},  {5, 0, 3},   {5, 3, 0},
                                 {1, 1, 1}, {1, 9, 15}, {7, 300, 5}, {1, 128, 8}};
    base::SplitMix64 random(3);
    const auto below = [&](std::uint64_t end) {
      return static_cast<std::int64_t>(random.below(end));
    };
    for (int i = 0; i < 12; ++i) shapes.push_back({below(71), below(71), below(14)});
    for (int i = 0; i < 8; ++i) shapes.push_back({1 + below(3), below(11), below(18)});
    return shapes;
  }

  template <class S>
  static void expect_right(const RowOperations& operations, Sign sign) {
    RowProducts<S> products(operations, sign);
    for (const Shape shape : shapes()) {
      products.expect_gathered(shape);
      products.expect_scattered(shape);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
};

TEST_P(RowKernels, EverySemiringTypeAndSign) {
  for (const auto& [semiring, type] : all_kinds()) {
    for (const Sign sign : {Sign::any, Sign::non_negative}) {
      if (sign == Sign::any && type == ValueType::u16) continue;
      SCOPED_TRACE(std::string(name(semiring)) + " " + std::string(name(type)));
      semiring::dispatch(semiring, type, [&]<class S>() {
        expect_right<S>(row_operations(semiring, type, sign), sign);
      });
    }
  }
}

TEST_P(RowKernels, BothMinimaOfFloats) {
  for (const bool by_bits : {false, true}) {
    const auto operations = [&](ValueType type) {
      return row_operations(Semiring::min_plus, type, Sign::non_negative, by_bits);
    };
    expect_right<semiring::MinPlus<float>>(operations(ValueType::f32), Sign::non_negative);
    expect_right<semiring::MinPlus<double>>(operations(ValueType::f64), Sign::non_negative);
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, RowKernels, testing::ValuesIn(instruction_sets()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           return each.param;
                         });

}  // namespace
}  // namespace apsp::kernels::cpu
