#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::edge_list_test {
namespace {

std::string text_of(const std::string& text, const ReadOptions& options = {}) {
  return describe(parse(text, "e.txt", options));
}
std::string names_of(const std::string& text) { return names(parse(text, "e.txt")); }
std::string fails(const std::string& text, const ReadOptions& options = {}) {
  return failure(text, "e.txt", options);
}
ReadOptions columns(int from, int to, int weight) {
  return {.columns = EdgeListColumns{from, to, weight}};
}

TEST(EdgeList, BlanksTabsAndCommasSeparate) {
  const std::string expected = "undirected 0-1:5 1-2:-0.5";
  EXPECT_EQ(text_of("0 1 5\n1 2 -0.5\n"), expected);
  EXPECT_EQ(text_of("0\t1\t5\r\n1\t2\t-0.5\r\n"), expected);
  EXPECT_EQ(text_of("0,1,5\n1,2,-0.5"), expected);
  EXPECT_EQ(text_of("  0 , 1,  5 \n\n\t1,2 ,-0.5\n\n"), expected);
  EXPECT_EQ(text_of("\xEF\xBB\xBF# words\n%more\n0 1 5\n# between\n1  2 -0.5\n"), expected);
}

TEST(EdgeList, ACommentThatMayBeARowIsRefused) {
  EXPECT_THAT(fails("#love,a,1\nb,#love,2\n"), HasSubstr(":1:1: '#love' is a vertex"));
  expect_places("e.txt",
                {{"from,to,w\na,#love,1\n#love,c,2\n", "3:1"}, {"a #x 1\n%b #x 2\n", "2:1"}});
  EXPECT_EQ(text_of("a,#love,1\n# love,c,2\n#b,c,2\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("a,\"#love\",1\n\"#love\",c,2\n"), "undirected 0-1:1 1-2:2");
}

TEST(EdgeList, MissingEndsAreThoseOfPandas) {
  for (const char* const mark : {"#N/A N/A", "#NA", "-nan", "-NaN", "\\N", "n/a", "<NA>"}) {
    EXPECT_THAT(fails(std::string("a,b,1\nb,") + mark + ",2\n"), HasSubstr(":2:3: an end")) << mark;
    EXPECT_THAT(fails(std::string("a,b,1\nb,c,") + mark + "\n"), HasSubstr(":2:5: the weight"))
        << mark;
  }
  EXPECT_EQ(text_of("nan1,-n,1\n#NAME,<N,2\n"), "undirected 0-1:1");
  for (const char* const mark :
       {"1.#QNAN", "-1.#IND", "#REF!", "#NAME?", "(null)", "[NULL]", "?", ".", "-", "--"}) {
    expect_places("e.txt", {{std::string("a,b,1\nb,") + mark + ",2\nc," + mark + ",3\n", "2:3"}});
  }
  EXPECT_EQ(names_of("a,\"?\",1\n\"-\",b.,2\n"), "a ? - b.");
}

TEST(EdgeList, BracketsArrowsAndBarsAreNoVertices) {
  EXPECT_THAT(fails("(0, 1)\n(1, 2)\n"), HasSubstr(":1:1: '(0' is no vertex"));
  EXPECT_THAT(fails("a|b\n"), HasSubstr("tabs, semicolons, commas or blanks separate"));
  expect_places("e.txt", {{"1 -> 2\n2 -> 3\n", "1:3"},
                          {" from | to \n------+----\n a | b\n", "1:7"},
                          {"1 \u2194 2\n2 \u2194 3\n", "1:3"},
                          {"\u2559\u2500\u2500 A\n    \u2514\u2500\u257c B\n", "1:1"},
                          {"1->2 5\n2->3 4\n", "1:1"},
                          {"1: 2 3\n2: 1 3\n", "1:1"}});
  EXPECT_THAT(fails("/* words */\n1 2 3\n"), HasSubstr(":1:1: a row that begins with '/*'"));
  EXPECT_EQ(text_of("\"->\" (b) 1\n"), "undirected 0-1:1");
  EXPECT_EQ(names_of("a:b \u00e2\u0086x 1\n"), "a:b \u00e2\u0086x");
  EXPECT_EQ(text_of("a b - 3\n", columns(1, 2, 4)), "undirected 0-1:3");
}

TEST(EdgeList, SignsThatNobodySeesMakeNoVertices) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(names_of(mark + mark + "from,to\nA,B\n"), "A B");
  EXPECT_THAT(fails("A,B,5\n\fB,C,3\n"), HasSubstr(":2:1: two names differ from 'B'"));
  for (const char* const sign : {"\u00AD", "\u200D", "\u200F", "\u3000", "\u202F", "\u3000\u3000"})
    expect_places("e.txt", {{std::string("A,B,5\nC,B") + sign + ",3\n", "2:3"}});
  const std::string nul(1, '\0');
  std::string rows;
  for (int i = 0; i < 2000; ++i) rows += "B,C\n";
  EXPECT_EQ(failing_at(rows + "B,C" + nul + "\n", "e.txt"), "2001:3");
}

