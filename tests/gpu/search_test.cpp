// Searches on a GPU against those of the CPU: distances in shared memory and outside it, rows that
// a whole block walks, sets that run full, sets in device memory, potentials, columns;
// breadth-first searches; and predecessors.
#include <fmt/format.h>

#include "kernels/cuda/cuda_device.hpp"
#include "paths/device_predecessors.hpp"
#include "paths/path_trees.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/device_hops.hpp"
#include "search/device_search.hpp"
#include "search/dijkstra_rows.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/device_rows.hpp"
#include "support/on_gpu.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"
#include "support/watched.hpp"

namespace apsp::search_test {
namespace {

class CudaSearch : public OnGpu {};

constexpr std::int64_t kAllShared = std::numeric_limits<std::int64_t>::max();

/// Every row of `sources` must be Dijkstra's. `shared`: bytes of a multiprocessor's memory that a
/// search may take; `targets`: of the columns; none: all.
void expect_rows(const Graph& graph, Semiring semiring, ValueType type,
                 std::span<const Vertex> sources, double step, std::int64_t shared = kAllShared,
                 const store::VertexList& targets = {}) {
  const auto device = gpu(semiring, type, kernels::Sign::any);
  constexpr double kNoneIsLonger = 30000;
  const bool longest = semiring == Semiring::max_plus;
  const WeightFacts& facts = graph.weight_facts();
  std::optional<Potentials> h;
  if (longest ? facts.greatest > 0 : semiring == Semiring::min_plus && facts.least < 0) {
    h = potentials(graph, longest ? -1 : 1);
  }
  const auto expected =
      search::dijkstra_rows(graph, semiring, type, h ? &*h : nullptr, kNoneIsLonger);
  const auto worker = expected->worker();
  const std::int64_t n = graph.vertex_count();
  std::vector<std::byte> row(static_cast<std::size_t>(n * size_of(type)));
  std::int64_t wrong = 0, rows = 0;
  search::SearchedGraph searched =
      search::searched_graph(graph, semiring, type, search::Direction::kept, h ? &*h : nullptr,
                             std::min(shared, search::kNearBytes));
  searched.step = step;
  const search::SearchBatches how{.batch = 300,
                                  .searches = 1000,
                                  .piece = 64,
                                  .shared_memory = shared,
                                  // Small graphs take both ways to read arcs.
                                  .arcs_kept = graph.arc_count() % 2 == 0 ? 0 : kernels::kArcsKept};
  const Control control;
  search::SourceBlocks blocks(sources, how.batch, control);
  search::rows_by_searches(
      searched, *device, targets, how, blocks,
      [&](std::span<const Vertex> some, const void* found, std::int64_t stride) {
        for (std::size_t i = 0; i < some.size(); ++i, ++rows) {
          worker->compute(some.subspan(i, 1), row.data(), n);
          const auto* const there = static_cast<const std::byte*>(found) +
                                    static_cast<std::int64_t>(i) * stride * size_of(type);
          semiring::dispatch(semiring, type, [&]<class S>() {  // both zeros are one distance
            const auto* const wanted = reinterpret_cast<const typename S::Value*>(row.data());
            const auto* const values = reinterpret_cast<const typename S::Value*>(there);
            std::int64_t differ = 0;
            for (std::int64_t j = 0; j < stride; ++j) differ += wanted[targets.at(j)] != values[j];
            wrong += differ > 0 ? 1 : 0;
          });
        }
      });
  EXPECT_EQ(rows, std::ssize(sources));
  EXPECT_EQ(wrong, 0) << name(semiring) << " " << name(type) << " n " << n << " step " << step
                      << " shared " << shared;
}

std::vector<Vertex> first_of(std::int64_t count) {
  std::vector<Vertex> some(static_cast<std::size_t>(count));
  std::iota(some.begin(), some.end(), Vertex{0});
  return some;
}

/// Bits of a set fit, and distances do not; nothing fits.
std::int64_t bytes_of_set(const Graph& graph) { return (graph.vertex_count() + 127) / 128 * 16; }

/// Distances in shared memory, only sets there, and nothing.
TEST_F(CudaSearch, FindsTheRowsOfTheCpuInEverySemiringAndType) {
  std::uint64_t seed = 1;
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : types_of(semiring)) {
      for (const std::int64_t n : sizes({1, 2, 31, 33, 700, 3000}, {1, 33, 300})) {
        const Graph graph = random_graph(n, n * 4, longest ? -100.0 : 1.0, longest ? 0.0 : 100.0,
                                         {.directed = true, .acyclic = longest, .seed = ++seed});
        for (const std::int64_t shared : {kAllShared, bytes_of_set(graph), std::int64_t{0}}) {
          for (const double step : {0.0, 30.0, 1e9}) {
            expect_rows(graph, semiring, type, first_of(n), step, shared);
          }
        }
      }
    }
  }
}

