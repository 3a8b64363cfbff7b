// Tolerances of a claim, to the last bit, by the formulas of docs/verification.md.
#include "support/graph_of.hpp"
#include "support/matrix_store.hpp"
#include "support/plane_store.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"
#include "verifier/pair_checks.hpp"
#include "verifier/row_verifier.hpp"
#include "verifier/verifier.hpp"

namespace apsp::verifier::claim_test {
namespace {

Claim claim_of(const Graph& graph, ValueType type, std::optional<double> tolerance = {}) {
  return {graph, Semiring::min_plus, type, tolerance};
}

TEST(Claim, WeightsAreOfBothSignsWhereOneIsNegativeAndOnePositive) {
  const auto mixed = [](double a, double b) {
    return Claim(graph_of(3, {{0, 1, a}, {1, 2, b}}), Semiring::min_plus, ValueType::f64, {})
        .mixed_signs;
  };
  EXPECT_TRUE(mixed(-0.5, 0.5));
  EXPECT_TRUE(mixed(-1, 1));
  EXPECT_FALSE(mixed(0, 1));
  EXPECT_FALSE(mixed(-1, 0));
  EXPECT_FALSE(mixed(0.25, 0.5));
}

TEST(Claim, IntegersAreExactBelowTheMantissa) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  const Claim narrow = claim_of(graph, ValueType::f32);
  EXPECT_EQ(narrow.tolerance_of_row(0x1p24 - 1), 0);
  EXPECT_EQ(narrow.tolerance_of_row(0x1p24), 3 * 2 / 0x1p24);
  const Claim wide = claim_of(graph, ValueType::f64);
  EXPECT_EQ(wide.tolerance_of_row(0x1p53 - 1), 0);
  EXPECT_EQ(wide.tolerance_of_row(0x1p53), 3 * 2 / 0x1p53);
  EXPECT_EQ(claim_of(graph, ValueType::i32).tolerance_of_row(0x1p60), 0);
  EXPECT_EQ(claim_of(graph, ValueType::f32, 0.5).tolerance_of_row(1), 0.5);
}

/// Weights of both signs: the least potential is −3, and twice its magnitude counts.
TEST(Claim, PotentialsCountTwiceTowardsTheMantissa) {
  const Graph graph = graph_of(3, {{0, 1, 5}, {1, 2, -3}});
  const Claim claim = claim_of(graph, ValueType::f32);
  ASSERT_TRUE(claim.reduces());
  EXPECT_THAT(claim.potentials, ElementsAre(0, 0, -3));
  EXPECT_EQ(claim.tolerance_of_row(0x1p24 - 7), 0);
  EXPECT_GT(claim.tolerance_of_row(0x1p24 - 6), 0);
}

TEST(Claim, ForgivesLastBitsOfRealWeightsAndLeastValues) {
  constexpr double kLeast = std::numeric_limits<float>::denorm_min();
  const Graph real = graph_of(3, {{0, 1, 5.5}, {1, 2, -3.5}});
  const Claim claim = claim_of(real, ValueType::f32);
  EXPECT_EQ(claim.forgiven, 0x1p-51 * (5.5 + 2 * 3.5) + 3 * kLeast);
  const Graph whole = graph_of(3, {{0, 1, 5}, {1, 2, -3}});
  EXPECT_EQ(claim_of(whole, ValueType::f32).forgiven, 3 * kLeast);
  EXPECT_EQ(claim_of(whole, ValueType::f64).forgiven,
            3 * std::numeric_limits<double>::denorm_min());
  // A rounding of the distance to f32, two of its reduction, and least values.
  EXPECT_EQ(claim.noise(1, 8, 0, 2), 8 / 0x1p24 + 0x1p-50 * (8 + 3.5) + 3 * kLeast);
}

/// An error in one row must not loosen the next.
TEST(RowChecker, ALargeRowDoesNotLoosenTheNext) {
  const Graph graph = graph_of(4, {{0, 1, 0x1p25}, {2, 3, 5}});
  const Claim claim = claim_of(graph, ValueType::f32);
  const float none = std::numeric_limits<float>::infinity();
  RowChecker checker(claim, {});
  const float first[] = {0, 0x1p25F, none, none};
  checker.check({0, first});
  const float second[] = {none, none, 0, 5.000001F};
  checker.check({2, second});
  Tally tally = checker.tally();
  EXPECT_EQ(tally.of(Check::edges).failed, 1);
  EXPECT_EQ(tally.tolerance, 4 * 2 / 0x1p24);
}

/// Sums of 2^53 and 1 are not rounded before they are compared.
TEST(RowChecker, ComparesSumsWithoutRoundingWhereNoToleranceIsLetPass) {
  const Graph graph = graph_of(3, {{0, 1, 0x1p53}, {1, 2, 1}});
  const auto failed = [&](double last, std::optional<double> tolerance) {
    const Claim claim(graph, Semiring::min_plus, ValueType::f64, tolerance);
    RowChecker checker(claim, {});
    const double row[] = {0, 0x1p53, last};
    checker.check({0, row});
    Tally tally = checker.tally();
    return tally.of(Check::triangle).failed + tally.of(Check::tightness).failed;
  };
  EXPECT_EQ(failed(0x1p53, 0), 1);      // too short: no path attains it
  EXPECT_EQ(failed(0x1p53 + 2, 0), 2);  // too long
  EXPECT_EQ(failed(0x1p53, std::nullopt), 0);
}

/// Rows of one component share their reachable vertices, rows of others do not.
TEST(RowChecker, SearchesAnewFromAnotherComponent) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 0, 1}, {2, 0, 1}});
  const Claim claim = claim_of(graph, ValueType::i32);
  const auto none = static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
  RowChecker checker(claim, {});
  const std::int32_t rows[3][3] = {{0, 1, none}, {1, 0, none}, {1, 2, 0}};
  for (const Vertex s : {0, 2, 1, 2, 0}) checker.check({s, rows[s]});
  for (const CheckTally& check : checker.tally().checks) EXPECT_EQ(check.failed, 0);
}

