// Text formats of arcs that announce their size, and CAIDA's relations: DIMACS, METIS, Matrix
// Market, and the annotations in their comments.
#include <fmt/format.h>

#include "io/text_table.hpp"
#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::arc_formats_test {
namespace {

/// The message of the input error of a text in a file of this name.
auto failing(const char* name) {
  return [name](const std::string& text) { return failure(text, name); };
}

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
  EXPECT_THAT(failing("g.gr")(head + "a 1 2 6\n"),
              StartsWith("g.gr:5:8: apsp:undirected, but the arc 1 2 of "
                         "weight 6 has no counterpart 2 1"));
  EXPECT_THAT(failing("g.gr")(head + "a 2 1 4\n"), HasSubstr("the arc 2 1 of weight 4"));
}

TEST(Dimacs, RefusesWrongProblemLines) {
  expect_failures(failing("g.gr"), {{"c only words\n", ":1:13: "},
                                    {"a 1 2 3\np sp 2 1\n", ":1:1: "},
                                    {"p max 2 1\n", ":1:3: "},
                                    {"p sp 2\n", ":1:7: "},
                                    {"p sp 2 0\np sp 2 0\n", ":2:1: "},
                                    {"p sp 2 0 7\n", ":1:10: "},
                                    {"p sp 100000000 1\na 1 2 3\n", "and has only 25 bytes"}});
  EXPECT_THAT(failure("c flows\np max 2 1\na 1 2 3\n", "flows"), HasSubstr(":2:3: expected 'sp'"));
}

TEST(Dimacs, RefusesWrongArcs) {
  expect_failures(failing("g.gr"), {{"p sp 2 2\na 1 2 3\n", ":2:8: "},
                                    {"p sp 2 18446744073709551615\na 1 2 3\n", ":1:8: "},
                                    {"p sp 2 99999999999999999999\na 1 2 3\n", ":1:8: "},
                                    {"p sp 2 1\na 1 2 3\na 2 1 3\n", ":3:1: "},
                                    {"p sp 2 1\na 1 3 3\n", ":2:5: "},
                                    {"p sp 2 1\na 0 1 3\n", ":2:3: "},
                                    {"p sp 2 1\na 1 2\n", ":2:6: "},
                                    {"p sp 2 1\na 1 2 many\n", ":2:7: "},
                                    {"p sp 2 1\na 1 2 -inf\n", "is not finite"},
                                    {"p sp 2 1\na 1 2 3 4\n", ":2:9: "},
                                    {"p sp 2 1\ne 1 2 3\n", ":2:1: "}});
}

std::string metis(const std::string& text, const ReadOptions& options = {}) {
  return describe(parse(text, "g.graph", options));
}

TEST(Metis, EachEdgeStandsTwiceAndCountsOnce) {
  const std::string text = "% words\n 3 2\n2 3\n% more\n1\n 1 \n";
  EXPECT_EQ(metis(text), "undirected 0-1:1 0-2:1");
  EXPECT_EQ(names(parse(text, "g.graph")), "1 2 3");
  EXPECT_EQ(metis(text, {.directed = true}), "directed 0-1:1 0-2:1 1-0:1 2-0:1");
}

TEST(Metis, ABlankLineIsAVertexWithoutEdges) {
  const Graph graph = parse("4 1 0\n\n3\n2\n\n", "g.graph");
  EXPECT_EQ(graph.vertex_count(), 4);
  EXPECT_EQ(describe(graph), "undirected 1-2:1");
  EXPECT_EQ(metis("3 1\r\n2\r\n1\r\n\r\n"), "undirected 0-1:1");
  EXPECT_EQ(metis("0 0\n"), "undirected");
  EXPECT_EQ(metis("2 0\n\n\n\n\n% the end\n"), "undirected");
}

