// Columns by their titles: in tables of edges, and by `choose_columns`.
#include "io/titles.hpp"

#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::titles_test {
namespace {

using Titles = std::vector<std::string>;

std::vector<int> chosen(const Titles& titles, const ReadOptions& options = {}) {
  const TableColumns columns = choose_columns(titles, options);
  return {columns.from, columns.to, columns.weight};
}

std::vector<std::string> remarks_of(const Graph& graph) {
  return {graph.remarks().begin(), graph.remarks().end()};
}

std::string edges(const std::string& text, const ReadOptions& options = {}) {
  return describe(parse(text, "t.csv", options));
}

/// 3,000 rows with titles, read by all threads, or one by one, because of the marks in `note`.
std::string many_rows(bool quoted, const std::string& note = "x") {
  constexpr std::string_view kWays[] = {"yes", "False", "-1", "0", "1", "reverse", ""};
  std::string text = "oneway,u,v,cost,back,note\n";
  for (int i = 0; i < 3000; ++i) {
    const std::string from = "n" + std::to_string(i % 61);
    text += std::string(kWays[i % 7]) + "," + (quoted ? "\"" + from + "\"" : from) + ",n" +
            std::to_string(i * i % 67) + "," + std::to_string(i % 5 - 1) + "," +
            std::to_string(i % 11 - 2) + "," + note + "\n";
  }
  return text;
}

TEST(Titles, RowsWithDirectionsAreReadInParallelAsOneByOne) {
  const EdgeListColumns columns{"u", "v", "cost"};
  for (ReadOptions options : {ReadOptions{.reverse_cost = "back"}, ReadOptions{.oneway = "oneway"},
                              ReadOptions{.oneway = "oneway", .reverse_cost = "back"}}) {
    options.columns = columns;
    const std::string one_by_one = edges(many_rows(true, "\"a \"\"b\"\"\""), options);
    EXPECT_EQ(edges(many_rows(false), options), one_by_one);
    EXPECT_EQ(edges(many_rows(true), options), one_by_one);
  }
}

TEST(Titles, AMissingDirectionIsBothAndTruthMayBeANumberWithAPoint) {
  EXPECT_EQ(edges("u,v,length,oneway\n1,2,5,1.0\n2,3,4,0.0\n3,4,1,-1.0\n4,5,2,\n5,6,7,NA\n",
                  {.oneway = "oneway"}),
            "directed 0-1:5 1-2:4 2-1:4 3-2:1 3-4:2 4-3:2 4-5:7 5-4:7");
  EXPECT_EQ(failing_at("u,v,bidirectional\n1,2,\n", "t.csv", {.oneway = "bidirectional"}), "2:5");
}

TEST(Titles, AColumnMaySayThatEdgesHaveBothDirections) {
  const std::string text =
      "pathway_id,from_stop_id,to_stop_id,is_bidirectional,length\np,1,2,0,5\nq,2,3,1,4\n";
  const ReadOptions given{.columns = EdgeListColumns{"from_stop_id", "to_stop_id", "length"},
                          .oneway = "is_bidirectional"};
  EXPECT_EQ(edges(text, given), "directed 0-1:5 1-2:4 2-1:4");
  EXPECT_THAT(
      choose_columns(Titles{"from_stop_id", "to_stop_id", "length", "is_bidirectional"}).remarks,
      ElementsAre(HasSubstr("`oneway=is_bidirectional`")));
  EXPECT_EQ(failing_at("u,v,bidirectional\n1,2,-1\n", "t.csv", {.oneway = "bidirectional"}), "2:5");
}

TEST(Titles, NameTheEndsInAnyOrder) {
  EXPECT_EQ(names(parse("child,parent\nA,B\nB,C\n", "t.csv")), "B A C");
  EXPECT_THAT(chosen({"source", "target"}), ElementsAre(0, 1, -1));
  EXPECT_THAT(chosen({"weight", "source", "target"}), ElementsAre(1, 2, 0));
  EXPECT_THAT(chosen({"to", "from", "minutes"}), ElementsAre(1, 0, 2));
  EXPECT_THAT(chosen({"FromNodeId", "ToNodeId"}), ElementsAre(0, 1, -1));
  EXPECT_THAT(chosen({"node_2", "Node_1"}), ElementsAre(1, 0, -1));
  EXPECT_THAT(chosen({"O", "D"}), ElementsAre(0, 1, -1));
  EXPECT_THAT(chosen({"origin", "dest", "cost"}), ElementsAre(0, 1, 2));
  EXPECT_THAT(chosen({"source_id", "target_id", "w"}), ElementsAre(0, 1, 2));
  EXPECT_THAT(chosen({"u", "v", "d"}), ElementsAre(0, 1, 2));
}

TEST(Titles, OfAWeightAreSaidUnlessTheyAreUsual) {
  EXPECT_THAT(choose_columns(Titles{"u", "v", "length"}).remarks, IsEmpty());
  EXPECT_THAT(choose_columns(Titles{"u", "v", "influence"}).remarks,
              ElementsAre("the column 'influence' is taken as the weight"));
  EXPECT_THAT(chosen({"u", "v", "capacity", "weight"}), ElementsAre(0, 1, 3));
}

TEST(Titles, ThatLeaveAChoiceAreRefused) {
  EXPECT_ERROR(input, choose_columns(Titles{"u", "v", "key", "length"}));
  EXPECT_ERROR(input, choose_columns(Titles{"source", "target", "u", "v"}));
  for (const Titles& titles : {Titles{"source", "target", "source", "weight"},
                               Titles{"source_name", "source_id", "target_name", "target_id"},
                               Titles{"source", "target", "weight", "Weight"},
                               Titles{"source", "target", "weight", "weight"}}) {
    EXPECT_ERROR(input, choose_columns(titles)) << titles[0];
  }
  EXPECT_THAT(chosen({"from_name", "from", "to", "to_name", "weight"}), ElementsAre(1, 2, 4));
  EXPECT_ERROR(input, choose_columns(Titles{"head", "tail", "weight"}));
  EXPECT_ERROR(input, choose_columns(Titles{"", "a", "b", "c"}));
}

TEST(Titles, OfRowNumbersAreNoWeights) {
  EXPECT_THAT(chosen({"", "source", "target"}), ElementsAre(1, 2, -1));
  EXPECT_THAT(choose_columns(Titles{"", "source", "target"}).remarks,
              ElementsAre("column 1 has no title and is not used"));
  EXPECT_THAT(chosen({"Unnamed: 0", "source", "target"}), ElementsAre(1, 2, -1));
  EXPECT_THAT(chosen({"u", "v", "key"}), ElementsAre(0, 1, -1));
}

TEST(Titles, OfDirectionsAreNeverIgnoredInSilence) {
  EXPECT_THAT(chosen({"u", "v", "oneway"}), ElementsAre(0, 1, -1));
  EXPECT_THAT(choose_columns(Titles{"u", "v", "oneway"}).remarks,
              ElementsAre(HasSubstr("`oneway=oneway`")));
  EXPECT_THAT(choose_columns(Titles{"source", "target", "cost", "reverse_cost"}).remarks,
              ElementsAre(HasSubstr("`reverse_cost=reverse_cost`")));
  const TableColumns columns =
      choose_columns(Titles{"u", "v", "cost", "back"}, {.reverse_cost = "back"});
  EXPECT_EQ(columns.weight, 2);
  EXPECT_EQ(columns.reverse_cost, 3);
}

TEST(Titles, AreNamedByTheOption) {
  const auto named = [](Column from, Column to, Column weight) {
    return ReadOptions{.columns = EdgeListColumns{from, to, weight}};
  };
  const Titles titles = {"u", "v", "key", "length", "key"};
  EXPECT_THAT(chosen(titles, named("v", "u", "length")), ElementsAre(1, 0, 3));
  EXPECT_THAT(chosen(titles, named(1, "v", 0)), ElementsAre(0, 1, -1));
  EXPECT_ERROR(input, choose_columns(titles, named("u", "v", "Length")));
  EXPECT_ERROR(input, choose_columns(titles, named("u", "v", "key")));
  EXPECT_ERROR(input, choose_columns(titles, named(1, 2, 6)));
  EXPECT_EQ(error_of([&] { choose_columns(titles, named("u", "u", 0)); }).kind(), ErrorKind::usage);
}

TEST(TitledTable, IsReadByItsTitles) {
  EXPECT_EQ(edges("weight,source,target\n3,1,2\n1,2,3\n"), "undirected 0-1:3 1-2:1");
  EXPECT_EQ(edges("to,from,minutes\n20,10,5\n30,20,2\n", {.directed = true}),
            "directed 0-1:5 1-2:2");
  EXPECT_EQ(edges(",source,target\n0,0,1\n1,1,2\n2,2,3\n"), "undirected 0-1:1 1-2:1 2-3:1");
  EXPECT_EQ(edges("node_1,node_2\n0,1\n1,2\n"), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(edges("from,to,influence\nA,B,0.5\nB,C,0.25\n"), "undirected 0-1:0.5 1-2:0.25");
  EXPECT_EQ(edges("\"\",\"from\",\"to\"\n\"1\",\"a\",\"b\"\n"), "undirected 0-1:1");
}

TEST(TitledTable, UnknownTitlesAboveNumbersAreRemarkedOn) {
  const Graph graph = parse("stop_a,stop_b\n0,1\n1,2\n", "t.csv");
  EXPECT_EQ(describe(graph), "undirected 0-1:1 1-2:1");
  EXPECT_THAT(remarks_of(graph), Contains(HasSubstr("taken as titles: 'stop_a,stop_b'")));
  EXPECT_EQ(names(parse("a b\nc d\n", "t.txt")), "a b c d");
  EXPECT_EQ(names(parse("a b\nc 18\nb c\n", "t.txt")), "a b c 18");  // a vertex may be a number
}

TEST(TitledTable, CommentsAboveTheFirstRowMayBeTitles) {
  EXPECT_EQ(edges("#source weight target\n1 3 2\n2 1 3\n"), "undirected 0-1:3 1-2:1");
  EXPECT_EQ(edges("# FromNodeId\tToNodeId\n0\t1\n"), "undirected 0-1:1");
  EXPECT_THAT(remarks_of(parse("# FromNodeId\tToNodeId\n0\t1\n", "t.txt")), IsEmpty());
  EXPECT_EQ(edges("# from here to there\n0 1 5\n"), "undirected 0-1:5");
  EXPECT_EQ(edges("# target source\n\n# words\n0 1\n", {.directed = true}), "directed 0-1:1");
  EXPECT_EQ(edges("# target source\n0 1\n", {.directed = true}), "directed 1-0:1");
}

TEST(TitledTable, ColumnsByNameOrNumber) {
  const std::string text = "u,v,key,length\n10,20,0,5.5\n20,30,0,2.5\n";
  EXPECT_EQ(edges(text, {.columns = EdgeListColumns{1, 2, 0}}), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(edges(text, {.columns = EdgeListColumns{"u", "v", "length"}}),
            "undirected 0-1:5.5 1-2:2.5");
  EXPECT_EQ(failing_at(text, "t.csv"), "1:1");
  EXPECT_EQ(failing_at(text, "t.csv", {.columns = EdgeListColumns{"u", "v", "km"}}), "1:1");
  EXPECT_EQ(edges(text, {.weight = "length"}), "undirected 0-1:5.5 1-2:2.5");
  EXPECT_EQ(edges(text, {.weight = "none"}), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(failing_at(text, "t.csv", {.weight = "km"}), "1:1");
  const ReadOptions twice = {.columns = EdgeListColumns{1, 2, 4}, .weight = "length"};
  EXPECT_EQ(error_of([&] { edges(text, twice); }).kind(), ErrorKind::usage);
  // A requested name makes the first row titles, whatever it holds.
  EXPECT_EQ(edges("2019,2020\n1,2\n", {.columns = EdgeListColumns{Column("2019"), 2, 0}}),
            "undirected 0-1:1");
}

TEST(TitledTable, OnewayGivesEveryRowItsDirection) {
  const std::string text = "u,v,length,oneway\na,b,1,yes\nb,c,2,False\nc,d,3,-1\n";
  EXPECT_EQ(edges(text, {.oneway = "oneway"}), "directed 0-1:1 1-2:2 2-1:2 3-2:3");
  EXPECT_EQ(failing_at("u,v,length,oneway\na,b,1,maybe\n", "t.csv", {.oneway = "oneway"}), "2:7");
  EXPECT_EQ(error_of([&] { edges(text, {.directed = false, .oneway = "oneway"}); }).kind(),
            ErrorKind::usage);
}

TEST(TitledTable, OneLetterOfADirectionIsReadWhereItHasOneMeaning) {
  const auto by = [](const std::string& letter) { return "u,v,oneway\na,b," + letter + "\n"; };
  const ReadOptions options{.oneway = "oneway"};
  EXPECT_EQ(edges(by("t"), options), "directed 0-1:1");  // PostgreSQL
  EXPECT_EQ(edges(by("f"), options), "directed 0-1:1 1-0:1");
  EXPECT_EQ(edges(by("B"), options), "directed 0-1:1 1-0:1");  // Geofabrik, whose F is forward
  EXPECT_EQ(failing_at(by("F"), "t.csv", options), "2:5");
  EXPECT_EQ(failing_at(by("T"), "t.csv", options), "2:5");
}

TEST(TitledTable, ATypeOfGephiInAnyOfTheFirstRowsCounts) {
  EXPECT_EQ(edges("Source,Target,Type,Weight\na,b,,1\nb,c,Directed,2\n"),
            "directed 0-1:1 1-0:1 1-2:2");
  EXPECT_EQ(failing_at("Source,Target,Type,Weight\na,b,Mutual,1\nb,c,Directed,2\n", "t.csv"),
            "2:5");
  EXPECT_EQ(edges("Source,Target,Type,Weight\na,b,road,1\n"), "undirected 0-1:1");
}

TEST(TitledTable, AWeightIsNoEnd) {
  EXPECT_EQ(failing_at("node,weight\nA,5\nB,6\n", "t.csv"), "1:1");
  EXPECT_EQ(failing_at("target,weight\nA,5\nB,6\n", "t.csv"), "1:1");
  EXPECT_EQ(failing_at("weight,a,b\n5,A,B\n", "t.csv"), "1:1");
}

TEST(TitledTable, ACostOfARowIsNoCostOfTheWayBack) {
  EXPECT_EQ(edges("\"a.name\",\"b.name\",\"r.cost\"\n\"X\",\"Y\",\"2.5\"\n"), "undirected 0-1:2.5");
}

TEST(TitledTable, TypesOfGephiAreDirections) {
  const std::string head = "Source,Target,Type,Id,Weight\n1,2,";
  const auto graph = [&](const std::string& rest, const ReadOptions& options = {}) {
    return parse(head + rest, "t.csv", options);
  };
  EXPECT_EQ(describe(graph("Directed,0,5\n")), "directed 0-1:5");
  EXPECT_EQ(describe(graph("Undirected,0,5\n")), "undirected 0-1:5");
  EXPECT_EQ(describe(graph("road,0,5\n")), "undirected 0-1:5");
  EXPECT_THAT(remarks_of(graph("Directed,0,5\n")), Contains(HasSubstr("'Type' says which")));
  const std::string mixed = "Directed,0,5\n2,3,Undirected,1,6\n";
  EXPECT_EQ(describe(graph(mixed)), "directed 0-1:5 1-2:6 2-1:6");
  EXPECT_EQ(describe(graph(mixed, {.directed = false})), "undirected 0-1:5 1-2:6");
  EXPECT_EQ(describe(graph("Directed,0,5\n", {.directed = false})), "undirected 0-1:5");
  EXPECT_EQ(describe(graph(mixed, {.oneway = "Type"})), "directed 0-1:5 1-2:6 2-1:6");
}

TEST(TitledTable, RowsThatCountNeedNoTitleForTheirNumbers) {
  for (const char* const text :
       {"\"from\" \"to\" \"w\"\n\"1\" \"a\" \"b\" 3\n\"2\" \"b\" \"c\" 4\n",
        "  from to w\n0 a b 3\n1 b c 4\n"}) {
    const Graph graph = parse(text, "t.txt");
    EXPECT_EQ(names(graph), "a b c") << text;
    EXPECT_EQ(describe(graph), "undirected 0-1:3 1-2:4") << text;
    EXPECT_THAT(remarks_of(graph), Contains(HasSubstr("column 1 has no title and is not used")));
  }
  EXPECT_EQ(edges("from,to,km,w\n1,a,b,3,7\n2,b,c,4,8\n",
                  {.columns = EdgeListColumns{"from", "to", "km"}}),
            "undirected 0-1:3 1-2:4");
  expect_places("t.csv", {{"from,to\nx,a,b\n", "2:5"},
                          {"from,to\n2,a,b\n", "2:5"},
                          {"from,to,w\n1,a,b,3\n3,b,c,4\n", "2:7"},
                          {"from,to,w\n1,2,5,\n2,3,6,\n", "2:7"},
                          {"from,to\n1,a,b\n", "2:5"},
                          {"from,to\n1,2,5\n2,3,6\n3,4,7\n", "2:5"}});
  EXPECT_EQ(edges("from,to\n,,\n\"1\",4,5\n,,\n\"2\",5,6\n"), "undirected 0-1:1 1-2:1");
}

TEST(TitledTable, LinesThatSpreadsheetsAddAreSkipped) {
  const std::string expected = "undirected 0-1:5 1-2:6";
  EXPECT_EQ(edges("sep=;\nsource;target;w\n1;2;5\n;;\n2;3;6\n;;\n ; ;\r\n"), expected);
  EXPECT_EQ(edges("\"sep=,\"\r\n,,\nfrom,to,w\n,,\na,b,5\nb,c,6\n,,"), expected);
  EXPECT_EQ(edges("a,b,5\n,,\nb,c,6\n,,\n"), expected);
  EXPECT_EQ(edges("sep=;\n,P,Q\nP,0,4\nQ,4,0\n"), "undirected 0-1:4");
  EXPECT_EQ(describe(parse("sep=ab c 5\n", "t.txt")), "undirected 0-1:5");
  EXPECT_EQ(describe(parse("sep=a    b\nb c\n", "t.txt")), "undirected 0-1:1 1-2:1");
  for (const char* const line : {"SEP=;", "sep=;;;", "\"sep=;\";;"})
    EXPECT_EQ(edges(line + std::string("\nA;B;km\n;;\n1;2;5\n2;3;6\n")), expected) << line;
  EXPECT_EQ(names(parse("a b\nb c\n; ;;\n", "t.txt")), "a b c ; ;;");
  EXPECT_EQ(names(parse("a,;\n;,b\nb,c\n", "t.csv")), "a ; b c");
  EXPECT_EQ(failing_at("from,to,w\na,b,5\n,,6\n", "t.csv"), "3:1");
}

TEST(TitledTable, ReverseCostGivesTheWayBack) {
  const std::string text = "source,target,cost,reverse_cost\n1,2,5,7\n2,3,4,-1\n1,3,-1,9\n";
  EXPECT_EQ(edges(text, {.reverse_cost = "reverse_cost"}), "directed 0-1:5 1-0:7 1-2:4 2-0:9");
  EXPECT_EQ(failing_at("source,target,cost,reverse_cost\n1,2,5,\n", "t.csv",
                       {.reverse_cost = "reverse_cost"}),
            "2:7");
}

TEST(MissingValues, AreNoVerticesAndNoWeights) {
  for (const char* const mark :
       {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A"}) {
    const std::string row = std::string("A,B,5\n") + mark + ",C,3\n";
    EXPECT_EQ(failing_at(std::string("A,B,5\nC,") + mark + ",3\n", "t.csv"), "2:3") << mark;
    EXPECT_EQ(failing_at(std::string("A,B,5\nC,D,") + mark + "\n", "t.csv"), "2:5") << mark;
  }
  EXPECT_EQ(failing_at("A,B,NA\nB,C,3\nC,D,4\n", "t.csv"), "1:5");
  EXPECT_EQ(failing_at("A,B,null\n2,B,12\n", "t.csv"), "1:5");
  EXPECT_EQ(names(parse("A,\"NA\",5\n\"null\",A,3\n", "t.csv")), "A NA null");
  EXPECT_EQ(names(parse("A,Nancy,5\nnull1,none,3\n", "t.csv")), "A Nancy null1 none");
}

TEST(VertexIdsInTables, IntegersAreNumbersHoweverTheyAreWritten) {
  EXPECT_EQ(edges("source,target,weight\n1,2.0,5\n2,3.0,4\n3,4.0,1\n"),
            "undirected 0-1:5 1-2:4 2-3:1");
  EXPECT_EQ(names(parse("1e+05 7\n100000 8.0\n", "t.txt")), "7 8 100000");
  EXPECT_EQ(names(parse("3 -1\n-10 2.0\n", "t.txt")), "-10 -1 2 3");
  EXPECT_EQ(names(parse("9007199254740993 9007199254740992\n", "t.txt")),
            "9007199254740992 9007199254740993");
  EXPECT_EQ(names(parse("2.5 2\n", "t.txt")), "2.5 2");
  EXPECT_EQ(edges("1 1.0 5\n"), "undirected 0-0:5");
}

TEST(VertexIdsInTables, OneNumberInTwoFormsAmongNamesIsRefused) {
  EXPECT_EQ(failing_at("7 x\n007 y\n", "t.txt"), "2:1");
  EXPECT_EQ(failing_at("2 x\n2.0 y\n", "t.txt"), "2:1");
  EXPECT_EQ(failing_at("1e20 1\n", "t.txt"), "1:1");
  EXPECT_EQ(names(parse("7 x\n007 y\n", "t.txt", {.ids = VertexIds::text})), "7 x 007 y");
  EXPECT_EQ(names(parse("2 1\n1 2.0\n", "t.txt", {.ids = VertexIds::text})), "2 1 2.0");
  EXPECT_EQ(names(parse("7 8\n007 +9\n", "t.txt", {.ids = VertexIds::number})), "7 8 9");
  EXPECT_EQ(failing_at("7 x\n", "t.txt", {.ids = VertexIds::number}), "1:3");
}

TEST(VertexIdsInTables, NamesMayBeTheTablesOwnWords) {
  EXPECT_EQ(names(parse("\"from\",to,3\nto,x,4\n", "t.csv")), "from to x");
}

TEST(TableDirection, IsWhatCommentsState) {
  const auto direction = [](const std::string& comment) {
    return parse(comment + "\n0 1 5\n", "t.txt").directed();
  };
  for (const char* const comment :
       {"# directed: true", "# directed = yes", "# directed: 1", "# Directed graph: x",
        "# a directed graph", "# undirected: false", "% asym unweighted", "# Directed"}) {
    EXPECT_TRUE(direction(comment)) << comment;
  }
  for (const char* const comment : {"# directed: false", "# directed=no", "# directed: 0",
                                    "# not directed", "# not a directed graph", "# non-directed",
                                    "% sym unweighted", "# this file is directed at beginners"}) {
    EXPECT_FALSE(direction(comment)) << comment;
  }
  EXPECT_THAT(remarks_of(parse("# the file was directed here\n0 1\n", "t.txt")),
              ElementsAre(HasSubstr("does not say that the graph is directed or not")));
}

TEST(TableDirection, RowsOfOnePairThatDifferAreRemarkedOn) {
  const auto remarks = [](const std::string& text, const ReadOptions& options = {}) {
    return remarks_of(parse(text, "t.txt", options));
  };
  EXPECT_THAT(remarks("0 1 5\n1 0 6\n"), ElementsAre(HasSubstr("as of '0' and '1'")));
  EXPECT_THAT(remarks("0 1 5\n0 2 6\n0 2 7\n"), ElementsAre(HasSubstr("`directed=true`")));
  EXPECT_THAT(remarks("0 1 5\n1 0 5\n"), IsEmpty());
  EXPECT_THAT(remarks("0 1 5\n1 0 6\n", {.directed = false}), IsEmpty());
  EXPECT_THAT(remarks("# undirected\n0 1 5\n1 0 6\n"), IsEmpty());
}

TEST(Titles, ListsOfVerticesAreNoEdges) {
  for (const char* text :
       {"id\nA\nB\n", "Id;Label\n1;Rome\n2;Oslo\n", "id,name,x,y\n1,Rome,12.5,41.9\n"}) {
    EXPECT_THAT(failure(text, "nodes.csv"), HasSubstr("no edges")) << text;
  }
  EXPECT_EQ(
      parse("id,a,b\n1,3,5\n", "e.csv", {.columns = EdgeListColumns{"a", "b", 0}}).edge_count(), 1);
}

TEST(Titles, OfManyColumnsNameTheEnds) {
  EXPECT_THAT(failure("SUID,interaction,name,weight\n72,pp,A (pp) B,2.5\n", "t.csv"),
              HasSubstr("usual titles"));
}

TEST(Weights, MayBeTimes) {
  EXPECT_THAT(remarks_of(parse("1 2 1082040961\n2 4 1082155839\n", "t.txt")),
              ElementsAre(HasSubstr("since 1970")));
}

TEST(Decimals, PointsMayBeMarksBetweenThousands) {
  EXPECT_THAT(failure("from;to;weight;min\nA;B;1.500;12,5\nB;C;950;3,25\n", "t.csv"),
              AllOf(HasSubstr("1.500"), HasSubstr("3,25")));
  EXPECT_THAT(remarks_of(parse("A;B;1.500\nB;C;12.250\n", "t.csv")),
              ElementsAre(HasSubstr("decimal")));
  for (const char* text : {"A;B;1.500\nB;C;12.25\n", "A;B;0.500\nB;C;0.250\n", "A;B;950\nB;C;12\n",
                           "from,to,weight,people\nA,B,1.500,\"1,234\"\n", "A,B,1.500\n"}) {
    EXPECT_THAT(remarks_of(parse(text, "t.csv")), Not(Contains(HasSubstr("decimal")))) << text;
  }
}

TEST(Konect, HeadersSayDirectionAndSize) {
  EXPECT_EQ(describe(parse("% asym unweighted\n% 3 3 3\n1 2\n2 3\n3 1\n", "out.x")),
            "directed 0-1:1 1-2:1 2-0:1");
  EXPECT_EQ(names(parse("% sym unweighted\n% 1 4 4\n1 2\n", "out.x")), "1 2 3 4");
  EXPECT_EQ(describe(parse("% sym weighted\n1 2\t5 1082040961\n2 3\t7 1082155839\n", "out.x")),
            "undirected 0-1:5 1-2:7");
}

TEST(Konect, SidesOfABipartiteGraphAreApart) {
  const Graph sized = parse("% bip unweighted\n% 3 2 3\n1 1\n2 1\n2 3\n", "out.x");
  EXPECT_EQ(names(sized), "left:1 left:2 right:1 right:2 right:3");
  EXPECT_EQ(describe(sized), "undirected 0-2:1 1-2:1 1-4:1");
  const Graph open = parse("% bip weighted\n1 1 2 100\n7 1 3 100\n", "out.x");
  EXPECT_EQ(names(open), "left:1 left:7 right:1");
  EXPECT_EQ(describe(open), "undirected 0-2:2 1-2:3");
  EXPECT_EQ(error_of([&] {
              parse("% bip unweighted\n1 1\n", "out.x", {.columns = EdgeListColumns{2, 1, 0}});
            }).kind(),
            ErrorKind::usage);
  EXPECT_EQ(failing_at("% bip unweighted\n% 3 2 3\n3 1\n", "out.x"), "3:1");
}

TEST(SnapHeaders, MayHaveCommasInTheirNumbers) {
  EXPECT_EQ(parse("# Nodes: 5,242 Edges: 2\n0 1\n1 2\n", "t.txt").vertex_count(), 5242);
  EXPECT_EQ(parse("# Nodes: 5, Edges: 2\n0 1\n1 2\n", "t.txt").vertex_count(), 5);
}

TEST(Encoding, ByteOrderMarksAndCarriageReturns) {
  using namespace std::string_literals;
  EXPECT_EQ(names(parse("\xFF\xFE\x41\0,\0\x42\0,\0\x35\0\n\0"s, "t.csv")), "A B");
  EXPECT_EQ(names(parse("\xFE\xFF\0A\0,\0B\0\n"s, "t.csv")), "A B");
  EXPECT_EQ(names(parse("\xFF\xFE\0\0A\0\0\0,\0\0\0B\0\0\0"s, "t.csv")), "A B");
  EXPECT_EQ(edges("1,2\r2,3\r"), "undirected 0-1:1 1-2:1");
  EXPECT_EQ(describe(parse("p sp 2 1\ra 1 2 3\r", "x.gr")), "directed 0-1:3");
}

TEST(Encoding, OtherTextsAreRefusedOrNamed) {
  const std::string text = "Jos\xE9;M\xFCnchen;5\n";
  EXPECT_EQ(failing_at(text, "t.csv"), "1:1");
  EXPECT_EQ(names(parse(text, "t.csv", {.encoding = "cp1252"})), "José München");
  const std::string without_mark("a\0,\0b\0\n\0", 8);
  EXPECT_THAT(failure(without_mark, "t.csv"), HasSubstr("`encoding=UTF-16LE`"));
  EXPECT_EQ(names(parse(without_mark, "t.csv", {.encoding = "UTF-16LE"})), "a b");
  EXPECT_THAT(failure("a b\n\xC3 c\n", "t.txt", {.encoding = "UTF-8"}), HasSubstr("line 2 is not"));
  EXPECT_EQ(error_of([&] { parse(text, "t.csv", {.encoding = "nonsense"}); }).kind(),
            ErrorKind::usage);
}

TEST(TextMatrix, WithNamesIsReadWhateverTheOrderOfItsRows) {
  for (const char* const text :
       {",P,Q,R\nP,0,4.5,0\nQ,4.5,0,2\nR,0,2,0\n", ",P,Q,R\nR,,2,\nQ,4.5,,2\nP,,4.5,\n"}) {
    const Graph graph = parse(text, "m.csv");
    EXPECT_EQ(names(graph), "P Q R") << text;
    EXPECT_EQ(describe(graph), "undirected 0-1:4.5 1-2:2") << text;
    EXPECT_THAT(remarks_of(graph), ElementsAre(HasSubstr("`zero=edge`"))) << text;
  }
  EXPECT_EQ(describe(parse(",P,Q\nP,0,4.5\nQ,4.5,0\n", "m.csv")), "undirected 0-1:4.5");
  EXPECT_EQ(describe(parse(",P,Q\nP,0,4.5\nQ,0,0\n", "m.csv")), "directed 0-1:4.5");
  EXPECT_EQ(describe(parse(",P,Q\nP,0,0\nQ,5,0\n", "m.csv", {.zero_is_edge = true})),
            "directed 0-1:0 1-0:5");
  EXPECT_EQ(names(parse(",0,1\n0,0,1\n1,1,0\n", "m.csv")), "0 1");
}

TEST(TextMatrix, WithoutNamesHasAtLeastFourRows) {
  EXPECT_EQ(describe(parse("0 1 0 2\n0 0 3 0\n0 0 0 4\n5 0 0 0\n", "m.txt")),
            "directed 0-1:1 0-3:2 1-2:3 2-3:4 3-0:5");
  EXPECT_EQ(failing_at("0 5 2\n5 0 1\n2 1 0\n", "m.txt"), "1:1");
  EXPECT_EQ(failing_at("0,4.5\n4.5,0\n", "m.csv"), "1:1");
  EXPECT_EQ(describe(parse("0 4.5\n4.5 0\n", "m.txt", {.format = GraphFormat::matrix})),
            "undirected 0-1:4.5");
  EXPECT_EQ(names(parse("0 4\n4 0\n", "m.txt", {.format = GraphFormat::edge_list})), "0 4");
  EXPECT_EQ(describe(parse("0 0 1 0.5\n1 1 2 7\n2 2 3 8\n3 3 0 9\n", "m.txt")),
            "undirected 0-1:0.5 0-3:9 1-2:7 2-3:8");
}

TEST(TextMatrix, RowsMayBeInTheOrderOfTitles) {
  const Graph graph = parse("P,Q,R,S\n0,4,0,0\n4,0,2,0\n0,2,0,1\n0,0,1,0\n", "m.csv");
  EXPECT_EQ(names(graph), "P Q R S");
  EXPECT_EQ(describe(graph), "undirected 0-1:4 1-2:2 2-3:1");
  const std::string small = "P,Q,R\n0,4,1\n4,0,2\n1,2,0\n";
  EXPECT_EQ(failing_at(small, "m.csv"), "1:1");
  EXPECT_EQ(describe(parse(small, "m.csv", {.format = GraphFormat::matrix})),
            "undirected 0-1:4 0-2:1 1-2:2");
  EXPECT_EQ(describe(parse("from,to,km\n0,4,1\n4,0,1\n0,0,0\n", "m.csv")),
            "undirected 0-0:0 0-1:1 0-1:1");
}

TEST(TextMatrix, TitlesMayCount) {
  const std::string rows = "0,4,0,0\n4,0,2,0\n0,2,0,1\n0,0,1,0\n";
  const std::string expected = "undirected 0-1:4 1-2:2 2-3:1";
  EXPECT_EQ(edges("0,1,2,3\n" + rows), expected);
  EXPECT_EQ(parse("1,2,3,4\n" + rows, "m.csv").first_id(), 1u);
  const std::string small = "0,1,2\n0,4,0\n4,0,2\n0,2,0\n";
  EXPECT_EQ(failing_at(small, "m.csv"), "1:1");
  EXPECT_EQ(edges(small, {.format = GraphFormat::matrix}), "undirected 0-1:4 1-2:2");
  EXPECT_EQ(edges(small, {.format = GraphFormat::edge_list}), "undirected 0-1:2 0-2:0 0-3:0 0-3:2");
}

TEST(TextMatrix, EntriesThatMayMeanNoEdgeAreSaid) {
  EXPECT_THAT(remarks_of(parse(",P,Q,R,S\nP,0,4,1000,1000\nQ,4,0,2,9\nR,1000,2,0,3\nS,1000,9,3,0\n",
                               "m.csv")),
              ElementsAre(HasSubstr("entries of 1000 (4) are edges")));
  const auto matrix = [](const std::string& far, const std::string& near) {
    return remarks_of(parse(
        ",P,Q,R\nP,0," + near + "," + far + "\nQ," + near + ",0,2\nR," + far + ",2,0\n", "m.csv"));
  };
  EXPECT_THAT(matrix("1000", "4"), ElementsAre(Not(HasSubstr("entries")))) << "one pair";
  EXPECT_THAT(matrix("999", "400"), ElementsAre(HasSubstr("entries of 999 (2) are edges")));
  EXPECT_THAT(matrix("998", "400"), ElementsAre(Not(HasSubstr("entries"))));
}

TEST(TextMatrix, EntriesOfMinusOneMayBeNoEdges) {
  const std::string text = ",P,Q,R\nP,0,4.5,-1\nQ,4.5,0,2\nR,-1,2,0\n";
  EXPECT_THAT(failure(text, "m.csv"), HasSubstr("`format=matrix`"));
  const Graph graph = parse(text, "m.csv", {.format = GraphFormat::matrix});
  EXPECT_EQ(describe(graph), "undirected 0-1:4.5 0-2:-1 1-2:2");
  EXPECT_THAT(remarks_of(graph), ElementsAre(HasSubstr("-1 (2)")));
  EXPECT_EQ(parse(",P,Q\nP,0,-1\nQ,-2,0\n", "m.csv").arc_count(), 2) << "other negative weights";
}

TEST(TextMatrix, RefusesWhatIsNoMatrix) {
  const ReadOptions matrix = {.format = GraphFormat::matrix};
  EXPECT_EQ(failing_at("0 1\n", "m.txt", matrix), "1:4");
  EXPECT_EQ(failing_at("0 1\n1\n", "m.txt", matrix), "2:1");
  EXPECT_EQ(failing_at("0 1\n1 0\n1 1\n", "m.txt", matrix), "3:1");
  EXPECT_EQ(failing_at(",P,Q\nP,0,1\nS,1,0\n", "m.csv", matrix), "3:1");
  EXPECT_EQ(failing_at(",P,Q\nP,0,1\nP,1,0\n", "m.csv", matrix), "3:1");
  EXPECT_EQ(failing_at(",P,P\nP,0,1\nP,1,0\n", "m.csv", matrix), "1:1");
  EXPECT_EQ(failing_at("0 x1\n1 0\n", "m.txt", matrix), "2:1");
  EXPECT_EQ(failing_at(",P,Q\nP,0,1\nQ,2,0\n", "m.csv", {.directed = false}), "3:6");
}

}  // namespace
}  // namespace apsp::io::titles_test
