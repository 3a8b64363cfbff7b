// Sweeps and counts of a device, which here is the strict one, against the textbook.
#include "sparse/device_sweep.hpp"

#include "base/random.hpp"
#include "search/device_hops.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/order.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/factor_of.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::device_sweep_test {
namespace {

using kernels::Cycles;
using kernels::Sign;

constexpr std::int64_t kMemory = std::int64_t{64} << 20;

/// [n, n] doubles from blocks of `lanes` sources.
std::vector<double> swept_rows(const Factor& factor, kernels::ComputeDevice& device,
                               std::span<const Vertex> sources, std::int64_t lanes,
                               const FactorPartition& partition = {}) {
  const Tree& tree = factor.tree();
  const std::int64_t n = tree.vertices();
  std::vector<double> all(static_cast<std::size_t>(n * n), -1);
  DeviceSweep sweep(factor, device, sources, lanes, 1, partition);
  semiring::dispatch(factor.semiring(), factor.type(), [&]<class S>() {
    using T = typename S::Value;
    std::vector<T> block(static_cast<std::size_t>(n * lanes));
    for (std::size_t first = 0; first < sources.size(); first += static_cast<std::size_t>(lanes)) {
      const auto some =
          sources.subspan(first, std::min(static_cast<std::size_t>(lanes), sources.size() - first));
      sweep.begin(some);
      const kernels::ConstView found = sweep.distances();
      device.copy_out(sweep.queue(), {block.data(), n, found.cols, lanes}, found,
                      size_of(factor.type()));
      sweep.end();
      device.synchronize(sweep.queue());
      for (std::int64_t p = 0; p < n; ++p) {
        const Vertex target = tree.order().vertex_at[static_cast<std::size_t>(p)];
        for (std::size_t i = 0; i < some.size(); ++i) {
          const T value = kernels::listed_value(factor.semiring(),
                                                block[static_cast<std::size_t>(p * lanes) + i]);
          all[static_cast<std::size_t>(some[i] * n + target)] =
              value == S::zero() ? no_path(factor.semiring(), ValueType::f64)
                                 : static_cast<double>(value);
        }
      }
    }
  });
  return all;
}

TEST(DeviceSweep, FindsTheRowsOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 100;
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : types_of(semiring)) {
      for (const bool directed : {false, true}) {
        if (longest && !directed) continue;
        for (const std::int64_t n : {1, 2, 17, 90}) {
          for (const std::int64_t arcs : {n / 2, n * 2, n * 5}) {
            const Graph graph =
                random_graph(n, arcs, longest ? -20.0 : 1.0, 30,
                             {.directed = directed, .acyclic = longest, .seed = ++seed});
            const Factor factor = factor_of(graph, semiring, type);
            const auto device = kernels::strict::make_device(semiring, type, kMemory);
            EXPECT_EQ(swept_rows(factor, *device, factor.tree().order().vertex_at,
                                 DeviceSweep::lanes_of(n > 60 ? 33 : n, type)),
                      expected_rows(graph, semiring, type))
                << name(semiring) << " " << name(type) << " n " << n << " arcs " << arcs;
          }
        }
      }
    }
  }
}

TEST(DeviceSweep, CarriesRowsUpThroughWideSupernodes) {
  for (const bool directed : {false, true}) {
    const Graph graph =
        random_graph(500, directed ? 1500 : 1100, 1, 30, {.directed = directed, .seed = 15});
    for (const ValueType type : {ValueType::u16, ValueType::f64}) {
      const Factor factor = factor_of(graph, Semiring::min_plus, type);
      std::int64_t wide = 0;
      for (SupernodeId s = 0; s < factor.tree().supernodes(); ++s) {
        wide += wide_upward(factor.tree(), s) ? 1 : 0;
      }
      EXPECT_GT(wide, 0);
      const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
      EXPECT_EQ(swept_rows(factor, *device, factor.tree().order().vertex_at, 192),
                expected_rows(graph, Semiring::min_plus, type));
    }
  }
}

TEST(DeviceSweep, TakesTheTwoLevelsOfTheBoundaryAlgorithm) {
  for (const bool directed : {false, true}) {
    const Graph graph = random_graph(
        {.n = 90, .arcs = 180, .least = 1, .greatest = 30, .directed = directed, .seed = 77});
    const Pattern pattern = pattern_of(graph);
    for (const std::int64_t parts : {1, 2, 9, 90}) {
      BoundaryOrder found = boundary_order(pattern, parts);
      const Factor factor = eliminate(
          graph,
          std::make_shared<const Tree>(pattern, std::move(found.order), std::move(found.first)),
          {Semiring::min_plus, ValueType::u16, Sign::any, Cycles::possible, 1, {}});
      const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kMemory);
      EXPECT_EQ(swept_rows(factor, *device, factor.tree().order().vertex_at, 32),
                expected_rows(graph, Semiring::min_plus, ValueType::u16))
          << parts << " parts";
    }
  }
}

