#include "places/transitive_closure.hpp"

#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include <vector>

#include "support/textbook.hpp"
#include "support/strict/strict_device.hpp"

namespace apsp::places {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20;
constexpr std::uint8_t kUntouched = 77;

Graph random_graph(std::int64_t n, bool directed) {
  GenerateOptions options;
  options.kind = GraphKind::gnp;
  options.vertices = n;
  options.probability = 0.01;
  options.directed = directed;
  options.seed = 5;
  return generate(options);
}

/// A matrix of bytes whose rows lie further apart than they are long.
struct Bytes {
  explicit Bytes(std::int64_t side)
      : n(side), stride(n + 3), data(static_cast<std::size_t>(n * stride + 1), kUntouched) {}
  kernels::View tile() { return {data.data(), n, n, stride}; }
  std::uint8_t& at(std::int64_t i, std::int64_t j) {
    return data[static_cast<std::size_t>(i * stride + j)];
  }

  std::int64_t n, stride;
  std::vector<std::uint8_t> data;
};

void expect_closure(Bytes& reach, const Graph& graph) {
  const std::vector<double> expected = reference::floyd_warshall(graph, Semiring::or_and);
  for (std::int64_t i = 0; i < reach.n; ++i) {
    for (std::int64_t j = 0; j < reach.stride; ++j) {
      const double truth =
          j < reach.n ? expected[static_cast<std::size_t>(i * reach.n + j)] : kUntouched;
      ASSERT_EQ(reach.at(i, j), truth) << "n " << reach.n << ", row " << i << ", column " << j;
    }
  }
}

TEST(DeviceClosure, AgreesWithTheTextbook) {
  for (const std::int64_t n : {0, 1, 31, 32, 33, 100, 257, 1100}) {
    for (const bool directed : {false, true}) {
      const Graph graph = random_graph(n, directed);
      for (const std::size_t count : {1, 2, 6}) {
        std::vector<std::unique_ptr<kernels::ComputeDevice>> owned;
        std::vector<kernels::ComputeDevice*> devices;
        while (devices.size() < count) {
          devices.push_back(owned.emplace_back(kernels::strict::make_bit_device(kMemory)).get());
        }
        Bytes reach(n);
        device_closure(devices, graph, reach.tile(), 2, {});
        expect_closure(reach, graph);
      }
    }
  }
}

TEST(DeviceClosure, ClosesBytesInPlace) {
  for (const std::int64_t n : {0, 1, 33, 257}) {
    const Graph graph = random_graph(n, true);
    Bytes reach(n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) reach.at(i, j) = 0;
      // Any byte but 0 is an arc.
      for (const Vertex target : graph.targets(static_cast<Vertex>(i))) reach.at(i, target) = 200;
    }
    const auto device = kernels::strict::make_bit_device(kMemory);
    device_closure({device.get()}, reach.tile(), 2, {});
    expect_closure(reach, graph);
  }
}

}  // namespace
}  // namespace apsp::places
