// Nested dissection and the boundary algorithm on a GPU that is none: statistics that a strict
// device has counted are those of the CPU, to the last bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>
#include <cmath>

#include "api/solve_among.hpp"
#include "base/random.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
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

using planner::one_device;
using testing::HasSubstr;

SolveOptions swept(Device device, std::int64_t device_memory = 0,
                   Algorithm algorithm = Algorithm::nested_dissection) {
  return statistics_by(algorithm, device, device_memory);
}

TEST(DeviceSweepSolve, HasTheStatisticsOfTheCpu) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t n : {0, 1, 2, 40, 130}) {
      for (const ValueType type : {ValueType::u16, ValueType::i32}) {
        for (const double least : {0.0, 1.0}) {
          const Graph graph = random_graph({.n = n,
                                            .arcs = n * 2,
                                            .least = least,
                                            .greatest = 100,
                                            .directed = directed,
                                            .seed = 21});
          SolveOptions options = swept(Device::cuda);
          options.value_type = type;
          const Result there = solve_on_device(graph, options);
          options.device = Device::cpu;
          const Result here = solve(graph, options);
          query::expect_same(there.statistics(), here.statistics());
          EXPECT_TRUE(n != 130 || there.statistics().radius);
          EXPECT_EQ(there.report().device, Device::cuda);
          ASSERT_TRUE(there.report().on_device);
          EXPECT_THAT(there.report().plan, HasSubstr("nested-dissection"));
          EXPECT_THAT(there.report().plan, HasSubstr("NVIDIA H200 (cuda:0)"));
        }
      }
    }
  }
}

TEST(DeviceSweepSolve, TakesTheBoundaryAlgorithm) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 130, .arcs = 260, .least = 1, .greatest = 40, .directed = directed, .seed = 23});
    for (const Keep keep : {Keep::statistics, Keep::matrix}) {
      SolveOptions options = swept(Device::cuda, 0, Algorithm::boundary);
      options.keep = keep;
      const Result there = solve_on_device(graph, options);
      EXPECT_THAT(there.report().plan, HasSubstr("boundary"));
      ASSERT_TRUE(there.report().on_device);
      options.device = Device::cpu;
      const Result here = solve(graph, options);
      query::expect_same(there.statistics(), here.statistics());
      if (keep == Keep::statistics) continue;
      EXPECT_TRUE(there.verify().passed);
      for (Vertex s = 0; s < 130; ++s) {
        ASSERT_EQ(there.distances_from(s), here.distances_from(s)) << "from " << s;
      }
    }
  }
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 24});
  SolveOptions options = swept(Device::cuda, 0, Algorithm::boundary);
  options.tile = 32;
  expect_output_of_cpu(graph, options, solve_on_device);
  options.semiring = Semiring::max_min;
  expect_output_of_cpu(graph, options, solve_on_device);
  options.semiring = Semiring::or_and;
  EXPECT_EQ(error_of([&] { solve_on_device(graph, options); }).kind(), ErrorKind::usage);
}

TEST(DeviceSweepSolve, TakesFewerSourcesAtATimeWhereMemoryIsShort) {
  const Graph graph = random_graph(
      {.n = 300, .arcs = 600, .least = 1, .greatest = 50, .directed = false, .seed = 4});
  const Result whole = solve_on_device(graph, swept(Device::cuda));
  const std::int64_t bytes = whole.report().on_device->bytes;
  const Result less = solve_on_device(graph, swept(Device::cuda, bytes / 2));
  EXPECT_LE(less.report().on_device->bytes, bytes / 2);
  query::expect_same(less.statistics(), whole.statistics());
  const Error error = error_of([&] { solve_on_device(graph, swept(Device::cuda, 20000)); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
}

/// About the least device memory that takes the graph, bytes.
std::int64_t least_memory(const Graph& graph, SolveOptions options) {
  std::int64_t too_little = 1, enough = std::int64_t{4} << 20;
  while (enough - too_little > 4096) {
    options.device_memory = (too_little + enough) / 2;
    bool fits = true;
    try {
      planner::find_plan(graph, options, one_device);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::does_not_fit) throw;
      fits = false;
    }
    (fits ? enough : too_little) = options.device_memory;
  }
  return enough;
}

TEST(DeviceSweepSolve, StreamsAFactorThatIsLargerThanTheMemory) {
  for (const bool directed : {false, true}) {
    GenerateOptions of;
    of.kind = GraphKind::grid;
    of.vertices = 900;
    of.directed = directed;
    const Graph graph = generate(of);
    for (const Keep keep : {Keep::statistics, Keep::matrix}) {
      SolveOptions options = swept(Device::cuda);
      options.keep = keep;
      const std::int64_t least = least_memory(graph, options);
      const Result whole = solve_on_device(graph, options);
      EXPECT_FALSE(whole.report().on_device->streamed);
      for (const std::int64_t memory : {least, least + least / 16}) {
        options.device_memory = memory;
        const Result there = solve_on_device(graph, options);
        EXPECT_TRUE(there.report().on_device->streamed) << memory << " of " << least;
        EXPECT_LE(there.report().on_device->bytes, memory);
        EXPECT_THAT(there.report().plan, HasSubstr(", streamed, predicted"));
        query::expect_same(there.statistics(), whole.statistics());
        if (keep == Keep::statistics) continue;
        expect_same_distances(there, whole);
      }
    }
  }
}

TEST(DeviceSweepSolve, KeepsTheMatrixOfTheCpu) {
  for (const ValueType type : {ValueType::u16, ValueType::i32}) {
    const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 12});
    SolveOptions options = swept(Device::cuda);
    options.value_type = type;
    expect_matrix_of_cpu(graph, options);
  }
}

