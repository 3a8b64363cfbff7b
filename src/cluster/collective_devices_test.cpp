// Solves by processes with a GPU each: threads, each with a strict device, which refuses every
// access that no event orders. What is found is what the host's threads of one process find.
#include <fmt/format.h>

#include "api/solve.hpp"
#include "support/invented_devices.hpp"
#include "support/job_solve.hpp"
#include "support/message_links.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::cluster::collective_devices_test {
namespace {

constexpr auto two_devices = planner::several_devices<2>;

SolveOptions on_cuda() {
  SolveOptions options = small_tiles();
  options.machine.device = Device::cuda;
  return options;
}

JobRun on_gpus(int rows, int cols) {
  return {.rows = rows, .cols = cols, .options = on_cuda(), .find = two_devices};
}

constexpr std::pair<int, int> kGrids[] = {{1, 1}, {1, 2}, {2, 2}, {2, 3}, {4, 1}};

constexpr ValueType kTypes[] = {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16};

TEST(CollectiveDevices, TakeEveryTypeOfValueResidentAndStreamed) {
  for (const bool streams : {false, true}) {
    const std::int64_t n = streams ? 320 : 90;
    const Graph graph =
        random_graph({.n = n, .arcs = 4 * n, .least = 1, .greatest = 9, .directed = !streams});
    for (const ValueType type : kTypes) {
      JobRun run = on_gpus(2, 2);
      run.options.method.value_type = type;
      if (streams) run.options.machine.device_memory = n * n / 4 * size_of(type);
      EXPECT_EQ(solve_as_one(run, graph).on_device->streamed, streams) << name(type);
    }
  }
}

/// Tiles of 512 vertices, in bits; of 128 where they stream.
TEST(CollectiveDevices, ReachabilityIsSolvedInBits) {
  for (const auto& [rows, cols] : kGrids) {
    for (const std::int64_t n : {5, 512, 1100}) {
      for (const bool streams : {false, true}) {
        if (streams && n < 1100) continue;
        SCOPED_TRACE(fmt::format("{} x {}, n {}", rows, cols, n));
        JobRun run = on_gpus(rows, cols);
        run.options.question.semiring = Semiring::or_and;
        run.options.method.tile = streams ? 128 : 0;
        run.options.machine.device_memory = streams ? 400'000 + 1'500'000 / rows : 0;
        run.tile = 512;
        run.most_bytes = 1 << 16;
        run.verify = true;
        const Answer answer =
            solve_as_one(run, random_graph({.n = n, .arcs = n + n / 4, .seed = 5}));
        EXPECT_EQ(answer.on_device->streamed, streams);
        if (streams) {
          EXPECT_LE(answer.on_device->bytes, run.options.machine.device_memory);
        }
      }
    }
  }
}

/// Each device may hold a part, of values of 4 bytes, but not all panels besides: parts stream.
JobRun through_little(int rows, int cols) {
  JobRun run = on_gpus(rows, cols);
  run.options.method.value_type = ValueType::f32;
  run.options.machine.device_memory = 320 * 320 * 4 / rows / cols + 28000;
  return run;
}

TEST(CollectiveDevices, PartsThatDoNotFitStream) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200, .seed = 7});
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min}) {
    for (const auto& [rows, cols] : kGrids) {
      if (semiring == Semiring::max_min && rows != cols) continue;
      JobRun run = through_little(rows, cols);
      run.options.question.semiring = semiring;
      run.verify = true;
      const Answer answer = solve_as_one(run, graph);
      EXPECT_TRUE(answer.on_device->streamed);
      EXPECT_EQ(answer.on_device->panel, 16);
      EXPECT_LE(answer.on_device->bytes, run.options.machine.device_memory);
    }
  }
}

TEST(CollectiveDevices, AllStreamWhereThePartOfOneDoesOrOffloadAsksForIt) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200, .seed = 11});
  JobRun run = on_gpus(2, 2);
  run.options.method.value_type = ValueType::f32;
  EXPECT_FALSE(solve_as_one(run, graph).on_device->streamed);
  run.offload = true;
  EXPECT_TRUE(solve_as_one(run, graph).on_device->streamed);
  run = through_little(1, 2);
  run.options.machine.device_memory = 0;
  run.find = [] {
    return planner::invented_devices(
        {planner::invented_h200(0), planner::invented_h200(1, 200000)});
  };
  EXPECT_TRUE(solve_as_one(run, graph).on_device->streamed);
  run = on_gpus(1, 2);
  run.options.machine.device = Device::cpu;
  run.offload = true;
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::usage) << "it needs a GPU";
}

TEST(CollectiveDevices, KeepCheckpointsOnTheWay) {
  const Graph graph = random_graph({.n = 320, .arcs = 1200});
  MessageLinks links;
  JobRun direct = on_gpus(2, 1);
  direct.direct = true;
  direct.links = &links;
  for (JobRun run : {on_gpus(2, 1), through_little(2, 1), direct}) {
    const TemporaryFolder folder;
    run.options.storage.output = folder / "out.zarr";
    run.checkpoint_seconds = 0;
    EXPECT_EQ(solve_as_one(run, graph).on_device->streamed, run.options.machine.device_memory > 0);
  }
}

