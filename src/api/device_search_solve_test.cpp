// Johnson's algorithm on a GPU that is none: what a strict device has searched is what the CPU has,
// to the last bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <cmath>

#include "api/solve_among.hpp"
#include "base/random.hpp"
#include "support/error_of.hpp"
#include "support/invented_devices.hpp"
#include "support/output_of_cpu.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"
#include "support/temporary_folder.hpp"
#include "support/types_of.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;

SolveOptions searched(Device device, std::int64_t device_memory = 0) {
  return statistics_by(Algorithm::johnson, device, device_memory);
}

TEST(DeviceSearchSolve, HasTheStatisticsOfTheCpuInEverySemiringAndType) {
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : types_of(semiring)) {
      for (const bool directed : {false, true}) {
        if (longest && !directed) continue;
        const Graph graph = random_graph({.n = 90,
                                          .arcs = 200,
                                          .least = longest ? -50.0 : 1.0,
                                          .greatest = longest ? 0.0 : 100.0,
                                          .directed = directed,
                                          .acyclic = longest,
                                          .seed = 31});
        SolveOptions options = searched(Device::cuda);
        options.semiring = semiring;
        options.value_type = type;
        const Result there = solve_on_device(graph, options);
        options.device = Device::cpu;
        query::expect_same(there.statistics(), solve(graph, options).statistics());
        EXPECT_EQ(there.report().device, Device::cuda);
        EXPECT_THAT(there.report().plan, HasSubstr("johnson"));
        EXPECT_THAT(there.report().plan, HasSubstr("NVIDIA H200 (cuda:0)"));
      }
    }
  }
}

TEST(DeviceSearchSolve, TakesSmallerBatchesWhereMemoryIsShort) {
  const Graph graph = random_graph(
      {.n = 300, .arcs = 600, .least = 1, .greatest = 50, .directed = false, .seed = 4});
  const Result whole = solve_on_device(graph, searched(Device::cuda));
  const std::int64_t bytes = whole.report().on_device->bytes;
  const Result less = solve_on_device(graph, searched(Device::cuda, bytes / 2));
  EXPECT_LE(less.report().on_device->bytes, bytes / 2);
  query::expect_same(less.statistics(), whole.statistics());
  const Error error = error_of([&] { solve_on_device(graph, searched(Device::cuda, 2000)); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
}

TEST(DeviceSearchSolve, KeepsTheMatrixOfTheCpu) {
  for (const ValueType type : {ValueType::u16, ValueType::f64}) {
    const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 12});
    SolveOptions options = searched(Device::cuda);
    options.value_type = type;
    expect_matrix_of_cpu(graph, options);
  }
}

TEST(DeviceSearchSolve, WritesTheOutputOfTheCpu) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 14});
  SolveOptions options = searched(Device::cuda);
  options.tile = 32;
  expect_output_of_cpu(graph, options, solve_on_device);
}

TEST(DeviceSearchSolve, TakesSomeSources) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 15});
  SolveOptions options = searched(Device::cuda);
  options.sources = {100, 3, 77, 5};
  options.keep = Keep::matrix;
  const Result there = solve_on_device(graph, options);
  options.output = folder / "there.zarr";
  const Result stored = solve_on_device(graph, options);
  options.output.clear();
  options.device = Device::cpu;
  const Result here = solve(graph, options);
  for (const Vertex s : options.sources) {
    ASSERT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
    ASSERT_EQ(stored.distances_from(s), here.distances_from(s)) << "from " << s;
  }
  query::expect_same(there.statistics(), here.statistics());
}

TEST(DeviceSearchSolve, TakesSomeTargets) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 16});
  SolveOptions options = searched(Device::cuda);
  options.tile = 32;
  options.targets = {7, 129, 3, 100};
  expect_output_of_cpu(graph, options, solve_on_device);
  options.sources = {9, 7, 128};
  expect_output_of_cpu(graph, options, solve_on_device);
}

TEST(DeviceSearchSolve, TakesWholeWeightsOfBothSigns) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
      const Graph graph = random_graph({.n = 130,
                                        .arcs = 400,
                                        .least = longest ? -20.0 : 0.0,
                                        .greatest = 40,
                                        .acyclic = longest,
                                        .potential = longest ? 0.0 : 100.0,
                                        .seed = 17});
      SolveOptions options = searched(Device::cuda);
      options.semiring = semiring;
      options.value_type = type;
      options.tile = 32;
      expect_matrix_of_cpu(graph, options);
      options.sources = {9, 7, 128};
      options.targets = {7, 129, 3, 100};
      const Result there = solve_on_device(graph, options);
      options.device = Device::cpu;
      query::expect_same(there.statistics(), solve(graph, options).statistics());
    }
  }
}

