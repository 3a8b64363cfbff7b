// Distances of i32 that a device keeps in 16 bits, against the textbook; the device is the strict
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/random.hpp"
#include "sparse/block_potentials.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/device_sweep.hpp"
#include "support/error_of.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/factor_of.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::sparse {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20, kLanes = 32;
constexpr kernels::ListedForm kReduced = kernels::ListedForm::reduced;

/// A grid whose streets are up to 2,000 long, so that distances reach some 60,000, with a vertex
/// that only leads in and one that only leads out if it is directed.
Graph streets(bool directed, std::int64_t side = 24) {
  const std::int64_t n = side * side + 2;
  GraphBuilder builder(n, directed);
  base::SplitMix64 random(side);
  const auto street = [&](std::int64_t from, std::int64_t to) {
    builder.add_edge(static_cast<Vertex>(from), static_cast<Vertex>(to),
                     static_cast<double>(500 + random.below(1'500)));
  };
  for (std::int64_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) street(v, v + 1);
    if (v + side < side * side) street(v, v + side);
    if (directed && v % side + 1 < side) street(v + 1, v);
    if (directed && v + side < side * side) street(v + side, v);
  }
  street(n - 2, 5);
  street(7, n - 1);
  return std::move(builder).build();
}

flow::CountedDistances counted(const Factor& factor, bool symmetric,
                               std::span<const Vertex> sources, kernels::ListedForm form,
                               std::int64_t limit) {
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  device->gathered_rows()->keep_listed(form);
  const Control control;
  SourceBlocks blocks(sources, kLanes, control);
  BlockPotentials potentials(factor, symmetric);
  DeviceSweep sweep(factor, *device, sources, kLanes, 1, {},
                    form == kReduced ? &potentials : nullptr);
  return count_on_device(factor.tree().order(), *device, sweep, blocks, limit);
}

TEST(ReducedRows, AreCountedAsTheDistancesAre) {
  for (const bool directed : {false, true}) {
    const Graph graph = streets(directed);
    const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
    const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::i32);
    const ReducedSources sources =
        reduced_sources(factor, !directed, factor.tree().order().vertex_at, kLanes, 2);
    EXPECT_GT(sources.fitting.size(), sources.others.size());
    EXPECT_FALSE(sources.others.empty()) << "every source is near the others of its block";
    constexpr std::int64_t kLimit = 100'000;
    flow::CountedDistances all = counted(factor, !directed, sources.fitting, kReduced, kLimit);
    EXPECT_GT(std::max_element(all.from.begin(), all.from.end(),
                               [](const auto& a, const auto& b) { return a.distance < b.distance; })
                  ->distance,
              kernels::kMostReduced);
    all.add(counted(factor, !directed, sources.others, kernels::ListedForm::values, kLimit));
    expect_counts(all, expected, static_cast<std::size_t>(graph.vertex_count()));
  }
}

TEST(ReducedRows, FitWhereSourcesAreNearEachOther) {
  const Graph graph = streets(true);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  BlockPotentials potentials(factor, false);
  EXPECT_TRUE(potentials.fit(std::vector<Vertex>{0, 1, 2}));
  EXPECT_FALSE(potentials.fit(std::vector<Vertex>{0, 1, 24 * 24 - 1}));  // too far
  EXPECT_FALSE(potentials.fit(std::vector<Vertex>{0, 1, 24 * 24}));      // no way back
}

TEST(ReducedRows, TakeTheMemoryThatIsPlanned) {
  const Graph graph = streets(false);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const auto& sources = factor.tree().order().vertex_at;
  const UpwardSize largest = UpSweepLists::largest(factor.tree(), sources, kLanes);
  const std::int64_t bytes =
      DeviceSweep::device_bytes(factor.tree(), ValueType::u16, kLanes, largest) +
      DeviceSweep::reducing_bytes(factor.tree(), kLanes);
  BlockPotentials potentials(factor, true);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, bytes);
  device->gathered_rows()->keep_listed(kReduced);
  DeviceSweep(factor, *device, sources, kLanes, 1, {}, &potentials);
}

TEST(ReducedRows, AreOfShortestPathsInI32Alone) {
  for (const ValueType type : {ValueType::u16, ValueType::f32, ValueType::f64}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
    EXPECT_ERROR(device, device->gathered_rows()->keep_listed(kReduced));
  }
}

}  // namespace
}  // namespace apsp::sparse
