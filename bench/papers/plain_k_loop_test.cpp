// The baseline against the textbook.
#include "plain_k_loop.hpp"

#include <apsp/graph.hpp>

#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::bench::plain_k_loop_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
class PlainKLoop : public testing::Test {};
using Types = testing::Types<float, double, std::int32_t>;
struct TypeNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_integral_v<T> ? "i32" : sizeof(T) == 4 ? "f32" : "f64";
  }
};
TYPED_TEST_SUITE(PlainKLoop, Types, TypeNames);

TYPED_TEST(PlainKLoop, EqualsTheTripleLoop) {
  const double no = std::is_integral_v<TypeParam> ? (1 << 30) - 1 : kInfinity;
  for (const std::int64_t n : {0, 1, 2, 37}) {
    for (const bool negative : {false, true}) {
      const Graph graph = generate({.vertices = n, .probability = 0.06, .negative = negative});
      const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
      for (const int threads : {1, 3}) {
        const std::int64_t stride = n + 3;
        std::vector<TypeParam> matrix(static_cast<std::size_t>(n * stride), TypeParam{77});
        const std::vector<double> arcs = verifier::adjacency(graph, Semiring::min_plus);
        const auto value = [no](double x) {
          return static_cast<TypeParam>(x == kInfinity ? no : x);
        };
        for (std::int64_t i = 0; i < n * n; ++i) {
          matrix[static_cast<std::size_t>(i / n * stride + i % n)] =
              value(arcs[static_cast<std::size_t>(i)]);
        }
        plain_k_loop(MatrixView<TypeParam>(matrix.data(), n, n, stride), threads);
        for (std::int64_t i = 0; i < n * stride; ++i) {
          const std::int64_t row = i / stride;
          const std::int64_t col = i % stride;
          const TypeParam wanted =
              col < n ? value(expected[static_cast<std::size_t>(row * n + col)]) : TypeParam{77};
          ASSERT_EQ(matrix[static_cast<std::size_t>(i)], wanted) << n << ' ' << row << ' ' << col;
        }
      }
    }
  }
}

TYPED_TEST(PlainKLoop, RefusesAMatrixThatIsNotSquare) {
  TypeParam values[6] = {};
  EXPECT_THROW(plain_k_loop(MatrixView<TypeParam>(values, 2, 3)), Error);
}

}  // namespace
}  // namespace apsp::bench::plain_k_loop_test
