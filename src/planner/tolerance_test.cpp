// Real weights in f32 or f64, by how often the paths are rounded.
#include "planner/value_type.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <limits>
#include <vector>

#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;

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
}  // namespace apsp::planner
