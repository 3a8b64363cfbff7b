// Verification of rows as they are computed agrees with that of the whole matrix.
#include "verifier/row_verifier.hpp"

#include "support/test.hpp"

#include <apsp/graph.hpp>

#include "support/matrix_store.hpp"
#include "support/random_blocks.hpp"

namespace apsp::verifier::row_verifier_test {
namespace {

std::vector<std::byte> bytes_of(const MatrixStore& matrix) {
  const store::Layout& layout = matrix.layout();
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(layout.n * layout.n * size_of(layout.type)));
  matrix.read(store::Plane::distance, {0, 0, layout.n, layout.n}, bytes.data(), layout.n);
  return bytes;
}

void expect_same(const VerifyReport& a, const VerifyReport& b) {
  EXPECT_EQ(a.passed, b.passed);
  EXPECT_EQ(a.meaning, b.meaning);
  EXPECT_EQ(a.tolerance, b.tolerance);
  EXPECT_EQ(a.sources_checked, b.sources_checked);
  EXPECT_EQ(a.sources, b.sources);
  ASSERT_EQ(a.checks.size(), b.checks.size());
  for (std::size_t i = 0; i < a.checks.size(); ++i) {
    EXPECT_EQ(a.checks[i].name, b.checks[i].name);
    EXPECT_EQ(a.checks[i].tested, b.checks[i].tested);
    EXPECT_EQ(a.checks[i].failed, b.checks[i].failed);
    EXPECT_EQ(a.checks[i].first_failure, b.checks[i].first_failure);
  }
}

TEST(RowVerifier, SaysOfRowsInAnyOrderWhatVerifySaysOfTheMatrix) {
  for (const ValueType type : {ValueType::i32, ValueType::f32}) {
    const Graph graph =
        generate({.vertices = 60, .probability = 0.07, .real_weights = type == ValueType::f32});
    MatrixStore matrix = solved(graph, Semiring::min_plus, type);
    for (const bool spoilt : {false, true}) {
      if (spoilt) matrix.at(17, 40) = 3, matrix.at(5, 6) = 1, matrix.at(44, 44) = 1;
      for (const std::int64_t sample : {0, 20}) {
        VerifyOptions options{.sources = sample, .seed = 3};
        const VerifyReport expected = verify(graph, matrix, options);
        if (sample == 0) {
          EXPECT_EQ(expected.passed, !spoilt);
        }
        const std::vector<std::byte> bytes = bytes_of(matrix);
        for (const int threads : {1, 3}) {
          RowVerifier sink(graph, Semiring::min_plus, type, options);
          store::give_at_random(sink, {bytes, 60, type}, 8, threads);
          expect_same(sink.report(), expected);
        }
      }
    }
  }
}

TEST(RowVerifier, StopsWhenAskedTo) {
  const Graph graph = small_graph();
  const std::vector<std::byte> bytes = bytes_of(solved(graph));
  Cancellation cancellation;
  cancellation.request();
  VerifyOptions options;
  options.control.cancellation = &cancellation;
  RowVerifier sink(graph, Semiring::min_plus, ValueType::i32, options);
  EXPECT_ERROR(interrupted, store::give_at_random(sink, {bytes, 6, ValueType::i32}, 1, 2));
}

}  // namespace
}  // namespace apsp::verifier::row_verifier_test