/// 300 hubs of 2,000 arcs, more of them at a time than a block keeps.
Graph hubs(std::uint64_t least, std::uint64_t most) {
  GraphBuilder builder(5000, false);
  base::SplitMix64 random(3);
  for (Vertex hub = 0; hub < 300; ++hub) {
    for (int i = 0; i < 2000; ++i) {
      builder.add_edge(hub, static_cast<Vertex>(random.below(5000)),
                       static_cast<double>(least + random.below(most)));
    }
  }
  return std::move(builder).build();
}

TEST_F(CudaSearch, SharesOutRowsOfManyArcs) {
  const Graph graph = hubs(1, 1000);
  const std::int64_t some = watched() ? 8 : 400;
  for (const double step : {100.0, 1e9}) {
    expect_rows(graph, Semiring::min_plus, ValueType::i32, first_of(some), step);
    expect_rows(graph, Semiring::min_plus, ValueType::u16, first_of(some), step);
  }
}

TEST_F(CudaSearch, KeepsDistancesOutsideSharedMemoryWhereTheyDoNotFit) {
  for (const std::int64_t n : sizes({50'000, 110'000, 380'000}, {110'000})) {
    const Graph graph =
        random_graph({.n = n, .arcs = n * 5, .least = 1, .greatest = 100, .seed = 8});
    for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f64}) {
      expect_rows(graph, Semiring::min_plus, type, first_of(watched() ? 2 : 40), 60);
    }
  }
}

TEST_F(CudaSearch, NumbersHubsAnewAndFindsSomeColumns) {
  const std::int64_t n = watched() ? 300 : 3000;
  GraphBuilder builder(n, true);
  base::SplitMix64 random(5);
  for (std::int64_t i = 0; i < 12 * n; ++i) {
    const auto from = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
    const auto hub = static_cast<Vertex>(random.below(20) * static_cast<std::uint64_t>(n / 20));
    builder.add_edge(from, i % 4 == 0 ? from / 2 : hub, 1 + static_cast<double>(random.below(50)));
    builder.add_edge(hub, from, 1 + static_cast<double>(random.below(50)));
  }
  const Graph graph = std::move(builder).build();
  const store::VertexList some({static_cast<Vertex>(n - 1), 0, 17, 20, 255});
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const std::int64_t shared : {std::int64_t{0}, bytes_of_set(graph), kAllShared}) {
      expect_rows(graph, Semiring::min_plus, type, first_of(200), 20, shared);
      expect_rows(graph, Semiring::min_plus, type, first_of(200), 20, shared, some);
    }
  }
}

TEST_F(CudaSearch, TakesWeightsOfBothSignsByPotentials) {
  std::uint64_t seed = 400;
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
      for (const std::int64_t n : sizes({1, 2, 33, 700, 3000}, {1, 33, 300})) {
        const Graph graph =
            random_graph(n, n * 4, longest ? -20.0 : 0.0, longest ? 8.0 : 30.0,
                         {.acyclic = longest, .potential = longest ? 0.0 : 400.0, .seed = ++seed});
        for (const std::int64_t shared : {std::int64_t{0}, bytes_of_set(graph), kAllShared}) {
          expect_rows(graph, semiring, type, first_of(std::min<std::int64_t>(n, 400)), 15, shared);
        }
      }
    }
  }
}