/// The empty path's distance, with rounded sums of both signs and a tolerance.
TEST(Verifier, TheDiagonalIsWithinTwiceTheLargestDistance) {
  const Graph graph = graph_of(2, {{0, 1, 64.0}, {1, 0, -8.0}});
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
  const auto wrong_diagonals = [&](double value) {
    store.at(0, 0) = value;
    return find(verify(graph, store, with_tolerance(1.0 / 256)), "diagonal").failed;
  };
  EXPECT_EQ(wrong_diagonals(0.5), 0);
  EXPECT_EQ(wrong_diagonals(-0.5), 0);
  EXPECT_EQ(wrong_diagonals(0.5 + 0x1p-40), 1);
  EXPECT_EQ(wrong_diagonals(-0.5 - 0x1p-40), 1);
}

/// With reduced weights, the error accepted for an edge is accepted on the diagonal.
TEST(Verifier, TheDiagonalOfReducedSumsMayErrByWhatIsForgiven) {
  const Graph graph = graph_of(3, {{0, 1, 5.5}, {1, 2, -3.5}, {2, 0, -1.5}});
  const Claim claim = claim_of(graph, ValueType::f64);
  ASSERT_TRUE(claim.reduces());
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
  const auto wrong_diagonals = [&](double value) {
    store.at(0, 0) = value;
    return find(verify(graph, store, {}), "diagonal").failed;
  };
  EXPECT_EQ(wrong_diagonals(claim.forgiven), 0);
  EXPECT_EQ(wrong_diagonals(2 * claim.forgiven), 0) << "three edges";
  EXPECT_EQ(wrong_diagonals(-claim.forgiven), 0);
  EXPECT_EQ(wrong_diagonals(1e-9), 1);
}

