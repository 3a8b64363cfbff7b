// Graph, labels, attributes and per-vertex values beside the distances.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "store/zarr_group.hpp"
#include "support/error_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"

namespace apsp::store {
namespace {

Layout layout_of(std::int64_t n) {
  return {n, ValueType::i32, Semiring::min_plus, 4, {Plane::distance}};
}

class GraphRoundTrip
    : public testing::TestWithParam<std::tuple<bool, bool, bool, bool, std::int64_t>> {};

TEST_P(GraphRoundTrip, GraphAndMetadataComeBack) {
  const auto [on_disk, compress, directed, labelled, n] = GetParam();
  MemoryFileSystem files;
  const Graph graph = sample_graph(n, directed, labelled);
  const Metadata metadata = sample_metadata(n);
  auto store = on_disk ? create_store("a.zarr", layout_of(n), {compress, &files})
                       : make_memory_store(layout_of(n));
  write_sample(*store);
  EXPECT_FALSE(store->graph());
  store->commit(graph, metadata);
  if (on_disk) store = open_store("a.zarr", Semiring::min_plus, &files);

  const std::optional<Graph> back = store->graph();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->digest(), graph.digest());
  EXPECT_EQ(back->edge_count(), graph.edge_count());
  EXPECT_EQ(back->loop_count(), graph.loop_count());
  EXPECT_EQ(back->directed(), directed);
  EXPECT_EQ(back->labels().size(), labelled ? static_cast<std::size_t>(n) : 0u);
  if (n > 2) {
    EXPECT_EQ(back->name(2), labelled ? "vertex №4" : "3");
  }
  const Metadata again = store->metadata();
  EXPECT_EQ(again.attributes, metadata.attributes);
  ASSERT_EQ(again.vertex_values.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again.vertex_values[i].name, metadata.vertex_values[i].name);
    EXPECT_EQ(again.vertex_values[i].values, metadata.vertex_values[i].values);
  }
}

std::string word_of(const testing::TestParamInfo<GraphRoundTrip::ParamType>& each) {
  const auto& [on_disk, compress, directed, labelled, n] = each.param;
  return fmt::format("{}{}_{}{}_of_{}", on_disk ? "zarr" : "memory", compress ? "_compressed" : "",
                     directed ? "directed" : "undirected", labelled ? "_labelled" : "", n);
}

INSTANTIATE_TEST_SUITE_P(Graphs, GraphRoundTrip,
                         testing::Combine(testing::Bool(), testing::Bool(), testing::Bool(),
                                          testing::Bool(), testing::Values(0, 1, 3, 4, 23)),
                         word_of);

TEST(Metadata, NpyDropsIt) {
  MemoryFileSystem files;
  const auto store = create_store("a.npy", layout_of(4), {false, &files});
  write_sample(*store);
  store->commit(sample_graph(4, true, true), sample_metadata(4));
  EXPECT_FALSE(open_store("a.npy", Semiring::min_plus, &files)->graph());
  EXPECT_EQ(open_store("a.npy", Semiring::min_plus, &files)->metadata().attributes, "{}");
}

TEST(Metadata, AMatrixMayHaveNoGraph) {
  MemoryFileSystem files;
  const auto store = create_store("a.zarr", layout_of(4), {false, &files});
  write_sample(*store);
  store->commit(Graph(), {});
  EXPECT_FALSE(store->graph());
  EXPECT_FALSE(open_store("a.zarr", Semiring::min_plus, &files)->graph());
}

TEST(Metadata, WhatCannotBeKeptIsRefused) {
  MemoryFileSystem files;
  const std::vector<Metadata> wrong = {{"[1]", {}},
                                       {"{", {}},
                                       {"", {}},
                                       {"{\"a\":\"\xFF\"}", {}},
                                       {"{}", {{"../x", {1, 2, 3}}}},
                                       {"{}", {{"", {1, 2, 3}}}},
                                       {"{}", {{"Upper", {1, 2, 3}}}},
                                       {"{}", {{"distance", {1, 2, 3}}}},
                                       {"{}", {{"twice", {1, 2, 3}}, {"twice", {1, 2, 3}}}},
                                       {"{}", {{"harmonic", {1, 2}}}}};
  for (const char* path : {"", "a.npy", "a.zarr"}) {
    const auto store = *path == '\0' ? make_memory_store(layout_of(3))
                                     : create_store(path, layout_of(3), {false, &files});
    write_sample(*store);
    for (const Metadata& metadata : wrong) {
      EXPECT_ERROR(usage, store->commit(Graph(), metadata)) << path << metadata.attributes;
    }
    EXPECT_THROW(store->commit(sample_graph(4, true, false), {}), Error) << "another size";
    store->commit(sample_graph(3, true, false), {"{}", {{"harmonic", {1, 2, 3}}}});
  }
}

TEST(Metadata, VectorsLongerThanAChunk) {
  MemoryFileSystem files;
  const ZarrGroup plain(files, "g", false);
  const std::int64_t count = 2 * kVectorChunk + 3;
  std::vector<std::uint32_t> values(static_cast<std::size_t>(count));
  std::vector<std::string> labels(static_cast<std::size_t>(kVectorChunk + 1));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * i);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::to_string(i);
  const ArraySpec numbers = vector_spec("v", count, "uint32", 4, 0, "arc");
  const ArraySpec texts = vector_spec("t", kVectorChunk + 1, "string", 0, "", "vertex");
  plain.write_vector(numbers, std::span<const std::uint32_t>(values));
  plain.write_strings(texts, labels);
  EXPECT_EQ(files.list("g/v/c").size(), 3u);
  EXPECT_TRUE(plain.read_vector<std::uint32_t>(numbers) == values);
  EXPECT_TRUE(plain.read_strings(texts) == labels);
}

}  // namespace
}  // namespace apsp::store
