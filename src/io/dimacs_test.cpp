#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string fails(const std::string& text) { return failure(text, "g.gr"); }

TEST(Dimacs, ReadsArcsCountedFromOne) {
  const Graph graph = parse(
      "c first\np sp 3 5\na 1 2 5\nc between\na 2 1 -3\n\na 1 2 4\na 3 3 2\na 1 3 0.5\nc", "g.gr");
  EXPECT_EQ(describe(graph), "directed 0-1:4 0-1:5 0-2:0.5 1-0:-3 2-2:2");
  EXPECT_EQ(names(graph), "1 2 3");
}

TEST(Dimacs, CarriageReturnsTabsAndNoLastNewline) {
  EXPECT_EQ(describe(parse("c x\r\np\tsp 2  1\r\n a 1\t2 7\r", "g.gr")), "directed 0-1:7");
}

TEST(Dimacs, UndirectedByOptionMakesEveryArcAnEdge) {
  EXPECT_EQ(describe(parse("p sp 2 2\na 1 2 5\na 2 1 5\n", "g.gr", {.directed = false})),
            "undirected 0-1:5 0-1:5");
}

TEST(Dimacs, UndirectedByAnnotationMakesEveryPairAnEdge) {
  const std::string head = "c apsp:undirected\np sp 2 3\na 1 2 5\na 2 1 5\n";
  EXPECT_EQ(describe(parse(head + "a 2 2 1\n", "g.gr")), "undirected 0-1:5 1-1:1");
  EXPECT_EQ(describe(parse(head + "a 2 2 1\n", "g.gr", {.directed = true})),
            "directed 0-1:5 1-0:5 1-1:1");
  EXPECT_THAT(fails(head + "a 1 2 6\n"), StartsWith("g.gr:5:8: apsp:undirected, but the arc 1 2 of "
                                                    "weight 6 has no counterpart 2 1"));
  EXPECT_THAT(fails(head + "a 2 1 4\n"), HasSubstr("the arc 2 1 of weight 4"));
}

TEST(Dimacs, RefusesWrongProblemLines) {
  EXPECT_THAT(fails("c only words\n"), StartsWith("g.gr:1:13: the problem line is missing"));
  EXPECT_THAT(fails("a 1 2 3\np sp 2 1\n"), StartsWith("g.gr:1:1: an arc before the problem"));
  EXPECT_THAT(fails("p max 2 1\n"), StartsWith("g.gr:1:3: expected 'sp'"));
  EXPECT_THAT(fails("p sp 2\n"), StartsWith("g.gr:1:7: expected the number of arcs"));
  EXPECT_THAT(fails("p sp 2 0\np sp 2 0\n"), StartsWith("g.gr:2:1: a second problem line"));
  EXPECT_THAT(fails("p sp 2 0 7\n"), StartsWith("g.gr:1:10: expected the end of the line"));
  EXPECT_THAT(fails("p sp 100000000 1\na 1 2 3\n"), HasSubstr("and has only 25 bytes"));
}

TEST(Dimacs, RefusesWrongArcs) {
  EXPECT_THAT(fails("p sp 2 2\na 1 2 3\n"), StartsWith("g.gr:2:8: the file ends after 1 of 2"));
  EXPECT_THAT(fails("p sp 2 18446744073709551615\na 1 2 3\n"), StartsWith("g.gr:1:8: the number"));
  EXPECT_THAT(fails("p sp 2 99999999999999999999\na 1 2 3\n"), StartsWith("g.gr:1:8: the number"));
  EXPECT_THAT(fails("p sp 2 1\na 1 2 3\na 2 1 3\n"), StartsWith("g.gr:3:1: one arc more than"));
  EXPECT_THAT(fails("p sp 2 1\na 1 3 3\n"), StartsWith("g.gr:2:5: vertex '3' is outside 1 to 2"));
  EXPECT_THAT(fails("p sp 2 1\na 0 1 3\n"), StartsWith("g.gr:2:3: vertex '0' is outside"));
  EXPECT_THAT(fails("p sp 2 1\na 1 2\n"), StartsWith("g.gr:2:6: expected a weight"));
  EXPECT_THAT(fails("p sp 2 1\na 1 2 many\n"),
              StartsWith("g.gr:2:7: the weight 'many' is not a num"));
  EXPECT_THAT(fails("p sp 2 1\na 1 2 -inf\n"), HasSubstr("is not finite"));
  EXPECT_THAT(fails("p sp 2 1\na 1 2 3 4\n"), StartsWith("g.gr:2:9: expected the end"));
  EXPECT_THAT(fails("p sp 2 1\ne 1 2 3\n"), StartsWith("g.gr:2:1: expected a line of kind c, p"));
}

}  // namespace
}  // namespace apsp::io
