// Graphs that are read back from a .zarr rest in its files, or in one of their own, not in memory.
#include "store/zarr_graph.hpp"

#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::zarr_graph_test {
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

/// Every pair but some, by a formula that every type holds.
template <class T>
Graph matrix_graph(ValueType type, std::int64_t n, bool directed, bool by_columns) {
  const auto values = std::make_shared<std::vector<T>>(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t mixed = directed ? i * 7 + j * 3 : (i + j) * 5 + i * j;
      (*values)[static_cast<std::size_t>(i * n + j)] = i == j            ? T(0)
                                                       : mixed % 11 == 0 ? WeightMatrix::no_arc<T>()
                                                                         : T(1 + mixed % 1013);
    }
  }
  GraphBuilder builder(n, directed);
  builder.set_first_id(1);
  builder.set_matrix({.type = type,
                      .n = n,
                      .by_columns = by_columns,
                      .data = values->data(),
                      .owner = values,
                      .memory = n * n * std::int64_t{sizeof(T)}});
  return std::move(builder).build();
}

TEST_P(GraphInFiles, KeepsAMatrixInItsOwnType) {
  const std::int64_t n = 1100;  // more than a chunk
  const Graph graphs[] = {matrix_graph<float>(ValueType::f32, n, true, false),
                          matrix_graph<double>(ValueType::f64, n, true, true),
                          matrix_graph<std::int32_t>(ValueType::i32, n, false, false),
                          matrix_graph<std::uint16_t>(ValueType::u16, n, true, false),
                          matrix_graph<std::uint16_t>(ValueType::u16, 3, true, false)};
  for (const Graph& graph : graphs) {
    ASSERT_NE(graph.matrix(), nullptr);
    const TemporaryFolder folder;
    FileSystem& files = posix_file_system();
    const std::string path = folder / "g.zarr";
    const Graph found = round_trip(graph, files, path, 1 << 20);
    expect_same(found, graph);
    ASSERT_NE(found.matrix(), nullptr);
    EXPECT_EQ(found.matrix()->type, graph.matrix()->type);
    EXPECT_EQ(found.matrix()->by_columns, graph.matrix()->by_columns);
    const ZarrGroup group(files, path, GetParam());
    EXPECT_EQ(read_graph_digest(group, graph.vertex_count(), graph.digest()), graph.digest());
    EXPECT_EQ(files.kind(join(path, "graph/weights")), FileKind::none);
    EXPECT_THROW(read_graph(group, graph.vertex_count(), "fnv1a64:0"), Error);
  }
}

TEST_P(GraphInFiles, RefusesADamagedMatrix) {
  const Graph graph = matrix_graph<float>(ValueType::f32, 40, true, false);
  MemoryFileSystem files;
  round_trip(graph, files, "g.zarr", 0);
  const std::string document = "g.zarr/graph/zarr.json", good = files.read_text(document);
  const ZarrGroup group(files, "g.zarr", GetParam());
  const std::pair<const char*, const char*> wrong[] = {
      {"\"f32\"", "\"f16\""}, {"\"f32\"", "\"bool\""},    {"\"f32\"", "3"},
      {"\"f32\"", "\"i32\""}, {"\"rows\"", "\"zigzag\""}, {"\"matrix\"", "\"other\""}};
  for (const auto& [from, to] : wrong) {
    std::string bad = good;
    bad.replace(bad.find(from), std::string(from).size(), to);
    files.write_atomically(document, std::as_bytes(std::span(bad)));
    EXPECT_THROW(read_graph(group, 40, graph.digest()), Error) << from << " " << to;
  }
  files.write_atomically(document, std::as_bytes(std::span(good)));
  EXPECT_NO_THROW(read_graph(group, 40, graph.digest()));
  files.remove_all("g.zarr/graph/matrix/c/0");
  EXPECT_THROW(read_graph(group, 40, graph.digest()), Error);
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
}  // namespace apsp::store::zarr_graph_test
