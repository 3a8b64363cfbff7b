#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>
#include <cmath>
#include <limits>
#include <thread>

#include "api/solve.hpp"
#include "rates/measured_rates.hpp"
#include "rates/timed_solves.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/recorded_progress.hpp"
#include "support/temporary_folder.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace {

using testing::ElementsAre;
constexpr double kInf = std::numeric_limits<double>::infinity();

Graph random_graph(std::int64_t n, bool negative = false, bool real = false) {
  GenerateOptions options;
  options.vertices = n;
  options.probability = 0.1;
  options.negative = negative;
  options.real_weights = real;
  return generate(options);
}

TEST(Solve, TenLineExample) {
  const Graph graph = graph_of(4, {{0, 1, 3}, {1, 2, 4}, {0, 2, 9}, {2, 0, 1}});
  const Result result = solve(graph);
  EXPECT_EQ(result.distance(0, 2), 7);
  EXPECT_EQ(result.distance(3, 0), kInf);
  EXPECT_FALSE(result.reachable(3, 0));
  EXPECT_THAT(result.path(0, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(result.path(3, 3), ElementsAre(3));
  EXPECT_THAT(result.path(0, 3), testing::IsEmpty());
  EXPECT_THAT(result.predecessors(0), ElementsAre(-1, 0, 1, -1));
  EXPECT_EQ(result.value_type(), ValueType::u16);
  EXPECT_EQ(*result.statistics().diameter, 7);
  EXPECT_TRUE(result.verify().passed);
}

TEST(Solve, NoVerticesAndOne) {
  EXPECT_EQ(solve(Graph()).vertex_count(), 0);
  EXPECT_TRUE(solve(Graph()).verify().passed);
  const Result one = solve(graph_of(1, {{0, 0, 5}}));
  EXPECT_EQ(one.distance(0, 0), 0);
}

TEST(Solve, AgreesWithTheReference) {
  for (const std::int64_t n : {2, 63, 64, 65, 131}) {
    for (const bool negative : {false, true}) {
      const Graph graph = random_graph(n, negative);
      const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
      const Result result = solve(graph);
      for (Vertex s = 0; s < n; ++s) {
        const std::vector<double> row = result.distances_from(s);
        ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.begin() + s * n)) << n << " " << s;
      }
      EXPECT_TRUE(result.verify().passed);
    }
  }
}

TEST(Solve, RealWeightsStayWithinTheirBound) {
  const Graph graph = random_graph(150, true, true);
  const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
  const Result result = solve(graph);
  EXPECT_EQ(result.value_type(), ValueType::f32);
  EXPECT_GT(result.report().unit_roundoff, 0);
  for (Vertex s = 0; s < 150; ++s) {
    const std::vector<double> row = result.distances_from(s);
    for (Vertex t = 0; t < 150; ++t) {
      const double truth = expected[s * 150 + t];
      if (truth == kInf) {
        EXPECT_EQ(row[t], kInf);
      } else {
        EXPECT_NEAR(row[t], truth, 150 * 100 * 0x1p-24);
      }
    }
  }
  EXPECT_TRUE(result.verify().passed);
}

TEST(Solve, ANegativeCycleIsShown) {
  const Graph graph = graph_of(4, {{0, 1, 1}, {1, 2, -5}, {2, 1, 3}, {2, 3, 1}});
  const Error error = error_of([&] { solve(graph); });
  EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
  EXPECT_EQ(error.cycle().weight, -2);
  EXPECT_THAT(error.cycle().vertices, testing::UnorderedElementsAre(1, 2));
}

TEST(Solve, ANegativeLoopAndANegativeUndirectedEdgeAreCycles) {
  EXPECT_ERROR(negative_cycle, solve(graph_of(2, {{1, 1, -1}})));
  EXPECT_ERROR(negative_cycle, solve(graph_of(2, {{0, 1, -1}}, false)));
}

TEST(Solve, LongestPathsNeedAnAcyclicGraph) {
  SolveOptions options{.question = {.semiring = Semiring::max_plus}};
  const Graph acyclic = graph_of(4, {{0, 1, 3}, {1, 2, 4}, {0, 2, 5}});
  EXPECT_EQ(solve(acyclic, options).distance(0, 2), 7);
  EXPECT_EQ(solve(acyclic, options).distance(2, 0), -kInf);
  EXPECT_ERROR(negative_cycle, solve(graph_of(2, {{0, 1, 1}, {1, 0, 1}}), options));
}

