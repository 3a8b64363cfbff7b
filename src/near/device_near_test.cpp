// What is near by a device, which here is the strict one, with little room; the whole way from a
// graph is in api/near_test.cpp.
#include "near/device_near.hpp"

#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::near::device_near_test {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20;
constexpr double kLimit = 12;

/// The rows of a run by source; every row comes once.
std::map<Vertex, std::map<Vertex, double>> rows_of(const Graph& graph, const NearBatches& how,
                                                   std::vector<Vertex>* too_many) {
  const NearGraph near_graph(graph, ValueType::i32, kLimit);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  DeviceNear near(near_graph, how, *device);
  std::vector<Vertex> sources(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(sources.begin(), sources.end(), Vertex{0});
  const Control control;
  search::SourceBlocks blocks(sources, how.rows, control);
  std::map<Vertex, std::map<Vertex, double>> rows;
  *too_many = near.run(blocks, [&](const NearRowsFound& found) {
    for (std::size_t i = 0; i < found.sources.size(); ++i) {
      if (found.found[i] < 0) continue;
      EXPECT_FALSE(rows.contains(found.sources[i]));
      auto& row = rows[found.sources[i]];
      const auto* const distances = reinterpret_cast<const std::uint32_t*>(found.distances);
      for (std::int64_t j = 0; j < found.found[i]; ++j) {
        row[found.targets[found.begin[i] + j]] = distances[found.begin[i] + j];
      }
    }
  });
  return rows;
}

TEST(DeviceNear, SearchesAgainWhatFoundNoRoom) {
  const Graph graph = random_graph({.n = 120, .arcs = 400, .least = 0, .greatest = 9, .seed = 3});
  const std::vector<double> all = verifier::floyd_warshall(graph, Semiring::min_plus);
  std::vector<Vertex> too_many;
  const auto rows =
      rows_of(graph, {.rows = 16, .pairs = 120, .searches = 3, .listed = 120}, &too_many);
  EXPECT_THAT(too_many, testing::IsEmpty());
  ASSERT_EQ(rows.size(), 120);
  for (const auto& [source, row] : rows) {
    std::map<Vertex, double> expected;
    for (Vertex t = 0; t < 120; ++t) {
      const double d = all[source * 120 + t];
      if (d <= kLimit) expected[t] = d;
    }
    EXPECT_EQ(row, expected) << source;
  }
}

TEST(DeviceNear, NamesSourcesThatReachMoreThanItsLists) {
  const Graph graph = random_graph({.n = 120, .arcs = 400, .least = 0, .greatest = 9, .seed = 3});
  std::vector<Vertex> none, too_many;
  const auto all = rows_of(graph, {.rows = 16, .pairs = 500, .searches = 3, .listed = 120}, &none);
  const auto some =
      rows_of(graph, {.rows = 16, .pairs = 500, .searches = 3, .listed = 20}, &too_many);
  EXPECT_GT(too_many.size(), 10);
  EXPECT_GT(some.size(), 10);
  for (const auto& [source, row] : all) {
    const bool left = std::find(too_many.begin(), too_many.end(), source) != too_many.end();
    EXPECT_EQ(left, row.size() > 20);
    EXPECT_EQ(some.contains(source), !left);
  }
}

TEST(DeviceNear, TakesTheMemoryThatWasPlanned) {
  const Graph graph = random_graph({.n = 50, .arcs = 100, .greatest = 9});
  const NearGraph near_graph(graph, ValueType::f64, kLimit);
  const NearBatches how{.rows = 4, .pairs = 60, .searches = 2, .listed = 30};
  const std::int64_t planned = how.device_bytes(50, near_graph.arcs.arc_count(), false);
  for (const std::int64_t memory : {planned - 1, planned}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::f64, memory);
    const auto claim = [&] { DeviceNear(near_graph, how, *device); };
    if (memory == planned) {
      claim();
    } else {
      EXPECT_EQ(error_of(claim).kind(), ErrorKind::does_not_fit);
    }
    EXPECT_EQ(device->memory_free(), memory);
  }
}

TEST(NearBatches, FitIntoTheMemoryAndHaveRoomForARow) {
  for (const std::int64_t memory :
       {std::int64_t{1} << 20, std::int64_t{1} << 30, std::int64_t{1} << 36}) {
    for (const double reached : {1.0, 200.0, 1e6}) {
      const std::int64_t n = 1'000'000, arcs = 2'500'000;
      const NearBatches how = NearBatches::fitting(memory, n, n, arcs, true, reached);
      if (how.rows == 0) {
        EXPECT_LT(memory, std::int64_t{1} << 30);
        continue;
      }
      EXPECT_LE(how.device_bytes(n, arcs, true), memory);
      EXPECT_GE(how.pairs, n);
      EXPECT_GT(how.searches, 0);
    }
  }
}

}  // namespace
}  // namespace apsp::near::device_near_test
