// Lists of vertices, and errors in them.
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
  const std::string text = "Aachen,Bonn,30\nBonn,\"Köln, Deutz\",20\nBad Ems,source,1\n";
  ReadOptions options;
  options.format = GraphFormat::edge_list;
  options.columns = EdgeListColumns{1, 2, 3};
  return parse_graph(text, "graph.csv", options);
}

std::vector<Vertex> vertices_of_text(const std::string& text, const Graph& graph) {
  const TemporaryFolder folder;
  write_bytes(folder / "list.txt", text);
  return read_vertices(folder / "list.txt", graph);
}

std::vector<std::string> names_of(const std::string& text, const Graph& graph) {
  std::vector<std::string> names;
  for (const Vertex v : vertices_of_text(text, graph)) names.push_back(graph.name(v));
  return names;
}

using Names = std::vector<std::string>;

TEST(VertexList, IsAVertexALineInItsOrder) {
  const Graph graph = graph_of(5, {{0, 1, 1}});
  for (const char* const text :
       {"4\n0\n3\n", "4\r\n0\r\n\r\n3", "# some\nnode\n 4 \n% more\n0\n\n3\n", "4,9\n0,8\n3,7\n",
        "source,target\n4,9\n0,8\n3,7\n", "4 a\n0\tb\n3\n"}) {
    EXPECT_EQ(names_of(text, graph), (Names{"4", "0", "3"})) << text;
  }
}

TEST(VertexList, NamesVerticesAsTheGraphDoes) {
  const Graph graph = named();
  EXPECT_EQ(names_of("Bad Ems\n\"Köln, Deutz\"\nAachen\n", graph),
            (Names{"Bad Ems", "Köln, Deutz", "Aachen"}));
  // A title that is also a vertex is a vertex.
  EXPECT_EQ(names_of("source\nBonn\n", graph), (Names{"source", "Bonn"}));
}

TEST(VertexList, ErrorsSayWhere) {
  const Graph graph = named();
  const auto failure = [&](const std::string& text) {
    return error_of([&] { vertices_of_text(text, graph); });
  };
  const Error unknown = failure("# towns\nBonn\n  Trier\n");
  EXPECT_EQ(unknown.kind(), ErrorKind::input);
  EXPECT_THAT(unknown.what(), HasSubstr("unknown vertex 'Trier'; vertices are Aachen to"));
  EXPECT_EQ(unknown.location().line, 3);
  EXPECT_EQ(unknown.location().column, 3);
  EXPECT_THAT(failure("# none\n").what(), HasSubstr("no vertex is listed"));
  EXPECT_THAT(failure("").what(), HasSubstr("the file is empty"));
  EXPECT_EQ(error_of([&] { read_vertices("/nowhere/at/all", graph, {}); }).kind(),
            ErrorKind::input_output);
}

TEST(VertexList, AVertexThatComesAgainCountsOnceAndIsRemarkedOn) {
  const Graph graph = named();
  const TemporaryFolder folder;
  write_bytes(folder / "list.txt", "Bonn\nAachen\nBonn\n");
  Remarks remarks;
  EXPECT_EQ(read_vertices(folder / "list.txt", graph, {.remarks = &remarks}),
            (std::vector<Vertex>{1, 0}));
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_THAT(remarks[0], HasSubstr("1 row named a vertex that was listed before, such as 'Bonn'"));
}

TEST(VertexList, AWordAboveVerticesIsATitle) {
  const Graph graph = named();
  const Names expected = {"Bad Ems", "Bonn"};
  for (const char* const text :
       {"name\nBad Ems\nBonn\n", "Ort\nBad Ems\nBonn\n", "stop,rank\nBad Ems,1\nBonn,2\n",
        "rank,node\n1,Bad Ems\n2,Bonn\n"}) {
    EXPECT_EQ(names_of(text, graph), expected) << text;
  }
  const TemporaryFolder folder;
  write_bytes(folder / "list.txt", "Ort\nBonn\n");
  Remarks remarks;
  read_vertices(folder / "list.txt", graph, {.remarks = &remarks});
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_THAT(remarks[0], HasSubstr("the first row is taken as titles: 'Ort'"));
}

