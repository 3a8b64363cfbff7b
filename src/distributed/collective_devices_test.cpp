// Solves by processes with a GPU each: threads, each with a strict device, which refuses every
// access that no event orders. What is found is what the host's threads of one process find.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/solve_among.hpp"
#include "support/invented_devices.hpp"
#include "support/job_solve.hpp"
#include "support/message_links.hpp"
#include "support/predecessors_of.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::distributed {
namespace {

using testing::HasSubstr;

constexpr auto two_devices = planner::several_devices<2>;

SolveOptions on_cuda() {
  SolveOptions options = small_tiles();
  options.device = Device::cuda;
  return options;
}

JobRun on_gpus(int rows, int cols) {
  return {.rows = rows, .cols = cols, .options = on_cuda(), .find = two_devices};
}

constexpr std::pair<int, int> kGrids[] = {{1, 1}, {1, 2}, {2, 2}, {2, 3}, {4, 1}};

TEST(CollectiveDevices, FindWhatTheHostFinds) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    for (const auto& [rows, cols] : kGrids) {
      for (const std::int64_t n : {1, 5, 16, 61, 150}) {
        const Graph graph = random_graph({.n = n, .arcs = 4 * n, .seed = 7});
        JobRun run = on_gpus(rows, cols);
        run.options.semiring = semiring;
        run.verify = true;
        run.pattern = cols == 2 ? places::Broadcast::binomial : places::Broadcast::ring;
        const Answer answer = solve_on(run, graph);
        ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
        run.options.device = Device::cpu;
        query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
        EXPECT_TRUE(answer.verified->passed) << rows << " x " << cols << ", n " << n;
        ASSERT_TRUE(answer.on_device);
        EXPECT_EQ(answer.on_device->name, "NVIDIA H200");
      }
    }
  }
}

TEST(CollectiveDevices, TakeEveryTypeOfValue) {
  const Graph graph = random_graph({.n = 90, .arcs = 400, .least = 1, .greatest = 9});
  for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
    JobRun run = on_gpus(2, 2);
    run.options.value_type = type;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    run.options.device = Device::cpu;
    query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
  }
}

/// Tiles of 512 vertices, in bits.
TEST(CollectiveDevices, ReachabilityIsSolvedInBits) {
  for (const auto& [rows, cols] : kGrids) {
    for (const std::int64_t n : {5, 512, 1100}) {
      const Graph graph = random_graph({.n = n, .arcs = n + n / 4, .seed = 5});
      JobRun run = on_gpus(rows, cols);
      run.options.semiring = Semiring::or_and;
      run.options.tile = 0;
      run.tile = 512;
      run.most_bytes = 1 << 16;
      run.verify = true;
      const Answer answer = solve_on(run, graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      run.options.device = Device::cpu;
      query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
      EXPECT_TRUE(answer.verified->passed) << rows << " x " << cols << ", n " << n;
    }
  }
}

TEST(CollectiveDevices, SolveHalfOfASymmetricMatrix) {
  for (const int side : {1, 2, 3}) {
    for (const std::int64_t n : {5, 33, 150}) {
      const Graph graph = random_graph({.n = n, .arcs = 4 * n, .directed = false, .seed = 3});
      JobRun run = on_gpus(side, side);
      run.verify = true;
      const Answer answer = solve_on(run, graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      EXPECT_EQ(answer.relaxations, static_cast<double>(n * n * n) / 2);
      EXPECT_TRUE(answer.verified->passed) << side << " a side, n " << n;
    }
  }
}

/// With a checkpoint after every step the statistics are those of the host.
void expect_same_with_checkpoints(JobRun run) {
  const Graph graph = random_graph({.n = 150, .arcs = 500});
  const TemporaryFolder folder;
  run.options.output = folder / "out.zarr";
  run.checkpoint_seconds = 0;
  const Answer answer = solve_on(run, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  run.options.output.clear();
  run.options.device = Device::cpu;
  query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
}

TEST(CollectiveDevices, KeepCheckpointsOnTheWay) { expect_same_with_checkpoints(on_gpus(2, 1)); }

/// Each device may hold a part, of values of 4 bytes, but not all panels besides: parts stream.
JobRun through_little(std::int64_t n, int rows, int cols) {
  JobRun run = on_gpus(rows, cols);
  run.options.value_type = ValueType::f32;
  run.options.device_memory = n * n * 4 / rows / cols + 28000;
  return run;
}

TEST(CollectiveDevices, PartsThatDoNotFitStream) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min}) {
    for (const auto& [rows, cols] : kGrids) {
      if (semiring == Semiring::max_min && rows != cols) continue;
      const Graph graph = random_graph({.n = 320, .arcs = 1200, .seed = 7});
      JobRun run = through_little(320, rows, cols);
      run.options.semiring = semiring;
      run.verify = true;
      const Answer answer = solve_on(run, graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      ASSERT_TRUE(answer.on_device);
      EXPECT_TRUE(answer.on_device->streamed);
      EXPECT_EQ(answer.on_device->panel, 16);
      EXPECT_LE(answer.on_device->bytes, run.options.device_memory);
      EXPECT_TRUE(answer.verified->passed) << rows << " x " << cols;
      run.options.device = Device::cpu;
      query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
    }
  }
}

TEST(CollectiveDevices, OffloadStreamsPartsThatWouldFit) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200, .seed = 11});
  for (const bool offload : {false, true}) {
    JobRun run = on_gpus(2, 2);
    run.options.value_type = ValueType::f32;
    run.offload = offload;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    ASSERT_TRUE(answer.on_device);
    EXPECT_EQ(answer.on_device->streamed, offload);
    run.options.device = Device::cpu;
    query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
  }
}

