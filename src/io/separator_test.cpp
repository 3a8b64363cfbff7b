#include "io/text_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refused(const std::string& text) { return failure(text, "t.csv"); }

TEST(Separator, IsInEveryOneOfTheFirstRows) {
  const auto read = [](const std::string& text) { return names(parse(text, "t.txt")); };
  EXPECT_EQ(read("P1;P2\tQ1;Q2\t0.5\n"), "P1;P2 Q1;Q2");
  EXPECT_EQ(read("a,b\tc\n"), "a,b c");
  EXPECT_EQ(read("A,\tB,\t1\n"), "A B");
  EXPECT_EQ(read("a b 5\nc;d e 6\n"), "a b c;d e");
  EXPECT_EQ(read("\"a;b\" c 5\n"), "a;b c");
  EXPECT_EQ(read("x \"3,5\" 1\n"), "x 3,5");
  EXPECT_EQ(read("\ta b\n"), "a b");
  EXPECT_EQ(read("a,b,3\t\n"), "a b");
  EXPECT_EQ(read("New York,Oslo,5\n"), "New York Oslo");
  EXPECT_EQ(read("x;y,z,5\nv,w,6\n"), "x;y z v w");
  EXPECT_EQ(read("A; B; 3\n"), "A B");
  EXPECT_EQ(read("New York City;San Francisco Bay;3\n"), "New York City San Francisco Bay");
  EXPECT_EQ(read("Paris, France;Bern, Bern;878\n"), "Paris, France Bern, Bern");
  EXPECT_EQ(read("from;to;length, km\nA;B;3\n"), "A B");
  EXPECT_EQ(read("node 3;node 4;5\n"), "node 3 node 4");
  EXPECT_EQ(read("from node,to node\nnode 5,node 6\n"), "node 5 node 6");
  EXPECT_EQ(read("\"a \"\"5\"\" b\", \"c\", 3\n"), "a \"5\" b c");
}

TEST(Separator, ASquareMayBeRowsThatEndInASeparator) {
  const std::string text = "10\t11\t.5\t\n12\t11\t6\t\n13\t10\t7\t\n13\t11\t8\t\n";
  EXPECT_THAT(refused(text), HasSubstr("the last of 4 columns is empty"));
  EXPECT_EQ(parse(text, "t.tsv", {.columns = EdgeListColumns{1, 2, 3}}).vertex_count(), 4);
}

TEST(Separator, RowsThatTwoCanSeparateAreAskedAbout) {
  for (const char* const text :
       {"a;b c 5\n", "x;y z\n", "x;y,z,5\n", "node 3;node 4\n", "x,1 y,2\n", "0,0 0,1\n0,1 1,1\n",
        "1,2 3\n", "0,1\t\n", "Room 5,12\n", "None a;b\n", "a b 1,5\n", "a b 1,234,567\n",
        "A;3,5\n"}) {
    EXPECT_THAT(refused(text), HasSubstr("may both separate")) << text;
  }
  EXPECT_THAT(refused("a;b c 5\n"),
              HasSubstr("this row is 'a' and 'b c 5', or 'a;b', 'c' and '5'; say which "
                        "(`separator=semicolon` or `separator=blank`)"));
  std::string many;
  for (int i = 0; i < 10; ++i) many += fmt::format("node {},node {}\n", i, i + 1);
  EXPECT_EQ(parse(many, "t.csv").vertex_count(), 11);
}

TEST(Separator, LinesThatMayBeCommentsAreNoRows) {
  EXPECT_THAT(refused("! roads\nRome Oslo\n"), HasSubstr("may be a comment"));
  EXPECT_THAT(refused("-- a, b\nRome,Oslo\n"), HasSubstr("may be a comment"));
  EXPECT_EQ(names(parse("\"!\" roads\n", "t.txt")), "! roads");
  EXPECT_THAT(refused("some roads\nsource target\n0 1\n"), StartsWith("t.csv:2:1: this row looks"));
  EXPECT_THAT(refused("made by hand\nsource,  target\nA,  B\n"), HasSubstr("`separator=comma`"));
}

TEST(Separator, TitlesThatVerticesResembleAreAskedAbout) {
  const std::string text = "node1,node2\nnode2,node3\n";
  EXPECT_THAT(refused(text), StartsWith("t.csv:1:1: 'node1' may be a title or a vertex"));
  EXPECT_EQ(names(parse(text, "t.csv", {.columns = EdgeListColumns{"node1", "node2", 0}})),
            "node2 node3");
  EXPECT_EQ(names(parse("source,target\n" + text, "t.csv")), "node1 node2 node3");
}