TEST(DeviceSweepSolve, GivesRowsToACallerAndStatisticsBesideThem) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 13});
  SolveOptions options = swept(Device::cuda);
  std::vector<int> seen(130);
  const Result here = solve(graph, {.device = Device::cpu});
  options.on_rows = [&](const RowBlock& block) {
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const auto* const row = static_cast<const std::uint16_t*>(block.values) +
                              static_cast<std::int64_t>(i) * block.stride;
      seen[block.sources[i]] = 1;
      for (Vertex t = 0; t < 130; ++t) {
        if (here.reachable(block.sources[i], t)) {
          ASSERT_EQ(row[t], here.distance(block.sources[i], t));
        }
      }
    }
  };
  const Result there = solve_on_device(graph, options);
  EXPECT_THAT(seen, testing::Each(1));
  options.device = Device::cpu;
  options.on_rows = nullptr;
  query::expect_same(there.statistics(), solve(graph, options).statistics());
}

TEST(DeviceSweepSolve, WritesTheOutputOfTheCpu) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 14});
  SolveOptions options = swept(Device::cuda);
  options.tile = 32;
  expect_output_of_cpu(graph, options, solve_on_device);
}

TEST(DeviceSweepSolve, KeepsTheFactorOfTheCpu) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 120, .arcs = 300, .least = 1, .greatest = 40, .directed = directed, .seed = 31});
    for (const bool statistics : {false, true}) {
      SolveOptions options = swept(Device::cuda);
      options.keep = Keep::factor;
      options.statistics = statistics;
      const Result there = solve_on_device(graph, options);
      options.device = Device::cpu;
      const Result here = solve(graph, options);
      EXPECT_EQ(there.kept(), Keep::factor);
      EXPECT_EQ(there.report().device, Device::cuda);
      EXPECT_TRUE(there.report().on_device);
      expect_same_distances(there, here);
      if (statistics) query::expect_same(there.statistics(), here.statistics());
    }
  }
}

TEST(DeviceSweepSolve, StoresTheFactorOfTheCpu) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .greatest = 40, .seed = 32});
  SolveOptions options = swept(Device::cuda);
  options.stored = Keep::factor;
  options.output = folder / "there.zarr";
  solve_on_device(graph, options);
  options.device = Device::cpu;
  options.output = folder / "here.zarr";
  solve(graph, options);
  const Result there = open_result(folder / "there.zarr"), here = open_result(folder / "here.zarr");
  EXPECT_EQ(there.kept(), Keep::factor);
  expect_same_distances(there, here);
  EXPECT_TRUE(there.verify().passed);
}

TEST(DeviceSweepSolve, TakesNoMemoryForSweepsWhereOnlyTheFactorIsKept) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .greatest = 40, .seed = 33});
  SolveOptions options = swept(Device::cuda, 20000);
  EXPECT_EQ(error_of([&] { solve_on_device(graph, options); }).kind(), ErrorKind::does_not_fit);
  options.keep = Keep::factor;
  options.statistics = false;
  EXPECT_LE(solve_on_device(graph, options).report().on_device->bytes, 20000);
}

