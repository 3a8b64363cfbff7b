// The real graphs of tests/data have the properties that their README lists.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

const std::string kFolder = APSP_SOURCE_DIR "/tests/data/";

struct Expected {
  const char* file;
  std::int64_t vertices;
  std::int64_t edges;
  bool directed;
  bool symmetric;
  bool labelled;
  Vertex first_id;
  std::int64_t loops = 0;
};

/// "flights_by_the_clock.gr.gz", as a test's name wants it.
std::string word_of(const testing::TestParamInfo<Expected>& info) {
  std::string word = info.param.file;
  std::replace(word.begin(), word.end(), '.', '_');
  return word;
}

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.file; }

class RealGraph : public testing::TestWithParam<Expected> {};

TEST_P(RealGraph, HasTheCountsOfItsDescription) {
  const Graph graph = read_graph(kFolder + GetParam().file);
  EXPECT_EQ(graph.vertex_count(), GetParam().vertices);
  EXPECT_EQ(graph.edge_count(), GetParam().edges);
  EXPECT_EQ(graph.directed(), GetParam().directed);
  EXPECT_EQ(graph.symmetric(), GetParam().symmetric);
  EXPECT_EQ(!graph.labels().empty(), GetParam().labelled);
  EXPECT_EQ(graph.first_id(), GetParam().first_id);
  EXPECT_EQ(graph.loop_count(), GetParam().loops);
}

INSTANTIATE_TEST_SUITE_P(
    Files, RealGraph,
    testing::Values(Expected{"euro_rates.npy", 21, 420, true, false, false, 0},
                    Expected{"flights_by_the_clock.gr.gz", 312, 1860, true, false, false, 1},
                    Expected{"florentine_families.mtx", 16, 20, false, true, false, 1},
                    Expected{"karate.graph", 34, 78, false, true, false, 1},
                    Expected{"les_miserables.csv", 77, 254, false, true, true, 0},
                    Expected{"liechtenstein_roads.gr.gz", 2917, 6921, true, false, false, 1, 14},
                    Expected{"mesh.graph.gz", 7434, 43031, false, true, false, 1},
                    Expected{"places.mtx.gz", 312, 930, false, true, false, 1},
                    Expected{"power_2869_bus.csv.zst", 2869, 4582, false, true, true, 0},
                    Expected{"power_30_bus.mtx", 30, 41, false, true, false, 1},
                    Expected{"protein_contacts.tsv.gz", 786, 3708, false, true, true, 0},
                    Expected{"python_imports.txt.zst", 544, 2386, true, false, true, 0},
                    Expected{"rust_books.txt.gz", 814, 5345, true, false, true, 0, 84},
                    Expected{"sioux_falls.gr", 24, 76, true, true, false, 1},
                    Expected{"southern_women.csv", 32, 89, false, true, true, 0},
                    Expected{"two_weights.graph.gz", 766, 1314, false, true, false, 1},
                    Expected{"us_states.txt", 49, 107, false, true, true, 0}),
    word_of);

TEST(RealGraphs, CoordinatesBecomeLengths) {
  const Graph graph =
      read_graph(kFolder + "places.mtx.gz", {.coordinates = kFolder + "places_coord.mtx.gz"});
  EXPECT_EQ(graph.edge_count(), 930);
  EXPECT_GT(graph.weight_facts().least, 1e3);              // no two places share a kilometre
  EXPECT_LT(graph.weight_facts().greatest, M_PI * 6.4e6);  // half around the earth
  double total = 0;
  for_each_edge(graph, [&](Vertex, Vertex, double metres) { total += metres; });
  // Edges of a triangulation: fewer than 930 of the mean width of an ocean, more than of a country.
  EXPECT_GT(total, 930 * 3e5);
  EXPECT_LT(total, 930 * 5e6);
}

/// Weights by arc; the least of parallel arcs.
std::map<std::pair<Vertex, Vertex>, double> least_weights(const Graph& graph) {
  std::map<std::pair<Vertex, Vertex>, double> least;
  for_each_edge(graph, [&](Vertex u, Vertex v, double weight) {
    const auto [at, fresh] = least.try_emplace({u, v}, weight);
    if (!fresh) at->second = std::min(at->second, weight);
  });
  return least;
}

TEST(RealGraphs, NoRoadIsShorterThanTheStraightLine) {
  const std::string roads = kFolder + "liechtenstein_roads.gr.gz";
  const std::string coordinates = kFolder + "liechtenstein_roads_coord.mtx.zst";
  const auto metres = least_weights(read_graph(roads));
  const auto straight = least_weights(read_graph(roads, {.coordinates = coordinates}));
  ASSERT_EQ(metres.size(), straight.size());
  for (const auto& [arc, length] : straight) {
    EXPECT_GE(metres.at(arc), length) << arc.first + 1 << " -> " << arc.second + 1;
  }
}

}  // namespace
}  // namespace apsp::io