TEST(CollectiveDevices, OffloadNeedsAGpu) {
  JobRun run = on_gpus(1, 2);
  run.options.device = Device::cpu;
  run.offload = true;
  const Answer answer = solve_on(run, random_graph({.n = 60, .arcs = 200, .seed = 2}));
  ASSERT_EQ(answer.errors.size(), 2U);
  for (const auto& error : answer.errors) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error->what()).find("--variant offload"), std::string::npos);
  }
}

TEST(CollectiveDevices, ReachabilityStreamsInBits) {
  for (const auto& [rows, cols] : kGrids) {
    const Graph graph = random_graph({.n = 1100, .arcs = 1400, .seed = 5});
    JobRun run = on_gpus(rows, cols);
    run.options.semiring = Semiring::or_and;
    run.options.tile = 128;
    run.options.device_memory = 400'000 + 1'500'000 / rows;
    run.most_bytes = 1 << 16;
    run.verify = true;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    ASSERT_TRUE(answer.on_device);
    EXPECT_TRUE(answer.on_device->streamed) << rows << " x " << cols;
    EXPECT_LE(answer.on_device->bytes, run.options.device_memory);
    EXPECT_TRUE(answer.verified->passed) << rows << " x " << cols;
    run.options.device = Device::cpu;
    query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
  }
}

TEST(CollectiveDevices, EveryTypeOfValueStreams) {
  const Graph graph =
      random_graph({.n = 320, .arcs = 1200, .least = 1, .greatest = 9, .directed = false});
  for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
    JobRun run = through_little(320, 2, 2);
    run.options.value_type = type;
    run.options.device_memory = 320 * 320 / 4 * size_of(type);
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    EXPECT_TRUE(answer.on_device->streamed) << name(type);
    run.options.device = Device::cpu;
    query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
  }
}

TEST(CollectiveDevices, AllStreamWhereThePartOfOneDoes) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200});
  JobRun run = through_little(320, 1, 2);
  run.options.device_memory = 0;
  run.find = [] {
    return planner::invented_devices(
        {planner::invented_h200(0), planner::invented_h200(1, 200000)});
  };
  const Answer answer = solve_on(run, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_TRUE(answer.on_device->streamed);
  run.options.device = Device::cpu;
  query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
}

TEST(CollectiveDevices, PartsThatStreamGoOnFromACheckpoint) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200});
  const TemporaryFolder folder;
  JobRun run = through_little(320, 2, 1);
  run.options.output = folder / "out.zarr";
  run.checkpoint_seconds = 0;
  const Answer answer = solve_on(run, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_TRUE(answer.on_device->streamed);
  run.options.output.clear();
  run.options.device = Device::cpu;
  query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
}

planner::Devices six_devices() {
  std::vector<planner::DeviceFacts> all;
  all.reserve(6);
  for (int ordinal = 0; ordinal < 6; ++ordinal) all.push_back(planner::invented_h200(ordinal));
  return planner::invented_devices(all);
}

