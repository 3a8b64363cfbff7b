// Types that searches prove, where the sum of the largest weights does not.
#include "planner/value_type.hpp"

#include "graph/distance_bounds.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "planner/signed_weights.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/zigzag.hpp"

namespace apsp::planner::value_type_test {
namespace {

constexpr std::int64_t kMost16 = 32766, kMost32 = (1 << 30) - 2;

ValueChoice chosen(const Graph& graph, Semiring semiring = Semiring::min_plus) {
  return choose_value_type(graph, semiring, std::nullopt, 2);
}

TEST(SearchedType, IsTheNarrowestUpToItsLimit) {
  const ValueChoice half = chosen(zigzag(600, kMost16));
  EXPECT_EQ(half.type, ValueType::u16);
  EXPECT_EQ(half.distance_bound, kMost16);
  EXPECT_TRUE(half.searched);
  EXPECT_EQ(chosen(zigzag(600, kMost16 + 1)).type, ValueType::i32);
  EXPECT_EQ(chosen(zigzag(600, kMost32)).type, ValueType::i32);
  EXPECT_EQ(chosen(zigzag(600, kMost32)).distance_bound, kMost32);
  EXPECT_EQ(chosen(zigzag(600, kMost32 + 1)).type, ValueType::f64);
}

/// Along a directed path searches find what the largest weights add up to.
TEST(SearchedType, IsNotSaidOfABoundThatSearchesDoNotLower) {
  GraphBuilder builder(600);
  for (Vertex v = 0; v + 1 < 600; ++v) builder.add_edge(v, v + 1, 1000);
  const ValueChoice choice = chosen(std::move(builder).build());
  EXPECT_EQ(choice.type, ValueType::i32);
  EXPECT_EQ(choice.distance_bound, 599'000);
  EXPECT_FALSE(choice.searched);
}

TEST(SearchedType, HeavyArcsThatNoShortestPathTakesDoNotCount) {
  const ValueChoice choice =
      chosen(zigzag(600, 2000, {{0, 1, 65536 + 1}, {3, 500, 1e9}, {7, 7, 1e15}}));
  EXPECT_EQ(choice.type, ValueType::u16);
  EXPECT_EQ(choice.distance_bound, 2000);
}

TEST(SearchedType, OfDirectedGraphs) {
  for (const std::int64_t arcs : {600, 1500, 6000}) {
    const Graph graph = random_graph({.n = 700, .arcs = arcs, .least = 1, .greatest = 100});
    const ValueChoice choice = chosen(graph);
    EXPECT_GE(choice.distance_bound, verifier::longest_distance(graph));
    if (arcs == 6000) {
      EXPECT_EQ(choice.type, ValueType::u16);
    }
  }
}

TEST(SearchedType, OfDenseGraphsAndMatrices) {
  const Graph dense = random_graph({.n = 600, .arcs = 300000, .least = 1, .greatest = 5000});
  const ValueChoice choice = chosen(dense);
  EXPECT_EQ(choice.type, ValueType::u16);
  EXPECT_GE(choice.distance_bound, verifier::longest_distance(dense));

  const std::int64_t n = 600;
  const auto values = std::make_shared<std::vector<std::int32_t>>(n * n, 8000);
  for (std::size_t i = 1; i < values->size(); i += 7) (*values)[i] = 100000;
  GraphBuilder builder(n);
  builder.set_matrix({.type = ValueType::i32, .n = n, .data = values->data(), .owner = values});
  const Graph matrix = std::move(builder).build();
  ASSERT_NE(matrix.matrix(), nullptr);
  EXPECT_EQ(chosen(matrix).type, ValueType::u16);
}

TEST(SearchedType, SmallGraphsAreSearchedOnRequest) {
  const Graph small = zigzag(100, kMost16);
  EXPECT_EQ(chosen(small).type, ValueType::i32);
  const ValueChoice asked = choose_value_type(small, Semiring::min_plus, ValueType::u16);
  EXPECT_EQ(asked.type, ValueType::u16);
  EXPECT_EQ(asked.distance_bound, kMost16);
}

TEST(SearchedType, GraphsOfManyVerticesAreSearchedUnasked) {
  EXPECT_EQ(chosen(zigzag(kLeastVertices, kMost16)).type, ValueType::u16);
  EXPECT_EQ(chosen(zigzag(kLeastVertices - 2, kMost16)).type, ValueType::i32);
}

/// From the end of a path, its vertex of most arcs, a search proves only twice the path's length.
/// One from the middle proves the length, and is worth its time for the type that was asked for.
TEST(SearchedType, ARequestIsProvedFromTheMiddleOfAPath) {
  std::vector<Edge> edges;
  const auto both_ways = [&](Vertex from, Vertex to, double weight) {
    edges.push_back({from, to, weight});
    edges.push_back({to, from, weight + 1});
  };
  for (Vertex v = 0; v < 20; ++v) both_ways(v, v + 1, 1000);
  for (Vertex leaf = 21; leaf < 30; ++leaf) both_ways(0, leaf, 500);
  edges.push_back({0, 21, 30'000});  // the sum of the largest weights proves nothing
  const Graph graph = graph_of(30, edges);
  ASSERT_GT(eccentricity_bound(graph, std::vector<double>{}), 32'766);
  const ValueChoice choice = choose_value_type(graph, Semiring::min_plus, ValueType::u16);
  EXPECT_EQ(choice.type, ValueType::u16);
  EXPECT_LT(choice.distance_bound, 32'766);
}

TEST(SearchedType, ARequestThatIsNotProvedNamesTheBound) {
  // Spokes of weight 16,000 and one of 17,000: from the hub no distance is beyond the limit,
  // between two ends one is.
  std::vector<Edge> spokes = {{0, 1, 17000}};
  for (Vertex v = 2; v < 10; ++v) spokes.push_back({0, v, 16000});
  EXPECT_ERROR(does_not_fit,
               choose_value_type(graph_of(10, spokes, false), Semiring::min_plus, ValueType::u16));
  const auto refusal = [](double least) {
    const Graph graph = graph_of(3, {{0, 1, least}, {1, 2, 1e5}});
    EXPECT_ERROR(does_not_fit, choose_value_type(graph, Semiring::min_plus, ValueType::u16));
  };
  refusal(-1);
  refusal(0);
  refusal(1);
}

TEST(SearchedType, IsOnlyForShortestPathsOfIntegersThatAreNotNegative) {
  EXPECT_EQ(chosen(random_graph({.n = 600, .arcs = 2000, .greatest = 100, .real = true})).type,
            ValueType::f32);
  const Graph negative =
      random_graph({.n = 600, .arcs = 2000, .least = 1, .greatest = 100, .potential = 50});
  ASSERT_LT(negative.weight_facts().least, 0);
  EXPECT_EQ(chosen(negative).type, ValueType::i32);
  const Graph acyclic = random_graph({.n = 600, .arcs = 2000, .greatest = 100, .acyclic = true});
  EXPECT_EQ(chosen(acyclic, Semiring::max_plus).type, ValueType::i32);
}

TEST(SearchedType, ThePlanSaysSo) {
  const Plan plan = make_plan(zigzag(600, kMost16), {}, no_device);
  EXPECT_EQ(plan.type, ValueType::u16);
  EXPECT_EQ(plan.distance_bound, kMost16);
  EXPECT_THAT(plan.why.type, HasSubstr("; no distance exceeds 32,766"));
  const Plan summed = make_plan(graph_of(2, {{0, 1, 5}}), {}, no_device);
  EXPECT_THAT(summed.why.type, Not(HasSubstr("exceeds")));
}

/// Reduced lengths are three times as long only where weights have both signs.
TEST(SearchedType, SumsOfOneSignReachFurther) {
  const auto f32_holds = [](double a, double b) {
    try {
      const Graph graph = graph_of(3, {{0, 1, a}, {1, 2, b}});
      return choose_value_type(graph, Semiring::min_plus, ValueType::f32).type == ValueType::f32;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
      return false;
    }
  };
  EXPECT_TRUE(f32_holds(-1.2e38, 0));
  EXPECT_TRUE(f32_holds(1.2e38, 0));
  EXPECT_FALSE(f32_holds(-1.2e38, 1e30));
  EXPECT_FALSE(f32_holds(-1.2e38, 0.5));
  EXPECT_TRUE(f32_holds(-5e37, 1e30));
}

TEST(SearchedType, ATolerancesEdgesAreCounted) {
  const Graph path = graph_of(5, {{0, 1, 0.1}, {1, 2, 0.1}, {2, 3, 0.1}, {3, 4, 0.1}});
  const auto why = [&](double edges) {
    return why_f32_is_too_coarse(path, Semiring::min_plus, nullptr, edges * 0x1p-24, {});
  };
  EXPECT_NE(why(1), "");
  EXPECT_NE(why(3), "");
  EXPECT_EQ(why(4), "");
}

TEST(UnitRoundoffOfSums, IsNoneUpToTheLastIntegerThatIsExact) {
  const auto of = [](double weight, ValueType type) {
    return unit_roundoff(graph_of(2, {{0, 1, weight}}), Semiring::min_plus, type);
  };
  EXPECT_EQ(of(0x1p24, ValueType::f32), 0);
  EXPECT_EQ(of(0x1p24 + 2, ValueType::f32), 0x1p-24);
  // 2^53 itself may be a sum of 2^53 + 1 that was rounded.
  EXPECT_EQ(of(0x1p53 - 1, ValueType::f64), 0);
  EXPECT_EQ(of(0x1p53, ValueType::f64), 0x1p-53);
}

TEST(ExactIntegers, AreRefusedWhereF64WouldRoundThem) {
  const auto refusal = [](const Graph& graph, Semiring semiring = Semiring::min_plus) {
    const Error error = error_of([&] { chosen(graph, semiring); });
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
    return std::string(error.what());
  };
  const Graph graph = graph_of(3, {{0, 1, 0x1p53 - 1}, {1, 2, 1}});
  refusal(graph);
  refusal(graph, Semiring::max_plus);
  refusal(graph_of(2, {{0, 1, 0x1p62}}));
  refusal(graph_of(3, {{0, 1, 0x1p53 - 1}, {1, 2, -1}}));
  EXPECT_EQ(choose_value_type(graph, Semiring::min_plus, ValueType::f64).type, ValueType::f64);
  EXPECT_EQ(chosen(graph, Semiring::max_min).type, ValueType::f64);
  EXPECT_EQ(chosen(graph_of(3, {{0, 1, 0x1p53 - 2}, {1, 2, 1}})).type, ValueType::f64);
  EXPECT_EQ(chosen(graph_of(2, {{0, 1, 0x1p64}})).type, ValueType::f32) << "no integer type";
  // Fractions are real weights, whatever the others are.
  EXPECT_EQ(chosen(graph_of(3, {{0, 1, 0x1p62}, {1, 2, 0.5}})).type, ValueType::f32);
}

/// An arc of 2^60 that no shortest path takes.
TEST(ExactIntegers, OfHeavyArcsThatNoShortestPathTakesAreFound) {
  EXPECT_EQ(chosen(zigzag(600, 2000, {{3, 500, 0x1p60}})).type, ValueType::f64);
  EXPECT_EQ(chosen(zigzag(20, 2000, {{3, 15, 0x1p60}})).type, ValueType::f64);
}

TEST(LeastDistance, IsTheLeastWeightThatIsNotZero) {
  const auto of = [](std::initializer_list<double> weights) {
    std::vector<Edge> edges;
    for (const double weight : weights) edges.push_back({0, 1, weight});
    return least_distance(graph_of(2, edges));
  };
  EXPECT_EQ(of({3, 5}), 3);
  EXPECT_EQ(of({0.5, 5}), 0.5);
  EXPECT_EQ(of({-3, 5}), 0) << "sums may cancel";
  EXPECT_EQ(of({0, 4}), 1) << "whole";
  EXPECT_EQ(of({0, 0.25, 4}), 0.25);
  // Arcs of a dense matrix are not looked through.
  const Graph dense = random_graph({.n = 600, .arcs = 300'000, .real = true});
  const Graph sparse = random_graph({.n = 600, .arcs = 1200, .real = true});
  EXPECT_EQ(dense.weight_facts().least == 0 ? least_distance(dense) : 0, 0);
  EXPECT_GT(least_distance(sparse), 0);
}

}  // namespace
}  // namespace apsp::planner::value_type_test