TEST_F(CudaSearch, TakesTwoMillionVertices) {
  if (watched()) GTEST_SKIP() << "too large under a watcher";
  const std::int64_t n = 2'000'000;  // their bits are more than a multiprocessor's memory
  const Graph graph = random_graph({.n = n, .arcs = n * 4, .least = 1, .greatest = 100, .seed = 8});
  expect_rows(graph, Semiring::min_plus, ValueType::u16, first_of(6), 60);
  expect_rows(graph, Semiring::min_plus, ValueType::i32, first_of(6), 60);
}

/// Every row of `sources` by breadth must be the CPU's.
void expect_hops(const Graph& graph, ValueType type, std::vector<Vertex> sources,
                 std::int64_t lanes = kernels::kLevelSources) {
  const auto device = gpu(Semiring::min_plus, type);
  const search::Links before = search::links_before(graph);
  if (sources.empty()) sources = search::clustered_order(before, kernels::kLevelLine);
  lanes = std::min(lanes, search::DeviceHops::lanes_of(std::ssize(sources)));
  search::DeviceHops hops(before, type, *device, sources, lanes, graph.vertex_count() - 1);
  const Control control;
  search::SourceBlocks blocks(sources, lanes, control);
  const auto expected = search::breadth_first_rows(graph, type);
  const auto worker = expected->worker();
  const std::int64_t n = graph.vertex_count(), bytes = n * size_of(type);
  std::vector<std::byte> wanted;
  std::int64_t wrong = 0, rows = 0;
  sparse::rows_from_device(sparse::natural_order(n), {}, type, *device, hops, blocks,
                           sparse::DeviceRows::of(lanes, n, type), 0,
                           [&](std::span<const Vertex> some, const void* found, std::int64_t) {
                             wanted.resize(some.size() * static_cast<std::size_t>(bytes));
                             worker->compute(some, wanted.data(), n);
                             const auto* const there = static_cast<const std::byte*>(found);
                             for (std::size_t i = 0; i < some.size(); ++i, ++rows) {
                               const std::int64_t at = static_cast<std::int64_t>(i) * bytes;
                               wrong += std::memcmp(wanted.data() + at, there + at,
                                                    static_cast<std::size_t>(bytes)) == 0
                                            ? 0
                                            : 1;
                             }
                           });
  EXPECT_EQ(rows, std::ssize(sources));
  EXPECT_EQ(wrong, 0) << name(type) << " n " << n << " arcs " << graph.arc_count();
}

TEST_F(CudaSearch, FindsTheHopsOfTheCpuInEveryType) {
  std::uint64_t seed = 100;
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const bool directed : {false, true}) {
      for (const std::int64_t n : sizes({1, 2, 33, 127, 129, 700, 5000}, {1, 33, 129})) {
        for (const std::int64_t arcs : {n / 2, n * 2, n * 8}) {
          const Graph graph = random_graph(n, arcs, 1, 1, {.directed = directed, .seed = ++seed});
          expect_hops(graph, type, {});
        }
      }
    }
  }
}

TEST_F(CudaSearch, FindsHopsOverManyLevelsAndFromSomeSources) {
  const Vertex vertices = watched() ? 400 : 3000;
  GraphBuilder path(vertices);
  for (Vertex v = 0; v + 1 < vertices; ++v) path.add_edge(v, v + 1, 1);
  const Graph line = std::move(path).build();
  expect_hops(line, ValueType::u16, {});
  expect_hops(line, ValueType::i32, {}, 384);
  expect_hops(line, ValueType::f32, {vertices - 1, 5, 17, 0});
}

TEST_F(CudaSearch, SharesOutRowsOfManyArcsByBreadth) {
  // Hubs that come first, of 3,000 arcs and of as many that the block keeps no more.
  for (const Vertex hubs : {300, 20000}) {
    GraphBuilder builder(30000, true);
    base::SplitMix64 random(7);
    const int arcs = hubs > 1000 ? 150 : 3000;
    for (Vertex hub = 0; hub < hubs; ++hub) {
      for (int i = 0; i < arcs; ++i) {
        const auto other = static_cast<Vertex>(random.below(30000));
        if (i % 7 == 0) builder.add_edge(hub, other, 1);
        builder.add_edge(other, hub, 1);
      }
    }
    std::vector<Vertex> some(watched() ? 100 : 4500);
    std::iota(some.begin(), some.end(), Vertex{0});
    expect_hops(std::move(builder).build(), ValueType::u16, some);
  }
}

