// Solves on threads that stand for processes: what one process alone finds, bit by bit.
#include "cluster/collective_solve.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "api/stored_result.hpp"
#include "paths/predecessor_rows.hpp"
#include "store/store.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/job_solve.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::cluster {
namespace {

TEST(CollectiveSolve, FindsTheStatisticsOfOneProcess) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::or_and}) {
    for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}, {3, 2}}) {
      for (const std::int64_t n : {1, 5, 16, 61, 150}) {
        SCOPED_TRACE(fmt::format("{} x {}, n {}", rows, cols, n));
        JobRun run{rows, cols, small_tiles(), true};
        run.options.question.semiring = semiring;
        run.pattern = rows == 2 ? dense::Broadcast::binomial : dense::Broadcast::ring;
        const Answer answer = solve_as_one(run, random_graph({.n = n, .arcs = 4 * n, .seed = 7}));
        EXPECT_EQ(answer.verified->sources_checked, n);
      }
    }
  }
  solve_as_one({.rows = 2, .cols = 2}, random_graph({.n = 150, .arcs = 600}));  // it chooses a tile
}

TEST(CollectiveSolve, SolvesHalfOfASymmetricMatrix) {
  for (const bool real : {false, true}) {
    for (const int side : {1, 2, 3}) {
      for (const std::int64_t n : {5, 16, 33, 61, 150}) {
        const Graph graph =
            random_graph({.n = n, .arcs = 4 * n, .real = real, .directed = false, .seed = 3});
        const Answer answer = solve_as_one({side, side, small_tiles(), true}, graph);
        EXPECT_EQ(answer.relaxations, static_cast<double>(n * n * n) / 2);
      }
    }
  }
}

TEST(CollectiveSolve, SolvesRealAndNegativeWeights) {
  for (const RandomGraph& of : {RandomGraph{.n = 90, .arcs = 400, .real = true},
                                RandomGraph{.n = 90, .arcs = 400, .potential = 40}}) {
    const Answer answer = solve_on({2, 2, small_tiles(), true}, random_graph(of));
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    EXPECT_TRUE(answer.verified->passed);
  }
}

TEST(CollectiveSolve, AllProcessesWriteOneOutput) {
  const Graph graph = random_graph({.n = 150, .arcs = 500});
  JobRun run{2, 3, small_tiles()};
  expect_all_as_one(run, graph);
  const TemporaryFolder folder;
  run.options.storage.output = folder / "out.zarr";
  run.options.storage.compress = true;
  solve_as_one(run, graph);
  EXPECT_EQ(folder.entries(), 1) << "the output alone is left";
  EXPECT_TRUE(open_result(run.options.storage.output).verify().passed);
}

TEST(CollectiveSolve, RowsAreDistributed) {
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::boundary,
                                    Algorithm::johnson, Algorithm::breadth_first}) {
    for (const bool directed : {false, true}) {
      const Graph graph =
          random_graph({.n = 150,
                        .arcs = 330,
                        .least = 1,
                        .greatest = algorithm == Algorithm::breadth_first ? 1.0 : 20.0,
                        .directed = directed});
      for (const int processes : {1, 2, 3, 4}) {
        SCOPED_TRACE(fmt::format("{} directed {} on {}", name(algorithm), directed, processes));
        JobRun run{1, processes};
        run.options.method.algorithm = algorithm;
        run.options.method.tile = 16;
        expect_all_as_one(run, graph);
      }
    }
  }
}

TEST(CollectiveSolve, RealWeightsAreThoseOfOneProcess) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .real = true, .directed = false});
  JobRun run{1, 3};
  run.options.method.algorithm = Algorithm::johnson;
  solve_as_one(run, graph);
  // Processes have an order of METIS each, which threads that stand for them share and so disturb.
  run.options.method.algorithm = Algorithm::nested_dissection;
  run.verify = true;
  const Answer answer = solve_on(run, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_TRUE(answer.verified->passed);
  EXPECT_EQ(answer.verified->sources_checked, 120);
}

TEST(CollectiveSolve, SparseGraphsAreSolvedByRowsUnasked) {
  const Graph graph = random_graph({.n = 3000, .arcs = 3100, .directed = false});
  EXPECT_NE(solve_as_one({.rows = 1, .cols = 2}, graph).algorithm, Algorithm::floyd_warshall);
}

TEST(CollectiveSolve, SomeRowsAndColumns) {
  const Graph graph = random_graph({.n = 150, .arcs = 500});
  const std::vector<Vertex> some = {140, 3, 77, 12,  13, 14, 149, 0,  60,  31,
                                    32,  9, 8,  100, 50, 51, 52,  53, 120, 2};
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection,
                                    Algorithm::johnson, Algorithm::automatic}) {
    for (const auto& [sources, targets] :
         {std::pair{some, std::vector<Vertex>{}}, {{}, some}, {some, {7, 149, 1}}}) {
      const TemporaryFolder folder;
      JobRun run{.rows = 2, .cols = 2};
      run.options.method.algorithm = algorithm;
      run.options.method.tile = 16;
      run.options.question.sources = sources;
      run.options.question.targets = targets;
      const Result alone = solve(graph, run.options);
      run.verify = targets.empty();
      const Answer counted = solve_as_one(run, graph);
      if (run.verify) EXPECT_EQ(counted.verified->sources_checked, 20);
      run.verify = false;
      run.options.storage.output = folder / "out.zarr";
      solve_as_one(run, graph);
      const Result stored = open_result(run.options.storage.output, graph);
      for (const Vertex from : sources.empty() ? std::vector<Vertex>{0, 5, 149} : sources) {
        for (const Vertex to : targets.empty() ? some : targets) {
          ASSERT_EQ(stored.distance(from, to), alone.distance(from, to)) << from << " to " << to;
        }
      }
    }
  }
}

