// Intermediate vertices and edge counts that processes with a GPU each find: those of one process
// on its CPU. GPUs are strict devices, which refuse every access that no event orders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/stored_result.hpp"
#include "store/store.hpp"
#include "support/invented_devices.hpp"
#include "support/job_solve.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::distributed {
namespace {

using store::Plane;

JobRun with_gpus(int rows, int cols, std::int64_t memory = 0) {
  JobRun run{.rows = rows, .cols = cols, .options = small_tiles()};
  run.options.device = Device::cuda;
  run.options.device_memory = memory;
  run.options.hops = true;
  run.find = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1)});
  };
  return run;
}

std::vector<std::int32_t> plane_in(const std::string& path, Plane plane, std::int64_t n) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(n * n));
  store::open_store(path)->read(plane, {0, 0, n, n}, values.data(), n);
  return values;
}

void expect_planes_of_the_host(JobRun run, const Graph& graph) {
  const TemporaryFolder folder;
  SolveOptions alone = run.options;
  alone.device = Device::cpu;
  alone.device_memory = 0;
  alone.output = folder / "alone.zarr";
  solve(graph, alone);
  run.options.output = folder / "out.zarr";
  const Answer answer = solve_on(run, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  ASSERT_TRUE(answer.on_device);
  const std::int64_t n = graph.vertex_count();
  for (const Plane plane : {Plane::via, Plane::hops}) {
    EXPECT_EQ(plane_in(run.options.output, plane, n), plane_in(alone.output, plane, n))
        << store::name(plane) << ", n " << n;
  }
  EXPECT_TRUE(api::verify_stored(run.options.output, graph, alone.semiring, {}).passed);
}

TEST(CollectiveVia, OnGpusIsThatOfTheHost) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}, {3, 2}}) {
    for (const std::int64_t n : {5, 16, 61, 150}) {
      for (const bool directed : {false, true}) {
        expect_planes_of_the_host(
            with_gpus(rows, cols),
            random_graph({.n = n, .arcs = 4 * n, .directed = directed, .seed = 5}));
      }
    }
  }
}

TEST(CollectiveVia, OnGpusTakesOtherSemiringsAndTypes) {
  const Graph graph = random_graph({.n = 70, .arcs = 250, .least = 1});
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max}) {
    JobRun run = with_gpus(2, 2);
    run.options.semiring = semiring;
    expect_planes_of_the_host(run, graph);
  }
  for (const ValueType type : {ValueType::f64, ValueType::i32, ValueType::u16}) {
    JobRun run = with_gpus(2, 1);
    run.options.value_type = type;
    expect_planes_of_the_host(run, graph);
  }
}

TEST(CollectiveVia, OfPartsThatDoNotFitIsRefused) {
  const TemporaryFolder folder;
  JobRun run = with_gpus(1, 2, 100'000);
  run.options.output = folder / "out.zarr";
  const Answer answer = solve_on(run, random_graph({.n = 300, .arcs = 1200}));
  ASSERT_EQ(answer.errors.size(), 2U);
  EXPECT_EQ(answer.errors[0]->kind(), ErrorKind::does_not_fit);
  EXPECT_THAT(answer.errors[0]->what(),
              testing::HasSubstr("intermediate vertices need each process's part in the memory"));
}

}  // namespace
}  // namespace apsp::distributed
