// Factors that were stored and read again: the same to the last bit, or refused.
#include "sparse/stored_factor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "base/random.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "support/error_of.hpp"
#include "support/factor_file.hpp"
#include "support/graph_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/random_graph.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kPath = "a.zarr";

Factor factor_of(const Graph& graph, Semiring semiring = Semiring::min_plus,
                 ValueType type = ValueType::i32) {
  const Pattern pattern = pattern_of(graph);
  return eliminate(graph, std::make_shared<const Tree>(pattern, nested_dissection(pattern)),
                   {semiring, type});
}

std::shared_ptr<const Factor> read(store::FileSystem& files, const Graph& graph) {
  const auto stored = store::open_store(kPath, Semiring::min_plus, &files);
  EXPECT_TRUE(holds_factor(*stored));
  return read_factor(*stored, graph);
}

void expect_same(const Factor& factor, const Factor& other) {
  const Tree &tree = factor.tree(), &tree_of_other = other.tree();
  const TreeParts parts = parts_of(tree), parts_of_other = parts_of(tree_of_other);
  EXPECT_EQ(parts.vertex_at, parts_of_other.vertex_at);
  EXPECT_EQ(parts.widths, parts_of_other.widths);
  EXPECT_EQ(parts.structure_sizes, parts_of_other.structure_sizes);
  EXPECT_EQ(parts.upper, parts_of_other.upper);
  EXPECT_EQ(tree.height(), tree_of_other.height());
  EXPECT_EQ(tree.elimination_relaxations(), tree_of_other.elimination_relaxations());
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    EXPECT_EQ(tree.parent(s), tree_of_other.parent(s));
    EXPECT_EQ(tree.slot(s), tree_of_other.slot(s));
  }
  ASSERT_EQ(factor.type(), other.type());
  ASSERT_EQ(factor.semiring(), other.semiring());
  ASSERT_EQ(factor.symmetric(), other.symmetric());
  const auto same = [&](const std::byte* a, const std::byte* b, std::int64_t count) {
    return count == 0 ||
           std::memcmp(a, b, static_cast<std::size_t>(count * size_of(factor.type()))) == 0;
  };
  EXPECT_TRUE(same(factor.all_closed(), other.all_closed(), tree.diagonal_entries()));
  EXPECT_TRUE(same(factor.all_up(), other.all_up(), tree.upper_entries()));
  if (factor.symmetric()) return;
  EXPECT_TRUE(same(factor.all_down(), other.all_down(), tree.upper_entries()));
}

TEST(StoredFactor, ComesBackInEverySemiringAndType) {
  for (const auto& [graph, semiring, type, seed] : typed_graphs({0, 1, 2, 70}, {0.5, 3}, 9)) {
    const Factor factor = factor_of(graph, semiring, type);
    store::MemoryFileSystem files;
    write_factor_file(files, kPath, factor, graph, seed % 3 == 0);
    expect_same(*read(files, graph), factor);
  }
}

TEST(StoredFactor, HasMoreThanAChunkOfValues) {
  GraphBuilder builder(1500, false);
  for (Vertex v = 0; v < 1500; ++v) {
    for (Vertex w = v + 1; w < 1500; ++w) builder.add_edge(v, w, 1 + (v * w) % 90);
  }
  const Graph graph = std::move(builder).build();
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::u16);
  ASSERT_GT(factor.tree().diagonal_entries(), 1 << 20);
  store::MemoryFileSystem files;
  write_factor_file(files, kPath, factor, graph);
  expect_same(*read(files, graph), factor);
}

/// A graph, its factor in a file, and ways to damage it.
class DamagedFactor : public testing::Test {
 protected:
  DamagedFactor()
      : graph_(random_graph({.n = 60, .arcs = 150, .least = 1, .greatest = 9})),
        factor_(factor_of(graph_)) {
    write_factor_file(files_, kPath, factor_, graph_);
  }