using store::Plane;

TEST(CollectiveSolve, IntermediateVerticesAreThoseOfOneProcess) {
  for (const auto& [rows, cols] : {std::pair{1, 2}, {2, 2}, {3, 2}}) {
    for (const std::int64_t n : {5, 90}) {
      for (const bool directed : {false, true}) {
        const Graph graph = random_graph({.n = n, .arcs = 4 * n, .directed = directed, .seed = 5});
        JobRun run{rows, cols, small_tiles()};
        run.options.question.hops = run.options.question.predecessors = true;
        expect_planes_of_one(run, graph, {Plane::via, Plane::hops, Plane::predecessor});
      }
    }
  }
  JobRun run{2, 2, small_tiles()};
  run.options.question.hops = true;
  for (const RandomGraph& of : {RandomGraph{.n = 70, .arcs = 250, .potential = 30},
                                RandomGraph{.n = 70, .arcs = 250, .real = true},
                                RandomGraph{.n = 70, .arcs = 250, .greatest = 0}}) {
    expect_planes_of_one(run, random_graph(of), {Plane::via, Plane::hops});
  }
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max, Semiring::or_and}) {
    run.options.question.semiring = semiring;
    expect_planes_of_one(run, random_graph({.n = 70, .arcs = 250, .least = 1}),
                         {Plane::via, Plane::hops});
  }
}

TEST(CollectiveSolve, PredecessorsOfRowsThatAreDistributed) {
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    for (const bool compress : {false, true}) {
      JobRun run{1, 3};
      run.options.method.algorithm = algorithm;
      run.options.method.tile = 16;
      run.options.question.predecessors = true;
      run.options.storage.compress = compress;
      expect_planes_of_one(run, random_graph({.n = 150, .arcs = 400}), {Plane::predecessor});
    }
  }
}

TEST(CollectiveSolve, PredecessorsOfRowsAreInThePlanOnce) {
  const Graph graph = random_graph({.n = 150, .arcs = 400});
  const TemporaryFolder folder;
  JobRun run{1, 3};
  run.options.method.algorithm = Algorithm::johnson;
  run.options.method.tile = 16;
  run.options.storage.output = folder / "without.zarr";
  const Answer without = solve_on(run, graph);
  run.options.storage.output = folder / "with.zarr";
  run.options.question.predecessors = true;
  const Answer with = solve_on(run, graph);
  ASSERT_TRUE(with.errors.empty()) << with.errors.front()->what();
  EXPECT_EQ(with.bytes_planned - without.bytes_planned, paths::PredecessorRows::bytes(150, 16, 1));
}

TEST(CollectiveSolve, KeepsLabelsAndFirstNumbers) {
  GraphBuilder builder(3, false);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 3);
  builder.set_labels({"a", "b", "c"});
  const Graph graph = std::move(builder).build();
  const Answer answer = solve_on({.rows = 1, .cols = 2, .options = small_tiles()}, graph);
  EXPECT_EQ(answer.statistics->diameter, 5);
}

TEST(CollectiveSolve, AllRefuseWhatOneProcessAloneDoes) {
  const Graph graph = random_graph({});
  const std::vector<std::function<void(SolveOptions&)>> asked = {
      [](SolveOptions& o) { o.question.hops = true; },
      [](SolveOptions& o) { o.question.via = true; },           // without an output
      [](SolveOptions& o) { o.question.predecessors = true; },  // the same
      [](SolveOptions& o) { o.storage.resume = true; },
      [](SolveOptions& o) { o.storage.keep = Keep::factor; }};
  for (const auto& ask : asked) {
    JobRun run{.rows = 1, .cols = 2, .options = small_tiles()};
    ask(run.options);
    EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::usage);
  }
  const JobRun run{.rows = 1, .cols = 2, .options = small_tiles()};
  EXPECT_EQ(error_of_all(run, random_graph({.least = -1, .greatest = 5, .real = true})).kind(),
            ErrorKind::usage)
      << "real weights of both signs";
  const TemporaryFolder folder;
  JobRun kept{.rows = 1, .cols = 2, .options = small_tiles(), .checkpoint_seconds = 1};
  kept.options.storage.output = folder / "out.zarr";
  kept.options.question.via = true;
  EXPECT_EQ(error_of_all(kept, graph).kind(), ErrorKind::usage) << "checkpoints";
}

TEST(CollectiveSolve, AllEndWithTheErrorOfOne) {
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles()};
  EXPECT_EQ(error_of_all(run, graph_of(40, {{3, 30, 1}, {30, 3, -2}})).kind(),
            ErrorKind::negative_cycle);
  run.options.machine.memory = 1000;
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::does_not_fit);
  const TemporaryFolder folder;
  run.options = small_tiles();
  run.options.storage.output = folder / "out.zarr";
  run.options.storage.disk = 100;
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::does_not_fit);
  EXPECT_EQ(folder.entries(), 0);
  run.options = small_tiles();
  run.options.storage.output = "/nowhere/out.zarr";
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::input_output);
  Cancellation cancellation;
  cancellation.request();
  run.options = small_tiles();
  run.options.control.cancellation = &cancellation;
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::interrupted);
}

TEST(Job, GridsAreNearlySquare) {
  for (const auto& [count, rows, cols] :
       {std::array{1, 1, 1}, {2, 1, 2}, {4, 2, 2}, {6, 2, 3}, {7, 1, 7}, {12, 3, 4}, {64, 8, 8}}) {
    const GridShape shape = nearest_square(count);
    EXPECT_EQ(shape.rows, rows);
    EXPECT_EQ(shape.cols, cols);
  }
}

}  // namespace
}  // namespace apsp::cluster
