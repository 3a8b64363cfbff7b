// Products on a GPU: of the built-in semirings against the host, of semirings of one's own and of
// expressions against the triple loop.
#include <dlfcn.h>

#include <apsp/apsp.hpp>

#include "base/random.hpp"
#include "gpu/own_semirings.hpp"
#include "kernels/cuda/compiled_product.hpp"
#include "kernels/cuda/runtime_compiler.hpp"
#include "semiring/dispatch.hpp"
#include "support/on_gpu.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::product_test {
namespace {

struct Shape3 {
  std::int64_t m, n, k;
};
constexpr Shape3 kShapes[] = {{1, 1, 1},      {1, 300, 3},     {64, 128, 16},  {65, 129, 17},
                              {200, 130, 47}, {257, 600, 131}, {1100, 40, 200}};

/// [rows, cols] in memory that the GPU sees; some values lie behind each row.
template <class T>
class Managed {
 public:
  Managed(std::int64_t rows_, std::int64_t cols_, std::int64_t beside)
      : rows(rows_),
        cols(cols_),
        stride(cols_ + beside),
        size_(static_cast<std::size_t>(rows * stride)),
        data_(static_cast<T*>(managed_memory(size_ * sizeof(T)))) {}
  ~Managed() { release_managed(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;

  T* data() const { return data_; }
  T& operator()(std::int64_t i, std::int64_t j) const { return data_[i * stride + j]; }
  std::vector<T> values() const { return {data_, data_ + size_}; }
  void set(const std::vector<T>& values) { std::copy(values.begin(), values.end(), data_); }
  Operand operand() const { return {data_, rows, cols, stride}; }

  const std::int64_t rows, cols, stride;

 private:
  std::size_t size_;
  T* data_;
};

template <class T>
struct Problem {
  Managed<T> c, a, b;
  Problem(const Shape3& shape, std::int64_t beside, const std::function<T(std::uint64_t)>& value)
      : c(shape.m, shape.n, beside), a(shape.m, shape.k, beside), b(shape.k, shape.n, beside) {
    base::SplitMix64 random(static_cast<std::uint64_t>(shape.m + shape.n));
    for (const Managed<T>* const matrix : {&c, &a, &b}) {
      for (std::int64_t i = 0; i < matrix->rows * matrix->stride; ++i) {
        matrix->data()[i] = value(random.below(1 << 20));
      }
    }
  }
  Operands operands() const { return {c.operand(), a.operand(), b.operand()}; }

  template <class Plus, class Times>
  std::vector<T> expected(const Plus& plus, const Times& times) const {
    std::vector<T> result = c.values();
    for (std::int64_t i = 0; i < c.rows; ++i) {
      for (std::int64_t j = 0; j < c.cols; ++j) {
        T& value = result[static_cast<std::size_t>(i * c.stride + j)];
        for (std::int64_t k = 0; k < a.cols; ++k) value = plus(value, times(a(i, k), b(k, j)));
      }
    }
    return result;
  }
};

class ProductOnGpu : public OnGpu {};

template <class S>
void expect_as_on_the_host(ValueType type, bool both_signs) {
  using T = typename S::Value;
  for (const Shape3& shape : kShapes) {
    for (const std::int64_t beside : {0, 3}) {
      const Problem<T> problem(shape, beside, [&](std::uint64_t random) {
        if (S::kKind == Semiring::or_and) return static_cast<T>(random % 16 == 0);
        if (random % 4 == 0) return S::zero();
        return static_cast<T>(static_cast<double>(random % 101) - (both_signs ? 50 : 0));
      });
      std::vector<T> here = problem.c.values();
      Operands operands = problem.operands();
      operands.c.data = here.data();
      detail::multiply_add(S::kKind, type, operands, {});
      multiply_add_on_device(S::kKind, {.operands = problem.operands(), .type = type});
      EXPECT_EQ(problem.c.values(), here) << name(S::kKind) << " " << name(type) << ", " << shape.m
                                          << " × " << shape.n << " × " << shape.k;
    }
  }
}

TEST_F(ProductOnGpu, IsThatOfTheHost) {
  for (const auto& [semiring, type] : all_kinds()) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      expect_as_on_the_host<S>(type, false);
      if (std::is_signed_v<typename S::Value>) expect_as_on_the_host<S>(type, true);
    });
  }
}