TEST(VertexList, HasNamesWithQuotationMarks) {
  GraphBuilder builder(2, true);
  builder.set_labels({"the bridge \"at the old mill\"", "a"});
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(vertices_of_text("a\n\"the bridge \"\"at the old mill\"\"\"\n", graph),
            (std::vector<Vertex>{1, 0}));
}

TEST(VertexList, HasNamesOfPlacesWhereTheyAreAskedFor) {
  const Graph graph = named();
  const TemporaryFolder folder;
  const auto names_in = [&](const std::string& text) {
    write_bytes(folder / "list.csv", text);
    Names names;
    read_vertices(folder / "list.csv", graph, {.names = &names});
    return names;
  };
  EXPECT_EQ(names_in("vertex,name\nBonn,West Clinic\nBad Ems,\"K, M\"\n"),
            (Names{"West Clinic", "K, M"}));
  EXPECT_EQ(names_in("name;beds;node\nA;3;Bonn\n"), Names{"A"});
  EXPECT_TRUE(names_in("name\nBonn\n").empty());
  EXPECT_TRUE(names_in("Bonn\nBad Ems\n").empty());
}

TEST(VertexList, IsInTheEncodingThatIsAskedFor) {
  const TemporaryFolder folder;
  write_bytes(folder / "list.txt", "K\xF6ln, Deutz\n");
  EXPECT_EQ(read_vertices(folder / "list.txt", named(), {.encoding = "latin1"}),
            (std::vector<Vertex>{2}));
}

VertexQuantities quantities_of(const std::string& text, const Graph& graph) {
  const TemporaryFolder folder;
  write_bytes(folder / "jobs.csv", text);
  return read_quantities(folder / "jobs.csv", graph);
}

TEST(VertexQuantities, AreColumnsOfATable) {
  const Graph graph = graph_of(3, {{0, 1, 1}});
  const VertexQuantities titled =
      quantities_of("vertex,jobs,\"people, all\"\n2,1.5,7\n0,2,0\n2,3,1\n", graph);
  EXPECT_EQ(titled.titles, (Names{"jobs", "people, all"}));
  EXPECT_EQ(titled.values, (std::vector<double>{2, 0, 4.5, 0, 0, 8}));
  const VertexQuantities turned = quantities_of("jobs,node,people\n7,2,1\n", graph);
  EXPECT_EQ(turned.titles, (Names{"jobs", "people"}));
  EXPECT_EQ(turned.values, (std::vector<double>{0, 0, 7, 0, 0, 1}));
  const VertexQuantities plain = quantities_of("# remark\n1 -4\n", graph);
  EXPECT_EQ(plain.titles, Names{"1"});
  EXPECT_EQ(plain.values, (std::vector<double>{0, -4, 0}));
}

TEST(VertexQuantities, SayWhatIsWrongAndWhere) {
  const Graph graph = graph_of(3, {{0, 1, 1}});
  const auto fault = [&](const std::string& text) {
    return std::string(error_of([&] { quantities_of(text, graph); }).what());
  };
  EXPECT_THAT(fault("0\n"), HasSubstr("no quantity"));
  EXPECT_THAT(fault("2,1,1e308\n2,1,1e308\n"),
              HasSubstr("2:5: what the rows of '2' add up to is too large"));
  EXPECT_THAT(fault("vertex,jobs\n"), HasSubstr("no vertex is listed"));
  EXPECT_THAT(fault("0,1\n1,2,3\n"), HasSubstr("3 columns, where the first row has 2"));
  EXPECT_THAT(fault("0,1\n7,2\n"), HasSubstr("unknown vertex '7'"));
  EXPECT_THAT(fault("0,1\n1,many\n"), HasSubstr("'many'"));
}

}  // namespace
}  // namespace apsp::io