TEST(Solve, StoresReadBackWithEverything) {
  const TemporaryFolder folder;
  const Graph graph = random_graph(70);
  SolveOptions options{.question = {.predecessors = true},
                       .method = {.tile = 32},
                       .storage = {.output = folder / "a.zarr"}};
  const Result solved = solve(graph, options);
  const Result opened = open_result(options.storage.output);
  EXPECT_EQ(opened.graph().digest(), graph.digest());
  EXPECT_EQ(opened.report().plan, solved.report().plan);
  EXPECT_EQ(opened.statistics().diameter, solved.statistics().diameter);
  EXPECT_EQ(opened.statistics().closeness, solved.statistics().closeness);
  for (Vertex s = 0; s < 70; s += 7) {
    EXPECT_EQ(opened.distances_from(s), solved.distances_from(s));
    EXPECT_EQ(opened.path(s, 3), solved.path(s, 3));
  }
  EXPECT_TRUE(opened.verify().passed);

  opened.save(folder / "a.npy");
  EXPECT_ERROR(usage, open_result(folder / "a.npy"));
  const Result matrix = open_result(folder / "a.npy", graph);
  EXPECT_EQ(matrix.distances_from(5), solved.distances_from(5));
  EXPECT_ERROR(usage, open_result(folder / "a.zarr", random_graph(71)));
}

/// Zarr's texts are UTF-8: other programs would not open others.
TEST(Solve, NamesThatAreNotUtf8AreNoPartOfAZarr) {
  GraphBuilder builder(3, false);
  builder.add_edge(0, 1, 5);
  builder.add_edge(1, 2, 7);
  builder.set_labels({"M\xfcnchen", "Berlin", "K\xf6ln"});
  const Graph graph = std::move(builder).build();
  const TemporaryFolder folder;
  SolveOptions options{.storage = {.output = folder / "names.npy"}};
  EXPECT_EQ(solve(graph, options).distance(0, 2), 12);
  options.storage.output = folder / "names.zarr";
  EXPECT_ERROR(usage, solve(graph, options));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Solve, WithoutTheMatrixStatisticsRemain) {
  SolveOptions options{.storage = {.keep = Keep::statistics}};
  const Result result = solve(random_graph(40), options);
  EXPECT_TRUE(result.statistics().mean.has_value());
  EXPECT_ERROR(usage, result.distance(0, 1));
}

TEST(Solve, RefusesWhatCannotBe) {
  SolveOptions options{.storage = {.output = "result.txt"}};
  EXPECT_ERROR(usage, solve(Graph(), options));
  const Result result = solve(random_graph(5));
  EXPECT_ERROR(usage, result.distance(5, 0));
  EXPECT_ERROR(usage, result.path(0, 5));
}

TEST(Solve, StopsWhenAskedTo) {
  Cancellation cancellation;
  SolveOptions options{.machine = {.device = Device::cpu}};
  options.control.cancellation = &cancellation;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancellation.request();
  });
  const Graph graph = random_graph(6000);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_ERROR(interrupted, solve(graph, options));
  later.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(Solve, ThreadsDoNotChangeTheAnswer) {
  const Graph graph = random_graph(200, true, true);
  SolveOptions one, three;
  one.machine.threads = 1;
  three.machine.threads = 3;
  one.method.tile = three.method.tile = 48;
  const Result a = solve(graph, one), b = solve(graph, three);
  for (Vertex s = 0; s < 200; ++s) EXPECT_EQ(a.distances_from(s), b.distances_from(s));
  EXPECT_EQ(a.statistics().mean, b.statistics().mean);
}

TEST(FloydWarshall, WorksInPlaceOnACallersMatrix) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  std::vector<float> matrix = {5, 3, inf, -1, inf, 5, 4, -1, 1, inf, 5, -1};
  floyd_warshall<MinPlus>(MatrixView<float>{matrix.data(), 3, 3, 4});
  EXPECT_THAT(matrix, ElementsAre(0, 3, 7, -1, 5, 0, 4, -1, 1, 4, 0, -1));
}

