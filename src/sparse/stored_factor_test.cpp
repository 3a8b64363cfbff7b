// Factors that were stored and read again: the same to the last bit, or refused.
#include "sparse/stored_factor.hpp"

#include "base/random.hpp"
#include "sparse/factor_query.hpp"
#include "support/damaged_factor.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::stored_factor_test {
namespace {

constexpr const char* kPath = "a.zarr";

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
  expect_same_bytes(factor, other);
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
  const Graph graph = graph_of_chunks();
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::u16);
  ASSERT_GT(factor.tree().diagonal_entries(), 1 << 20);
  store::MemoryFileSystem files;
  write_factor_file(files, kPath, factor, graph);
  expect_same(*read(files, graph), factor);
}

class WholeFactor : public DamagedFactor {
 protected:
  void ask() override { read(files_, graph_); }
};

TEST_F(WholeFactor, NoneIsNoError) {
  expect_same(*read(files_, graph_), factor_);
  write_parts(parts_of(factor_.tree()));
  expect_same(*read(files_, graph_), factor_);
}

TEST_F(WholeFactor, AnyFileFlippedTruncatedLongerOrMissing) {
  expect_flips_are_found(7);
  for (const auto& [path, good] : std::map(files_.contents())) {
    if (!path.starts_with("a.zarr/factor/") || path.ends_with('/')) continue;
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
  expect_same(*read(files_, graph_), factor_);
}

TEST_F(WholeFactor, AnOrderThatIsNone) {
  failure_with([](TreeParts& of) { of.vertex_at[3] = of.vertex_at[5]; });
  failure_with([](TreeParts& of) { of.vertex_at[3] = 60; });
  failure_with([](TreeParts& of) { of.vertex_at[0] = 0xFFFFFFFF; });
  failure_with([](TreeParts& of) { of.vertex_at.pop_back(); });
}

TEST_F(WholeFactor, SupernodesThatOverlapOrLeaveGaps) {
  failure_with([](TreeParts& of) { of.widths[2] = 0; });
  failure_with([](TreeParts& of) { of.widths[2] = -1; });
  failure_with([](TreeParts& of) { ++of.widths[0]; });
  failure_with([](TreeParts& of) { of.widths[1] = INT32_MAX; });
  failure_with([](TreeParts& of) { of.widths.push_back(1); });
  failure_with([](TreeParts& of) {
    std::swap(of.widths.front(), of.widths.back());  // the same sum
  });
}

TEST_F(WholeFactor, UpperVerticesThatAreNone) {
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

TEST_F(WholeFactor, ArraysOfAnotherLengthOrTypeOrNone) {
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

TEST_F(WholeFactor, OfAnotherGraph) {
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
  write_factor_file(files_, kPath, factor_of(symmetric, Semiring::min_plus, ValueType::i32),
                    symmetric);
  EXPECT_TRUE(failure().ends_with("factor/down")) << failure();
}

TEST_F(WholeFactor, WhateverIsReadAnswersWithoutACrash) {
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
}  // namespace apsp::sparse::stored_factor_test