/// The device keeps the rows, and has the statistics of the CPU's rows to the last bit.
TEST(DeviceSearchSolve, CountsRealAndLongDistancesToTheLastBitOfTheCpu) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t n : {1, 2, 40, 700}) {
      for (const bool real : {false, true}) {
        GraphBuilder builder(n, directed);
        base::SplitMix64 random(static_cast<std::uint64_t>(n));
        const auto vertex = [&] {
          return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        };
        for (std::int64_t e = 0; e < 2 * n; ++e) {
          const Vertex from = vertex(), to = vertex();
          const double weight = random.below(9) == 0 ? 0 : 1 + random.uniform();
          builder.add_edge(from, to, real ? weight : std::floor(weight * 0x1p20));
        }
        const Graph graph = std::move(builder).build();
        for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
          if (type == ValueType::i32 && real) continue;
          SolveOptions options = searched(Device::cuda);
          options.value_type = type;
          const Result there = solve_on_device(graph, options);
          options.device = Device::cpu;
          query::expect_same(there.statistics(), solve(graph, options).statistics());
        }
      }
    }
  }
}

TEST(DeviceSearchSolve, SeveralGpusCountRealDistancesToTheLastBit) {
  GenerateOptions of;
  of.kind = GraphKind::rmat;
  of.vertices = 500;
  of.edges = 2000;
  of.real_weights = true;
  const Graph graph = generate(of);
  SolveOptions options = searched(Device::cuda);
  options.value_type = ValueType::f64;
  const Result one = solve_on_device(graph, options);
  options.device_memory = one.report().on_device->bytes / 2;
  options.device_ordinals = {kAllGpus};
  const auto two = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1)});
  };
  query::expect_same(api::solve_among(two, graph, options).statistics(), one.statistics());
}

TEST(DeviceSearchSolve, ReportsANegativeCycle) {
  GraphBuilder builder(4);
  builder.add_edge(0, 1, 3);
  builder.add_edge(1, 2, -5);
  builder.add_edge(2, 1, 4);
  builder.add_edge(2, 3, 1);
  const Graph graph = std::move(builder).build();
  const SolveOptions options = searched(Device::cuda);
  EXPECT_EQ(error_of([&] { solve_on_device(graph, options); }).kind(), ErrorKind::negative_cycle);
}

TEST(DeviceSearchSolve, SeveralGpusFindWhatOneFinds) {
  const auto three = [] {
    return planner::invented_devices(
        {planner::invented_h200(0), planner::invented_h200(1), planner::invented_h200(2)});
  };
  const Graph graph = random_graph({.n = 400, .arcs = 1500, .greatest = 40, .seed = 18});
  for (const bool targets : {false, true}) {
    for (const Keep keep : {Keep::statistics, Keep::matrix}) {
      SolveOptions options = searched(Device::cuda);
      options.keep = keep;
      if (targets) options.targets = {5, 399, 17};
      const Result whole = solve_on_device(graph, options);
      options.device_memory = whole.report().on_device->bytes / 2;
      options.device_ordinals = {kAllGpus};
      const Result several = api::solve_among(three, graph, options);
      EXPECT_EQ(several.report().on_device->peers.size(), 2);
      query::expect_same(several.statistics(), whole.statistics());
      if (keep == Keep::matrix && !targets) expect_same_distances(several, whole);
    }
  }
}

TEST(DeviceSearchSolve, SaysWhatAGpuDoesNotSearch) {
  GraphBuilder builder(40);
  for (Vertex v = 0; v + 1 < 40; ++v) builder.add_edge(v, v + 1, v % 2 == 0 ? 1.5 : -1.25);
  const Graph graph = std::move(builder).build();
  const Error error = error_of([&] { solve_on_device(graph, searched(Device::cuda)); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
}

TEST(DeviceSearchSolve, BlamesAGpuForItsOwnMemoryAlone) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 15});
  SolveOptions options = searched(Device::cuda);
  const auto full = [] {  // others took half of the memory that was free
    planner::Devices devices = planner::one_device();
    devices.open = [](int, Semiring semiring, ValueType type, kernels::Sign, std::int64_t) {
      return kernels::strict::make_device(semiring, type, 4096);
    };
    return devices;
  };
  const Error small = error_of([&] { api::solve_among(full, graph, options); });
  EXPECT_EQ(small.kind(), ErrorKind::does_not_fit);

  options.on_rows = [](const RowBlock&) {
    throw Error(ErrorKind::does_not_fit, "no memory of the host");
  };
  EXPECT_STREQ(error_of([&] { solve_on_device(graph, options); }).what(), "no memory of the host");
}

TEST(DeviceSearchSolve, LeavesPredecessorsToTheHost) {
  const Graph graph = random_graph({.n = 40, .arcs = 80, .least = 1, .greatest = 50});
  SolveOptions options = searched(Device::cuda);
  options.predecessors = true;
  options.keep = Keep::matrix;
  const Result there = solve_on_device(graph, options);
  EXPECT_EQ(there.report().device, Device::cuda);
  EXPECT_TRUE(there.verify().passed);
  options.device = Device::cpu;
  const Result here = solve(graph, options);
  for (Vertex s = 0; s < 40; ++s) {
    for (Vertex t = 0; t < 40; ++t) ASSERT_EQ(there.path(s, t), here.path(s, t));
  }
}

}  // namespace
}  // namespace apsp