/// `found`: [wanted.size()] of `kernels::predecessor_size`.
bool same_predecessors(std::span<const std::int64_t> wanted, const std::byte* found) {
  const auto size = static_cast<std::size_t>(kernels::predecessor_size(std::ssize(wanted)));
  return std::all_of(wanted.begin(), wanted.end(), [&](std::int64_t before) {
    const auto number = static_cast<std::int32_t>(before);  // lower bytes of −1 are all ones
    const bool same = std::memcmp(&number, found, size) == 0;
    found += size;
    return same;
  });
}

/// Predecessors from Dijkstra's rows of the first vertices must be the CPU's.
void expect_predecessors(const Graph& graph, ValueType type, std::int64_t count) {
  const auto device = gpu(Semiring::min_plus, type);
  constexpr double kNoneIsLonger = 30000;
  const std::int64_t n = graph.vertex_count(), bytes = n * size_of(type);
  const std::vector<Vertex> sources = first_of(std::min(count, n));
  const auto rows = std::ssize(sources);
  std::vector<std::byte> host(static_cast<std::size_t>(rows * bytes));
  const auto expected =
      search::dijkstra_rows(graph, Semiring::min_plus, type, nullptr, kNoneIsLonger);
  expected->worker()->compute(sources, host.data(), n);
  dense::DeviceBuffer there(*device, rows * bytes);
  paths::DevicePredecessors search(graph, Semiring::min_plus, type, *device, sources, rows);
  const kernels::QueueId queue = device->make_queue();
  const kernels::View distances{there.data(), rows, n, n};
  device->copy_in(queue, distances, {host.data(), rows, n, n}, size_of(type));
  const auto found = search.find(0, device->record(queue), -1, distances, 0);
  const int size = kernels::predecessor_size(n);
  std::vector<std::byte> predecessors(static_cast<std::size_t>(rows * n * size));
  device->wait(queue, found.event);
  device->copy_out(queue, {predecessors.data(), rows, n, n}, found.rows, size);
  device->synchronize(queue);
  search.finish();
  paths::PredecessorTree tree(graph, Semiring::min_plus, type);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto wanted = tree.of(static_cast<Vertex>(i), host.data() + i * bytes);
    wrong += same_predecessors(wanted, predecessors.data() + i * n * size) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0) << name(type) << " n " << n << ", rows that differ";
}

TEST_F(CudaSearch, FindsThePredecessorsOfTheCpu) {
  std::uint64_t seed = 70;
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const auto& [least, greatest] : {std::pair{0.0, 0.0}, {0.0, 1.0}, {1.0, 9.0}}) {
      for (const bool directed : {false, true}) {
        for (const std::int64_t n : sizes({1, 2, 31, 32, 33, 255, 257, 3000}, {1, 33, 300})) {
          expect_predecessors(
              random_graph(n, n * 3, least, greatest, {.directed = directed, .seed = ++seed}), type,
              600);
        }
      }
    }
  }
}

TEST_F(CudaSearch, FindsPredecessorsBehindHubsAndAlongOnePath) {
  GraphBuilder path(3000, false);
  for (Vertex v = 1; v < 3000; ++v) path.add_edge(v - 1, v, v % 3);
  expect_predecessors(hubs(0, 3), ValueType::u16, watched() ? 4 : 100);
  expect_predecessors(std::move(path).build(), ValueType::u16, watched() ? 4 : 100);
}

/// 16 bits hold vertices up to 65,535; sets of more than 196,608 do not fit shared memory.
TEST_F(CudaSearch, FindsPredecessorsOfManyVertices) {
  for (const std::int64_t n :
       sizes({65'535, 65'536, 196'608, 196'609, 500'000}, {65'536, 196'609})) {
    for (const ValueType type : {ValueType::u16, ValueType::i32}) {
      expect_predecessors(
          random_graph({.n = n, .arcs = n * 4, .least = 0, .greatest = 5, .seed = 9}), type,
          watched() ? 1 : 6);
    }
  }
}

}  // namespace
}  // namespace apsp::search_test
