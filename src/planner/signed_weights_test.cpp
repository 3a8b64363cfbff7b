#include "planner/signed_weights.hpp"

#include <apsp/graph.hpp>

#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/value_type.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::planner::signed_weights_test {
namespace {

Plan plan_of(const Graph& graph, std::optional<ValueType> type = {},
             Semiring semiring = Semiring::min_plus) {
  SolveOptions options{.question = {.semiring = semiring},
                       .method = {.value_type = type},
                       .machine = {.device = Device::cpu}};
  return make_plan(graph, options);
}

TEST(SignedWeights, AreRealAndOfBothSigns) {
  const auto ask = [](double a, double b, Semiring semiring, ValueType type) {
    return sums_may_cancel(graph_of(3, {{0, 1, a}, {1, 2, b}}), semiring, type);
  };
  EXPECT_TRUE(ask(1.5, -0.5, Semiring::min_plus, ValueType::f32));
  EXPECT_TRUE(ask(1.5, -0.5, Semiring::max_plus, ValueType::f64));
  EXPECT_TRUE(ask(1e8, -1, Semiring::min_plus, ValueType::f32));
  EXPECT_FALSE(ask(1e8, -1, Semiring::min_plus, ValueType::f64));
  EXPECT_FALSE(ask(1.5, -0.5, Semiring::max_min, ValueType::f32));
  EXPECT_FALSE(ask(1.5, 0.5, Semiring::min_plus, ValueType::f32));
  EXPECT_FALSE(ask(-1.5, -0.5, Semiring::max_plus, ValueType::f32));
}

TEST(SignedWeights, TheKernelsSeeNoSign) {
  const Graph graph = graph_of(3, {{0, 1, 1.5}, {1, 2, -0.5}});
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    const Plan plan = plan_of(graph, ValueType::f32, semiring);
    EXPECT_EQ(plan.kernel_semiring(), Semiring::min_plus);
    EXPECT_EQ(plan.sign, kernels::Sign::non_negative);
    ASSERT_NE(plan.signed_weights, nullptr);
    EXPECT_GT(plan.signed_weights->absolute_error(), 0);
  }
}

TEST(SignedWeights, AutomaticTakesF64WhereCancellingWouldShow) {
  EXPECT_EQ(plan_of(graph_of(3, {{0, 1, 1000000.123}, {1, 2, -1000000.120}})).type, ValueType::f64);
  EXPECT_EQ(plan_of(graph_of(3, {{0, 1, 1.123}, {1, 2, -0.120}})).type, ValueType::f32);
  // Reduced lengths may be three times as long as distances.
  EXPECT_EQ(plan_of(graph_of(3, {{0, 1, 1.5e38}, {1, 2, -1.1e37}})).type, ValueType::f64);
  const Graph graph = generate({.kind = GraphKind::gnp,
                                .vertices = 300,
                                .probability = 0.1,
                                .real_weights = true,
                                .negative = true});
  EXPECT_EQ(plan_of(graph).type, ValueType::f32);
}

TEST(SignedWeights, TheBoundIsAbsolute) {
  const Graph graph = graph_of(3, {{0, 1, 1000000.123}, {1, 2, -1000000.120}});
  const Plan plan = plan_of(graph, ValueType::f32);
  const double bound = plan.signed_weights->absolute_error();
  // One rounding of 10^6 is 0.03: the sum, 0.003, may well come out as 0, and the plan says so.
  EXPECT_GT(bound, 0.03);
  EXPECT_LT(bound, 0.5);
  EXPECT_LT(plan_of(graph).signed_weights->absolute_error(), 1e-9);
}

TEST(SignedWeights, NoReducedLengthIsLongerThanTheBoundOfThem) {
  // Around a cycle every pair has a way over the vertex of most arcs: 0 → 1 → 2 → 3 → 0.
  const Graph graph = graph_of(4, {{0, 1, 2.5}, {1, 2, -1}, {2, 3, 3.5}, {3, 0, -2}, {1, 3, 9}});
  const Plan plan = plan_of(graph, ValueType::f64);
  EXPECT_LT(plan.signed_weights->longest_reduced, 12.1);
  EXPECT_GE(plan.signed_weights->longest_reduced, 5);
}

/// Arcs both ways between v and `parents[v]`; those of a tree. Weights of both signs.
Graph tree_of(const std::vector<Vertex>& parents) {
  GraphBuilder builder(std::ssize(parents));
  for (Vertex v = 0; v < parents.size(); ++v) {
    if (parents[v] == v) continue;
    builder.add_edge(parents[v], v, 2.25 + v);
    builder.add_edge(v, parents[v], v % 3 == 0 ? 1.25 * v : -1.5 - v);
  }
  return std::move(builder).build();
}