/// Two parts that a separator joins, all arcs between neighbours there.
Graph two_parts(std::int64_t part, std::int64_t separator, bool directed) {
  const std::int64_t n = 2 * part + separator;
  GraphBuilder builder(n, directed);
  base::SplitMix64 random(31);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = directed ? 0 : i + 1; j < n; ++j) {
      if (i == j || (i < 2 * part && j < 2 * part && i / part != j / part)) continue;
      builder.add_edge(static_cast<Vertex>(i), static_cast<Vertex>(j),
                       static_cast<double>(1 + random.below(60)));
    }
  }
  return std::move(builder).build();
}

TEST(DeviceSweep, TakesWideItemsUpAndDown) {
  for (const bool directed : {false, true}) {
    const Graph graph = two_parts(100, 44, directed);
    const Pattern pattern = pattern_of(graph);
    for (const ValueType type : {ValueType::u16, ValueType::f32}) {
      const Factor factor =
          eliminate(graph, std::make_shared<const Tree>(pattern, natural_order(244)),
                    {Semiring::min_plus, type, Sign::any, Cycles::possible, 1, {}});
      const DownSweepLists down(factor, 2);
      UpSweepLists up(factor, down);
      up.find(factor.tree().order().vertex_at);
      std::set<std::int32_t> widths;
      for (const auto& item : down.items()) {
        widths.insert(std::max(kernels::kListedRows, kernels::listed_width(item.rows)));
      }
      EXPECT_EQ(widths, (std::set<std::int32_t>{8, 16, 32, 64}));
      ASSERT_EQ(down.groups().size(), 1u);
      EXPECT_TRUE(down.groups().front().waits);
      EXPECT_EQ(down.waiting().size(), 2u);
      EXPECT_EQ(DownSweepLists::waiting_of(factor.tree()), 2);
      EXPECT_TRUE(std::any_of(up.items().begin(), up.items().end(),
                              [](const auto& item) { return item.rows_are_listed != 0; }));
      const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
      EXPECT_EQ(swept_rows(factor, *device, factor.tree().order().vertex_at, 64),
                expected_rows(graph, Semiring::min_plus, type));
    }
  }
}

/// Three parts, of which the first is joined to the second, and both to some of the last.
Graph three_generations(bool directed) {
  constexpr std::int64_t kPart = 60, kOfFirst = 10, kOfSecond = 30;
  GraphBuilder builder(3 * kPart, directed);
  base::SplitMix64 random(32);
  for (std::int64_t i = 0; i < 3 * kPart; ++i) {
    for (std::int64_t j = directed ? 0 : i + 1; j < 3 * kPart; ++j) {
      const std::int64_t part = std::min(i, j) / kPart;
      const std::int64_t some = part == 0 ? kOfFirst : part == 1 ? kOfSecond : kPart;
      if (i == j || std::max(i, j) >= 2 * kPart + some) continue;
      builder.add_edge(static_cast<Vertex>(i), static_cast<Vertex>(j),
                       static_cast<double>(1 + random.below(60)));
    }
  }
  return std::move(builder).build();
}

TEST(DeviceSweep, SupernodesWaitForAllThatAreAbove) {
  for (const bool directed : {false, true}) {
    const Graph graph = three_generations(directed);
    const Pattern pattern = pattern_of(graph);
    const Factor factor =
        eliminate(graph, std::make_shared<const Tree>(pattern, natural_order(180), false),
                  {Semiring::min_plus, ValueType::u16, Sign::any, Cycles::possible, 1, {}});
    const DownSweepLists down(factor);
    ASSERT_EQ(down.waiting().size(), 3u);
    EXPECT_EQ(down.waiting()[2].above, 1);
    EXPECT_EQ(down.waiting()[2].near, 60);
    EXPECT_EQ(down.items().back().depth, 70) << "ten rows are further above";
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kMemory);
    EXPECT_EQ(swept_rows(factor, *device, factor.tree().order().vertex_at, 64),
              expected_rows(graph, Semiring::min_plus, ValueType::u16));
  }
}