TEST(FloydWarshall, StopsAtANegativeCycleAndRefusesOverflow) {
  std::vector<std::int32_t> cycle = {0, -3, 2, 0};
  EXPECT_ERROR(negative_cycle,
               floyd_warshall<MinPlus>(MatrixView<std::int32_t>{cycle.data(), 2, 2}));
  std::vector<std::uint16_t> large = {0, 30000, 30000, 0};
  EXPECT_ERROR(does_not_fit,
               floyd_warshall<MinPlus>(MatrixView<std::uint16_t>{large.data(), 2, 2}));
  for (const std::int64_t stride : {-2, 0, 4}) {
    EXPECT_ERROR(usage, floyd_warshall<MinPlus>(MatrixView<float>{nullptr, -2, -2, stride}))
        << "a negative size, stride " << stride;
  }
  const Error null = error_of([] { floyd_warshall<MinPlus>(MatrixView<float>{nullptr, 2, 2}); });
  EXPECT_EQ(null.kind(), ErrorKind::usage);
  EXPECT_STREQ(null.what(), "the matrix of 2 rows has no data: its pointer is null");
  EXPECT_NO_THROW(floyd_warshall<MinPlus>(MatrixView<float>{nullptr, 0, 0}));
  std::vector<float> wide(6);
  EXPECT_ERROR(usage, floyd_warshall<MinPlus>(MatrixView<float>{wide.data(), 2, 3}));
  for (const std::int64_t tile : {std::int64_t{-1}, std::int64_t{32769}, INT64_MAX}) {
    EXPECT_ERROR(usage,
                 floyd_warshall<MinPlus>(MatrixView<float>{wide.data(), 2, 2}, {.tile = tile}));
  }
}

/// What a caller's function throws on any thread is the caller's to catch.
TEST(Solve, EndsWithWhatTheProgressThrows) {
  const Graph graph = random_graph(200);
  for (const int threads : {1, 2, 3, 5, 8}) {
    RecordedProgress thrower;
    thrower.cancel_when = []() -> bool { throw std::runtime_error("progress"); };
    SolveOptions options{.machine = {.threads = threads}};
    const SolveOptions calm = options;
    options.control.progress = &thrower;
    EXPECT_THROW(solve(graph, options), std::runtime_error);
    EXPECT_EQ(solve(graph, calm).distance(0, 0), 0);
  }
}

}  // namespace
}  // namespace apsp

namespace apsp::api {
namespace {

TEST(PredictedSolve, SaysThatItWasPredictedByMeasurements) {
  constexpr double kShort = 0.03;  // s
  rates::MeasuredRates measured({.folder = {},
                                 .measuring = rates::Measuring::always,
                                 .most_on_host = kShort,
                                 .most_on_device = kShort,
                                 .sizes = {16, 32}},
                                planner::no_device);
  const auto graph = rates::measuring_graph(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, dense::Shape::full, 300);
  SolveOptions options{.method = {.value_type = ValueType::f32}, .machine = {.threads = 1}};
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) { plan = made; };
  const SolveReport report =
      solve_among(measured.find(), *graph, options, measured.source()).report();
  EXPECT_FALSE(report.prediction_rough);
  EXPECT_EQ(report.seconds_predicted, plan.predicted.seconds);
  EXPECT_GT(plan.predicted.solve, 0);
  EXPECT_GT(plan.predicted.statistics, 0);
  EXPECT_THAT(plan.line, testing::Not(testing::HasSubstr("about")));
  const SolveReport rough =
      solve_among(planner::no_device, *graph, {.machine = {.threads = 1}}).report();
  EXPECT_TRUE(rough.prediction_rough);
  EXPECT_GT(rough.seconds_predicted, 0);
}

/// Statistics run while rows are stored: what they hide is not said of the disk.
TEST(PredictedSolve, NotesWhatTheOutputTookUnlessStatisticsTookMostOfIt) {
  const TemporaryFolder folder;
  const auto graph = rates::measuring_graph(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, dense::Shape::full, 60);
  SolveOptions options{
      .method = {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::f32}};
  options.storage.output = folder / "x.npy";
  for (const bool slow : {false, true}) {
    std::vector<double> noted;
    planner::RateSource rates;
    rates.host = [&](const planner::RateQuery&) {
      return planner::HostRates{.solve = planner::RateCurve({{60, 1e-3}}),
                                .statistics = slow ? 1 : 1e12};  // pairs a second
    };
    rates.stored = [&](const planner::RateQuery&, double, double seconds) {
      noted.push_back(seconds);
    };
    solve_among(planner::no_device, *graph, options, rates);
    EXPECT_EQ(noted.size(), slow ? 0u : 1u);
    for (const double seconds : noted) EXPECT_GT(seconds, 0);
  }
}

}  // namespace
}  // namespace apsp::api
