// Breadth-first searches on a device, which here is the strict one, against the textbook.
#include "search/device_hops.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "semiring/dispatch.hpp"
#include "sparse/device_rows.hpp"
#include "support/error_of.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/types_of.hpp"

namespace apsp::search {
namespace {

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
}  // namespace apsp::search