TEST(DeviceSweep, TakesSourcesInAnyOrder) {
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1, .greatest = 30, .seed = 5});
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  std::vector<Vertex> sources;
  for (Vertex v = 0; v < 90; ++v) sources.push_back(v * 37 % 90);
  EXPECT_EQ(swept_rows(factor, *device, sources, 16),
            expected_rows(graph, Semiring::min_plus, ValueType::i32));
}

TEST(DeviceSweep, TakesTheMemoryThatItSaysAndNoMore) {
  const Graph graph = random_graph({.n = 120, .arcs = 400, .least = 1, .greatest = 30, .seed = 6});
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::u16);
  const auto& sources = factor.tree().order().vertex_at;
  constexpr std::int64_t kLanes = 32;
  const std::int64_t bytes = DeviceSweep::device_bytes(
      factor.tree(), ValueType::u16, kLanes, UpSweepLists::largest(factor.tree(), sources, kLanes));
  const auto enough = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, bytes);
  EXPECT_EQ(swept_rows(factor, *enough, sources, kLanes),
            expected_rows(graph, Semiring::min_plus, ValueType::u16));
  const auto little = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, bytes - 1);
  EXPECT_ERROR(does_not_fit, DeviceSweep(factor, *little, sources, kLanes));
}

/// Cuts of a factor of which nothing stays, some, and all, with the memory that they say.
void expect_streamed(const Graph& graph, const Factor& factor, std::int64_t lanes) {
  const Tree& tree = factor.tree();
  const ValueType type = factor.type();
  const auto& sources = tree.order().vertex_at;
  const std::vector<double> expected = expected_rows(graph, factor.semiring(), type);
  const DownSweepLists lists(tree, true);
  const UpwardSize largest = UpSweepLists::largest(tree, sources, lanes, true);
  const std::int64_t least = SweepParts::least_part(lists, tree, type);
  const std::int64_t all = SweepParts(lists, tree, type, {0, std::int64_t{1} << 40}).bytes();
  for (const std::int64_t resident : {std::int64_t{0}, all / 3, all}) {
    for (const std::int64_t part : {least, 3 * least, all + least}) {
      const FactorPartition partition{resident, part};
      const SweepParts parts(lists, tree, type, partition);
      EXPECT_LE(parts.resident_bytes(), resident);
      EXPECT_LE(parts.largest_bytes(), part);
      EXPECT_EQ(parts.parts().size() == 1, resident == all);
      const std::int64_t bytes = DeviceSweep::device_bytes(tree, type, lanes, largest, &parts);
      const auto device = kernels::strict::make_device(factor.semiring(), type, bytes);
      EXPECT_EQ(swept_rows(factor, *device, sources, lanes, partition), expected)
          << resident << " bytes stay, parts of " << part;
      const auto little = kernels::strict::make_device(factor.semiring(), type, bytes - 1);
      EXPECT_ERROR(does_not_fit, DeviceSweep(factor, *little, sources, lanes, 1, partition));
      EXPECT_EQ(little->memory_free(), bytes - 1) << "memory of a queued copy is not given back";
    }
  }
}

TEST(StreamedFactor, FindsTheRowsOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 200;
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    for (const ValueType type : types_of(semiring)) {
      for (const bool directed : {false, true}) {
        const Graph graph =
            random_graph(90, directed ? 260 : 200, 1, 30, {.directed = directed, .seed = ++seed});
        expect_streamed(graph, factor_of(graph, semiring, type), DeviceSweep::lanes_of(33, type));
      }
    }
  }
}

TEST(StreamedFactor, PassesWhereSupernodesAreWideAndWait) {
  for (const bool directed : {false, true}) {
    for (const Graph& graph : {two_parts(100, 44, directed), three_generations(directed),
                               two_parts(40, 200, directed)}) {
      const Pattern pattern = pattern_of(graph);
      const Factor factor = eliminate(
          graph, std::make_shared<const Tree>(pattern, natural_order(graph.vertex_count()), false),
          {Semiring::min_plus, ValueType::u16, Sign::any, Cycles::possible, 1, {}});
      EXPECT_FALSE(DownSweepLists(factor).waiting().empty());
      expect_streamed(graph, factor, 64);
    }
  }
}

