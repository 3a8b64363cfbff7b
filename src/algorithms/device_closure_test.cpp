#include "algorithms/device_closure.hpp"

#include <gtest/gtest.h>
#include <apsp/generate.hpp>

#include <vector>

#include "kernels/strict/strict_device.hpp"
#include "reference/dense.hpp"

namespace apsp {
namespace {

TEST(DeviceClosure, AgreesWithTheTextbook) {
  constexpr std::int64_t kMemory = std::int64_t{64} << 20;
  for (const std::int64_t n : {0, 1, 31, 32, 33, 100, 257}) {
    for (const bool directed : {false, true}) {
      GenerateOptions options;
      options.kind = GraphKind::gnp;
      options.vertices = n;
      options.probability = 0.01;
      options.directed = directed;
      options.seed = 5;
      const Graph graph = generate(options);
      const std::int64_t stride = n + 3;
      std::vector<std::uint8_t> reach(static_cast<std::size_t>(n * stride + 1), 77);
      const auto device = kernels::strict::make_bit_device(kMemory);
      device_closure(*device, graph, {reach.data(), n, n, stride}, 2, {});
      const std::vector<double> expected = reference::floyd_warshall(graph, Semiring::or_and);
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < stride; ++j) {
          const double truth = j < n ? expected[static_cast<std::size_t>(i * n + j)] : 77;
          ASSERT_EQ(reach[static_cast<std::size_t>(i * stride + j)], truth)
              << "n " << n << ", row " << i << ", column " << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace apsp