TEST(EdgeList, ACommentWithAsManyFieldsAsTheRowIsTitles) {
  const Graph graph = parse("#Gene A\tGene B\tscore\n7\t8\t0.5\n", "e.tsv");
  EXPECT_EQ(describe(graph), "undirected 0-1:0.5");
  EXPECT_THAT(graph.remarks(), testing::Contains(HasSubstr("'Gene A' and 'Gene B', are taken")));
  EXPECT_EQ(failing_at("#Interaction ID\tGene A\tGene B\tscore\n1\t7\t8\t0.5\n", "e.txt"), "1:2");
  EXPECT_THAT(fails("# id,weight\n7,8\n"), HasSubstr(":1:2: no two of 'id' and 'weight'"));
  EXPECT_THAT(parse("# see 1, 2\n7,8\n", "e.csv").remarks(), testing::IsEmpty());
  EXPECT_EQ(text_of("edge,source,target\n5,0,1\n"), "undirected 0-1:1");
}

TEST(EdgeList, IntegersThatMayBeRoundedAreSaid) {
  const Graph graph = parse("1.23E+12,1.24E+12,5\n1.24E+12,7,3\n", "e.csv");
  EXPECT_EQ(names(graph), "7 1230000000000 1240000000000");
  EXPECT_THAT(graph.remarks(), testing::ElementsAre(HasSubstr("the vertex 1.23E+12 and others")));
  for (const char* const exact : {"1e+05 2.5e1\n", "1.00e+02 2.0\n"})
    EXPECT_THAT(parse(exact, "e.txt").remarks(), testing::IsEmpty()) << exact;
}

TEST(EdgeList, ACommentThatEndsByACarriageReturnAloneIsRefused) {
  EXPECT_THAT(fails("1 2\n# words\r3 4\n"), HasSubstr(":2:2: a line ends here by a carriage"));
}

TEST(EdgeList, WithoutWeightsEveryEdgeIsOne) {
  EXPECT_EQ(text_of("0 1\n1 2\n"), "undirected 0-1:1 1-2:1");
}

