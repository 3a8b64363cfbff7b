#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string text_of(const std::string& text, const ReadOptions& options = {}) {
  return describe(parse(text, "g.graph", options));
}
std::string fails(const std::string& text) { return failure(text, "g.graph"); }

TEST(Metis, EachEdgeStandsTwiceAndCountsOnce) {
  const std::string text = "% words\n 3 2\n2 3\n% more\n1\n 1 \n";
  EXPECT_EQ(text_of(text), "undirected 0-1:1 0-2:1");
  EXPECT_EQ(names(parse(text, "g.graph")), "1 2 3");
  EXPECT_EQ(text_of(text, {.directed = true}), "directed 0-1:1 0-2:1 1-0:1 2-0:1");
}

TEST(Metis, ABlankLineIsAVertexWithoutEdges) {
  const Graph graph = parse("4 1 0\n\n3\n2\n\n", "g.graph");
  EXPECT_EQ(graph.vertex_count(), 4);
  EXPECT_EQ(describe(graph), "undirected 1-2:1");
  EXPECT_EQ(text_of("3 1\r\n2\r\n1\r\n\r\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("0 0\n"), "undirected");
  EXPECT_EQ(text_of("2 0\n\n\n\n\n% the end\n"), "undirected");
}

TEST(Metis, FormatDigitsSaySizesAndWeights) {
  EXPECT_EQ(text_of("2 1 1\n2 7\n1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(text_of("2 1 001\n2 7\n1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(text_of("2 1 10\n9 2\n9 1\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("2 1 11 3\n9 9 9 2 7\n9 9 9 1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(text_of("2 1 100\n5 2\n5 1\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("2 1 111 2\n5 9 9 2 7\n5 9 9 1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(text_of("3 1 011\n1 2 4\n1 1 4\n\n"), "undirected 0-1:4");
  EXPECT_EQ(text_of("2 2 1\n2 7 2 5\n1 5 1 7\n"), "undirected 0-1:5 0-1:7");
}

TEST(Metis, BothLinesMustAgree) {
  EXPECT_THAT(fails("3 1\n2\n\n\n"),
              StartsWith("g.graph:2:1: the edge to 2 is missing in the line of vertex 2"));
  EXPECT_THAT(fails("3 1\n\n\n1\n"), StartsWith("g.graph:4:1: the edge to 1 is missing"));
  EXPECT_THAT(fails("2 1 1\n2 7\n1 8\n"), HasSubstr("of weight 7 is missing in the line of"));
  EXPECT_THAT(fails("2 2 1\n2 7 2 7\n1 7\n"), StartsWith("g.graph:2:1: the edge to 2 of weight 7"));
  EXPECT_THAT(fails("2 3\n2\n1\n"), StartsWith("g.graph:1:3: the header says 3 edges, the lines"));
  EXPECT_THAT(fails("2 9223372036854775808\n2\n1\n"),
              StartsWith("g.graph:1:3: the number of edges"));
}

TEST(Metis, RefusesWrongHeaders) {
  EXPECT_THAT(fails("% nothing\n"), StartsWith("g.graph:2:1: expected the number of vertices"));
  EXPECT_THAT(fails("3\n"), StartsWith("g.graph:1:2: expected the number of edges"));
  EXPECT_THAT(fails("1 0 2\n\n"), StartsWith("g.graph:1:5: expected a format"));
  EXPECT_THAT(fails("1 0 1000\n\n"), StartsWith("g.graph:1:5: expected a format"));
  EXPECT_THAT(fails("1 0 10 0\n\n"), StartsWith("g.graph:1:8: fmt says that vertices have wei"));
  EXPECT_THAT(fails("1 0 10 1 1\n\n"), StartsWith("g.graph:1:10: expected the end"));
  EXPECT_THAT(fails("100000000 0\n"), HasSubstr("and has only 12 bytes"));
}

TEST(Metis, RefusesWrongLines) {
  EXPECT_THAT(fails("2 1\n2\n"), StartsWith("g.graph:2:2: the file ends after the lines of 1 of"));
  EXPECT_THAT(fails("1 0\n\n1\n"), StartsWith("g.graph:3:1: expected the end of the line"));
  EXPECT_THAT(fails("2 1\n2\n3\n"), StartsWith("g.graph:3:1: vertex '3' is outside 1 to 2"));
  EXPECT_THAT(fails("2 1\n 2 0\n1\n"), StartsWith("g.graph:2:4: vertex '0'"));
  EXPECT_THAT(fails("2 1\n2 1\n1\n"), StartsWith("g.graph:2:3: METIS graphs have no self-loops"));
  EXPECT_THAT(fails("2 1 1\n2\n1 1\n"), StartsWith("g.graph:2:2: expected a weight"));
  EXPECT_THAT(fails("2 1 10\nx 2\n1 1\n"), StartsWith("g.graph:2:1: expected a size or weight"));
  EXPECT_THAT(fails("2 1\nb\n1\n"), StartsWith("g.graph:2:1: expected a vertex"));
}

}  // namespace
}  // namespace apsp::io
