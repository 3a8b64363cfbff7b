// A few pairs of a stored factor: as the whole factor answers them, or refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>

#include "base/json.hpp"
#include "sparse/factor_query.hpp"
#include "sparse/stored_factor.hpp"
#include "sparse/stored_paths.hpp"
#include "support/error_of.hpp"
#include "support/factor_file.hpp"
#include "support/factor_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/random_graph.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kPath = "a.zarr";

std::unique_ptr<store::Store> opened(store::FileSystem& files) {
  return store::open_store(kPath, Semiring::min_plus, &files);
}

TEST(StoredPaths, AnswerAsTheWholeFactorInEverySemiringAndType) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : types_of(semiring)) {
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
}

TEST(StoredPaths, ReadArraysOfManyChunksInParts) {
  GraphBuilder builder(1500, false);
  for (Vertex v = 0; v < 1500; ++v) {
    for (Vertex w = v + 1; w < 1500; ++w) builder.add_edge(v, w, 1 + (v * w) % 90);
  }
  const Graph graph = std::move(builder).build();
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

class DamagedPaths : public testing::Test {
 protected:
  DamagedPaths()
      : graph_(random_graph({.n = 60, .arcs = 150, .least = 1, .greatest = 9})),
        factor_(factor_of(graph_, Semiring::min_plus, ValueType::i32)) {
    write_factor_file(files_, kPath, factor_, graph_);
  }

  void replace(const std::string& path, const std::string& content) {
    files_.remove_all(path);
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }
  void ask() {
    const auto stored = opened(files_);
    const StoredPaths paths(*stored);
    std::vector<VertexPair> pairs;
    for (Vertex v = 0; v < 60; ++v) pairs.push_back({v, 59 - v});
    std::vector<std::int32_t> values(pairs.size());
    paths.distances(pairs, values.data());
  }
  /// The file that the input error names.
  std::string failure() {
    const Error error = error_of([&] { ask(); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.location().file;
  }
  std::string failure_with(const std::function<void(TreeParts&)>& change) {
    TreeParts parts = parts_of(factor_.tree());
    change(parts);
    write_factor_parts(files_, kPath, factor_, parts, graph_);
    return failure();
  }

  store::MemoryFileSystem files_;
  Graph graph_;
  Factor factor_;
};

TEST_F(DamagedPaths, NoneIsNoError) { EXPECT_NO_THROW(ask()); }

TEST_F(DamagedPaths, AnyChunkFlippedIsRefused) {
  const std::map<std::string, std::string> all = files_.contents();
  int chunks = 0;
  for (const auto& [path, good] : all) {
    if (!path.starts_with("a.zarr/factor/") || path.find("/c/") == std::string::npos ||
        path.ends_with('/')) {
      continue;
    }
    ++chunks;
    for (std::size_t i = 0; i < good.size(); i += 11) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
      replace(path, bad);
      ASSERT_EQ(failure(), path);
    }
    replace(path, good);
  }
  EXPECT_EQ(chunks, 7);
}

TEST_F(DamagedPaths, AChunkOfAnotherResultIsRefusedThoughItsChecksumIsRight) {
  const std::string path = "a.zarr/factor/up/c/0";
  const std::string up = files_.contents().at("a.zarr/factor/down/c/0");
  ASSERT_NE(up, files_.contents().at(path));
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
  nlohmann::json document = nlohmann::json::parse(files_.contents().at("a.zarr/zarr.json"));
  for (auto& array : document["attributes"]["apsp"]["arrays"]) array.erase("checksums");
  replace("a.zarr/zarr.json", document.dump());
  const auto stored = opened(files_);
  EXPECT_FALSE(StoredPaths::reads(*stored));
  EXPECT_EQ(read_factor(*stored, graph_)->tree().vertices(), 60);
}

TEST_F(DamagedPaths, ChecksumsThatAreNoneAreRefused) {
  const std::string good = files_.contents().at("a.zarr/zarr.json");
  for (const char* bad : {"", "0123", "0123456g"}) {
    nlohmann::json document = nlohmann::json::parse(good);
    document["attributes"]["apsp"]["arrays"][0]["checksums"] = bad;
    replace("a.zarr/zarr.json", document.dump());
    EXPECT_FALSE(failure().empty()) << bad;
  }
}

}  // namespace
}  // namespace apsp::sparse