TEST(Metis, FormatDigitsSaySizesAndWeights) {
  EXPECT_EQ(metis("2 1 1\n2 7\n1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(metis("2 1 001\n2 7\n1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(metis("2 1 10\n9 2\n9 1\n"), "undirected 0-1:1");
  EXPECT_EQ(metis("2 1 11 3\n9 9 9 2 7\n9 9 9 1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(metis("2 1 100\n5 2\n5 1\n"), "undirected 0-1:1");
  EXPECT_EQ(metis("2 1 111 2\n5 9 9 2 7\n5 9 9 1 7\n"), "undirected 0-1:7");
  EXPECT_EQ(metis("3 1 011\n1 2 4\n1 1 4\n\n"), "undirected 0-1:4");
  EXPECT_EQ(metis("2 2 1\n2 7 2 5\n1 5 1 7\n"), "undirected 0-1:5 0-1:7");
}

TEST(Metis, BothLinesMustAgree) {
  expect_failures(failing("g.graph"),
                  {{"3 1\n2\n\n\n", ":2:1: "},
                   {"3 1\n\n\n1\n", ":4:1: "},
                   {"2 1 1\n2 7\n1 8\n", "of weight 7 is missing in the line of"},
                   {"2 2 1\n2 7 2 7\n1 7\n", ":2:1: "},
                   {"2 3\n2\n1\n", ":1:3: "},
                   {"2 9223372036854775808\n2\n1\n", ":1:3: "}});
}

TEST(Metis, RefusesWrongHeaders) {
  expect_failures(failing("g.graph"), {{"% nothing\n", ":2:1: "},
                                       {"3\n", ":1:2: "},
                                       {"1 0 2\n\n", ":1:5: "},
                                       {"1 0 1000\n\n", ":1:5: "},
                                       {"1 0 10 0\n\n", ":1:8: "},
                                       {"1 0 10 1 1\n\n", ":1:10: "},
                                       {"100000000 0\n", "and has only 12 bytes"}});
}

TEST(Metis, RefusesWrongLines) {
  expect_failures(failing("g.graph"), {{"2 1\n2\n", ":2:2: "},
                                       {"1 0\n\n1\n", ":3:1: "},
                                       {"2 1\n2\n3\n", ":3:1: "},
                                       {"2 1\n 2 0\n1\n", ":2:4: "},
                                       {"2 1\n2 1\n1\n", ":2:3: "},
                                       {"2 1 1\n2\n1 1\n", ":2:2: "},
                                       {"2 1 10\nx 2\n1 1\n", ":2:1: "},
                                       {"2 1\nb\n1\n", ":2:1: "}});
}

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

std::string mtx(const std::string& text, const ReadOptions& options = {}) {
  return describe(parse(text, "m.mtx", options));
}

TEST(MatrixMarket, GeneralIsDirectedAndCountsFromOne) {
  const Graph graph =
      parse(kGeneral + "% words\n\n3 3 4\n1 2 5\n2 1 -0.5\n1 2 4\n3 3 0\n", "m.mtx");
  EXPECT_EQ(describe(graph), "directed 0-1:4 0-1:5 1-0:-0.5 2-2:0");
  EXPECT_EQ(names(graph), "1 2 3");
  EXPECT_EQ(graph.loop_count(), 1);
}

TEST(MatrixMarket, SymmetricIsUndirected) {
  const std::string text = kSymmetric + "3 3 3\n2 1 5\n3 1 6\n3 3 1\n";
  EXPECT_EQ(mtx(text), "undirected 0-1:5 0-2:6 2-2:1");
  EXPECT_EQ(mtx(text, {.directed = true}), "directed 0-1:5 0-2:6 1-0:5 2-0:6 2-2:1");
  EXPECT_EQ(mtx(kGeneral + "2 2 2\n1 2 5\n2 1 5\n", {.directed = false}), "undirected 0-1:5 0-1:5");
}

TEST(MatrixMarket, BannerInAnyCaseWithAnyBlanks) {
  EXPECT_EQ(mtx("%%MATRIXmarket  Matrix\tCOORDINATE Pattern GENERAL\r\n2 2 1\r\n 1\t2 \r\n"),
            "directed 0-1:1");
  EXPECT_EQ(mtx("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -7"),
            "directed 0-1:-7");
  // As SciPy writes unsigned integers.
  EXPECT_EQ(mtx("%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n1 2 7"),
            "directed 0-1:7");
  EXPECT_EQ(mtx("\xEF\xBB\xBF" + kGeneral + "1 1 0\n"), "directed");
}

TEST(MatrixMarket, ArraysGoColumnByColumn) {
  EXPECT_EQ(mtx(kArray + "2 2\n0\n3\n0\n7\n"), "directed 0-1:0 1-0:3");
  EXPECT_EQ(mtx(kArray + "2 2\n-1\n3\n2\n-2\n"), "directed 0-0:-1 0-1:2 1-0:3 1-1:-2");
  EXPECT_EQ(mtx("%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n2\n0\n3\n0\n"),
            "undirected 0-1:1 0-2:2 1-2:3");
  EXPECT_EQ(mtx(kArray + "0 0\n"), "directed");
}

TEST(MatrixMarket, SymmetricArraysAreWhole) {
  for (const int n : {0, 1, 2, 63, 64, 65, 130}) {
    std::string whole = fmt::format("%%MatrixMarket matrix array integer general\n{0} {0}\n", n);
    std::string lower = fmt::format("%%MatrixMarket matrix array integer symmetric\n{0} {0}\n", n);
    for (int col = 0; col < n; ++col) {
      for (int row = 0; row < n; ++row) {
        const std::string value =
            fmt::format("{}\n", std::max(row, col) * 1000 + std::min(row, col));
        whole += value;
        if (row >= col) lower += value;
      }
    }
    const Graph one = parse(whole, "a.mtx").as_undirected(), other = parse(lower, "a.mtx");
    EXPECT_EQ(one.digest(), other.digest()) << n;
  }
}

TEST(MatrixMarket, RefusesBannersItCannotMean) {
  EXPECT_THAT(failing("m.mtx")("1 2\n"), StartsWith("m.mtx:1:1: a Matrix Market file begins with"));
  const auto banner = [](const char* words) {
    return "%%MatrixMarket " + std::string(words) + "\n1 1 0\n";
  };
  expect_failures(failing("m.mtx"), {{banner("vector coordinate real general"), ":1:16: "},
                                     {banner("matrix sparse real general"), ":1:23: "},
                                     {banner("matrix coordinate complex general"), ":1:34: "},
                                     {banner("matrix coordinate quaternion general"), ":1:34: "},
                                     {banner("matrix coordinate real skew-symmetric"), ":1:39: "},
                                     {banner("matrix coordinate real hermitian"), "hermitian"},
                                     {banner("matrix coordinate real odd"), ":1:39: "},
                                     {banner("matrix array pattern general"), ":1:29: "},
                                     {banner("matrix coordinate real general extra"), ":1:47: "}});
}

TEST(MatrixMarket, RefusesWrongSizes) {
  expect_failures(failing("m.mtx"), {{kGeneral, ":1:46: "},
                                     {kGeneral + "2 3 0\n", ":2:1: "},
                                     {kArray + "9 2\n", "`coordinates`"},
                                     {kGeneral + "2 2\n", ":2:4: "},
                                     {kGeneral + "-2 2 1\n", ":2:1: "},
                                     {kGeneral + "2 2 9223372036854775808\n1 2 3\n", ":2:5: "},
                                     {kGeneral + "2 2 2\n1 2 3\n\n", ":3:6: "},
                                     {kGeneral + "2 2 1\n1 2 3\n2 1 3\n", ":4:1: "},
                                     {kArray + "2 2\n1\n2\n3\n", ":5:2: "},
                                     {kArray + "1 1\n1\n2\n", ":4:1: "}});
}

TEST(MatrixMarket, AHeaderAloneGetsNoMemory) {
  expect_failures(failing("m.mtx"), {{kGeneral + "1000000000 1000000000 1\n1 1 1\n", ":2:1: "},
                                     {kGeneral + "4294967296 4294967296 1\n", "at most 4294967295"},
                                     {kGeneral + "9 9 1000000000000000000\n", "ends after 0"}});
  EXPECT_EQ(parse(kGeneral + "1000000 1000000 0\n", "m.mtx").vertex_count(), 1000000);
  EXPECT_THAT(failing("m.mtx")(kArray + "1000000 1000000\n1\n"),
              StartsWith("m.mtx:3:2: the file ends"));
}

TEST(MatrixMarket, RefusesWrongEntries) {
  expect_failures(
      failing("m.mtx"),
      {{kGeneral + "2 2 1\n1 3 5\n", ":3:3: "},
       {kGeneral + "2 2 1\n0 1 5\n", ":3:1: "},
       {kGeneral + "2 2 1\n1 x 5\n", ":3:3: "},
       {kGeneral + "2 2 1\n1 99999999999999999999 5\n", ":3:3: "},
       {kGeneral + "2 2 1\n1 2\n", ":3:4: "},
       {kGeneral + "2 2 1\n1 2 inf\n", ":3:5: "},
       {kGeneral + "2 2 1\n1 2 nan\n", "is not finite"},
       {kGeneral + "2 2 1\n1 2 1e999\n", "does not fit"},
       {kGeneral + "2 2 1\n1 2 9007199254740993\n", "beyond 2^53"},
       {kGeneral + "2 2 1\n1 2 3x\n", ":3:5: "},
       {kGeneral + "2 2 1\n1 2 3 4\n", ":3:7: "},
       {kSymmetric + "2 2 1\n1 2 3\n", ":3:1: "},
       {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 1.5\n", ":3:5: "}});
}

const std::string kRelations = "# words\n174|9|-1\n9|30|0\r\n\n174|1000|-1|bgp\n";

TEST(AsRel, LabelsAreSortedAsNumbers) {
  const Graph graph = parse(kRelations, "as.txt");
  EXPECT_EQ(names(graph), "9 30 174 1000");
  EXPECT_EQ(describe(graph), "undirected 0-1:1 0-2:1 2-3:1");
}

TEST(AsRel, PolicyTurnsRelationsIntoArcs) {
  const auto with = [](AsRelPolicy policy, std::optional<bool> directed = {}) {
    return describe(parse(kRelations, "as.txt", {.directed = directed, .as_rel = policy}));
  };
  EXPECT_EQ(with(AsRelPolicy::down), "directed 0-1:1 1-0:1 2-0:1 2-3:1");
  EXPECT_EQ(with(AsRelPolicy::up), "directed 0-1:1 0-2:1 1-0:1 3-2:1");
  EXPECT_EQ(with(AsRelPolicy::both, true), "directed 0-1:1 0-2:1 1-0:1 2-0:1 2-3:1 3-2:1");
  EXPECT_EQ(error_of([&] { with(AsRelPolicy::up, false); }).kind(), ErrorKind::usage);
}

TEST(AsRel, RefusesWhatIsNoRelation) {
  const ReadOptions options = {.format = GraphFormat::as_rel};
  const auto fails = [&](const std::string& text) { return failure(text, "as.txt", options); };
  expect_failures(fails, {{"# nothing\n", ":1:10: "},
                          {"1|2|-1\n1|2|1\n", ":2:5: "},
                          {"1|2\n", ":1:4: "},
                          {"1|x|0\n", ":1:3: "},
                          {"1|4294967296|0\n", ":1:3: "},
                          {"1|2|0 x\n", ":1:7: "}});
}

const std::string kBanner = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string kSize = "2 2 1\n1 2\n";

std::string annotated(const std::string& comments) {
  return failure(kBanner + comments + kSize, "m.mtx");
}

TEST(Annotations, InEveryTextFormat) {
  EXPECT_EQ(names(parse(kBanner + "% apsp:first-id 0\n" + kSize, "m.mtx")), "0 1");
  EXPECT_EQ(names(parse(kBanner + "%  apsp:label 2 b\n%apsp:label 1 a\r\n" + kSize, "m.mtx")),
            "a b");
  EXPECT_FALSE(parse(kBanner + "% apsp:undirected\n" + kSize, "m.mtx").directed());
  EXPECT_EQ(names(parse("c apsp:label 1 x y\np sp 1 0\n", "g.gr")), "x y");
  EXPECT_EQ(names(parse("% apsp:first-id 0\n2 1\n2\n1\n", "g.graph")), "0 1");
  EXPECT_TRUE(parse("# apsp:directed\n0 1\n", "e.txt").directed());
  EXPECT_FALSE(parse("# apsp:directed\n0 1\n", "e.txt", {.directed = false}).directed());
}

TEST(Annotations, MistakesAreErrors) {
  expect_failures(annotated, {{"% apsp:colour red\n", ":2:3: "},
                              {"% apsp:first-id 2\n", ":2:17: "},
                              {"% apsp:vertices x\n", ":2:17: "},
                              {"% apsp:vertices 3\n", ":2:17: "},
                              {"% apsp:vertices 99999999999\n", ":2:17: "},
                              {"% apsp:directed yes\n", ":2:17: "},
                              {"% apsp:label 3 x\n", ":2:14: "},
                              {"% apsp:label 0 x\n", ":2:14: "},
                              {"% apsp:label 1 x\n", "vertex 2 has none"},
                              {"% apsp:label 1 x\n% apsp:label 1 y\n", ":3:14: "},
                              {"% apsp:label 2 x\n% apsp:label 1 x\n", ":3:14: "},
                              {"% apsp:label 1 a\\tb\n", ":2:17: "},
                              {"% apsp:label 1\n", ":2:15: "}});
}

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
}  // namespace apsp::io::arc_formats_test