TEST(Verifier, TheDiagonalOfExactSumsIsExact) {
  const Graph graph = graph_of(2, {{0, 1, 4}, {1, 0, -3}});
  MatrixStore store = solved(graph, Semiring::min_plus, ValueType::f64);
  ASSERT_TRUE(verify(graph, store, {}).passed);
  store.at(0, 0) = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(find(verify(graph, store, {}), "diagonal").failed, 1);
}

TEST(Verifier, ANegatedZeroIsWrittenWithoutItsSign) {
  const Claim claim(graph_of(1, {}), Semiring::max_plus, ValueType::f64, {});
  EXPECT_EQ(claim.text(0.0), "0");
  EXPECT_EQ(claim.text(-2.5), "2.5");
}

/// The slack of a split is that of its row's largest distance; paths and their parts count.
TEST(PairClaim, KnowsTheLargestDistanceOfARow) {
  const Graph graph = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {1, 0, 7}});
  const PlaneStore store = solved_planes(graph, Semiring::min_plus, ValueType::f64,
                                         {Plane::distance, Plane::via, Plane::hops});
  const Claim claim = claim_of(graph, ValueType::f64);
  for (const bool in_memory : {true, false}) {
    const auto planes = in_memory ? planes_in_memory(*store, {}) : planes_in_store(*store);
    PairClaim pairs{claim, *planes, true, std::vector<double>(4)};
    for (Vertex s = 0; s < 4; ++s) pairs.measure_row(s);
    EXPECT_THAT(pairs.magnitude, ElementsAre(5, 7, 0, 0));
    EXPECT_EQ(pairs.measure({0, 2}), 2) << "edges";
    pairs.counts_edges = false;
    EXPECT_EQ(pairs.measure({0, 2}), 5) << "length";
    EXPECT_EQ(pairs.split({0, 2}), 1);
    EXPECT_EQ(pairs.split({0, 1}), -1);
  }
  EXPECT_EQ(copied_bytes(*store), 0) << "the planes are in memory";
}

TEST(PairClaim, MeasuresBottlenecksWithTheirSignAndNothingOfMixedSums) {
  const auto measured = [](Semiring semiring, double back) {
    const Graph graph = graph_of(2, {{0, 1, -2}, {1, 0, back}});
    const PlaneStore store =
        solved_planes(graph, semiring, ValueType::f64, {Plane::distance, Plane::via});
    const Claim claim(graph, semiring, ValueType::f64, {});
    const auto planes = planes_in_memory(*store, {});
    return PairClaim{claim, *planes, false, {}}.measure({0, 1});
  };
  EXPECT_EQ(measured(Semiring::min_max, 5), -2);
  EXPECT_EQ(measured(Semiring::min_plus, 5), 0);
}

/// Real weights of both signs: a part's row may have larger sums than the whole's.
TEST(PairChecker, ForgivesRoundingOfTheLargestDistanceOfEitherRow) {
  const Graph graph = graph_of(4, {{0, 1, 1.5}, {1, 2, -1.0}, {1, 3, 1024}});
  PlaneStore store =
      solved_planes(graph, Semiring::min_plus, ValueType::f64, {Plane::distance, Plane::via});
  const double tolerance = 1.0 / 1024;
  const auto via_fails = [&](double distance) {
    store.set_distance(0, 2, distance);
    return find(verify(graph, *store, with_tolerance(tolerance)), "via").failed > 0;
  };
  // Twice 1025.5, the largest of row 0, with a tolerance of 1/1024.
  EXPECT_FALSE(via_fails(0.5 + 2 * 1025.5 * tolerance));
  EXPECT_TRUE(via_fails(0.5 + 2 * 1025.5 * tolerance + 0x1p-30));
}

class DrawnPairs : public testing::Test {
 protected:
  /// A path of two edges.
  DrawnPairs() : graph_(graph_of(3, {{0, 1, 1}, {1, 2, 1}})) {}

