// Searches on a GPU against those of the CPU: distances in shared memory and outside it, rows that
// a whole block walks, sets that run full.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/device_search.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "search/dijkstra_rows.hpp"
#include "testing/random_graph.hpp"
#include "testing/types_of.hpp"

namespace apsp {
namespace {

class CudaSearch : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::cuda::devices().empty()) GTEST_SKIP() << kernels::cuda::why_no_device();
  }
};

/// Every row of `sources` must be Dijkstra's, to the bit.
void expect_rows(const Graph& graph, Semiring semiring, ValueType type,
                 std::span<const Vertex> sources, double step) {
  const auto device = kernels::cuda::make_device(0, semiring, type, kernels::Sign::any, 0);
  constexpr double kNoneIsLonger = 30000;
  const auto expected = search::dijkstra_rows(graph, semiring, type, nullptr, kNoneIsLonger);
  const auto worker = expected->worker();
  const std::int64_t n = graph.vertex_count(), bytes = n * size_of(type);
  std::vector<std::byte> row(static_cast<std::size_t>(bytes));
  std::int64_t wrong = 0, rows = 0;
  algorithms::rows_by_searches(
      graph, semiring, type, *device, sources,
      {.batch = 300, .searches = 1000, .piece = 64, .step = step},
      [&](std::span<const Vertex> some, const void* found, std::int64_t stride) {
        for (std::size_t i = 0; i < some.size(); ++i, ++rows) {
          worker->compute(some.subspan(i, 1), row.data(), n);
          const auto* const there = static_cast<const std::byte*>(found) +
                                    static_cast<std::int64_t>(i) * stride * size_of(type);
          wrong += std::equal(row.begin(), row.end(), there) ? 0 : 1;
        }
      },
      {});
  EXPECT_EQ(rows, std::ssize(sources));
  EXPECT_EQ(wrong, 0) << name(semiring) << " " << name(type) << " n " << n << " step " << step;
}

std::vector<Vertex> first_of(std::int64_t count) {
  std::vector<Vertex> some(static_cast<std::size_t>(count));
  std::iota(some.begin(), some.end(), Vertex{0});
  return some;
}

TEST_F(CudaSearch, FindsTheRowsOfTheCpuInEverySemiringAndType) {
  std::uint64_t seed = 1;
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : types_of(semiring)) {
      for (const std::int64_t n : {1, 2, 33, 700, 3000}) {
        const Graph graph = random_graph({.n = n,
                                          .arcs = n * 4,
                                          .least = longest ? -100.0 : 1.0,
                                          .greatest = longest ? 0.0 : 100.0,
                                          .directed = true,
                                          .acyclic = longest,
                                          .seed = ++seed});
        for (const double step : {0.0, 30.0, 1e9}) {
          expect_rows(graph, semiring, type, first_of(std::min<std::int64_t>(n, 700)), step);
        }
      }
    }
  }
}

TEST_F(CudaSearch, SharesOutRowsOfManyArcs) {
  // Hubs of 2,000 arcs, more of them at a time than a block keeps.
  GraphBuilder builder(5000, false);
  base::SplitMix64 random(3);
  for (Vertex hub = 0; hub < 300; ++hub) {
    for (int i = 0; i < 2000; ++i) {
      builder.add_edge(hub, static_cast<Vertex>(random.below(5000)),
                       1 + static_cast<double>(random.below(1000)));
    }
  }
  const Graph graph = std::move(builder).build();
  for (const double step : {100.0, 1e9}) {
    expect_rows(graph, Semiring::min_plus, ValueType::i32, first_of(400), step);
    expect_rows(graph, Semiring::min_plus, ValueType::u16, first_of(400), step);
  }
}

TEST_F(CudaSearch, KeepsDistancesOutsideSharedMemoryWhereTheyDoNotFit) {
  for (const std::int64_t n : {50'000, 110'000, 380'000}) {
    const Graph graph =
        random_graph({.n = n, .arcs = n * 5, .least = 1, .greatest = 100, .seed = 8});
    for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f64}) {
      expect_rows(graph, Semiring::min_plus, type, first_of(40), 60);
    }
  }
}

}  // namespace
}  // namespace apsp
