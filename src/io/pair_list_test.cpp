// Lists of pairs, and errors in them.
#include "io/vertex_lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/io.hpp>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;

Graph named() {
  const std::string text = "Aachen,Bonn,30\nBonn,\"Köln, Deutz\",20\nfrom,to,1\n";
  ReadOptions options;
  options.format = GraphFormat::edge_list;
  options.columns = EdgeListColumns{1, 2, 3};
  return parse_graph(text, "graph.csv", options);
}

/// A graph without vertices that have names of columns.
Graph graph_named_otherwise() { return parse_graph(std::string("Aachen,Bonn,30\n"), "g.csv"); }

std::vector<VertexPair> pairs_of_text(const std::string& text, const Graph& graph) {
  const TemporaryFolder folder;
  write_bytes(folder / "pairs.csv", text);
  return read_pairs(folder / "pairs.csv", graph);
}

using Names = std::vector<std::pair<std::string, std::string>>;

Names names_of(const std::string& text, const Graph& graph) {
  Names names;
  for (const VertexPair& pair : pairs_of_text(text, graph)) {
    names.emplace_back(graph.name(pair.from), graph.name(pair.to));
  }
  return names;
}

TEST(PairList, IsCsvOrColumnsBetweenBlanks) {
  const Graph graph = graph_of(5, {{0, 1, 1}});
  const Names expected = {{"0", "4"}, {"3", "3"}};
  for (const char* const text :
       {"0,4\n3,3\n", "0 4\n3 3", "0\t4\r\n\r\n3\t3\r\n", "# pairs\nfrom,to\n0,4\n% more\n3,3\n",
        "source target\n 0 4\n 3 3\n", "from,to,distance\n0,4,7\n3,3,0\n",
        "\xEF\xBB\xBF"
        "0,4\n3,3\n"}) {
    EXPECT_EQ(names_of(text, graph), expected) << text;
  }
  EXPECT_EQ(names_of("from,to\n", graph), Names());
}

TEST(PairList, NamesVerticesAsTheGraphDoes) {
  const Graph graph = named();
  const Names expected = {{"Bonn", "Köln, Deutz"}, {"from", "to"}};
  EXPECT_EQ(names_of("Bonn,\"Köln, Deutz\"\nfrom,to\n", graph), expected);
  // A row of titles that are also vertices is a pair.
  EXPECT_EQ(names_of("from,to\nBonn,Aachen\n", graph), (Names{{"from", "to"}, {"Bonn", "Aachen"}}));
}

TEST(PairList, TitlesSayWhichEndIsWhich) {
  const Graph graph = named();
  const Names expected = {{"Bonn", "Aachen"}};
  for (const char* const text :
       {"O,D\nBonn,Aachen\n", "target,source\nAachen,Bonn\n", "Start,Ziel\nBonn,Aachen\n",
        "minutes,from,to\n7,Bonn,Aachen\n", "to\tfrom\nAachen\tBonn\n"}) {
    const bool named_too = std::string(text).find("from") != std::string::npos;
    EXPECT_EQ(names_of(text, named_too ? graph_named_otherwise() : graph), expected) << text;
  }
}

TEST(PairList, ErrorsSayWhere) {
  const Graph graph = named();
  const auto failure = [&](const std::string& text) {
    return error_of([&] { pairs_of_text(text, graph); });
  };
  const Error unknown = failure("from,to\nBonn,Aachen\nBonn,Trier\n");
  EXPECT_EQ(unknown.kind(), ErrorKind::input);
  EXPECT_THAT(unknown.what(), HasSubstr("unknown vertex 'Trier'; vertices are Aachen to"));
  EXPECT_EQ(unknown.location().line, 3);
  EXPECT_EQ(unknown.location().column, 6);
  EXPECT_THAT(failure("Bonn\n").what(), HasSubstr("one column: a pair is 'from to'"));
  EXPECT_THAT(failure("").what(), HasSubstr("the file is empty"));
  const Graph none = graph_of(0, {});
  EXPECT_THAT(error_of([&] { pairs_of_text("1 2", none); }).what(),
              HasSubstr("the graph has none"));
  EXPECT_EQ(error_of([&] { read_pairs("/nowhere/at/all", graph, {}); }).kind(),
            ErrorKind::input_output);
}

}  // namespace
}  // namespace apsp::io
