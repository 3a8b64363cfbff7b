// Predecessors on a device, which here is the strict one; those of all engines are in
// api/device_predecessors_test.cpp.
#include "paths/device_predecessors.hpp"

#include "support/graph_of.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::paths::device_predecessors_test {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20;

/// [sources, n] from rows of distances in i32; throws what `finish` throws.
std::vector<std::int32_t> found_on_device(const Graph& graph, const std::vector<Vertex>& sources,
                                          const std::vector<std::int32_t>& distances) {
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  const std::int64_t n = graph.vertex_count(), rows = std::ssize(sources);
  const int size = kernels::predecessor_size(n);
  dense::DeviceBuffer there(*device, rows * n * 4);
  DevicePredecessors search(graph, Semiring::min_plus, ValueType::i32, *device, sources, rows);
  const kernels::QueueId queue = device->make_queue();
  const kernels::View view{there.data(), rows, n, n};
  device->copy_in(queue, view, {distances.data(), rows, n, n}, 4);
  const auto found = search.find(0, device->record(queue), -1, view, 0);
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows * n * size));
  device->wait(queue, found.event);
  device->copy_out(queue, {bytes.data(), rows, n, n}, found.rows, size);
  device->synchronize(queue);
  search.finish();
  std::vector<std::int32_t> wide(static_cast<std::size_t>(rows * n), -1);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    std::uint16_t narrow = 0xFFFF;
    if (size == 4) std::memcpy(&wide[i], bytes.data() + i * 4, 4);
    if (size == 2) std::memcpy(&narrow, bytes.data() + i * 2, 2);
    if (narrow != 0xFFFF) wide[i] = narrow;
  }
  return wide;
}

TEST(DevicePredecessorsOfRows, HaveTheFewestArcsThenTheSmallestVertex) {
  // Three ways of 4 from 0 to 4: over 1 and 2, over 3, over 5.
  const Graph graph =
      graph_of(6, {{0, 1, 1}, {1, 2, 1}, {2, 4, 2}, {0, 5, 2}, {5, 4, 2}, {0, 3, 3}, {3, 4, 1}});
  EXPECT_THAT(found_on_device(graph, {0}, {0, 1, 2, 3, 4, 2}),
              testing::ElementsAre(-1, 0, 1, 0, 3, 0));
}

/// 16 bits hold vertices up to 65,535.
TEST(DevicePredecessorsOfRows, OfManyVerticesHave32Bits) {
  for (const std::int64_t n : {65'535, 65'536}) {
    const auto last = static_cast<Vertex>(n - 1);
    GraphBuilder builder(n, true);
    for (Vertex v = 0; v < last; ++v) builder.add_edge(last, v, 1);
    std::vector<std::int32_t> distances(static_cast<std::size_t>(n), 1);
    std::vector<std::int32_t> expected(static_cast<std::size_t>(n),
                                       static_cast<std::int32_t>(last));
    distances[last] = 0;
    expected[last] = -1;
    EXPECT_EQ(found_on_device(std::move(builder).build(), {last}, distances), expected);
  }
}

TEST(DevicePredecessorsOfRows, EndWithDistancesOfAnotherGraph) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  EXPECT_ERROR(defect, found_on_device(graph, {0}, {0, 1, 1}));
}

TEST(DevicePredecessorsOfRows, TakeTheMemoryThatWasPlanned) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  const std::vector<Vertex> sources = {0, 1, 2};
  const std::int64_t planned =
      DevicePredecessors::device_bytes(3, graph.arc_count(), 3, ValueType::i32, 2);
  for (const std::int64_t memory : {planned - 1, planned}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
    const auto claim = [&] {
      DevicePredecessors(graph, Semiring::min_plus, ValueType::i32, *device, sources, 2);
    };
    if (memory == planned) {
      claim();
    } else {
      EXPECT_EQ(error_of(claim).kind(), ErrorKind::does_not_fit);
    }
    EXPECT_EQ(device->memory_free(), memory);
  }
}

TEST(DevicePredecessorsOfRows, AreTheDevicesWhereSumsAreExact) {
  const Graph whole = graph_of(2, {{0, 1, 3}}), real = graph_of(2, {{0, 1, 0.5}});
  const auto takes = [](const Graph& graph, ValueType type, double bound) {
    return DevicePredecessors::takes(graph, Semiring::min_plus, type, bound);
  };
  EXPECT_TRUE(takes(whole, ValueType::u16, 3));
  EXPECT_TRUE(takes(whole, ValueType::i32, 1e8));
  EXPECT_TRUE(takes(whole, ValueType::f32, 1 << 24));
  EXPECT_FALSE(takes(whole, ValueType::f32, (1 << 24) + 1));
  EXPECT_TRUE(takes(whole, ValueType::f64, 1 << 25));
  EXPECT_FALSE(takes(real, ValueType::f64, 1));
  EXPECT_FALSE(DevicePredecessors::takes(whole, Semiring::max_min, ValueType::i32, 3));
}

}  // namespace
}  // namespace apsp::paths::device_predecessors_test