TEST(CollectiveDevices, PanelsGoFromGpuToGpu) {
  MessageLinks links;
  for (const bool directed : {true, false}) {
    for (const auto& [rows, cols] : kGrids) {
      const Graph graph = random_graph({.n = 150, .arcs = 600, .directed = directed, .seed = 9});
      JobRun run = on_gpus(rows, cols);
      run.find = six_devices;
      run.direct = true;
      run.links = &links;
      run.verify = true;
      const Answer answer = solve_on(run, graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      EXPECT_THAT(answer.plan, HasSubstr("from GPU to GPU"));
      EXPECT_TRUE(answer.verified->passed) << rows << " x " << cols;
      run.options.device = Device::cpu;
      query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
    }
  }
}

TEST(CollectiveDevices, PanelsGoFromGpuToGpuBetweenCheckpoints) {
  MessageLinks links;
  JobRun run = on_gpus(2, 1);
  run.direct = true;
  run.links = &links;
  expect_same_with_checkpoints(run);
}

/// All of them end with a usage error.
void expect_not_direct(JobRun run) {
  run.direct = true;
  const Answer answer = solve_on(run, random_graph({.n = 61, .arcs = 300}));
  ASSERT_EQ(answer.errors.size(), static_cast<std::size_t>(run.rows * run.cols));
  for (const auto& error : answer.errors) {
    EXPECT_EQ(error->kind(), ErrorKind::usage);
  }
}

TEST(CollectiveDevices, PanelsGoFromGpuToGpuWhereEachProcessHasOne) {
  MessageLinks links;
  JobRun run = on_gpus(2, 2);  // on two GPUs
  expect_not_direct(run);
  run.links = &links;
  expect_not_direct(run);
  run.options.device = Device::cpu;
  expect_not_direct(run);
}

TEST(CollectiveDevices, SweepTheirSharesOfTheRows) {
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::boundary}) {
    for (const bool directed : {false, true}) {
      const Graph graph =
          random_graph({.n = 150, .arcs = 330, .least = 1, .greatest = 20, .directed = directed});
      for (const int processes : {1, 2, 3}) {
        JobRun run = on_gpus(1, processes);
        run.options.algorithm = algorithm;
        run.options.tile = 0;
        const Answer counted = solve_on(run, graph);
        run.verify = true;
        const Answer checked = solve_on(run, graph);
        run.verify = false;
        const TemporaryFolder folder;
        run.options.output = folder / "out.zarr";
        const Answer stored = solve_on(run, graph);
        run.options.device = Device::cpu;
        const Statistics alone =
            solve(graph, {.algorithm = algorithm, .device = Device::cpu}).statistics();
        SCOPED_TRACE(
            fmt::format("{} directed {} processes {}", name(algorithm), directed, processes));
        for (const Answer& answer : {counted, checked, stored}) {
          ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
          EXPECT_EQ(answer.algorithm, algorithm);
          EXPECT_TRUE(answer.on_device);
          query::expect_same(*answer.statistics, alone);
        }
        EXPECT_TRUE(checked.verified->passed);
        EXPECT_TRUE(open_result(run.options.output, graph).verify().passed);
      }
    }
  }
}

/// Statistics alone, checked, and written, against one process on the host.
void expect_shares(JobRun run, const Graph& graph) {
  const Answer counted = solve_on(run, graph);
  run.verify = true;
  const Answer checked = solve_on(run, graph);
  run.verify = false;
  const TemporaryFolder folder;
  run.options.output = folder / "out.zarr";
  const Answer stored = solve_on(run, graph);
  const std::string output = std::exchange(run.options.output, "");
  run.options.device = Device::cpu;
  const Statistics alone = solve(graph, run.options).statistics();
  for (const Answer& answer : {counted, checked, stored}) {
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    EXPECT_EQ(answer.algorithm, run.options.algorithm);
    EXPECT_TRUE(answer.on_device);
    query::expect_same(*answer.statistics, alone);
  }
  EXPECT_TRUE(checked.verified->passed);
  EXPECT_TRUE(open_result(output, graph).verify().passed);
}

TEST(CollectiveDevices, SearchTheirSharesOfTheRows) {
  for (const bool directed : {false, true}) {
    const Graph weighted =
        random_graph({.n = 150, .arcs = 330, .least = 1, .greatest = 20, .directed = directed});
    const Graph hops =
        random_graph({.n = 300, .arcs = 700, .least = 1, .greatest = 1, .directed = directed});
    for (const int processes : {1, 2, 3}) {
      SCOPED_TRACE(fmt::format("directed {} processes {}", directed, processes));
      JobRun run = on_gpus(1, processes);
      run.options.tile = 0;
      run.options.algorithm = Algorithm::johnson;
      expect_shares(run, weighted);
      run.options.algorithm = Algorithm::breadth_first;
      expect_shares(run, hops);
    }
  }
}

