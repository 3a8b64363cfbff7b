#include "report/map_places.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/graph_of.hpp"

namespace apsp::report {
namespace {

using testing::ElementsAre;

Graph path_of(Vertex joined, std::int64_t n) {
  std::vector<Edge> edges;
  for (Vertex v = 1; v < joined; ++v) edges.push_back({v - 1, v, 1});
  return graph_of(n, edges, false);
}

TEST(Framed, KeepsWhatLiesOnBothSidesOfAMeridianTogether) {
  const Coordinates fiji =
      framed(path_of(4, 4), {{177, -179, 179, 178}, {-18, -17, -17, -16}, true});
  EXPECT_THAT(fiji.x, ElementsAre(177, 181, 179, 178));
  const Coordinates greenwich = framed(path_of(3, 3), {{-1, 2, 0}, {51, 51, 52}, true});
  EXPECT_THAT(greenwich.x, ElementsAre(359, 362, 360));
}

TEST(Framed, LeavesLengthsAsTheyAre) {
  const Coordinates plan = framed(path_of(3, 3), {{-170, 170, 900}, {0, 0, 0}, false});
  EXPECT_THAT(plan.x, ElementsAre(-170, 170, 900));
}

TEST(Framed, LeavesFarIslandsOut) {
  Coordinates places;
  for (int v = 0; v < 20; ++v) {
    places.x.push_back(v);
    places.y.push_back(0);
  }
  places.x[19] = 25;
  EXPECT_EQ(framed(path_of(19, 20), places).x[19], 25);  // near enough
  places.x[19] = 100;
  EXPECT_TRUE(std::isnan(framed(path_of(19, 20), places).x[19]));
  EXPECT_EQ(framed(path_of(20, 20), places).x[19], 100);  // no island
  EXPECT_EQ(framed(path_of(10, 20), places).x[19], 100);  // no component has nearly all
}

TEST(Framed, TakesNoVerticesAndOne) {
  EXPECT_TRUE(framed(Graph(), {}).x.empty());
  EXPECT_THAT(framed(path_of(1, 1), {{-5}, {1}, true}).x, ElementsAre(355));
}

}  // namespace
}  // namespace apsp::report