/// A path away from 0, whose numbers rise for three vertices and then fall for three; and two
/// leaves of 0.
std::vector<Vertex> rising_and_falling(Vertex runs) {
  constexpr Vertex kRun = 3;
  std::vector<Vertex> parents = {0};
  parents.resize(3 + kRun * runs);
  Vertex last = 0;
  for (Vertex run = 0; run < runs; ++run) {
    for (Vertex step = 0; step < kRun; ++step) {
      const Vertex v = 1 + kRun * run + (run % 2 == 0 ? step : kRun - 1 - step);
      parents[v] = last;
      last = v;
    }
  }
  return parents;
}

/// Of a tree there is one way to each vertex, and one from it: the longest of each, on reduced
/// weights.
double longest_over(Vertex hub, const Graph& graph, const SignedWeights& weights) {
  const auto n = static_cast<Vertex>(graph.vertex_count());
  const auto& h = weights.potentials.h;
  double longest_from = 0, longest_to = 0;
  const auto visit = [&](const auto& self, Vertex v, Vertex before, double from,
                         double to) -> void {
    longest_from = std::max(longest_from, from + h[hub].high - h[v].high);
    longest_to = std::max(longest_to, to + h[v].high - h[hub].high);
    for (Vertex next = 0; next < n; ++next) {
      if (next == before) continue;
      graph.for_each_arc_between(v, next, [&](double away) {
        graph.for_each_arc_between(
            next, v, [&](double back) { self(self, next, v, from + away, to + back); });
      });
    }
  };
  visit(visit, hub, hub, 0, 0);
  return longest_from + longest_to;
}

TEST(SignedWeights, TheBoundOfReducedLengthsIsThatOfWaysOverTheVertexOfMostArcs) {
  std::vector<Vertex> path(40), backwards(40), down(42, 39);  // from 39 to 0, and two leaves of 39
  for (Vertex v = 0; v < 40; ++v) {
    path[v] = v == 0 ? 0 : v - 1;
    backwards[v] = v == 39 ? 39 : v + 1;
    down[v] = backwards[v];
  }
  path[38] = path[39] = 0;  // so that 0 has most arcs
  backwards[0] = backwards[1] = 39;
  const std::pair<Vertex, std::vector<Vertex>> trees[] = {{0, {0, 0}},
                                                          {0, {0, 0, 0}},
                                                          {1, {1, 1, 1, 1}},
                                                          {2, {2, 2, 2, 2, 3, 4}},
                                                          {2, {2, 2, 2, 2, 2, 2, 3}},
                                                          {0, rising_and_falling(16)},
                                                          {0, path},
                                                          {39, backwards},
                                                          {39, down}};
  for (const auto& [hub, parents] : trees) {
    const Graph graph = tree_of(parents);
    const auto weights = reduce_weights(graph, Semiring::min_plus, 1, {});
    const double expected = longest_over(hub, graph, *weights);
    EXPECT_NEAR(weights->longest_reduced, expected, 1e-5 * expected) << parents.size();
  }
}

TEST(SignedWeights, OfLongestPathsAreReducedWithTheOtherSign) {
  const Graph graph = graph_of(3, {{0, 1, 1.5}, {1, 2, -0.5}});
  const auto longest = reduce_weights(graph, Semiring::max_plus, 1, {});
  EXPECT_EQ(longest->sign, -1);
  EXPECT_EQ(longest->largest_potential, 1.5);
  EXPECT_EQ(longest->longest_distance,
            std::min(distance_bound(graph, Semiring::max_plus), longest->longest_reduced + 1.5));
  EXPECT_GT(longest->longest_distance, 0);
  const auto shortest = reduce_weights(graph, Semiring::min_plus, 1, {});
  EXPECT_EQ(shortest->sign, 1);
  EXPECT_EQ(shortest->largest_potential, 0.5);
}

TEST(SignedWeights, TheBoundIsOfTheTypeAndOfAllVertices) {
  const Graph graph = graph_of(3, {{0, 1, 1.5e-30}, {1, 2, -0.5e-30}});
  const auto weights = reduce_weights(graph, Semiring::min_plus, 1, {});
  set_bound(graph, ValueType::f32, *weights);
  EXPECT_EQ(weights->bound.edges, 2);
  EXPECT_EQ(weights->bound.unit_roundoff, 0x1p-24);
  EXPECT_GE(weights->bound.an_edge, std::numeric_limits<float>::denorm_min());
  set_bound(graph, ValueType::f64, *weights);
  EXPECT_EQ(weights->bound.unit_roundoff, 0x1p-53);
  EXPECT_LT(weights->bound.an_edge, std::numeric_limits<float>::denorm_min());
}

