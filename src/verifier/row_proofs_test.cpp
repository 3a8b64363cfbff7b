// A row that is proven is one that RowChecker accepts, with the same counts.
#include "verifier/row_proofs.hpp"

#include "support/test.hpp"

#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "support/matrix_store.hpp"

namespace apsp::verifier::row_proofs_test {
namespace {

struct Case {
  const char* name;
  ValueType type;
  bool real, directed;
  double zero_share;    // of arcs of weight 0
  double least_proven;  // share of right rows; arcs of weight 0 leave rows to RowChecker
};

class Proofs : public testing::TestWithParam<Case> {
 protected:
  static Graph graph_of(const Case& one, std::uint64_t seed) {
    base::SplitMix64 random(seed);
    const Vertex n = 23;
    GraphBuilder builder(n, one.directed);
    for (Vertex u = 0; u < n; ++u) {
      for (Vertex v = 0; v < n; ++v) {
        if (u == v || random.below(6) != 0) continue;
        const double weight =
            one.real ? random.uniform() : 1 + static_cast<double>(random.below(9));
        builder.add_edge(u, v, random.uniform() < one.zero_share ? 0 : weight);
      }
    }
    return std::move(builder).build();
  }
};

TEST_P(Proofs, AcceptWhatTheRowCheckerAcceptsAndNothingElse) {
  std::int64_t right = 0, proven = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph = graph_of(GetParam(), seed);
    const std::int64_t n = graph.vertex_count();
    const ValueType type = GetParam().type;
    MatrixStore store = solved(graph, Semiring::min_plus, type);
    base::SplitMix64 random(seed);
    for (Vertex s = 0; s < n; ++s) {  // half of all rows are spoilt
      if (random.below(2) == 0) continue;
      double& value = store.at(s, static_cast<std::int64_t>(random.below(23)));
      const double other = store.at(s, static_cast<std::int64_t>(random.below(23)));
      const double spoilt[] = {value + 1, value - 1, value * 1.01,
                               other,     -value,    no_path(Semiring::min_plus, type)};
      value = spoilt[random.below(6)];
    }
    const Claim claim(graph, Semiring::min_plus, type, {});
    RowProver prover(claim, {});
    ASSERT_TRUE(prover.applies());
    std::vector<std::byte> bytes(static_cast<std::size_t>(n * n * size_of(type)));
    store.read(store::Plane::distance, {0, 0, n, n}, bytes.data(), n);
    for (Vertex first = 0; first < n; first += kProvenAtOnce) {
      std::vector<ClaimedRow> rows;
      for (Vertex s = first; s < std::min<std::int64_t>(first + kProvenAtOnce, n); ++s) {
        rows.push_back({s, bytes.data() + s * n * size_of(type)});
      }
      Tally of_proofs, of_checks;
      const std::uint32_t bits = prover.prove(rows, of_proofs);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        RowChecker checker(claim, {});
        checker.check(rows[i]);
        bool accepted = true;
        for (const CheckTally& check : checker.tally().checks) accepted &= check.failed == 0;
        right += accepted;
        if ((bits >> i & 1U) == 0) continue;
        ++proven;
        EXPECT_TRUE(accepted) << "seed " << seed << ", source " << rows[i].source;
        of_checks.add(checker.tally());
      }
      EXPECT_EQ(of_proofs.tolerance, of_checks.tolerance);
      for (std::size_t i = 0; i < kCheckNames.size(); ++i) {
        EXPECT_EQ(of_proofs.checks[i].tested, of_checks.checks[i].tested) << kCheckNames[i];
      }
    }
  }
  EXPECT_GE(static_cast<double>(proven), GetParam().least_proven * static_cast<double>(right));
}

INSTANTIATE_TEST_SUITE_P(Types, Proofs,
                         testing::Values(Case{"U16", ValueType::u16, false, true, 0, 1},
                                         Case{"I32Undirected", ValueType::i32, false, false, 0, 1},
                                         Case{"I32Zeros", ValueType::i32, false, true, 0.1, 0},
                                         Case{"F32", ValueType::f32, true, true, 0, 1},
                                         Case{"F32Integers", ValueType::f32, false, true, 0, 1},
                                         Case{"F64Zeros", ValueType::f64, true, false, 0.1, 0},
                                         Case{"F64", ValueType::f64, true, true, 0, 1}),
                         [](const testing::TestParamInfo<Case>& each) {
                           return std::string(each.param.name);
                         });

TEST(RowProver, AppliesToLengthsThatAreNotNegative) {
  const auto applies = [](double weight, Semiring semiring) {
    const Graph graph = graph_of(2, {{0, 1, weight}});
    const Claim claim(graph, semiring, ValueType::i32, {});
    return RowProver(claim, {}).applies();
  };
  EXPECT_TRUE(applies(0, Semiring::min_plus));
  EXPECT_FALSE(applies(-1, Semiring::min_plus));
  EXPECT_FALSE(applies(1, Semiring::max_plus));
  EXPECT_FALSE(applies(1, Semiring::min_max));
}

/// Sums of 2^53 and 1 are rounded, so that comparing doubles proves nothing.
TEST(RowProver, LeavesSumsThatAreNotExactToTheRowChecker) {
  const Graph graph = graph_of(3, {{0, 1, 0x1p53}, {1, 2, 1}});
  const Claim claim(graph, Semiring::min_plus, ValueType::f64, 0);
  const double row[] = {0, 0x1p53, 0x1p53};
  const ClaimedRow rows[] = {{0, row}};
  Tally tally;
  EXPECT_EQ(RowProver(claim, {}).prove(rows, tally), 0U);
}

}  // namespace
}  // namespace apsp::verifier::row_proofs_test
