// A few pairs of a stored factor: as the whole factor answers them, or refused.
#include "sparse/stored_paths.hpp"

#include "base/json.hpp"
#include "sparse/factor_query.hpp"
#include "sparse/stored_factor.hpp"
#include "support/damaged_factor.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::stored_paths_test {
namespace {

constexpr const char* kPath = "a.zarr";

std::unique_ptr<store::Store> opened(store::FileSystem& files) {
  return store::open_store(kPath, Semiring::min_plus, &files);
}

TEST(StoredPaths, AnswerAsTheWholeFactorInEverySemiringAndType) {
  std::uint64_t seed = 0;
  for (const auto& [semiring, type] : all_kinds()) {
    for (const std::int64_t n : {1, 2, 90}) {
      for (const std::int64_t arcs : {n / 2, 3 * n}) {  // apart, together
        const bool directed = semiring == Semiring::max_plus || ++seed % 2 == 0;
        const Graph graph = random_graph(
            n, arcs, 1, 9,
            {.directed = directed, .acyclic = semiring == Semiring::max_plus, .seed = ++seed});
        const Factor factor = factor_of(graph, semiring, type);
        store::MemoryFileSystem files;
        write_factor_file(files, kPath, factor, graph, seed % 3 == 0);
        const auto stored = opened(files);
        ASSERT_TRUE(StoredPaths::reads(*stored));
        const StoredPaths paths(*stored);
        FactorQuery query(factor);
        const auto size = static_cast<std::size_t>(size_of(type));
        std::vector<std::byte> expected(size);
        const auto last = static_cast<Vertex>(n - 1);
        for (Vertex s = 0; s <= last; s += 7) {
          const std::vector<VertexPair> pairs = {{s, last}, {last, s}, {s, s}, {0, last / 2}};
          std::vector<std::byte> found(pairs.size() * size);
          paths.distances(pairs, found.data());
          for (std::size_t i = 0; i < pairs.size(); ++i) {
            query.distance(pairs[i].from, pairs[i].to, expected.data());
            EXPECT_EQ(std::memcmp(found.data() + i * size, expected.data(), size), 0);
          }
        }
      }
    }
  }
}

TEST(StoredPaths, ReadArraysOfManyChunksInParts) {
  const Graph graph = graph_of_chunks();
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::u16);
  ASSERT_GT(factor.tree().diagonal_entries(), 1 << 20);
  store::MemoryFileSystem files;
  write_factor_file(files, kPath, factor, graph);
  const auto stored = opened(files);
  std::uint16_t found = 0, expected = 0;
  const VertexPair pair{3, 1400};
  StoredPaths(*stored).distances({&pair, 1}, &found);
  FactorQuery(factor).distance(pair.from, pair.to, &expected);
  EXPECT_EQ(found, expected);
}

class DamagedPaths : public DamagedFactor {
 protected:
  void ask() override {
    const auto stored = opened(files_);
    const StoredPaths paths(*stored);
    std::vector<VertexPair> pairs;
    for (Vertex v = 0; v < 60; ++v) pairs.push_back({v, 59 - v});
    std::vector<std::int32_t> values(pairs.size());
    paths.distances(pairs, values.data());
  }
};

TEST_F(DamagedPaths, NoneIsNoError) { EXPECT_NO_THROW(ask()); }

TEST_F(DamagedPaths, AnyChunkFlippedIsRefused) { expect_flips_are_found(11); }

TEST_F(DamagedPaths, AChunkOfAnotherResultIsRefusedThoughItsChecksumIsRight) {
  const std::string path = "a.zarr/factor/up/c/0";
  const std::string up = content("a.zarr/factor/down/c/0");
  ASSERT_NE(up, content(path));
  replace(path, up);
  EXPECT_EQ(failure(), path);
}

TEST_F(DamagedPaths, PartsThatMakeNoTreeAreRefused) {
  failure_with([](TreeParts& parts) { parts.vertex_at[3] = parts.vertex_at[5]; });
  failure_with([](TreeParts& parts) { parts.widths[0] = 0; });
  failure_with([](TreeParts& parts) { ++parts.widths[0]; });
  failure_with([](TreeParts& parts) { parts.structure_sizes[0] = -1; });
  failure_with([](TreeParts& parts) { parts.upper.front() = 0; });
  failure_with([](TreeParts& parts) { parts.upper.front() = 60; });
  failure_with([](TreeParts& parts) {
    ++parts.widths.front();
    --parts.widths.back();
  });
}

TEST_F(DamagedPaths, FilesOfEarlierVersionsNameNoChecksums) {
  nlohmann::json document = nlohmann::json::parse(content("a.zarr/zarr.json"));
  for (auto& array : document["attributes"]["apsp"]["arrays"]) array.erase("checksums");
  replace("a.zarr/zarr.json", document.dump());
  const auto stored = opened(files_);
  EXPECT_FALSE(StoredPaths::reads(*stored));
  EXPECT_EQ(read_factor(*stored, graph_)->tree().vertices(), 60);
}

TEST_F(DamagedPaths, ChecksumsThatAreNoneAreRefused) {
  const std::string good = content("a.zarr/zarr.json");
  for (const char* bad : {"", "0123", "0123456g"}) {
    nlohmann::json document = nlohmann::json::parse(good);
    document["attributes"]["apsp"]["arrays"][0]["checksums"] = bad;
    replace("a.zarr/zarr.json", document.dump());
    EXPECT_FALSE(failure().empty()) << bad;
  }
}

}  // namespace
}  // namespace apsp::sparse::stored_paths_test