  Graph graph_;
};

TEST_F(DrawnPairs, EndWithTheCountThatIsAskedFor) {
  const Graph edge = graph_of(1, {});
  const PlaneStore store =
      solved_planes(edge, Semiring::min_plus, ValueType::i32, {Plane::distance, Plane::via});
  const Claim claim = claim_of(edge, ValueType::i32);
  const std::vector<Vertex> sources = {0};
  RecordedProgress progress;
  Control control;
  control.progress = &progress;
  PairOutcome outcome = check_pairs(claim, *store, sources, {.memory = 0, .pairs = 10}, control);
  EXPECT_TRUE(outcome.drawn);
  EXPECT_EQ(outcome.tally.of(Check::via).tested, 10) << "one pair a path";
  EXPECT_EQ(progress.totals.at("verify via"), 10);
  EXPECT_TRUE(progress.complete());
  control.cancellation = &progress.cancellation;
  progress.cancellation.request();
  EXPECT_THROW(check_pairs(claim, *store, sources, {.memory = 0, .pairs = 10}, control), Error);
}

/// Planes in memory need n² bytes of states.
TEST_F(DrawnPairs, NeedNoMoreThanTheMemoryThatIsThere) {
  const PlaneStore store =
      solved_planes(graph_, Semiring::min_plus, ValueType::i32, {Plane::distance, Plane::via});
  const Claim claim = claim_of(graph_, ValueType::i32);
  const std::vector<Vertex> all = {0, 1, 2};
  EXPECT_FALSE(check_pairs(claim, *store, all, {.memory = 9}, {}).drawn);
  EXPECT_TRUE(check_pairs(claim, *store, all, {.memory = 8, .pairs = 5}, {}).drawn);
  PairOutcome outcome = check_pairs(claim, *store, all, {.memory = 9}, {});
  EXPECT_EQ(outcome.tally.of(Check::via).tested, 9);
  // From one source: the pairs of its paths, each once.
  outcome = check_pairs(claim, *store, std::vector<Vertex>{0}, {.memory = 9}, {});
  EXPECT_EQ(outcome.tally.of(Check::via).tested, 4) << "0-0, 0-1, 0-2 and its part 1-2";
}

/// One report has the counts of all rows and planes.
TEST(Verifier, CountsRowsAndPairsAndHopsWithoutVia) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  const PlaneStore both = solved_planes(graph, Semiring::min_plus, ValueType::i32,
                                        {Plane::distance, Plane::via, Plane::hops});
  const VerifyReport report = verify(graph, *both, {});
  EXPECT_EQ(find(report, "diagonal").tested, 3);
  EXPECT_EQ(find(report, "via").tested, 9);
  EXPECT_EQ(find(report, "hops").tested, 9);
  const PlaneStore alone =
      solved_planes(graph, Semiring::min_plus, ValueType::i32, {Plane::distance, Plane::hops});
  EXPECT_EQ(find(verify(graph, *alone, {}), "hops").tested, 1);
  EXPECT_EQ(find(verify(graph, *alone, {}), "hops").failed, 1);
}

TEST(RowVerifier, ChecksTheSourcesThatAreKeptInAnyOrder) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  const auto none = static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
  for (const std::int32_t last : {1, 2}) {
    RowVerifier verifier(graph, Semiring::min_plus, ValueType::i32, {}, {2, 0});
    const std::vector<Vertex> sources = {2, 0};
    const std::int32_t rows[] = {none, none, 0, 0, 1, last};
    RowBlock block;
    block.sources = sources;
    block.values = rows;
    block.type = ValueType::i32;
    block.stride = 3;
    verifier.take(block);
    EXPECT_EQ(verifier.report().passed, last == 2);
    EXPECT_EQ(find(verifier.report(), "diagonal").tested, 2);
  }
}

}  // namespace
}  // namespace apsp::verifier::claim_test
