// When nested dissection is taken, and what it is said to need.
#include "planner/findings.hpp"

#include <apsp/graph.hpp>

#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/row_candidates.hpp"

#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::planner::row_candidates_test {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

Graph ring(std::int64_t n) {
  GraphBuilder builder(n, false);
  for (std::int64_t v = 0; v < n; ++v) {
    builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>((v + 1) % n), 1);
  }
  return std::move(builder).build();
}

const CandidateReport& floyd_warshall_of(const Plan& plan) {
  return *std::find_if(plan.candidates.begin(), plan.candidates.end(), [](const auto& one) {
    return one.algorithm == Algorithm::floyd_warshall && one.known;
  });
}

Plan plan_of(const Graph& graph, SolveOptions options) {
  options.machine.threads = 2;
  return make_plan(graph, options, no_device);
}

std::string refusal_of(const Graph& graph, const SolveOptions& options) {
  const Error error = error_of([&] { plan_of(graph, options); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  return error.what();
}

TEST(ChooseAlgorithm, TakesNestedDissectionForLargeSparseGraphs) {
  const Plan plan = plan_of(ring(30'000), {.machine = {.memory = std::int64_t{1} << 40},
                                           .storage = {.keep = Keep::statistics}});
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  EXPECT_TRUE(plan.candidates.front().taken);
  EXPECT_GT(floyd_warshall_of(plan).seconds, plan.predicted.seconds);
  ASSERT_TRUE(plan.rows() && plan.rows()->tree());
  EXPECT_FALSE(plan.keeps_matrix());
  EXPECT_LT(plan.bytes, 500 * kMiB);
}

TEST(RowsPlan, TakesTimeByItsSources) {
  const auto seconds = [](Vertex sources) {
    SolveOptions options{.method = {.algorithm = Algorithm::nested_dissection},
                         .storage = {.keep = Keep::matrix}};
    for (Vertex v = 0; v < sources; ++v) options.question.sources.push_back(v);
    return plan_of(ring(30'000), options).rows()->costs.rows_seconds;
  };
  EXPECT_NEAR(seconds(2000) / seconds(200), 10, 3);
}

TEST(ChooseAlgorithm, SearchesFromFewSourcesBeforeAnyOrderIsFound) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 10'000});
  const Plan plan =
      plan_of(graph, {.question = {.sources = {17}}, .storage = {.keep = Keep::statistics}});
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  const auto order =
      std::find_if(plan.candidates.begin(), plan.candidates.end(),
                   [](const auto& one) { return one.algorithm == Algorithm::nested_dissection; });
  ASSERT_NE(order, plan.candidates.end());
  EXPECT_FALSE(order->known) << order->why_not;
}

TEST(RowsPlan, KeepsTheFactorForPairsWhereThatIsSoonerThanRows) {
  const Graph graph = ring(30'000);
  SolveOptions options{.question = {.pairs = 400},
                       .method = {.algorithm = Algorithm::nested_dissection}};
  options.question.statistics = false;
  options.consumer.on_rows = [](const RowBlock&) {};
  for (Vertex v = 0; v < 400; ++v) options.question.sources.push_back(v);
  const Plan few = plan_of(graph, options);
  EXPECT_EQ(few.keep, Keep::factor);
  EXPECT_FALSE(few.rows()->uses.computes_rows);
  EXPECT_GT(few.rows()->seconds(), few.rows()->costs.making_seconds);
  options.question.pairs = 400 * 30'000;
  const Plan all = plan_of(graph, options);
  EXPECT_EQ(all.keep, Keep::statistics);
  EXPECT_TRUE(all.rows()->uses.computes_rows);
  options.question.statistics = true;  // something else is wanted too
  EXPECT_EQ(plan_of(graph, options).keep, Keep::matrix);
}

TEST(RowsPlan, TrimsDirectedGraphsOfWhichNobodyAsksForTheFactor) {
  constexpr Vertex kCore = 2000, kEnds = 3000;
  GraphBuilder builder(kCore + kEnds);
  for (Vertex v = 0; v < kCore; ++v) builder.add_edge(v, (v + 1) % kCore, 1);
  for (Vertex v = 0; v < kEnds; ++v) builder.add_edge(v % kCore, kCore + v, 1);
  const Graph graph = std::move(builder).build();
  const auto plan_to = [&](Keep keep) {
    return plan_of(
        graph, {.method = {.algorithm = Algorithm::nested_dissection}, .storage = {.keep = keep}});
  };
  const Plan trimmed = plan_to(Keep::statistics);
  ASSERT_TRUE(trimmed.rows()->factor()->trim);
  EXPECT_EQ(trimmed.rows()->tree()->vertices(), kCore);
  EXPECT_EQ(std::ssize(trimmed.rows()->factor()->trim->ends), kEnds);
  for (const Keep keep : {Keep::factor, Keep::matrix}) {
    const Plan whole = plan_to(keep);
    EXPECT_FALSE(whole.rows()->factor()->trim);
    EXPECT_EQ(whole.rows()->tree()->vertices(), kCore + kEnds);
    EXPECT_GT(whole.rows()->seconds(), trimmed.rows()->seconds());
  }
  EXPECT_FALSE(plan_of(ring(3000), {.method = {.algorithm = Algorithm::nested_dissection},
                                    .storage = {.keep = Keep::statistics}})
                   .rows()
                   ->factor()
                   ->trim);
}

TEST(RowsPlan, TakesTimeForAGraphWithoutACore) {
  // Nothing is left to eliminate, and an empty graph is symmetric: its pairs do not come once.
  constexpr Vertex kVertices = 4000;
  GraphBuilder builder(kVertices);
  for (Vertex v = 1; v < kVertices; ++v) builder.add_edge(v / 2, v, 1);
  const Plan plan =
      plan_of(std::move(builder).build(), {.method = {.algorithm = Algorithm::nested_dissection},
                                           .storage = {.keep = Keep::statistics}});
  ASSERT_TRUE(plan.rows()->factor()->trim);
  EXPECT_EQ(plan.rows()->tree()->vertices(), 0);
  EXPECT_GT(plan.rows()->seconds(), 0);
  EXPECT_GE(plan.rows()->costs.rows_relaxations, kVertices);
  const auto sources = static_cast<double>(std::max<std::ptrdiff_t>(
      1, std::ssize(plan.rows()->factor()->trim->starts)));  // ends reach next to nothing
  EXPECT_DOUBLE_EQ(plan.rows()->costs.counted_swept,
                   plan.rows()->costs.counted_with_rows * kVertices / sources);
}

TEST(ChooseAlgorithm, TakesItWhereTheMatrixDoesNotFit) {
  const Plan plan = plan_of(
      ring(40'000), {.machine = {.memory = 400 * kMiB}, .storage = {.keep = Keep::statistics}});
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  EXPECT_FALSE(floyd_warshall_of(plan).fits);
  EXPECT_LE(plan.bytes, 400 * kMiB);
  // The matrix is wanted in memory, and nothing can help that.
  EXPECT_ERROR(does_not_fit, plan_of(ring(40'000), {.machine = {.memory = 400 * kMiB},
                                                    .storage = {.keep = Keep::matrix}}));
}

TEST(ChooseKeep, TakesTheFactorWhereTheMatrixDoesNotFit) {
  const Plan plan = plan_of(ring(40'000), {.machine = {.memory = 400 * kMiB}});
  EXPECT_EQ(plan.keep, Keep::factor);
  EXPECT_LE(plan.bytes, 400 * kMiB);
  EXPECT_FALSE(plan.keeps_matrix());
  const PlanReport report = plan_report(plan);
  EXPECT_EQ(report.keep, Keep::factor);
  EXPECT_FALSE(report.matrix_kept);
  EXPECT_EQ(plan.why.keep, "the matrix does not fit");
  EXPECT_EQ(plan_of(ring(2000), {}).keep, Keep::matrix);
  EXPECT_EQ(plan_of(ring(2000), {.storage = {.keep = Keep::statistics}}).keep, Keep::statistics);
}

TEST(ChooseKeep, AFactorAloneComputesNoRows) {
  const Plan plan =
      plan_of(ring(2000), {.question = {.statistics = false}, .storage = {.keep = Keep::factor}});
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  EXPECT_EQ(plan.relaxations(), plan.rows()->tree()->elimination_relaxations());
  const Plan rows = plan_of(ring(2000), {.storage = {.keep = Keep::factor}});
  EXPECT_GT(rows.relaxations(), 1.1 * plan.relaxations());
  EXPECT_GT(rows.predicted.solve, plan.predicted.solve);
  SolveOptions many{.question = {.statistics = false}, .storage = {.keep = Keep::factor}};
  many.machine.threads = 64;
  const Plan of_many = make_plan(ring(20'000), many, no_device);
  EXPECT_LT(of_many.bytes, 300 * kMiB) << "workers and blocks for every thread";
}

TEST(ChooseKeep, SaysWhyThereIsNoFactor) {
  const auto refusal = [](const Graph& graph, SolveOptions options) {
    options.storage.keep = Keep::factor;
    EXPECT_ERROR(usage, plan_of(graph, options));
  };
  refusal(ring(10), {.question = {.via = true}});
  refusal(ring(10), {.question = {.predecessors = true}});
  refusal(ring(10), {.method = {.algorithm = Algorithm::floyd_warshall}});
  // A file holds no potentials.
  refusal(random_graph({.n = 30, .arcs = 90, .real = true, .potential = 9}),
          {.storage = {.output = "factor.zarr"}});
}

TEST(ChooseAlgorithm, SolvesRealWeightsOfBothSignsAsTheirReducedGraph) {
  const RandomGraph of{.n = 6000, .arcs = 36'000, .least = 1, .greatest = 100, .real = true};
  RandomGraph shifted = of;
  shifted.potential = 100;
  const SolveOptions options{.method = {.value_type = ValueType::f32},
                             .machine = {.memory = std::int64_t{1} << 40},
                             .storage = {.keep = Keep::statistics}};
  const Plan plain = plan_of(random_graph(of), options);
  const Plan signs = plan_of(random_graph(shifted), options);
  EXPECT_EQ(signs.algorithm, Algorithm::johnson);
  EXPECT_EQ(plain.algorithm, Algorithm::johnson);
  EXPECT_GT(signs.predicted.solve, plain.predicted.solve);
  EXPECT_LT(signs.predicted.solve, 1.4 * plain.predicted.solve);
  EXPECT_GT(signs.bytes, plain.bytes);
}

TEST(ChooseAlgorithm, KeepsFloydWarshallForSmallAndDenseGraphs) {
  EXPECT_EQ(plan_of(ring(200), {}).algorithm, Algorithm::floyd_warshall);
  const Graph dense = random_graph({.n = 1500, .arcs = 200'000, .least = 1});
  EXPECT_EQ(plan_of(dense, {}).algorithm, Algorithm::floyd_warshall);
  const Graph hops = random_graph({.n = 1500, .arcs = 200'000, .least = 1, .greatest = 1});
  EXPECT_EQ(plan_of(hops, {}).algorithm, Algorithm::breadth_first) << "on dense graphs too";
  EXPECT_EQ(plan_of(ring(30'000), {.method = {.algorithm = Algorithm::floyd_warshall},
                                   .machine = {.memory = std::int64_t{1} << 40}})
                .algorithm,
            Algorithm::floyd_warshall);
}

TEST(ChooseAlgorithm, SaysWhatNestedDissectionDoesNotTake) {
  const auto refusal = [](const Graph& graph, SolveOptions options) {
    options.method.algorithm = Algorithm::nested_dissection;
    return refusal_of(graph, options);
  };
  refusal(ring(10), {.question = {.via = true}});
  refusal(random_graph({.n = 30, .arcs = 90, .real = true, .potential = 9}),
          {.machine = {.device = Device::cuda}});
  EXPECT_EQ(plan_of(ring(10), {.method = {.algorithm = Algorithm::nested_dissection}}).algorithm,
            Algorithm::nested_dissection);
}

/// Another algorithm would make no factor either, so its name is not the cause.
TEST(RowsPlan, AFactorIsRefusedForTheCauseThatRemains) {
  const auto refusal = [](const Graph& graph, SolveOptions options) {
    options.method.algorithm = Algorithm::johnson;
    options.storage.keep = Keep::factor;
    return refusal_of(graph, options);
  };
  EXPECT_THAT(refusal(ring(10), {}), HasSubstr("johnson makes no factor"));
  EXPECT_THAT(refusal(ring(10), {.question = {.via = true}}), HasSubstr("`via`"));
  const Graph real = random_graph({.n = 30, .arcs = 90, .real = true, .potential = 9});
  EXPECT_THAT(refusal(real, {.storage = {.output = "x.zarr"}}), HasSubstr("potentials"));
}

TEST(PlanRows, ChoosesTheNumberOfPartsByWhatTheyTake) {
  // Strips of a grid have small boundaries: parts pay. Of a complete graph one part is best.
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 60 * 60});
  const auto planned = [](Algorithm algorithm, const Graph& graph) {
    Findings findings;
    return plan_rows_by(algorithm, graph, {.type = ValueType::u16, .n = graph.vertex_count()},
                        {.findings = findings, .rates = RateSource(), .control = Control()});
  };
  const RowsPlan plan = planned(Algorithm::boundary, grid);
  EXPECT_EQ(plan.algorithm, Algorithm::boundary);
  ASSERT_TRUE(plan.tree());
  EXPECT_GT(plan.tree()->supernodes(), 8);
  EXPECT_LT(plan.tree()->supernodes(), 1000);
  EXPECT_LT(plan.relaxations(), 0.05 * std::pow(3600.0, 3));
  EXPECT_GT(plan.relaxations(), planned(Algorithm::nested_dissection, grid).relaxations());
  const Graph complete = generate({.kind = GraphKind::complete, .vertices = 80});
  EXPECT_EQ(planned(Algorithm::boundary, complete).tree()->supernodes(), 1);
}

TEST(PlanRows, BoundaryIsTakenOnlyByName) {
  const SolveOptions options{.method = {.algorithm = Algorithm::boundary},
                             .storage = {.keep = Keep::statistics}};
  const Plan plan = plan_of(ring(5000), options);
  EXPECT_EQ(plan.algorithm, Algorithm::boundary);
  EXPECT_TRUE(plan.rows()->uses.gives_columns);
  const Plan chosen = plan_of(ring(5000), {.storage = {.keep = Keep::statistics}});
  for (const CandidateReport& candidate : chosen.candidates) {
    EXPECT_FALSE(candidate.algorithm == Algorithm::boundary && candidate.known);
  }
  EXPECT_ERROR(usage, plan_of(ring(10), {.method = {.algorithm = Algorithm::boundary},
                                         .storage = {.keep = Keep::factor}}));
}

TEST(PlanRows, CountsWhatAnEliminationByHandWouldTake) {
  // A path of three vertices: the middle one last, one entry for each end.
  Findings findings;
  const RowsPlan plan =
      plan_rows_by(Algorithm::nested_dissection, graph_of(3, {{0, 1, 1}, {1, 2, 1}}, false),
                   {.type = ValueType::u16, .n = 3}, {findings, RateSource(), Control()});
  EXPECT_GT(plan.relaxations(), 0);
  EXPECT_GE(plan.costs.source_bytes, 2 * (3 + 2));
  EXPECT_LE(plan.costs.source_bytes, 2 * 9);
}

// What becomes of rows, in every case.

constexpr RowConsumers kConsumers[] = {RowConsumers::nobody, RowConsumers::matrix,
                                       RowConsumers::one_place, RowConsumers::device_callback,
                                       RowConsumers::several};
constexpr Counting kCountings[] = {Counting::nobody, Counting::by_rows, Counting::by_columns};

TEST(RowUses, OnlyAMatrixInMemoryKeepsAllRows) {
  for (const RowConsumers consumers : kConsumers) {
    for (const Counting counting : kCountings) {
      EXPECT_EQ(uses_of(consumers, counting).keeps_matrix, consumers == RowConsumers::matrix);
    }
  }
}

TEST(RowUses, NoRowIsComputedWhereNobodyTakesOrCountsOne) {
  for (const RowConsumers consumers : kConsumers) {
    for (const Counting counting : kCountings) {
      const bool wanted = consumers != RowConsumers::nobody || counting != Counting::nobody;
      EXPECT_EQ(uses_of(consumers, counting).computes_rows, wanted);
    }
  }
}

TEST(RowUses, ColumnsAreGivenInThePlaceOfRowsOrCountedWithThem) {
  for (const RowConsumers consumers : kConsumers) {
    for (const Counting counting : kCountings) {
      const RowUses uses = uses_of(consumers, counting);
      const bool columns = counting == Counting::by_columns && consumers != RowConsumers::matrix;
      EXPECT_EQ(uses.gives_columns, columns && consumers == RowConsumers::nobody);
      EXPECT_EQ(uses.counts_columns, columns && consumers != RowConsumers::nobody);
    }
  }
}

TEST(RowUses, RowsThatAreCountedPassThroughTheHost) {
  for (const RowConsumers consumers : kConsumers) {
    for (const Counting counting : kCountings) {
      const RowUses uses = uses_of(consumers, counting);
      const bool whole = counting == Counting::by_rows;
      EXPECT_EQ(uses.stays_on_device, !whole && consumers == RowConsumers::device_callback);
      EXPECT_EQ(uses.writes_views, !whole && consumers == RowConsumers::one_place);
      EXPECT_FALSE(uses.finds_predecessors) << "the device's plan says so";
    }
  }
}

}  // namespace
}  // namespace apsp::planner::row_candidates_test