  std::string content(const std::string& path) const { return files_.contents().at(path); }
  void replace(const std::string& path, const std::string& content) {
    files_.remove_all(path);
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }
  /// The file that the input error names.
  std::string failure() {
    const Error error = error_of([&] { read(files_, graph_); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.location().file;
  }
  std::vector<std::string> files_of_the_factor() const {
    std::vector<std::string> paths;
    for (const auto& [path, bytes] : files_.contents()) {
      if (path.starts_with("a.zarr/factor/") && !path.ends_with('/')) paths.push_back(path);
    }
    return paths;
  }
  /// The same file with other parts, each chunk's checksum right.
  void write_parts(const TreeParts& parts) {
    write_factor_parts(files_, kPath, factor_, parts, graph_);
  }
  std::string failure_with(const std::function<void(TreeParts&)>& change) {
    TreeParts parts = parts_of(factor_.tree());
    change(parts);
    write_parts(parts);
    return failure();
  }

  store::MemoryFileSystem files_;
  Graph graph_;
  Factor factor_;
};

TEST_F(DamagedFactor, NoneIsNoError) {
  expect_same(*read(files_, graph_), factor_);
  write_parts(parts_of(factor_.tree()));
  expect_same(*read(files_, graph_), factor_);
}

TEST_F(DamagedFactor, AnyFileFlippedTruncatedLongerOrMissing) {
  std::int64_t chunks = 0;
  for (const std::string& path : files_of_the_factor()) {
    const std::string good = content(path);
    if (path.find("/c/") != std::string::npos) {
      ++chunks;
      for (std::size_t i = 0; i < good.size(); i += 7) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
        replace(path, bad);
        ASSERT_EQ(failure(), path);
      }
    }
    if (path == "a.zarr/factor/zarr.json") continue;  // only other readers look at it
    for (const std::string& bad : {good.substr(0, good.size() / 2), good + "x", std::string()}) {
      if (path.ends_with("zarr.json") && bad == good + "x") continue;
      replace(path, bad);
      EXPECT_EQ(failure(), path);
    }
    files_.remove_all(path);
    EXPECT_EQ(failure(), path);
    replace(path, good);
  }
  EXPECT_EQ(chunks, 7);
  expect_same(*read(files_, graph_), factor_);
}

TEST_F(DamagedFactor, AnOrderThatIsNone) {
  failure_with([](TreeParts& of) { of.vertex_at[3] = of.vertex_at[5]; });
  failure_with([](TreeParts& of) { of.vertex_at[3] = 60; });
  failure_with([](TreeParts& of) { of.vertex_at[0] = 0xFFFFFFFF; });
  failure_with([](TreeParts& of) { of.vertex_at.pop_back(); });
}

TEST_F(DamagedFactor, SupernodesThatOverlapOrLeaveGaps) {
  failure_with([](TreeParts& of) { of.widths[2] = 0; });
  failure_with([](TreeParts& of) { of.widths[2] = -1; });
  failure_with([](TreeParts& of) { ++of.widths[0]; });
  failure_with([](TreeParts& of) { of.widths[1] = INT32_MAX; });
  failure_with([](TreeParts& of) { of.widths.push_back(1); });
  failure_with([](TreeParts& of) {
    std::swap(of.widths.front(), of.widths.back());  // the same sum
  });
}

TEST_F(DamagedFactor, UpperVerticesThatAreNone) {
  failure_with([](TreeParts& of) { of.structure_sizes[0] = -1; });
  failure_with([](TreeParts& of) { ++of.structure_sizes[0]; });
  failure_with([](TreeParts& of) { of.structure_sizes.pop_back(); });
  for (const Position wrong : {-1, 0, 60, INT32_MAX, INT32_MIN}) {
    failure_with([&](TreeParts& of) { of.upper.front() = wrong; });
    failure_with([&](TreeParts& of) { of.upper.back() = wrong; });
  }
  failure_with([](TreeParts& of) {
    const auto s = std::find_if(of.structure_sizes.begin(), of.structure_sizes.end(),
                                [](Position count) { return count > 1; }) -
                   of.structure_sizes.begin();
    Position before = 0;
    for (std::int64_t i = 0; i < s; ++i) before += of.structure_sizes[i];
    std::swap(of.upper[before], of.upper[before + 1]);
  });
}

TEST_F(DamagedFactor, ArraysOfAnotherLengthOrTypeOrNone) {
  const std::string path = "a.zarr/zarr.json", good = content(path);
  for (const char* part : {"order", "width", "structure_size", "upper", "closed", "up", "down"}) {
    const std::string name = std::string("\"factor/") + part + "\"";
    std::string bad = good;
    bad.replace(bad.find(name), name.size(), std::string("\"factor/other_") + part + "\"");
    replace(path, bad);
    EXPECT_FALSE(failure().empty()) << part;
    const std::size_t length = good.find("\"length\": ", good.find(name)) + 10;
    bad = good;
    bad.insert(length, "1");
    replace(path, bad);
    EXPECT_FALSE(failure().empty()) << part;
    replace(path, good);
  }
  expect_same(*read(files_, graph_), factor_);
}

TEST_F(DamagedFactor, OfAnotherGraph) {
  const auto of = [&](const RandomGraph& other) {
    return error_of([&] { read(files_, random_graph(other)); });
  };
  const Error arcs = of({.n = 60, .arcs = 300, .least = 1, .seed = 9});
  EXPECT_EQ(arcs.kind(), ErrorKind::input);
  of({.n = 61, .arcs = 300, .least = 1});
  // Of a symmetric graph with the same arcs there is another factor.
  GraphBuilder builder(60, false);
  graph_.visit_all([&](Vertex u, Vertex v, double w) { builder.add_edge(u, v, w); });
  const Graph symmetric = std::move(builder).build();
  EXPECT_ERROR(input, read(files_, symmetric));
  write_factor_file(files_, kPath, factor_of(symmetric), symmetric);
  EXPECT_TRUE(failure().ends_with("factor/down")) << failure();
}

TEST_F(DamagedFactor, WhateverIsReadAnswersWithoutACrash) {
  base::SplitMix64 random(5);
  std::int64_t refused = 0;
  for (int round = 0; round < 400; ++round) {
    TreeParts parts = parts_of(factor_.tree());
    std::vector<Position>* const lists[] = {&parts.widths, &parts.structure_sizes, &parts.upper};
    for (std::uint64_t change = 0; change <= random.below(2); ++change) {
      std::vector<Position>& list = *lists[random.below(3)];
      Position& number = list[random.below(list.size())];
      number = number + static_cast<Position>(random.below(5)) - 2;
    }
    write_parts(parts);
    try {
      const auto factor = read(files_, graph_);
      FactorQuery query(*factor);
      std::vector<std::int32_t> row(60);
      query.row(static_cast<Vertex>(random.below(60)), row.data());
      query.distance(3, 50, row.data());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      ++refused;
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace apsp::sparse