/// Nobody waits between blocks: what no event orders is a race.
TEST(StreamedFactor, CountsWhatOneThatStaysCounts) {
  const Graph graph = two_parts(40, 200, false);
  const Pattern pattern = pattern_of(graph);
  const Factor factor = eliminate(
      graph, std::make_shared<const Tree>(pattern, natural_order(graph.vertex_count()), false),
      {Semiring::min_plus, ValueType::u16, Sign::any, Cycles::possible, 1, {}});
  const auto& sources = factor.tree().order().vertex_at;
  const DownSweepLists lists(factor.tree(), true);
  const std::int64_t least = SweepParts::least_part(lists, factor.tree(), ValueType::u16);
  const auto counts = [&](const FactorPartition& partition) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kMemory);
    const Control control;
    SourceBlocks blocks(sources, 32, control);
    DeviceSweep sweep(factor, *device, sources, 32, 1, partition);
    return count_on_device(factor.tree().order(), *device, sweep, blocks, 4000).counts;
  };
  const auto expected = counts({});
  EXPECT_EQ(counts({0, least}), expected);
  EXPECT_EQ(counts({2 * least, least}), expected);
}

TEST(UpSweepLists, LookAtSomeOfThousandsOfBlocks) {
  constexpr std::size_t kVertices = 9000, kBlocksLookedAt = 1500;
  const Pattern pattern =
      pattern_of(generate({.kind = GraphKind::roads, .vertices = kVertices, .directed = false}));
  const Tree tree(pattern, nested_dissection(pattern));
  const std::span sources(tree.order().vertex_at);
  double each = 0;
  for (std::size_t first = 0; first < kVertices; first += kBlocksLookedAt) {
    each += UpSweepLists::relaxations(tree, sources.subspan(first, kBlocksLookedAt), 1);
  }
  const double some = UpSweepLists::relaxations(tree, sources, 1);
  EXPECT_NE(some, each);
  EXPECT_NEAR(some, each, each / 20);
}

TEST(DeviceSweep, TakesAsManyLanesAsFit) {
  // Rows of 24 million vertices in f64, and a part that grows ever less.
  const auto bytes = [](std::int64_t lanes) {
    return 2'000'000'000 + lanes * 24'000'000 * 8 +
           static_cast<std::int64_t>(1e8 * std::sqrt(static_cast<double>(lanes)));
  };
  const auto within = [&](std::int64_t allowed) {
    return DeviceSweep::lanes_within(allowed, 4096, ValueType::f64, bytes);
  };
  for (const std::int64_t lanes : {8, 16, 200, 400, 408, 4088, 4096}) {
    for (const std::int64_t less : {0, 1}) {
      const std::int64_t found = within(bytes(lanes) - less);
      EXPECT_LE(found, lanes - less);
      EXPECT_GE(found + std::max<std::int64_t>(8, found / 32), lanes);
      EXPECT_EQ(found % 8, 0) << "whole lines of 64 bytes";
    }
  }
  EXPECT_EQ(within(std::int64_t{1} << 60), 4096);
  EXPECT_EQ(within(0), 0);
}

TEST(StreamedFactor, RowsThatAreLargerThanAPartAreRefused) {
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1, .greatest = 30, .seed = 5});
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const DownSweepLists lists(factor.tree(), true);
  const std::int64_t least = SweepParts::least_part(lists, factor.tree(), ValueType::i32);
  EXPECT_ERROR(does_not_fit, SweepParts(lists, factor.tree(), ValueType::i32, {0, least - 1}));
}

}  // namespace
}  // namespace apsp::sparse::device_sweep_test

namespace apsp::search::device_sweep_test {
namespace {

// Breadth-first searches on a device, which here is the strict one, against the textbook.
constexpr std::int64_t kMemory = std::int64_t{64} << 20;

Graph of_hops(std::int64_t n, std::int64_t arcs, bool directed, std::uint64_t seed) {
  return random_graph(
      {.n = n, .arcs = arcs, .least = 1, .greatest = 1, .directed = directed, .seed = seed});
}

/// [n, n] doubles, rows of `sources` alone; others hold −1.
std::vector<double> hop_rows(const Graph& graph, ValueType type, std::span<const Vertex> sources,
                             std::int64_t lanes, std::int64_t memory = kMemory) {
  const std::int64_t n = graph.vertex_count();
  std::vector<double> all(static_cast<std::size_t>(n * n), -1);
  const auto device = kernels::strict::make_device(Semiring::min_plus, type, memory);
  const search::Links before = links_before(graph);
  DeviceHops hops(before, type, *device, sources, lanes, n - 1);
  const Control control;
  sparse::SourceBlocks blocks(sources, lanes, control);
  const auto take = [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
    semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
      using T = typename S::Value;
      for (std::size_t i = 0; i < some.size(); ++i) {
        for (std::int64_t v = 0; v < n; ++v) {
          const T value = static_cast<const T*>(rows)[static_cast<std::int64_t>(i) * stride + v];
          all[static_cast<std::size_t>(some[i] * n + v)] =
              value == S::zero() ? no_path(Semiring::min_plus, ValueType::f64)
                                 : static_cast<double>(value);
        }
      }
    });
  };
  sparse::rows_from_device(sparse::natural_order(n), {}, type, *device, hops, blocks,
                           sparse::DeviceRows{lanes, 50}, 0, take);
  return all;
}

