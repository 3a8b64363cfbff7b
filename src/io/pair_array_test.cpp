// Pairs in .npy files, and errors in them.
#include "io/vertex_lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <apsp/io.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "io/npy_header.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;

template <class T>
std::string pair_file(const char* descr, const char* shape, const std::vector<T>& values) {
  return format_npy_header(descr, shape) +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::vector<std::pair<Vertex, Vertex>> pairs_in(const std::string& bytes, const Graph& graph) {
  const TemporaryFolder folder;
  write_bytes(folder / "pairs.npy", bytes);
  std::vector<std::pair<Vertex, Vertex>> pairs;
  for (const VertexPair& pair : read_pairs(folder / "pairs.npy", graph)) {
    pairs.emplace_back(pair.from, pair.to);
  }
  return pairs;
}

std::string refusal_of(const std::string& bytes, const Graph& graph) {
  const Error error = error_of([&] { pairs_in(bytes, graph); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  return error.what();
}

using Pairs = std::vector<std::pair<Vertex, Vertex>>;

TEST(PairArray, HasIntegersOfAnyType) {
  const Graph graph = graph_of(5, {{0, 1, 1}});
  const Pairs expected = {{0, 4}, {3, 3}, {2, 0}};
  const auto of = [&]<class T>(const char* descr, T) {
    EXPECT_EQ(pairs_in(pair_file<T>(descr, "(3, 2)", {0, 4, 3, 3, 2, 0}), graph), expected)
        << descr;
  };
  of("|i1", std::int8_t{});
  of("|u1", std::uint8_t{});
  of("<i2", std::int16_t{});
  of("<u2", std::uint16_t{});
  of("<i4", std::int32_t{});
  of("<u4", std::uint32_t{});
  of("<i8", std::int64_t{});
  of("<u8", std::uint64_t{});
  EXPECT_TRUE(pairs_in(pair_file<std::int64_t>("<i8", "(0, 2)", {}), graph).empty());
}

TEST(PairArray, MayBeColumnByColumnAndBigEndian) {
  const Graph graph = graph_of(5, {{0, 1, 1}});
  std::string columns = pair_file<std::int32_t>("<i4", "(3, 2)", {0, 3, 2, 4, 3, 0});
  columns.replace(columns.find("False"), 5, "True ");
  EXPECT_EQ(pairs_in(columns, graph), (Pairs{{0, 4}, {3, 3}, {2, 0}}));
  EXPECT_EQ(pairs_in(pair_file<std::uint16_t>(">u2", "(1, 2)", {0x0100, 0x0400}), graph),
            (Pairs{{1, 4}}));
}

TEST(PairArray, NamesVerticesAsTheGraphDoes) {
  ReadOptions options;
  options.format = GraphFormat::dimacs;
  const Graph from_one = parse_graph(std::string("p sp 3 1\na 1 2 5\n"), "g.gr", options);
  EXPECT_EQ(pairs_in(pair_file<std::int64_t>("<i8", "(1, 2)", {1, 3}), from_one), (Pairs{{0, 2}}));
  EXPECT_THAT(refusal_of(pair_file<std::int64_t>("<i8", "(2, 2)", {1, 3, 2, 0}), from_one),
              HasSubstr("row 1: unknown vertex 0 in a graph of 3 vertices"));
  options.format = GraphFormat::edge_list;
  const Graph labelled = parse_graph(std::string("17,2093,4\nBonn,17,3\n"), "g.csv", options);
  const auto found = pairs_in(pair_file<std::int64_t>("<i8", "(1, 2)", {2093, 17}), labelled);
  EXPECT_EQ(labelled.name(found[0].first), "2093");
  EXPECT_EQ(labelled.name(found[0].second), "17");
}

TEST(PairArray, SaysWhatIsWrong) {
  const Graph graph = graph_of(5, {{0, 1, 1}});
  const std::vector<std::int64_t> six = {0, 1, 2, 3, 4, 0};
  EXPECT_THAT(refusal_of(pair_file("<i8", "(2, 3)", six), graph), HasSubstr("shape (k, 2)"));
  EXPECT_THAT(refusal_of(pair_file("<i8", "(6,)", six), graph), HasSubstr("shape (6)"));
  EXPECT_THAT(refusal_of(pair_file("<i8", "(4, 2)", six), graph),
              HasSubstr("48 bytes of values do not make 4 pairs of 8-byte values"));
  EXPECT_THAT(refusal_of(pair_file("<i8", "(2, 2)", six), graph), HasSubstr("do not make 2 pairs"));
  EXPECT_THAT(refusal_of(pair_file("<f8", "(3, 2)", six), graph), HasSubstr("type f8"));
  EXPECT_THAT(refusal_of(pair_file<std::int64_t>("<i8", "(1, 2)", {0, 5}), graph),
              HasSubstr("row 0: unknown vertex 5"));
  EXPECT_THAT(refusal_of(pair_file<std::int64_t>("<i8", "(1, 2)", {-1, 0}), graph),
              HasSubstr("unknown vertex -1"));
  Cancellation cancellation;
  cancellation.request();
  const std::string bytes = pair_file("<i8", "(3, 2)", six);
  EXPECT_EQ(error_of([&] {
              pairs_of_npy({bytes.data(), bytes.size()}, "p.npy", graph, {nullptr, &cancellation});
            }).kind(),
            ErrorKind::interrupted);
}

}  // namespace
}  // namespace apsp::io
