#include "report/map_places.hpp"

#include <apsp/graph.hpp>

#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::report::map_places_test {
namespace {

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

double between(const Coordinates& places, std::size_t a, std::size_t b) {
  return std::hypot(places.x[a] - places.x[b], places.y[a] - places.y[b]);
}

TEST(DistanceLayout, OfAPathIsALineWithItsLengths) {
  std::vector<Edge> edges;
  for (Vertex v = 1; v < 40; ++v) edges.push_back({v - 1, v, double(v % 3 + 1)});
  const Result result = solve(graph_of(40, edges, false));
  const Coordinates places = distance_layout(result, {});
  const double whole = between(places, 0, 39) / result.distance(0, 39);
  EXPECT_GT(whole, 0);
  for (Vertex v = 0; v < 40; ++v) {
    EXPECT_NEAR(between(places, 0, v) / whole, result.distance(0, v), 1e-6);
  }
}

TEST(DistanceLayout, OfAGridKeepsNeighboursNear) {
  const Graph graph = generate({.kind = GraphKind::grid,
                                .vertices = 400,
                                .least_weight = 1,
                                .greatest_weight = 1,
                                .directed = false});
  const Coordinates places = distance_layout(solve(graph), {});
  double longest = 0;
  graph.visit_all(
      [&](Vertex u, Vertex v, double) { longest = std::max(longest, between(places, u, v)); });
  EXPECT_LT(longest, between(places, 0, 399) / 8);
  EXPECT_LT(longest, between(places, 19, 380) / 8);
}

TEST(DistanceLayout, PlacesTheLargestComponentAlone) {
  const Result result = solve(graph_of(5, {{1, 2, 1}, {2, 3, 1}, {0, 4, 1}}));
  const Coordinates places = distance_layout(result, {});
  for (const Vertex v : {0, 4}) EXPECT_TRUE(std::isnan(places.x[v]) && std::isnan(places.y[v]));
  for (const Vertex v : {1, 2, 3}) EXPECT_TRUE(std::isfinite(places.x[v]));
}

TEST(DistanceLayout, OfFewVerticesHasFinitePlaces) {
  EXPECT_TRUE(distance_layout(solve(Graph()), {}).x.empty());
  for (const std::int64_t n : {1, 2, 3}) {
    const Coordinates places = distance_layout(solve(graph_of(n, {{0, 0, 1}}, false)), {});
    EXPECT_TRUE(std::isfinite(places.x[0]) && std::isfinite(places.y[0]));
  }
  const Coordinates zero = distance_layout(solve(graph_of(3, {{0, 1, 0}, {1, 2, 0}}, false)), {});
  for (const double x : zero.x) EXPECT_TRUE(std::isfinite(x));
}

TEST(DistanceLayout, CanBeEndedEarly) {
  const Result result = solve(graph_of(2, {{0, 1, 1}}));
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, distance_layout(result, {nullptr, &cancellation}));
}

}  // namespace

}  // namespace apsp::report::map_places_test