TEST(CollectiveDevices, PanelsGoFromGpuToGpu) {
  MessageLinks links;
  for (const bool directed : {true, false}) {
    for (const auto& [rows, cols] : kGrids) {
      JobRun run = on_gpus(rows, cols);
      run.find = planner::several_devices<6>;
      run.direct = true;
      run.links = &links;
      run.verify = true;
      const Answer answer =
          solve_as_one(run, random_graph({.n = 150, .arcs = 600, .directed = directed, .seed = 9}));
      EXPECT_THAT(answer.plan, HasSubstr("from GPU to GPU"));
    }
  }
}

TEST(CollectiveDevices, PanelsGoFromGpuToGpuWhereEachProcessHasOne) {
  const Graph graph = random_graph({.n = 61, .arcs = 300});
  MessageLinks links;
  JobRun run = on_gpus(2, 2);  // on two GPUs
  run.direct = true;
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::usage);
  run.links = &links;
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::usage);
  run.options.machine.device = Device::cpu;
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::usage);
}

JobRun rows_on_gpus(int processes, Algorithm algorithm) {
  JobRun run = on_gpus(1, processes);
  run.options.method.algorithm = algorithm;
  run.options.method.tile = 0;
  return run;
}

/// It has the threads and the GPU that one process alone would have.
TEST(CollectiveDevices, OneProcessPredictsWhatItWouldAlone) {
  const Graph graph =
      random_graph({.n = 900, .arcs = 2000, .least = 1, .greatest = 1, .directed = false});
  for (const Algorithm algorithm :
       {Algorithm::nested_dissection, Algorithm::johnson, Algorithm::breadth_first}) {
    JobRun run = on_gpus(1, 1);
    run.options.method.tile = 0;
    run.options.method.algorithm = algorithm;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    SolveOptions alone = run.options;
    alone.machine.threads = 1;
    alone.storage.keep = Keep::statistics;
    const double expected = api::plan_among(two_devices, graph, alone).predicted.solve;
    EXPECT_NEAR(answer.planned.predicted.solve, expected, 1e-6 * expected) << name(algorithm);
  }
}

TEST(CollectiveDevices, IntermediateVerticesOfPartsThatDoNotFitAreRefused) {
  const TemporaryFolder folder;
  JobRun run = on_gpus(1, 2);
  run.options.question.hops = true;
  run.options.machine.device_memory = 100'000;
  run.options.storage.output = folder / "out.zarr";
  EXPECT_EQ(error_of_all(run, random_graph({.n = 300, .arcs = 1200})).kind(),
            ErrorKind::does_not_fit);
}

TEST(CollectiveDevices, SearchTheRowsOfSomeSources) {
  const Graph graph = random_graph({.n = 150, .arcs = 330, .least = 1, .greatest = 1});
  for (const auto& [algorithm, semiring] : {std::pair{Algorithm::johnson, Semiring::min_plus},
                                            {Algorithm::johnson, Semiring::max_min},
                                            {Algorithm::breadth_first, Semiring::min_plus}}) {
    JobRun run = rows_on_gpus(4, algorithm);
    run.options.question.semiring = semiring;
    run.options.question.sources = {3, 149, 7, 20, 21};
    solve_as_one(run, graph);
  }
}

TEST(CollectiveDevices, ProcessesTakeTheGpusInTurn) {
  const Graph graph = random_graph({.n = 61, .arcs = 300});
  for (const std::vector<int>& ordinals : {std::vector<int>{}, {kAllGpus}, {1}, {1, 0}}) {
    JobRun run = on_gpus(2, 2);
    run.options.machine.device_ordinals = ordinals;
    const Answer answer = solve_as_one(run, graph);
    EXPECT_EQ(answer.on_device->ordinal, ordinals.empty() || ordinals.front() < 0 ? 0 : 1);
  }
}

TEST(CollectiveDevices, AllEndWhereOneLacksMemoryOfItsGpu) {
  const Graph graph = random_graph({.n = 150, .arcs = 600});
  JobRun run = on_gpus(1, 2);
  run.find = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1, 1000)});
  };
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::does_not_fit);
}

TEST(CollectiveDevices, NamesOfGpusThatAreNotThereAreRefused) {
  const Graph graph = random_graph({.n = 61, .arcs = 300});
  JobRun run = on_gpus(1, 2);
  run.options.machine.device_ordinals = {5};
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::device);
  run.options.machine.device_ordinals.clear();
  run.find = planner::no_device;
  EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::device);
}

TEST(CollectiveDevices, AutoLeavesSmallGraphsToTheHost) {
  JobRun run = on_gpus(1, 2);
  run.options.machine.device = Device::automatic;
  const Answer answer = solve_on(run, random_graph({.n = 61, .arcs = 300}));
  ASSERT_TRUE(answer.errors.empty());
  EXPECT_FALSE(answer.on_device);
}

}  // namespace
}  // namespace apsp::cluster::collective_devices_test
