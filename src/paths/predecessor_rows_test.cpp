// Whatever the order and the size of blocks, the trees are those of `write_predecessors`.
#include "paths/predecessor_rows.hpp"

#include "paths/paths.hpp"
#include "support/graph_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/random_blocks.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/vector_store.hpp"

namespace apsp::paths::predecessor_rows_test {
namespace {

constexpr std::int64_t kVertices = 67;

std::unique_ptr<store::Store> empty_store(store::MemoryFileSystem& files, ValueType type,
                                          std::int64_t tile) {
  return store::create_store("out.zarr",
                             {kVertices,
                              type,
                              Semiring::min_plus,
                              tile,
                              {store::Plane::distance, store::Plane::predecessor}},
                             {false, &files});
}

std::vector<std::int32_t> predecessors_in(const store::Store& stored) {
  std::vector<std::int32_t> found(static_cast<std::size_t>(kVertices * kVertices));
  stored.read(store::Plane::predecessor, {0, 0, kVertices, kVertices}, found.data(), kVertices);
  return found;
}

TEST(PredecessorRows, AnyOrderStoresTheTreesOfAllSources) {
  const Graph graph = random_graph({.n = kVertices, .arcs = 250});
  for (const ValueType type : {ValueType::i32, ValueType::f64}) {
    for (const std::int64_t tile : {8, 67, 100}) {
      store::VectorStore solution = store::solved(graph, Semiring::min_plus, type, tile);
      write_predecessors(graph, solution, solution, 1, {});
      for (const int threads : {1, 3}) {
        store::MemoryFileSystem files;
        const auto to = empty_store(files, type, tile);
        to->write(store::Plane::distance, {0, 0, kVertices, kVertices}, solution.distance.data(),
                  kVertices);
        {
          PredecessorRows sink(graph, *to, threads);
          store::give_at_random(sink, {solution.distance, kVertices, type}, 5, threads);
        }
        to->commit(graph, {});
        const auto stored = store::open_store("out.zarr", Semiring::min_plus, &files);
        EXPECT_EQ(predecessors_in(*stored), solution.predecessor);
      }
    }
  }
}

TEST(PredecessorRows, ThoseThatComeWithTheDistancesAreStored) {
  const Graph graph = random_graph({.n = kVertices, .arcs = 250});
  store::VectorStore solution = store::solved(graph, Semiring::min_plus, ValueType::i32, 8);
  write_predecessors(graph, solution, solution, 1, {});
  store::MemoryFileSystem files;
  const auto to = empty_store(files, ValueType::i32, 8);
  const Graph other = graph_of(kVertices, {});  // in which no tree would be found
  PredecessorRows sink(other, *to, 1);
  std::vector<Vertex> sources;
  for (Vertex v = 0; v < kVertices; ++v) sources.push_back(v);
  for (std::size_t first = 0; first < sources.size(); first += 10) {
    const std::size_t count = std::min<std::size_t>(10, sources.size() - first);
    sink.take({std::span(sources).subspan(first, count),
               solution.distance.data() + first * kVertices * sizeof(std::int32_t), kVertices,
               ValueType::i32, solution.predecessor.data() + first * kVertices});
  }
  sink.finish();
  EXPECT_EQ(predecessors_in(*to), solution.predecessor);
}

TEST(PredecessorRows, DistancesOfAnotherGraphAreRefused) {
  const Graph graph = random_graph({.n = kVertices, .arcs = 250});
  const store::VectorStore solution = store::solved(graph, Semiring::min_plus, ValueType::i32);
  store::MemoryFileSystem files;
  const auto to = empty_store(files, ValueType::i32, 8);
  const Graph other = graph_of(kVertices, {});
  PredecessorRows sink(other, *to, 1);
  EXPECT_ERROR(input, store::give_in_order(sink, {solution.distance, kVertices, ValueType::i32}));
}

}  // namespace
}  // namespace apsp::paths::predecessor_rows_test