TEST(DeviceSweepSolve, HasTheResultsOfTheCpuInEverySemiringAndType) {
  for (const Semiring semiring : {Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : types_of(semiring)) {
      for (const bool directed : {false, true}) {
        if (longest && !directed) continue;
        const Graph graph = random_graph({.n = 300,
                                          .arcs = 700,
                                          .least = longest ? -50.0 : 1.0,
                                          .greatest = 100,
                                          .directed = directed,
                                          .acyclic = longest,
                                          .seed = 31});
        SolveOptions options = swept(Device::cuda);
        options.semiring = semiring;
        options.value_type = type;
        expect_matrix_of_cpu(graph, options);
        const std::int64_t bytes = solve_on_device(graph, options).report().on_device->bytes;
        options.device_memory = bytes / 6;  // fewer sources at a time, or a factor that streams
        const Result there = solve_on_device(graph, options);
        options.device = Device::cpu;
        query::expect_same(there.statistics(), solve(graph, options).statistics());
      }
    }
  }
}

TEST(DeviceSweepSolve, SaysWhatAGpuDoesNotSweep) {
  const Graph graph = random_graph({.n = 40, .arcs = 80, .least = 1, .greatest = 50});
  const auto refusal = [&](const auto& change) {
    SolveOptions options = swept(Device::cuda);
    change(options);
    EXPECT_EQ(error_of([&] { solve_on_device(graph, options); }).kind(), ErrorKind::usage);
  };
  refusal([](SolveOptions& o) { o.semiring = Semiring::or_and; });
}

TEST(DeviceSweepSolve, SweepsRealWeights) {
  for (const bool directed : {false, true}) {
    GenerateOptions of;
    of.kind = GraphKind::grid;
    of.vertices = 400;
    of.directed = directed;
    of.real_weights = true;
    const Graph graph = generate(of);
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      SolveOptions options = swept(Device::cuda);
      options.value_type = type;
      options.keep = Keep::matrix;
      const Result there = solve_on_device(graph, options);
      EXPECT_EQ(there.report().device, Device::cuda);
      EXPECT_TRUE(there.verify().passed);
      options.device = Device::cpu;
      const Result here = solve(graph, options);
      const double most = type == ValueType::f32 ? 1e-5 : 1e-14;  // of the distance
      for (Vertex s = 0; s < 400; s += 7) {
        for (Vertex t = 0; t < 400; ++t) {
          const double distance = here.distance(s, t);
          ASSERT_NEAR(there.distance(s, t), distance, most * distance) << s << " to " << t;
        }
      }
      EXPECT_NEAR(*there.statistics().mean, *here.statistics().mean,
                  most * *here.statistics().mean);
      EXPECT_EQ(there.statistics().reachable_pairs, here.statistics().reachable_pairs);
    }
  }
}

TEST(DeviceSweepSolve, SweepsNegativeWeights) {
  GenerateOptions of;
  of.kind = GraphKind::gnp;
  of.vertices = 150;
  of.probability = 0.02;
  of.negative = true;
  const Graph graph = generate(of);
  for (const ValueType type : {ValueType::i32, ValueType::f64}) {
    SolveOptions options = swept(Device::cuda);
    options.value_type = type;
    expect_matrix_of_cpu(graph, options);
    query::expect_same(solve_on_device(graph, options).statistics(),
                       solve(graph, swept(Device::cpu)).statistics());
  }
}

TEST(DeviceSweepSolve, SweepsFromSomeSourcesToSomeTargets) {
  const Graph graph = random_graph({.n = 300, .arcs = 700, .greatest = 40, .seed = 16});
  SolveOptions options = swept(Device::cuda);
  options.tile = 32;
  for (Vertex v = 0; v < 300; v += 4) options.sources.push_back((v * 7 + 2) % 300);
  expect_output_of_cpu(graph, options, solve_on_device);
  for (Vertex v = 0; v < 300; v += 9) options.targets.push_back((v * 11 + 5) % 300);
  expect_output_of_cpu(graph, options, solve_on_device);
  options.sources.clear();
  expect_output_of_cpu(graph, options, solve_on_device);
}

TEST(DeviceSweepSolve, CountsLongDistances) {
  const Graph graph = random_graph(
      {.n = 200, .arcs = 400, .least = 100000, .greatest = 3000000, .directed = false, .seed = 17});
  const Result there = solve_on_device(graph, swept(Device::cuda));
  EXPECT_EQ(there.report().device, Device::cuda);
  query::expect_same(there.statistics(), solve(graph, swept(Device::cpu)).statistics());
}

/// The statistics that the host finds of the same rows, and those of the device, which keeps them.
void expect_counted_as_rows(const Graph& graph, ValueType type) {
  SolveOptions options = swept(Device::cuda);
  options.value_type = type;
  const Result counted = solve_on_device(graph, options);
  options.keep = Keep::matrix;
  query::expect_same(counted.statistics(), solve_on_device(graph, options).statistics());
  EXPECT_EQ(counted.report().device, Device::cuda);
}

