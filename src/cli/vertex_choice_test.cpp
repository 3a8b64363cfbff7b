// Vertices that options name.
#include "cli/option_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::cli {
namespace {

Graph towns() {
  GraphBuilder builder(4);
  builder.add_edge(0, 1);
  builder.set_labels({"Aachen", "Bonn", "Deutz, Köln", "Ems"});
  return std::move(builder).build();
}

std::vector<Vertex> chosen(const std::string& text, const Graph& graph, std::uint64_t seed = 1,
                           const std::string& option = "--sources") {
  return chosen_vertices({option, text}, graph, seed);
}

void refusal(const std::string& text, const Graph& graph) {
  EXPECT_ERROR(usage, chosen(text, graph));
}

TEST(VertexChoice, OfAListKeepsItsOrder) {
  const Graph graph = towns();
  EXPECT_EQ(chosen("Ems,Aachen", graph), (std::vector<Vertex>{3, 0}));
  EXPECT_EQ(chosen("Deutz, Köln", graph), (std::vector<Vertex>{2}));
  EXPECT_TRUE(chosen("", graph).empty());
}

TEST(VertexChoice, OfAFileIsAVertexALine) {
  const TemporaryFolder folder;
  const std::string path = folder / "some.txt";
  std::ofstream(path) << "# towns\nDeutz, Köln\nBonn\n";
  EXPECT_EQ(chosen("@" + path, towns()), (std::vector<Vertex>{2, 1}));
  std::ofstream(path) << "Bonn\nTrier\n";
  const Error error = error_of([&] { chosen("@" + path, towns()); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.location().line, 2);
  EXPECT_EQ(error.location().column, 1);
}

TEST(VertexChoice, AtRandomIsDistinctRisingAndRepeatable) {
  GraphBuilder builder(1000);
  const Graph graph = std::move(builder).build();
  const std::vector<Vertex> some = chosen("random:100", graph);
  EXPECT_EQ(some.size(), 100u);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  EXPECT_EQ(std::set<Vertex>(some.begin(), some.end()).size(), 100u);
  EXPECT_EQ(chosen("random:100", graph), some);
  EXPECT_NE(chosen("random:100", graph, 2), some);
  EXPECT_NE(chosen("random:100", graph, 1, "--targets"), some);
  EXPECT_EQ(chosen("random:1000", graph).size(), 1000u);
}

TEST(VertexChoice, RefusesWhatIsNotThereComesTwiceOrIsTooMuch) {
  const Graph graph = towns();
  refusal("Bonn,Trier", graph);
  refusal("Bonn,Ems,Bonn", graph);
  refusal("Bonn,,Ems", graph);
  refusal("Bonn,", graph);
  refusal("random:5", graph);
  refusal("random:0", graph);
  refusal("random:many", graph);
  refusal("1", Graph());
}

}  // namespace
}  // namespace apsp::cli