TEST(EdgeList, DirectionFromWordsOptionOrNothing) {
  EXPECT_EQ(text_of("# Directed graph: x\n0 1\n"), "directed 0-1:1");
  EXPECT_EQ(text_of("# UNDIRECTED graph\n0 1\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("# a misdirected and redirected one\n0 1\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("# undirected; was directed\n0 1\n"), "undirected 0-1:1");
  EXPECT_EQ(text_of("# Directed\n# undirected\n0 1\n"), "directed 0-1:1");
  EXPECT_EQ(text_of("# Directed\n0 1\n", {.directed = false}), "undirected 0-1:1");
  EXPECT_EQ(text_of("0 1\n", {.directed = true}), "directed 0-1:1");
  EXPECT_EQ(text_of("0 1\n1 0\n"), "undirected 0-1:1 0-1:1");
}

TEST(EdgeList, DenseIntegersNeedNoLabels) {
  EXPECT_EQ(names_of("2 0\n0 1\n"), "0 1 2");
  EXPECT_EQ(names_of("2 3\n3 1\n"), "1 2 3");
  EXPECT_TRUE(parse("2 3\n3 1\n", "e.txt").labels().empty());
  EXPECT_EQ(parse("2 3\n3 1\n", "e.txt").first_id(), 1u);
  EXPECT_EQ(names_of("0 0\n"), "0");
  EXPECT_EQ(names_of("1 1\n"), "1");
}

TEST(EdgeList, SparseIntegersBecomeLabelsInNumericOrder) {
  const Graph graph = parse("30 1412\n30 9\n", "e.txt");
  EXPECT_EQ(names(graph), "9 30 1412");
  EXPECT_EQ(describe(graph), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(names_of("4000000000 7\n"), "7 4000000000");
  EXPECT_EQ(names_of("4294967295 7\n"), "7 4294967295");
  EXPECT_EQ(names_of("100000000000000000000 20000000000000000000\n3 20000000000000000000\n"),
            "3 20000000000000000000 100000000000000000000");
}

TEST(EdgeList, OtherNamesBecomeLabelsInOrderOfAppearance) {
  EXPECT_EQ(names_of("Rome Oslo 5\nBern Rome 6\n"), "Rome Oslo Bern");
  EXPECT_EQ(names_of("007 8\n9 8\n"), "007 8 9");
  EXPECT_EQ(names_of("2 x\n1 2\n"), "2 x 1");
}

TEST(EdgeList, QuotedFields) {
  const Graph graph = parse("\"New York\",\"a \"\"b\"\"\", 5\n\"x,y\",\"\",6\n", "e.csv");
  EXPECT_EQ(names(graph), "New York a \"b\" x,y ");
  EXPECT_EQ(describe(graph), "undirected 0-1:5 2-3:6");
  EXPECT_EQ(names_of("\"#1\" \"New York\"\n"), "#1 New York");
  EXPECT_EQ(names_of("\"1\" \"2\"\n"), "1 2");
  EXPECT_TRUE(parse("\"1\" \"2\"\n", "e.txt").labels().empty());
  EXPECT_EQ(parse("New York,Los Angeles,5\n", "e.csv").name(1), "Los Angeles");
}

TEST(EdgeList, HeaderLinesAreSkipped) {
  EXPECT_EQ(text_of("source,target,weight\n0,1,5\n"), "undirected 0-1:5");
  EXPECT_EQ(text_of("# words\nFROM to w\n0 1 5\n"), "undirected 0-1:5");
  EXPECT_EQ(text_of("u v\n0 1\n"), "undirected 0-1:1");
  EXPECT_EQ(names_of("a b metres\nc d 5\n"), "c d");
  EXPECT_EQ(names_of("a b\nc d\n"), "a b c d");
  EXPECT_EQ(text_of("id,u,v,w\n0,0,1,5\n1,1,2,6\n"), "undirected 0-1:5 1-2:6");
  EXPECT_EQ(names_of("# apsp:undirected\nu v\nv w\n"), "u v w");
  EXPECT_THAT(fails("a b inf\n"), StartsWith("e.txt:1:5: the weight 'inf' is not finite"));
  EXPECT_THAT(fails("u v w\nu v w\n"), StartsWith("e.txt:2:5: the weight 'w' is not a number"));
}

TEST(EdgeList, SnapHeadersCountIsolatedVertices) {
  EXPECT_EQ(names_of("# Nodes: 5 Edges: 1\n0\t2\n"), "0 1 2 3 4");
  EXPECT_EQ(names_of("# Nodes: 2 Edges: 1\n7\t9\n"), "7 9");
  EXPECT_EQ(names_of("# Nodes: 3 Edges: 2\n1 2\n2 3\n"), "1 2 3");
  EXPECT_EQ(names_of("# Nodes: 3 Edges: 0\n"), "0 1 2");
  EXPECT_EQ(names_of("# Nodes: 999999999999 Edges: 1\n0\t1\n"), "0 1");
}

TEST(EdgeList, AFirstRowThatMayBeNoEdgeIsRefused) {
  const auto refused = [](const std::string& text, const ReadOptions& asked, const char* edges) {
    EXPECT_EQ(failing_at(text, "e.csv"), "1:1") << text;
    EXPECT_EQ(text_of(text, asked), edges) << text;
  };
  // The numbers of vertices and edges.
  refused("3 2\n0 1\n1 2\n", columns(1, 2, 0), "undirected 0-1:1 1-2:1 2-3:1");
  refused("3 4\n1 2\n2 3\n3 1\n1 1\n", columns(1, 2, 0),
          "undirected 0-0:1 0-1:1 0-2:1 1-2:1 2-3:1");
  // Titles that pandas writes.
  refused("0,1,2\nA,B,3\nA,C,4\n", columns(1, 2, 3), "undirected 0-1:2 2-3:3 2-4:4");
  refused("0,1\n5,6\n5,7\n", columns(1, 2, 0), "undirected 0-1:1 2-3:1 2-4:1");
  EXPECT_EQ(text_of("1 2\n2 3\n3 1\n"), "undirected 0-1:1 0-2:1 1-2:1");
  EXPECT_EQ(text_of("1 2\n1 2\n1 2\n"), "undirected 0-1:1 0-1:1 0-1:1");
  EXPECT_EQ(text_of("3 2 5\n0 1 5\n1 2 5\n"), "undirected 0-1:5 1-2:5 2-3:5");
  EXPECT_EQ(text_of("0,1\n1,2\n"), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(text_of("0,1,3\n5,6,1\n"), "undirected 0-1:3 2-3:1");
  EXPECT_EQ(text_of("0 1\n5 6\n5 7\n"), "undirected 0-1:1 2-3:1 2-4:1");
  EXPECT_EQ(text_of("2 1\n"), "undirected 0-1:1");
  refused("\"0\",\"1\"\n5,6\n5,7\n", columns(1, 2, 0), "undirected 0-1:1 2-3:1 2-4:1");
  EXPECT_EQ(failing_at("# Nodes: 3 Edges: 2\n3 2\n0 1\n1 2\n", "e.csv"), "2:1");
  refused("7 3\n4 1\n2 3\n5 6\n", columns(1, 2, 0), "undirected 0-3:1 1-2:1 2-6:1 4-5:1");
}

TEST(EdgeList, AFirstRowThatIsShownToBeAnEdgeIsRead) {
  for (const auto& [text, edges] :
       {std::pair("# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n2\t1\n1\t0\n", "0-1:1 1-2:1"),
        {"# Edges: 3\n3 2\n0 1\n1 2\n", "0-1:1 1-2:1 2-3:1"},
        {"# from,to\n0,1\n5,6\n5,7\n", "0-1:1 2-3:1 2-4:1"},
        {"\"0\",\"1\"\n\"5\",\"6\"\n\"5\",\"7\"\n", "0-1:1 2-3:1 2-4:1"},
        // The second row begins with an end of the first one.
        {"3 2\n2 1\n1 0\n", "0-1:1 1-2:1 2-3:1"},
        {"3 2\n3 1\n3 0\n", "0-3:1 1-3:1 2-3:1"},
        {"5 4\n4 3\n3 2\n2 1\n1 0\n", "0-1:1 1-2:1 2-3:1 3-4:1 4-5:1"},
        {"3 1\n1 2\n", "0-1:1 0-2:1"},
        {"7 1\n1 2\n", "0-1:1 0-2:1"},
        // The vertices below are not those of a graph of so many, or too few of them.
        {"3 4\n0 1\n1 2\n2 3\n1 3\n", "0-1:1 1-2:1 1-3:1 2-3:1 3-4:1"},
        {"3 2\n1 9\n9 1\n", "0-3:1 0-3:1 1-2:1"},
        {"7 2\n1 3\n3 4\n", "0-2:1 1-4:1 2-3:1"}}) {
    EXPECT_EQ(text_of(text), std::string("undirected ") + edges) << text;
  }
  EXPECT_EQ(text_of("3 2\n0 1\n1 2\n", {.format = GraphFormat::edge_list}),
            "undirected 0-1:1 1-2:1 2-3:1");
  EXPECT_THAT(fails("3 2\n0 1 5\n1 2 6\n"), HasSubstr("numbers of vertices and edges (3 2)"));
  EXPECT_THAT(fails("a b\n0 1 5\n1 2 6\n"), Not(HasSubstr("numbers of vertices")));
}

TEST(EdgeList, DoubtsAreSaid) {
  const auto remarks = [](const std::string& text) {
    const Graph graph = parse(text, "e.csv");
    return std::vector<std::string>(graph.remarks().begin(), graph.remarks().end());
  };
  EXPECT_THAT(remarks("# Nodes: 3 Edges: 5\n0 1\n1 2\n"),
              ElementsAre(HasSubstr("5 edges, and the file has 2")));
  EXPECT_THAT(remarks("% sym weighted\n% 3 3 3\n1 2 5\n2 3 6\n"),
              ElementsAre(HasSubstr("3 edges, and the file has 2")));
  EXPECT_THAT(remarks("# Nodes: 3 Edges: 2\n0 1\n1 2\n"), IsEmpty());
  EXPECT_THAT(remarks("1,Rome\n2,Oslo\n"), ElementsAre(HasSubstr("no vertex is in two rows")));
  EXPECT_THAT(remarks("# Nodes: 4 Edges: 2\n0 1\n1 2\n"), IsEmpty()) << "vertex 3 has no edge";
  EXPECT_THAT(remarks("a,a,0\na,b,0\nb,c,3\n"), ElementsAre(HasSubstr("rows of weight 0")));
  EXPECT_THAT(remarks("a,b,0\nb,c,-3\n"), ElementsAre(HasSubstr("rows of weight 0")));
  EXPECT_THAT(remarks("a,a,0\na,b,2\nb,b,0\nb,c,3\n"), IsEmpty());
  EXPECT_THAT(remarks("# Number of Edges: 1\n0 1\n1 2\n"),
              ElementsAre(HasSubstr("counts 1 edge, and the file has 2")));
  for (const char* const comment :
       {"Duplicate Edges: 0", "Edges: 1.5M rows", "Edges: 15k", "HyperEdges: 9", "Edges: 2."}) {
    EXPECT_THAT(remarks(std::string("# ") + comment + "\n0 1\n1 2\n"), IsEmpty()) << comment;
  }
  EXPECT_THAT(remarks("# Undirected, Nodes: 3 Edges: 3\n0 1\n1 0\n1 2\n2 1\n2 2\n"), IsEmpty())
      << "the comment counts pairs, and the rows are both directions";
  EXPECT_THAT(remarks("1 2 1082040961000\n2 3 1082040962000\n"),
              ElementsAre(HasSubstr("look like times")));
}

TEST(EdgeList, FourColumnsWhoseFirstCounts) {
  EXPECT_EQ(text_of("0 0 1 0.5\n1 1 2 7\n"), "undirected 0-1:0.5 1-2:7");
  expect_failures([](const std::string& text) { return fails(text); },
                  {{"0 0 1 0.5\n2 1 2 7\n", ":2:1: "},
                   {"3 0 1 0.5\n", ":1:1: "},
                   {"0 a b 0.5\n", ":1:1: "},
                   {"1\n", ":1:1: "}});
}

TEST(EdgeList, ColumnsByOption) {
  EXPECT_EQ(text_of("9 0 x 1 5\n9 1 x 2 6\n", columns(2, 4, 5)), "undirected 0-1:5 1-2:6");
  EXPECT_EQ(text_of("5,0,1\n6,1,2\n", columns(2, 3, 1)), "undirected 0-1:5 1-2:6");
  EXPECT_EQ(text_of("0 1 77\n", columns(1, 2, 0)), "undirected 0-1:1");
  EXPECT_EQ(text_of("0,,1,\n", columns(1, 3, 0)), "undirected 0-1:1");
  EXPECT_EQ(names(parse("a b friend\n", "e.txt", columns(1, 2, 0))), "a b");
  EXPECT_THAT(fails("0 1 5\n", columns(1, 2, 4)), StartsWith("e.txt:1:1: column 4 is asked for"));
  for (const ReadOptions& bad :
       {columns(0, 1, 2), columns(1, 1, 2), columns(1, 2, 2), columns(1, 2, -1)}) {
    EXPECT_THROW(parse("0 1 5\n", "e.txt", bad), Error);
  }
}

TEST(EdgeList, RefusesWrongRows) {
  expect_failures([](const std::string& text) { return fails(text); },
                  {{"0 1 5\n1 2\n", ":2:3: "},
                   {"0 1\n1 2 7\n", ":2:5: "},
                   {"0 1 5\n1 2 x\n", ":2:5: "},
                   {"0 1 5\n1 2 5x\n", ":2:5: "},
                   {"0 1 5\n1 2 nan\n", ":2:5: "},
                   {"0 1 5\n1 2 inf\n", "is not finite"},
                   {"0 1 1e999\n", ":1:5: "},
                   {"0 1 99999999999999999\n", "beyond 2^53"},
                   {"0,,5\n", ":1:3: "},
                   {"0,1,\n", ":1:5: "},
                   {"0 \"1\n", ":1:3: "},
                   {"\"0\"x 1\n", ":1:4: "},
                   {"\"0\" x,y\n", "may both separate"}});
}

TEST(EdgeList, RefusesEmptyFiles) {
  EXPECT_EQ(fails(""), "e.txt: the file is empty");
  EXPECT_THAT(fails("# words\n\n"), StartsWith("e.txt:1:8: the file has no edges, and does not"));
  EXPECT_THAT(fails("source,target\n"), HasSubstr("no edges"));
}

TEST(EdgeList, AnnotationsNumberTheVertices) {
  EXPECT_EQ(names_of("# apsp:vertices 4\n1 2\n"), "0 1 2 3");
  EXPECT_EQ(names_of("# apsp:vertices 4\n# apsp:first-id 1\n1 2\n"), "1 2 3 4");
  EXPECT_EQ(names_of("0 1\n# apsp:vertices 3\n"), "0 1 2");
  EXPECT_EQ(names_of("#apsp:vertices 2\n#apsp:label 1 b c \n#apsp:label 0 x\\n\\\\\n0 1\n"),
            "x\n\\ b c ");
  expect_failures([](const std::string& text) { return fails(text); },
                  {{"# apsp:vertices 2\n0 1\n1 2\n", ":3:3: "},
                   {"# apsp:vertices 2\n# apsp:first-id 1\n0 1\n", ":3:1: "},
                   {"# apsp:vertices 2\na 1\n", ":2:1: "},
                   {"# apsp:first-id 1\n1 3\n", "need an apsp:vertices"},
                   {"# apsp:label 1 x\na b\n", "need an apsp:vertices"}});
}

// Plain integers have a fast reader; one quotation mark selects the other reader.
TEST(EdgeList, BothWaysThroughTheReaderAgree) {
  struct Rows {
    std::string comments, first_id, rest;
  };
  for (const Rows& rows :
       {Rows{"", "0", " 1 5\n2 1 6\n"}, Rows{"", "1", " 2 5\n2 3 6\n"},
        Rows{"", "10", ",7,0.5\n7,3,-2\n"}, Rows{"# directed\n", "0", " 0 1e3\n"},
        Rows{"# Nodes: 9\n", "0", "\t5\r\n"}, Rows{"", "4294967294", " 1 5\n"},
        Rows{"# apsp:vertices 9\n# apsp:first-id 1\n", "9", " 1 5\n"},
        Rows{"", "5", " 8\n# Directed\n8 900\n"}}) {
    const Graph short_way = parse(rows.comments + rows.first_id + rows.rest, "e.txt");
    const Graph long_way = parse(rows.comments + '"' + rows.first_id + '"' + rows.rest, "e.txt");
    EXPECT_EQ(short_way.digest(), long_way.digest()) << rows.first_id << rows.rest;
  }
}

TEST(EdgeList, ManyNamesAndVertices) {
  std::string numbers, words;
  constexpr int kCount = 5003;
  for (int i = 0; i < kCount; ++i) {
    numbers += fmt::format("{} {}\n", i, (i * 7) % kCount);
    words += fmt::format("v{} v{}\n", i, (i * 7) % kCount);
  }
  EXPECT_EQ(parse(numbers, "e.txt").vertex_count(), kCount);
  const Graph graph = parse(words, "e.txt");
  EXPECT_EQ(graph.vertex_count(), kCount);
  EXPECT_EQ(graph.edge_count(), kCount);
  EXPECT_TRUE(graph.find("v5002").has_value());
}

TEST(EdgeList, ADirectionToldBehindTheRowsHoldsForAll) {
  EXPECT_EQ(describe(parse("0 1 5\n1 2 6\n# directed\n", "x.txt")), "directed 0-1:5 1-2:6");
  EXPECT_EQ(describe(parse("a b 5\nb c 6\n# directed\n", "x.txt")), "directed 0-1:5 1-2:6");
  EXPECT_EQ(describe(parse("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 5\n"
                           "% apsp:undirected\n",
                           "x.mtx")),
            "undirected 0-1:5");
}

}  // namespace
}  // namespace apsp::io::edge_list_test
