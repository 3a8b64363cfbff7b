// Text formats of arcs that announce their size, and CAIDA's relations: DIMACS, METIS, Matrix
// Market, and the annotations in their comments.
#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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

}  // namespace
}  // namespace apsp::io
