// Graphs that are read back from a .zarr rest in its files, or in one of their own, not in memory.
#include "store/zarr_graph.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::store {
namespace {

/// More arcs than two chunks hold.
Graph large_graph(bool directed) {
  constexpr Vertex n = 1500;
  GraphBuilder builder(n, directed);
  for (Vertex u = 0; u < n; ++u) {
    for (Vertex v = directed ? 0 : u + 1; v < n; ++v) builder.add_edge(u, v, (u * 7 + v) % 1013);
  }
  return std::move(builder).build();
}

std::vector<Edge> arcs_of(const Graph& graph) {
  std::vector<Edge> arcs;
  graph.visit_all([&](Vertex u, Vertex v, double weight) { arcs.push_back({u, v, weight}); });
  return arcs;
}

void expect_same(const Graph& found, const Graph& expected) {
  EXPECT_EQ(found.digest(), expected.digest());
  EXPECT_EQ(found.symmetric(), expected.symmetric());
  EXPECT_EQ(found.loop_count(), expected.loop_count());
  EXPECT_EQ(found.edge_count(), expected.edge_count());
  const WeightFacts& a = found.weight_facts();
  const WeightFacts& b = expected.weight_facts();
  EXPECT_TRUE(a.least == b.least && a.greatest == b.greatest);
  EXPECT_TRUE(a.integral == b.integral && a.unit == b.unit);
  EXPECT_EQ(a.longest_path, b.longest_path);
  const auto same = [](const Edge& one, const Edge& other) {
    return one.from == other.from && one.to == other.to && one.weight == other.weight;
  };
  const std::vector<Edge> found_arcs = arcs_of(found), arcs = arcs_of(expected);
  EXPECT_TRUE(std::equal(found_arcs.begin(), found_arcs.end(), arcs.begin(), arcs.end(), same));
}

class GraphInFiles : public testing::TestWithParam<bool> {
 protected:
  /// Written and read again with so many bytes of an array in memory.
  static Graph round_trip(const Graph& graph, FileSystem& files, const std::string& path,
                          std::int64_t most_in_memory) {
    files.make_directories(path);
    const ZarrGroup group(files, path, GetParam());
    write_graph(group, graph);
    return read_graph(group, graph.vertex_count(), graph.digest(), most_in_memory);
  }
};

TEST_P(GraphInFiles, TakesNoMemoryButItsOffsets) {
  for (const bool directed : {true, false}) {
    const Graph graph = large_graph(directed);
    const TemporaryFolder folder;
    const Graph found = round_trip(graph, posix_file_system(), folder / "g.zarr", 1 << 20);
    expect_same(found, graph);
    EXPECT_GT(graph.memory_bytes(), 12 * graph.arc_count());
    // What is decompressed goes to the folder for temporary files, which may rest in memory.
    if (!GetParam()) {
      EXPECT_EQ(found.memory_bytes(), 8 * (graph.vertex_count() + 1));
    }
  }
}

TEST_P(GraphInFiles, OutlivesItsFiles) {
  const Graph graph = large_graph(true);
  Graph found;
  {
    const TemporaryFolder folder;
    found = round_trip(graph, posix_file_system(), folder / "g.zarr", 0);
  }
  EXPECT_EQ(arcs_of(found).size(), static_cast<std::size_t>(graph.arc_count()));
  found.release_pages();
  expect_same(found, graph);
}

TEST_P(GraphInFiles, IsTheSameWhereverItsArraysAreKept) {
  for (const std::int64_t n : {0, 1, 7, 300}) {
    for (const bool directed : {true, false}) {
      const Graph graph = sample_graph(n, directed, n == 7);
      for (const std::int64_t most_in_memory : {std::int64_t{0}, ZarrGroup::kMostInMemory}) {
        MemoryFileSystem memory;
        expect_same(round_trip(graph, memory, "g.zarr", most_in_memory), graph);
        const TemporaryFolder folder;
        expect_same(round_trip(graph, posix_file_system(), folder / "g.zarr", most_in_memory),
                    graph);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Chunks, GraphInFiles, testing::Bool(), [](const auto& compressed) {
  return std::string(compressed.param ? "compressed" : "plain");
});

TEST(MappedFiles, AreOneArrayOrNone) {
  constexpr std::int64_t kPage = 1 << 16;  // of any system
  const TemporaryFolder folder;
  FileSystem& files = posix_file_system();
  std::vector<std::string> paths;
  for (int i = 0; i < 3; ++i) {
    paths.push_back(folder / std::to_string(i));
    const std::vector<std::byte> bytes(kPage + 4, std::byte(i + 1));
    files.write_atomically(paths.back(), bytes);
  }
  const auto mapping = files.map(paths, kPage);
  ASSERT_NE(mapping, nullptr);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(mapping[static_cast<std::size_t>(i * kPage)], std::byte(i + 1));
    EXPECT_EQ(mapping[static_cast<std::size_t>((i + 1) * kPage - 1)], std::byte(i + 1));
  }
  EXPECT_EQ(files.map(paths, kPage - 1), nullptr);  // no multiple of a page
  EXPECT_EQ(files.map(paths, 2 * kPage), nullptr);  // longer than the files
  EXPECT_EQ(files.map({}, kPage), nullptr);
  paths.push_back(folder / "missing");
  EXPECT_EQ(files.map(paths, kPage), nullptr);
}

}  // namespace
}  // namespace apsp::store