/// It has the threads and the GPU that one process alone would have.
TEST(CollectiveDevices, OneProcessPredictsWhatItWouldAlone) {
  const Graph graph =
      random_graph({.n = 900, .arcs = 2000, .least = 1, .greatest = 1, .directed = false});
  for (const Algorithm algorithm :
       {Algorithm::nested_dissection, Algorithm::johnson, Algorithm::breadth_first}) {
    JobRun run = on_gpus(1, 1);
    run.options.tile = 0;
    run.options.algorithm = algorithm;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    SolveOptions alone = run.options;
    alone.threads = 1;
    alone.keep = Keep::statistics;
    const double expected = api::plan_among(two_devices, graph, alone).predicted.solve;
    EXPECT_NEAR(answer.planned.predicted.solve, expected, 1e-6 * expected) << name(algorithm);
  }
}

TEST(CollectiveDevices, FindThePredecessorsOfTheCpu) {
  const Graph graph = random_graph({.n = 300, .arcs = 700, .least = 1, .greatest = 1});
  const TemporaryFolder folder;
  for (const Algorithm algorithm :
       {Algorithm::nested_dissection, Algorithm::johnson, Algorithm::breadth_first}) {
    JobRun run = on_gpus(1, 2);
    run.options.tile = 0;
    run.options.algorithm = algorithm;
    run.options.output = folder / "out.zarr";
    run.options.predecessors = true;
    run.options.overwrite = true;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    SolveOptions alone = run.options;
    alone.device = Device::cpu;
    alone.output = folder / "alone.zarr";
    solve(graph, alone);
    EXPECT_EQ(predecessors_of(run.options.output), predecessors_of(alone.output))
        << name(algorithm);
  }
}

TEST(CollectiveDevices, SearchTheRowsOfSomeSources) {
  const Graph graph = random_graph({.n = 150, .arcs = 330, .least = 1, .greatest = 1});
  for (const Algorithm algorithm : {Algorithm::johnson, Algorithm::breadth_first}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min}) {
      if (algorithm == Algorithm::breadth_first && semiring != Semiring::min_plus) continue;
      JobRun run = on_gpus(2, 2);
      run.options.tile = 0;
      run.options.algorithm = algorithm;
      run.options.semiring = semiring;
      run.options.sources = {3, 149, 7, 20, 21};
      const Answer answer = solve_on(run, graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      run.options.device = Device::cpu;
      query::expect_same(*answer.statistics, solve(graph, run.options).statistics());
    }
  }
}

TEST(CollectiveDevices, ProcessesTakeTheGpusInTurn) {
  const Graph graph = random_graph({.n = 61, .arcs = 300});
  for (const std::vector<int>& ordinals : {std::vector<int>{}, {kAllGpus}, {1}, {1, 0}}) {
    JobRun run = on_gpus(2, 2);
    run.options.device_ordinals = ordinals;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    EXPECT_EQ(answer.on_device->ordinal, ordinals.empty() || ordinals.front() < 0 ? 0 : 1);
  }
}

TEST(CollectiveDevices, AllEndWhereOneLacksMemoryOfItsGpu) {
  const Graph graph = random_graph({.n = 150, .arcs = 600});
  JobRun run = on_gpus(1, 2);
  run.find = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1, 1000)});
  };
  const Answer answer = solve_on(run, graph);
  ASSERT_EQ(answer.errors.size(), 2U);
  for (const auto& error : answer.errors) {
    EXPECT_EQ(error->kind(), ErrorKind::does_not_fit);
  }
}

TEST(CollectiveDevices, NamesOfGpusThatAreNotThereAreRefused) {
  const Graph graph = random_graph({.n = 61, .arcs = 300});
  JobRun run = on_gpus(1, 2);
  run.options.device_ordinals = {5};
  for (const auto& error : solve_on(run, graph).errors) {
    EXPECT_EQ(error->kind(), ErrorKind::device);
  }
  run.options.device_ordinals.clear();
  run.find = planner::no_device;
  const Answer answer = solve_on(run, graph);
  ASSERT_EQ(answer.errors.size(), 2U);
  EXPECT_THAT(answer.errors.front()->what(), HasSubstr("`device=cpu`"));
}

TEST(CollectiveDevices, AutoLeavesSmallGraphsToTheHost) {
  JobRun run = on_gpus(1, 2);
  run.options.device = Device::automatic;
  const Answer answer = solve_on(run, random_graph({.n = 61, .arcs = 300}));
  ASSERT_TRUE(answer.errors.empty());
  EXPECT_FALSE(answer.on_device);
}

}  // namespace
}  // namespace apsp::distributed
