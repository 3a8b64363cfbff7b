// Whole distances that a device keeps in 32 bits, against the textbook; the device is the strict
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/random.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/device_sweep.hpp"
#include "sparse/sweep_parts.hpp"
#include "support/error_of.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/factor_of.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::sparse {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20, kLanes = 48;
constexpr kernels::ListedForm kWhole = kernels::ListedForm::whole;
constexpr std::int64_t kLongest = static_cast<std::int64_t>(kernels::kMostWhole);

std::unique_ptr<kernels::ComputeDevice> device_of(std::int64_t memory = kMemory) {
  auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::f64, memory);
  device->gathered_rows()->keep_listed(kWhole);
  return device;
}

/// A chain as long as fits, and a ring with arcs across it, many of which are on no shortest path:
/// sums of those do not fit.
Graph long_ways(bool directed) {
  constexpr std::int64_t kChain = 60;
  GraphBuilder builder(150, directed);
  for (std::int64_t v = 0; v + 1 < kChain; ++v) {
    const std::int64_t arcs = kChain - 1;
    builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(v + 1),
                     static_cast<double>(kLongest / arcs + (v < kLongest % arcs ? 1 : 0)));
  }
  base::SplitMix64 random(9);
  const auto other = [&] { return static_cast<Vertex>(kChain + random.below(90)); };
  for (Vertex v = kChain; v + 1 < 150; ++v) {
    builder.add_edge(v, v + 1, static_cast<double>(1 + random.below(20'000'000)));
  }
  builder.add_edge(149, kChain, 1);  // so all of them reach each other in time
  for (int i = 0; i < 200; ++i) {
    builder.add_edge(other(), other(), static_cast<double>(random.below(2'100'000'000)));
  }
  return std::move(builder).build();
}

struct Leaving {
  std::vector<double> rows;
  flow::CountedDistances counted;
};

Leaving leaving(const Factor& factor, kernels::ComputeDevice& device,
                const statistics::CountMethod& way, const SweepCut& cut) {
  const std::vector<Vertex>& sources = factor.tree().order().vertex_at;
  const auto n = sources.size();
  Leaving all;
  all.rows.assign(n * n, -1);
  const Control control;
  SourceBlocks blocks(sources, kLanes, control);
  DeviceSweep sweep(factor, device, sources, kLanes, 1, cut);
  all.counted = rows_from_device(
      factor.tree().order(), {}, ValueType::f64, device, sweep, blocks, {kLanes, 5}, way,
      [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
        for (std::size_t i = 0; i < some.size(); ++i) {
          const auto* const row =
              static_cast<const double*>(rows) + static_cast<std::int64_t>(i) * stride;
          std::copy_n(row, n, all.rows.begin() + static_cast<std::ptrdiff_t>(some[i] * n));
        }
      });
  return all;
}

TEST(WholeRows, AreThoseOfTheTextbookUpToTheLongestThatFits) {
  for (const bool directed : {false, true}) {
    const Graph graph = long_ways(directed);
    const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::f64);
    const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::f64);
    EXPECT_EQ(expected[59], static_cast<double>(kLongest));
    const DownSweepLists lists(factor.tree(), true);
    const std::int64_t part = SweepParts::least_part(lists, factor.tree(), ValueType::i32);
    for (const SweepCut& cut : {SweepCut{}, SweepCut{part, part}}) {
      const auto device = device_of();
      EXPECT_EQ(leaving(factor, *device, {}, cut).rows, expected);
    }
  }
}

TEST(WholeRows, AreCountedAsTheyAre) {
  const Graph graph = long_ways(true);
  const auto n = graph.vertex_count();
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::f64);
  const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::f64);
  const auto way =
      statistics::CountMethod::binned_between(ValueType::f64, n, true, 1, kernels::kMostWhole);
  ASSERT_TRUE(way);
  const auto device = device_of();
  const Leaving all = leaving(factor, *device, *way, {});
  ASSERT_TRUE(all.counted.binned);
  expect_counts(all.counted, expected, static_cast<std::size_t>(n));
  EXPECT_EQ(all.counted.from[0].distance, static_cast<double>(kLongest));
}

TEST(WholeRows, TakeHalfTheMemoryOfRowsOfF64) {
  const Graph graph = long_ways(false);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::f64);
  const auto& sources = factor.tree().order().vertex_at;
  const UpwardSize largest = UpSweepLists::largest(factor.tree(), sources, kLanes);
  const auto bytes_of = [&](ValueType type) {
    return DeviceSweep::device_bytes(factor.tree(), type, kLanes, largest);
  };
  const std::int64_t bytes = bytes_of(kernels::listed_type(kWhole, ValueType::f64));
  EXPECT_LT(bytes, bytes_of(ValueType::f64) * 2 / 3);
  const auto enough = device_of(bytes);
  DeviceSweep(factor, *enough, sources, kLanes);
  const auto little = device_of(bytes - 1);
  EXPECT_ERROR(does_not_fit, DeviceSweep(factor, *little, sources, kLanes));
}

TEST(WholeRows, AreOfShortestPathsInF64Alone) {
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
    EXPECT_ERROR(device, device->gathered_rows()->keep_listed(kWhole));
  }
  const auto widest = kernels::strict::make_device(Semiring::max_min, ValueType::f64, kMemory);
  EXPECT_ERROR(device, widest->gathered_rows()->keep_listed(kWhole));
}

}  // namespace
}  // namespace apsp::sparse