TEST(Separator, SemicolonsSeparateInEveryTable) {
  const Graph graph = parse("Paris, France;Bern;3.5\n Bern ; Oslo;2\n", "t.csv");
  EXPECT_EQ(describe(graph), "undirected 0-1:3.5 1-2:2");
  EXPECT_EQ(graph.name(0), "Paris, France");
  EXPECT_EQ(describe(parse("0;1;5\n1;2;-0.5\n", "t.csv")), "undirected 0-1:5 1-2:-0.5");
  EXPECT_EQ(describe(parse("0;1\r\n1;2\r\n", "t.csv")), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(describe(parse("0;0;1;5\n1;1;2;6\n", "t.csv")), "undirected 0-1:5 1-2:6");
  EXPECT_EQ(names(parse("\"a;b\";\"c\"\"d\";5\n", "t.csv")), "a;b c\"d");
  EXPECT_EQ(describe(parse("x;0;y;1\n", "t.csv", {.columns = EdgeListColumns{2, 4, 0}})),
            "undirected 0-1:1");
}

TEST(Separator, DecimalCommasAreRefusedWithTheirPlace) {
  expect_failures(refused, {{"A;B;3.5\nB;C;2,5\n", ":2:5: "},
                            {"A;B;3,5\n", "write a point before decimals"},
                            {"0;1;3,5\n", ":1:5: "},
                            {"from;to;weight\nA;B;3,5\n", ":2:5: "},
                            {"A;B;1.234,5\n", ":1:5: "},
                            {"1\t2\t-1,5\n", ":1:5: "},
                            {"from,to,w\na b 1,5\n", ":2:7: "},
                            {"a b 1\na c 1,5\n", ":2:5: "}});
  EXPECT_THAT(failure("p sp 2 1\na 1 2 3,5\n", "x.gr"), HasSubstr("write a point before decimals"));
  EXPECT_THAT(failure("a b 1,5\n", "t.csv", {.separator = Separator::blank}),
              HasSubstr("write a point before decimals"));
}

TEST(Separator, ANumberBetweenATabAndABlankIsRefused) {
  for (const char* const text : {"1\t2 5\n", "3\t4\n1\t2 5\n"}) {
    EXPECT_THAT(refused(text), HasSubstr("a tab and a blank may both separate")) << text;
  }
  EXPECT_EQ(describe(parse("1\t2 5\n", "t.txt", {.separator = Separator::blank})),
            "undirected 0-1:5");
  EXPECT_EQ(names(parse("1\t2 5\n", "t.txt", {.separator = Separator::tab})), "1 2 5");
}

TEST(Separator, NamesBetweenTabsKeepTheirBlanks) {
  EXPECT_EQ(parse("Route 5\t12\nRoute 7\t13\n", "t.tsv").name(0), "Route 5");
  const Graph graph = parse("source\ttarget\tweight\nNew York\tRome\t5\nRome\tOslo\t6\n", "t.tsv");
  EXPECT_EQ(describe(graph), "undirected 0-1:5 1-2:6");
  EXPECT_EQ(graph.name(0), "New York");
  EXPECT_EQ(describe(parse("0\t1\t5\r\n1\t2\t6\r\n", "t.tsv")), "undirected 0-1:5 1-2:6");
}

TEST(Separator, AnOptionOverridesTheFirstRow) {
  EXPECT_EQ(names(parse("a;b,c\n", "t.csv", {.separator = Separator::comma})), "a;b c");
  const std::string nodes = "node 3;node 4\n";
  EXPECT_THAT(failure(nodes, "t.csv"), HasSubstr("`separator=semicolon` or `separator=blank`"));
  EXPECT_EQ(names(parse(nodes, "t.csv", {.separator = Separator::semicolon})), "node 3 node 4");
  EXPECT_EQ(names(parse("a;b,c\n", "t.csv", {.separator = Separator::semicolon})), "a b,c");
  EXPECT_EQ(parse("A;3,5\n", "t.csv", {.separator = Separator::semicolon}).name(1), "3,5");
}

TEST(Separator, CommasThatSeparateAreNoDecimalCommas) {
  EXPECT_EQ(describe(parse("Area 1,Area 2,5\n", "t.csv")), "undirected 0-1:5");
  EXPECT_EQ(names(parse("Lake Shore 5, 12\n", "t.csv")), "Lake Shore 5 12");
  EXPECT_EQ(names(parse("\"Lake Shore 5\",12\n", "t.csv")), "Lake Shore 5 12");
  EXPECT_EQ(describe(parse("0, 1, 5\n", "t.csv")), "undirected 0-1:5");
}

TEST(Separator, SkippedTitlesAreRemarkedOn) {
  const auto remarks = [](const std::string& text) {
    const Graph graph = parse(text, "t.csv");
    return std::vector<std::string>(graph.remarks().begin(), graph.remarks().end());
  };
  EXPECT_THAT(remarks("A,B,x5\nB,C,3\n"),
              testing::ElementsAre("the first row is taken as titles: 'A,B,x5'",
                                   "columns 1 and 2, 'A' and 'B', are taken as the ends",
                                   "the column 'x5' is taken as the weight"));
  EXPECT_THAT(remarks("source target\n0 1\n"),
              testing::ElementsAre("the first row is taken as titles: 'source target'"));
  EXPECT_THAT(remarks("A,B,5\nB,C,3\n"), testing::IsEmpty());
  const std::string wide = "a,b," + std::string(77, 'x') + "ä\n0,1,5\n";
  EXPECT_THAT(remarks(wide).at(0), testing::EndsWith("…'"));
  EXPECT_EQ(parse("A,B,x5\nB,C,3\n", "t.csv", {.directed = false}).digest(),
            parse("B,C,3\n", "t.csv").digest());
}

}  // namespace
}  // namespace apsp::io
