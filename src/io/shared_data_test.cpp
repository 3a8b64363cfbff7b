// Real graphs from public collections, which are no part of the repository.
#include <cstdlib>
#include <filesystem>

#include "io/io_testing.hpp"

namespace apsp::io {
namespace {

std::string data_folder() {
  const char* const named = std::getenv("APSP_DATA");
  return named != nullptr ? named : APSP_SOURCE_DIR "/../shared/data";
}

struct Expected {
  const char* file;
  std::int64_t vertices;
  std::int64_t edges;
  bool directed;
  bool labelled;
  Vertex first_id;
};

class SharedData : public testing::TestWithParam<Expected> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data_folder())) {
      GTEST_SKIP() << "no real graphs in " << data_folder() << " (set APSP_DATA)";
    }
  }
};

TEST_P(SharedData, HasTheCountsOfItsDescription) {
  const Graph graph = read_graph(data_folder() + "/" + GetParam().file);
  EXPECT_EQ(graph.vertex_count(), GetParam().vertices);
  EXPECT_EQ(graph.edge_count(), GetParam().edges);
  EXPECT_EQ(graph.directed(), GetParam().directed);
  EXPECT_EQ(!graph.labels().empty(), GetParam().labelled);
  EXPECT_EQ(graph.first_id(), GetParam().first_id);
}

INSTANTIATE_TEST_SUITE_P(
    Files, SharedData,
    testing::Values(Expected{"luxembourg_osm.mtx", 114599, 119666, false, false, 1},
                    Expected{"usroads.mtx", 129164, 165435, false, false, 1},
                    Expected{"minnesota.mtx", 2642, 3303, false, false, 1},
                    Expected{"rome99.gr", 3353, 4444, true, false, 1},
                    Expected{"cal.cedge", 21048, 21693, false, false, 0},
                    Expected{"wing.graph", 62032, 121544, false, false, 1},
                    Expected{"rgg_n_2_15_s0.graph", 32768, 160240, false, false, 1},
                    Expected{"delaunay_n13.mtx", 8192, 24547, false, false, 1},
                    Expected{"power.graph", 4941, 6594, false, false, 1},
                    Expected{"astro-ph.graph", 16706, 121251, false, false, 1},
                    Expected{"facebook_combined.txt", 4039, 88234, false, false, 0},
                    Expected{"wiki-Vote.txt", 7115, 103689, true, true, 0},
                    Expected{"p2p-Gnutella24.txt", 26518, 65369, true, false, 0},
                    Expected{"caida-as-rel.txt", 36878, 103485, false, true, 0},
                    Expected{"USAir97.mtx", 332, 2126, false, false, 1},
                    Expected{"netscience.mtx", 1589, 2742, false, false, 1},
                    Expected{"test_FW_1000.mtx", 1000, 3996, true, false, 1},
                    Expected{"test_FW_2003.mtx", 2003, 23973, true, false, 1},
                    Expected{"test_FW_2500.mtx", 2500, 7852, true, false, 1}));

class SharedRoads : public SharedData {};

TEST_P(SharedRoads, HaveLengthsFromCoordinates) {
  const Graph graph = read_graph(data_folder() + "/" + GetParam().file,
                                 {.coordinates = data_folder() + "/usroads_coord.mtx"});
  EXPECT_EQ(graph.edge_count(), GetParam().edges);
  double total = 0;
  for_each_edge(graph, [&](Vertex, Vertex, double metres) { total += metres; });
  EXPECT_GE(graph.weight_facts().least, 0);
  EXPECT_LT(graph.weight_facts().greatest, 1e6);  // no road of a thousand kilometres
  EXPECT_GT(total, 3e8);                          // the map has some hundred thousand kilometres
  EXPECT_LT(total, 2e9);
}

INSTANTIATE_TEST_SUITE_P(Files, SharedRoads,
                         testing::Values(Expected{"usroads.mtx", 129164, 165435, false, false, 1}));

}  // namespace
}  // namespace apsp::io