TEST(DeviceSweepSolve, CountsRealDistancesToTheLastBit) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t n : {1, 2, 40, 300}) {
      GraphBuilder builder(n, directed);
      base::SplitMix64 random(static_cast<std::uint64_t>(n));
      for (std::int64_t e = 0; e < 2 * n; ++e) {
        const auto end = [&] {
          return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        };
        const Vertex from = end(), to = end();
        const bool nothing = random.below(9) == 0;
        const double weight =
            nothing ? 0 : std::ldexp(1 + random.uniform(), -int(random.below(12)));
        builder.add_edge(from, to, weight);
      }
      const Graph graph = std::move(builder).build();
      for (const ValueType type : {ValueType::f32, ValueType::f64}) {
        expect_counted_as_rows(graph, type);
      }
    }
  }
}

TEST(DeviceSweepSolve, CountsWholeDistancesInFloats) {
  const Graph graph = random_graph(
      {.n = 200, .arcs = 400, .least = 0, .greatest = 90000, .directed = false, .seed = 19});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    expect_counted_as_rows(graph, type);
    SolveOptions options = swept(Device::cuda);
    options.value_type = type;
    const Result there = solve_on_device(graph, options);
    options.device = Device::cpu;
    query::expect_same(there.statistics(), solve(graph, options).statistics());
  }
}

TEST(DeviceSweepSolve, SeveralGpusCountRealDistancesToTheLastBit) {
  GenerateOptions of;
  of.kind = GraphKind::grid;
  of.vertices = 900;
  of.real_weights = true;
  const Graph graph = generate(of);
  SolveOptions options = swept(Device::cuda);
  options.value_type = ValueType::f64;
  options.device_memory = solve_on_device(graph, options).report().on_device->bytes / 2;
  const Result one = solve_on_device(graph, options);
  options.device_ordinals = {kAllGpus};
  const auto two = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1)});
  };
  query::expect_same(api::solve_among(two, graph, options).statistics(), one.statistics());
}

TEST(DeviceSweepSolve, LeavesDistancesOfAllSizesToTheHost) {
  GraphBuilder builder(60);
  for (Vertex v = 0; v + 1 < 60; ++v) builder.add_edge(v, v + 1, std::ldexp(1.5, v % 2 ? 60 : -60));
  expect_counted_as_rows(std::move(builder).build(), ValueType::f64);
}

/// Several GPUs claim blocks of sources. With 300 vertices and little memory there are many.
TEST(DeviceSweepSolve, SeveralGpusFindWhatOneFinds) {
  const auto three = [] {
    return planner::invented_devices(
        {planner::invented_h200(0), planner::invented_h200(1), planner::invented_h200(2)});
  };
  const Graph graph = random_graph({.n = 300, .arcs = 700, .greatest = 40, .seed = 15});
  for (const Keep keep : {Keep::statistics, Keep::matrix}) {
    SolveOptions options = swept(Device::cuda);
    options.keep = keep;
    options.value_type = ValueType::i32;
    const Result whole = solve_on_device(graph, options);
    options.device_memory = whole.report().on_device->bytes / 2;
    const Result one = solve_on_device(graph, options);
    for (const std::vector<int>& ordinals : {std::vector<int>{0, 2}, {kAllGpus}}) {
      options.device_ordinals = ordinals;
      const Result several = api::solve_among(three, graph, options);
      query::expect_same(several.statistics(), one.statistics());
      EXPECT_FALSE(several.report().on_device->peers.empty());
      if (keep == Keep::statistics) continue;
      for (Vertex s = 0; s < 300; ++s) {
        ASSERT_EQ(several.distances_from(s), one.distances_from(s)) << "from " << s;
      }
    }
  }
}

TEST(DeviceSweepSolve, SeveralGpusGiveRowsAndCountThem) {
  const Graph graph = random_graph({.n = 260, .arcs = 600, .greatest = 40, .seed = 16});
  const auto two = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1)});
  };
  const Result here = solve(graph, {.device = Device::cpu});
  SolveOptions options = swept(Device::cuda);
  options.device_memory = solve_on_device(graph, options).report().on_device->bytes * 3 / 4;
  options.device_ordinals = {kAllGpus};
  std::vector<int> seen(260);
  options.on_rows = [&](const RowBlock& block) {
    for (const Vertex source : block.sources) ++seen[source];
  };
  const Result there = api::solve_among(two, graph, options);
  EXPECT_THAT(seen, testing::Each(1));
  query::expect_same(there.statistics(), here.statistics());
}

}  // namespace
}  // namespace apsp