TEST(DeviceHops, FindsTheRowsOfTheTextbookInEveryType) {
  std::uint64_t seed = 40;
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const bool directed : {false, true}) {
      for (const std::int64_t n : {1, 2, 17, 128, 129, 300}) {
        for (const std::int64_t arcs : {std::int64_t{0}, n / 2, n * 2}) {
          const Graph graph = of_hops(n, arcs, directed, ++seed);
          EXPECT_EQ(
              hop_rows(graph, type, clustered_order(links_before(graph), kernels::kLevelLine), 128),
              expected_rows(graph, Semiring::min_plus, type))
              << name(type) << " n " << n << " arcs " << arcs;
        }
      }
    }
  }
}

TEST(DeviceHops, LeavesLoopsAndParallelArcsOut) {
  GraphBuilder builder(4);
  for (int i = 0; i < 3; ++i) {
    builder.add_edge(0, 1, 1);
    builder.add_edge(1, 1, 1);
    builder.add_edge(1, 2, 1);
  }
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(links_before(graph).targets.size(), 2);
  EXPECT_EQ(hop_rows(graph, ValueType::u16,
                     clustered_order(links_before(graph), kernels::kLevelLine), 128),
            expected_rows(graph, Semiring::min_plus, ValueType::u16));
}

TEST(DeviceHops, TakesSomeSourcesInAnyOrderAndAlongAPath) {
  GraphBuilder builder(400);
  for (Vertex v = 0; v + 1 < 400; ++v) builder.add_edge(v, v + 1, 1);
  const Graph graph = std::move(builder).build();
  const std::vector<Vertex> sources = {399, 0, 200, 7};
  std::vector<double> expected = expected_rows(graph, Semiring::min_plus, ValueType::i32);
  for (Vertex v = 0; v < 400; ++v) {
    if (std::find(sources.begin(), sources.end(), v) != sources.end()) continue;
    std::fill_n(expected.begin() + std::int64_t{v} * 400, 400, -1.0);
  }
  EXPECT_EQ(hop_rows(graph, ValueType::i32, sources, 128), expected);
}

TEST(DeviceHops, CountsWhatTheTextbookHas) {
  for (const bool directed : {false, true}) {
    const Graph graph = of_hops(200, 300, directed, 77);
    const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::u16);
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kMemory);
    const search::Links before = links_before(graph);
    const std::vector<Vertex> sources = clustered_order(before, kernels::kLevelLine);
    DeviceHops hops(before, ValueType::u16, *device, sources, 128, 199);
    const Control control;
    sparse::SourceBlocks blocks(sources, 128, control);
    const flow::CountedDistances found =
        sparse::count_on_device(sparse::natural_order(200), *device, hops, blocks, 200);
    expect_counts(found, expected, 200);
  }
}

TEST(DeviceHops, TakesTheMemoryThatItSaysAndNoMore) {
  const Graph graph = of_hops(300, 600, true, 5);
  const std::vector<Vertex> sources = clustered_order(links_before(graph), kernels::kLevelLine);
  const std::int64_t bytes =
      DeviceHops::device_bytes(300, graph.arc_count(), 300, ValueType::i32, 128, 299) +
      sparse::DeviceRows{128, 50}.device_bytes(300, ValueType::i32);
  EXPECT_EQ(hop_rows(graph, ValueType::i32, sources, 128, bytes),
            expected_rows(graph, Semiring::min_plus, ValueType::i32));
  EXPECT_ERROR(does_not_fit, hop_rows(graph, ValueType::i32, sources, 128, bytes * 9 / 10));
}

TEST(DeviceHops, KnowsTheMostArcsOfAPath) {
  EXPECT_EQ(DeviceHops::most_of(0, 5), 0);
  EXPECT_EQ(DeviceHops::most_of(10, 5.5), 5);
  EXPECT_EQ(DeviceHops::most_of(10, 1e300), 9);
}

TEST(DeviceHops, TakesWholeLinesOfSources) {
  EXPECT_EQ(DeviceHops::lanes_of(1), 128);
  EXPECT_EQ(DeviceHops::lanes_of(129), 256);
  EXPECT_EQ(DeviceHops::lanes_of(1'000'000), kernels::kLevelSources);
}

}  // namespace
}  // namespace apsp::search::device_sweep_test