TEST(ErrorBound, GrowsWithEdgesAndLengths) {
  const ErrorBound coarse{.unit_roundoff = 0.125, .edges = 3, .an_edge = 0.5};
  EXPECT_NEAR(coarse.of(0.5, 2), 0.375 / 0.625 * 0.5 + 0.125 * 2 + 1.5, 1e-5);
  EXPECT_NEAR(coarse.of(0, 2), 0.125 * 2 + 1.5, 1e-5);
  const ErrorBound hopeless{.unit_roundoff = 0.125, .edges = 4, .an_edge = 0.5};
  EXPECT_TRUE(std::isinf(hopeless.of(0.5, 2)));
  EXPECT_NEAR(hopeless.of(0, 2), 0.125 * 2 + 2, 1e-5);

  const ErrorBound bound{.unit_roundoff = 0x1p-24, .edges = 10, .an_edge = 1e-9};
  EXPECT_NEAR(bound.of(3, 2), 10 * 0x1p-24 * 3 + 0x1p-24 * 2 + 1e-8, 1e-11);
  EXPECT_NEAR(bound.of(0, 0), 1e-8, 1e-13);
}

// Real weights in f32 or f64, by how often the paths are rounded.

Graph line(std::int64_t n, double weight = 0.1, bool directed = false) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1, weight});
  return graph_of(n, edges, directed);
}

Plan planned_with(const Graph& graph, const SolveOptions& options = {}) {
  return make_plan(graph, options, no_device);
}

TEST(Tolerance, LongLinesAreSolvedInF64) {
  EXPECT_EQ(planned_with(line(168)).type, ValueType::f32);
  const Plan plan = planned_with(line(169));
  EXPECT_EQ(plan.type, ValueType::f64);
  EXPECT_THAT(plan.why.type,
              HasSubstr("paths may have more than 167 edges, over which f32 may err by "
                        "more than 1e-05"));
}

TEST(Tolerance, IsTheCallers) {
  SolveOptions options{.method = {.tolerance = 1e-4}};
  EXPECT_EQ(planned_with(line(1600), options).type, ValueType::f32);
  EXPECT_EQ(planned_with(line(1700), options).type, ValueType::f64);
  options.method.tolerance = 0;
  EXPECT_EQ(planned_with(line(2), options).type, ValueType::f64);
  options.method.tolerance = 1e-7;
  EXPECT_EQ(planned_with(line(2), options).type, ValueType::f32);
  EXPECT_EQ(planned_with(line(3), options).type, ValueType::f64);
  options.method.tolerance = 1e30;
  EXPECT_EQ(planned_with(line(5000), options).type, ValueType::f32);
}

TEST(Tolerance, IsANumberFromZero) {
  for (const double wrong :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SolveOptions options{.method = {.tolerance = wrong}};
    EXPECT_ERROR(usage, planned_with(line(3), options));
  }
}

TEST(Tolerance, ATypeByNameIsObeyedAndItsBoundPrinted) {
  SolveOptions options{.method = {.value_type = ValueType::f32}};
  const Plan plan = planned_with(line(2001), options);
  EXPECT_EQ(plan.type, ValueType::f32);
  EXPECT_EQ(precision(plan),
            "error at most 6.0e-08 an edge of the path, relative; 1.2e-04 if it led through all "
            "vertices");
}

TEST(Tolerance, SaysNothingOfIntegersAndCountsABottleneckOnce) {
  EXPECT_EQ(planned_with(line(3000, 2)).type, ValueType::u16);
  SolveOptions widest{.question = {.semiring = Semiring::max_min}};
  EXPECT_EQ(planned_with(line(3000), widest).type, ValueType::f32);
  EXPECT_EQ(precision(planned_with(line(3000), widest)), "error at most 6.0e-08, relative");
  widest.method.tolerance = 1e-9;
  EXPECT_EQ(planned_with(line(3000), widest).type, ValueType::f64);
  EXPECT_EQ(precision(planned_with(line(3000), widest)), "exact");
}

TEST(Tolerance, CountsPathsOfSignedWeightsAndLongestOnes) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v + 1 < 300; ++v) edges.push_back({v, v + 1, v % 2 == 0 ? 0.75 : -0.1});
  const Plan plan = planned_with(graph_of(300, edges));
  ASSERT_NE(plan.signed_weights, nullptr);
  EXPECT_EQ(plan.type, ValueType::f64);
  EXPECT_EQ(plan.signed_weights->bound.unit_roundoff, 0x1p-53);
  SolveOptions longest{.question = {.semiring = Semiring::max_plus}};
  EXPECT_EQ(planned_with(line(300, 0.1, true), longest).type, ValueType::f64);
}

TEST(Tolerance, LeavesRandomGraphsInF32) {
  const Graph graph = random_graph({.n = 2000, .arcs = 12000, .greatest = 9, .real = true});
  EXPECT_EQ(planned_with(graph).type, ValueType::f32);
}

TEST(Tolerance, LessMemoryIsToBeHadByTheTypesName) {
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.threads = 2, .memory = 26 << 20}};
  EXPECT_ERROR(does_not_fit, planned_with(line(1000), options));
}

}  // namespace
}  // namespace apsp::planner::signed_weights_test