TEST_F(ProductOnGpu, MinusZeroIsNotLessThanNegativeValues) {
  const Problem<float> problem({64, 64, 64}, 0, [](std::uint64_t) { return -0.0F; });
  for (std::int64_t i = 0; i < 64 * 64; ++i) problem.c.data()[i] = -5;
  multiply_add_on_device(Semiring::min_plus, {.operands = problem.operands()});
  EXPECT_EQ(problem.c.values(), std::vector<float>(64 * 64, -5.0F));
}

TEST_F(ProductOnGpu, PackedOperandsInParts) {
  const Problem<float> problem({300, 300, 1000}, 0,
                               [](std::uint64_t random) { return static_cast<float>(random); });
  const auto expected = problem.expected([](float a, float b) { return std::min(a, b); },
                                         [](float a, float b) { return a + b; });
  multiply_add_on_device(Semiring::min_plus, {.operands = problem.operands()},
                         {.device_memory = 400'000});
  EXPECT_EQ(problem.c.values(), expected);
}

TEST_F(ProductOnGpu, ABadValueIsNamedByItsPlace) {
  for (const std::int64_t beside : {0, 3, 4}) {  // rows begin on 16 bytes, or not
    for (const auto& [row, col] : {std::pair{17, 200}, {0, 0}, {99, 299}, {98, 298}, {1, 255}}) {
      const Problem<float> problem({300, 300, 100}, beside, [](std::uint64_t) { return 1.0F; });
      problem.b(row, col) = std::numeric_limits<float>::quiet_NaN();
      const Error error = error_of(
          [&] { multiply_add_on_device(Semiring::min_plus, {.operands = problem.operands()}); });
      EXPECT_NE(std::string(error.what())
                    .find("B at row " + std::to_string(row) + ", column " + std::to_string(col)),
                std::string::npos)
          << error.what();
    }
  }
}

TEST_F(ProductOnGpu, OneNegativeValueIsSeenWhereverItIs) {
  for (const std::int64_t beside : {0, 3, 4}) {
    for (const auto& [row, col] : {std::pair{0, 0}, {2099, 0}, {2099, 298}, {1024, 130}}) {
      const Problem<float> problem({40, 299, 2100}, beside,
                                   [](std::uint64_t random) { return static_cast<float>(random); });
      problem.b(row, col) = -1e6F;
      const auto expected = problem.expected([](float a, float b) { return std::min(a, b); },
                                             [](float a, float b) { return a + b; });
      multiply_add_on_device(Semiring::min_plus, {.operands = problem.operands()});
      EXPECT_EQ(problem.c.values(), expected) << row << ", " << col << ", beside " << beside;
    }
  }
}

TEST_F(ProductOnGpu, LeavesTheGpuThatTheThreadHasInUse) {
  using Get = int (*)(void** context);
  const auto get =
      reinterpret_cast<Get>(dlsym(dlopen("libcuda.so.1", RTLD_LAZY), "cuCtxGetCurrent"));
  ASSERT_NE(get, nullptr);
  const Problem<float> problem({64, 64, 64}, 0, [](std::uint64_t) { return 1.0F; });
  void* before = &before;
  void* after = &after;
  std::thread([&] {  // one that has none
    get(&before);
    multiply_add_on_device(Semiring::min_plus, {.operands = problem.operands()});
    get(&after);
  })
      .join();
  EXPECT_EQ(before, nullptr);
  EXPECT_EQ(after, nullptr);
}

TEST_F(ProductOnGpu, MemoryOfTheHostIsRefused) {
  std::vector<float> host(64, 1);
  const Problem<float> problem({8, 8, 8}, 0, [](std::uint64_t) { return 1.0F; });
  Operands operands = problem.operands();
  operands.a.data = host.data();
  const auto kind = [&](auto semiring) {
    return error_of([&] { multiply_add_on_device(semiring, {.operands = operands}); }).kind();
  };
  EXPECT_EQ(kind(Semiring::min_plus), ErrorKind::usage);
  EXPECT_EQ(kind(SemiringExpressions{}), ErrorKind::usage);
}

template <class S>
void expect_own(const std::function<typename S::Value(std::uint64_t)>& value) {
  using T = typename S::Value;
  for (const Shape3& shape : kShapes) {
    for (const std::int64_t beside : {0, 3}) {
      const Problem<T> problem(shape, beside, value);
      const auto expected = problem.expected([](T a, T b) { return S::plus(a, b); },
                                             [](T a, T b) { return S::times(a, b); });
      ASSERT_EQ(multiply_on_gpu<S>({shape.m, shape.n, shape.k, beside, problem.c.data(),
                                    problem.a.data(), problem.b.data()}),
                0);
      EXPECT_EQ(problem.c.values(), expected)
          << sizeof(T) << " bytes, " << shape.m << " × " << shape.n << " × " << shape.k;
    }
  }
}

TEST_F(ProductOnGpu, OverSemiringsOfOnesOwn) {
  const auto number = [](std::uint64_t random) { return static_cast<std::int32_t>(random % 100); };
  expect_own<OwnMinPlus<float>>([&](std::uint64_t r) { return static_cast<float>(number(r)); });
  expect_own<OwnMinPlus<double>>([&](std::uint64_t r) { return number(r); });
  expect_own<OwnMinPlus<std::uint16_t>>(
      [&](std::uint64_t r) { return static_cast<std::uint16_t>(number(r)); });
  expect_own<OwnMinPlus<std::uint8_t>>(
      [&](std::uint64_t r) { return static_cast<std::uint8_t>(number(r)); });
  expect_own<OwnLeast>(number);
  expect_own<OwnLabelled>([&](std::uint64_t r) {
    return OwnLabelled::Value{number(r), number(r >> 5), number(r >> 10)};
  });
  expect_own<OwnPair>([&](std::uint64_t r) {
    return OwnPair::Value{static_cast<double>(r), static_cast<double>(number(r >> 5))};
  });
}

TEST_F(ProductOnGpu, OverExpressions) {
  if (!kernels::cuda::has_runtime_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  using Operation = std::function<double(double, double)>;
  const std::vector<std::pair<const char*, Operation>> pluses = {
      {"min", [](double a, double b) { return std::min(a, b); }},
      {"max", [](double a, double b) { return std::max(a, b); }},
      {"+", std::plus<double>()}};
  const std::vector<std::pair<const char*, Operation>> all_times = {
      {"+", std::plus<double>()},
      {"-", std::minus<double>()},
      {"*", std::multiplies<double>()},
      {"min", [](double a, double b) { return std::min(a, b); }},
      {"max", [](double a, double b) { return std::max(a, b); }}};
  for (const auto& [plus_name, plus] : pluses) {
    for (const auto& [times_name, times] : all_times) {
      for (const Shape3& shape : kShapes) {
        const Problem<float> problem(
            shape, 3, [](std::uint64_t random) { return static_cast<float>(random % 64); });
        const auto narrow = [](const Operation& operation) {
          return [&](float a, float b) { return static_cast<float>(operation(a, b)); };
        };
        const auto expected = problem.expected(narrow(plus), narrow(times));
        multiply_add_on_device(SemiringExpressions{plus_name, times_name},
                               {.operands = problem.operands()});
        EXPECT_EQ(problem.c.values(), expected) << plus_name << " " << times_name;
      }
    }
  }
}

}  // namespace
}  // namespace apsp::product_test
