// Places of vertices, and errors in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/io.hpp>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Graph towns() {
  const std::string text = "Aachen,Bonn,30\nBonn,\"Bad Ems\",20\n";
  ReadOptions options;
  options.format = GraphFormat::edge_list;
  return parse_graph(text, "graph.csv", options);
}

Coordinates parsed(const std::string& text, const Graph& graph = towns()) {
  return parse_coordinates(text, "map.csv", graph);
}

Error failure(const std::string& text, const Graph& graph = towns()) {
  return error_of([&] { parsed(text, graph); });
}

TEST(CoordinateTable, IsARowAVertexInAnyOrder) {
  for (const char* const text :
       {"Bonn,2,20\n\"Bad Ems\",3,-30.5\nAachen,1,10\n",
        "Bonn 2 20\nAachen\t1 10 x\n\"Bad Ems\" 3 -30.5",
        "# a map\r\nname,x,y\r\nBonn,2,20\r\n\r\nAachen,1,10\r\nBad Ems,3,-30.5"}) {
    const Coordinates map = parsed(text);
    EXPECT_THAT(map.x, ElementsAre(1, 2, 3)) << text;
    EXPECT_THAT(map.y, ElementsAre(10, 20, -30.5)) << text;
    EXPECT_FALSE(map.degrees);
  }
}

TEST(CoordinateTable, TitlesSayWhichColumnIsWhich) {
  const Coordinates map = parsed("LAT,Longitude,town\n10,1,Aachen\n20,2,Bonn\n30,3,Bad Ems\n");
  EXPECT_THAT(map.x, ElementsAre(1, 2, 3));
  EXPECT_THAT(map.y, ElementsAre(10, 20, 30));
  EXPECT_TRUE(map.degrees);
  const Coordinates turned =
      parsed("height,x,y,name\n5,1,10,Aachen\n6,2,20,Bonn\n7,3,30,Bad Ems\n");
  EXPECT_THAT(turned.x, ElementsAre(1, 2, 3));
}

TEST(CoordinateTable, TakesYBeforeXForLatitudesAndLongitudesOnTheGlobe) {
  const Coordinates map = parsed("osmid,y,x\nAachen,50.8,6.1\nBonn,50.7,7.1\nBad Ems,50.3,7.7\n");
  EXPECT_THAT(map.x, ElementsAre(6.1, 7.1, 7.7));
  EXPECT_TRUE(map.degrees);
  const std::string projected =
      "osmid,y,x\nAachen,5629e3,294e3\nBonn,5622e3,364e3\nBad Ems,5577e3,406e3\n";
  EXPECT_FALSE(parsed(projected).degrees);
  EXPECT_FALSE(parsed("name,x,y\nAachen,6.1,50.8\nBonn,7.1,50.7\nBad Ems,7.7,50.3\n").degrees);
}

TEST(CoordinateTable, ReadsAMatrixMarketArrayAsDegrees) {
  const std::string array =
      "%%MatrixMarket matrix array real general\n3 2\n6.1\n7.1\n7.7\n50.8\n50.7\n50.3\n";
  const Coordinates map = parsed(array);
  EXPECT_THAT(map.x, ElementsAre(6.1, 7.1, 7.7));
  EXPECT_THAT(map.y, ElementsAre(50.8, 50.7, 50.3));
  EXPECT_TRUE(map.degrees);
  EXPECT_THAT(failure(array, graph_of(2, {})).what(), HasSubstr("3 coordinates for 2 vertices"));
}

TEST(CoordinateTable, ErrorsSayWhere) {
  const auto fails = [](const std::string& text, const std::string& message) {
    const Error error = failure(text);
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr(message)) << text;
  };
  fails("Bonn,2,20\nTrier,3,3\n", "map.csv:2:1: unknown vertex 'Trier'");
  fails("Bonn,2,20\nAachen,1\n", "map.csv:2:1: 2 of 3 columns: a row is 'name x y'");
  fails("Bonn,2,east\n", "map.csv:1:8: 'east' is");
  fails("Bonn;2,5;20\n", "map.csv:1:6: '2,5' is not a number: write a point before decimals");
  fails("Bonn,2,nan\n", "map.csv:1:8: 'nan' is");
  fails("Bonn,2,3\nBonn,2,3\n", "map.csv:2:1: the vertex 'Bonn' comes twice");
  fails("Bonn,2,3\n", "map.csv:1:9: the place is missing for 2 of 3 vertices, such as 'Aachen'");
  fails("# nobody\n", "the place is missing for 3 of 3 vertices");
  fails("", "the file is empty");
}

TEST(CoordinateTable, OfAGraphWithoutVerticesMayHoldNothingButComments) {
  EXPECT_TRUE(parsed("# nobody\n", graph_of(0, {})).x.empty());
}

}  // namespace
}  // namespace apsp
