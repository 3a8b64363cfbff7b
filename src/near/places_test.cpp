// Points on a map against a loop over all vertices and streets, and places of streets against
// streets that are cut by hand.
#include "near/places.hpp"

#include <numbers>
#include <random>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::places_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double haversine(double lon, double lat, double to_lon, double to_lat) {
  constexpr double kDegree = std::numbers::pi / 180;
  const double height = std::sin((to_lat - lat) * kDegree / 2);
  const double width = std::sin((to_lon - lon) * kDegree / 2);
  return 2 * 6371008.8 *
         std::asin(std::sqrt(height * height +
                             std::cos(lat * kDegree) * std::cos(to_lat * kDegree) * width * width));
}

Coordinates drawn(std::size_t count, std::mt19937& draw, bool degrees) {
  std::uniform_real_distribution<double> x(-180, 180), y(-85, 85);
  Coordinates all{{}, {}, degrees};
  for (std::size_t i = 0; i < count; ++i) {
    all.x.push_back(x(draw));
    all.y.push_back(y(draw));
  }
  return all;
}

TEST(Places, OfVerticesAreTheNearest) {
  std::mt19937 draw(3);
  for (const int vertices : {1, 7, 8, 9, 65, 700}) {
    for (const bool degrees : {true, false}) {
      const auto n = static_cast<std::size_t>(vertices);
      const Graph graph = graph_of(vertices, {});
      const Coordinates at = drawn(n, draw, degrees), points = drawn(100, draw, degrees);
      const std::vector<Place> places = snap(graph, at, points);
      for (std::size_t i = 0; i < places.size(); ++i) {
        double least = kInf;
        for (std::size_t v = 0; v < n; ++v) {
          least =
              std::min(least, degrees ? haversine(at.x[v], at.y[v], points.x[i], points.y[i])
                                      : std::hypot(at.x[v] - points.x[i], at.y[v] - points.y[i]));
        }
        EXPECT_TRUE(places[i].is_vertex());
        EXPECT_NEAR(places[i].walk, least, 1e-6 * (1 + least));
      }
    }
  }
}

TEST(Places, OfStreetsAreTheNearestInThePlane) {
  std::mt19937 draw(5);
  const Graph graph = random_graph({.n = 60, .arcs = 200, .seed = 4});
  const Coordinates at = drawn(60, draw, false), points = drawn(200, draw, false);
  const std::vector<Place> places = snap(graph, at, points, {.to = Snap::arc});
  for (std::size_t i = 0; i < places.size(); ++i) {
    double least = kInf;
    graph.visit_all([&](Vertex u, Vertex v, double) {
      const double dx = at.x[v] - at.x[u], dy = at.y[v] - at.y[u];
      const double px = points.x[i] - at.x[u], py = points.y[i] - at.y[u];
      const double t = u == v ? 0 : std::clamp((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0);
      if (u != v) least = std::min(least, std::hypot(px - t * dx, py - t * dy));
    });
    const Place& place = places[i];
    EXPECT_NEAR(place.walk, least, 1e-9 * (1 + least));
    const double x = at.x[place.from] + place.share * (at.x[place.to] - at.x[place.from]);
    const double y = at.y[place.from] + place.share * (at.y[place.to] - at.y[place.from]);
    EXPECT_NEAR(std::hypot(x - points.x[i], y - points.y[i]), least, 1e-9 * (1 + least));
  }
}

TEST(Places, OfStreetsAreTheNearestOnTheSphere) {
  std::mt19937 draw(6);
  const Graph graph = random_graph({.n = 12, .arcs = 20, .seed = 9});
  for (const double scale : {1.0, 1e-4}) {  // across the Earth, and within some kilometres
    Coordinates at = drawn(12, draw, true), points = drawn(20, draw, true);
    for (Coordinates* of : {&at, &points}) {
      for (double& value : of->x) value = 24 + scale * value;
      for (double& value : of->y) value = (scale < 1 ? 60 : 0) + scale * value;
    }
    const std::vector<Place> places = snap(graph, at, points, {.to = Snap::arc});
    for (std::size_t i = 0; i < places.size(); ++i) {
      double least = kInf, of_place = kInf;
      const auto walk_to = [&](Vertex u, Vertex v, double share) {  // spherical interpolation
        const auto unit = [&](Vertex of) {
          const double e = at.x[of] * std::numbers::pi / 180, n = at.y[of] * std::numbers::pi / 180;
          return std::array{std::cos(n) * std::cos(e), std::cos(n) * std::sin(e), std::sin(n)};
        };
        const auto a = unit(u), b = unit(v);
        const double angle = haversine(at.x[u], at.y[u], at.x[v], at.y[v]) / 6371008.8;
        const double ka = angle == 0 ? 1 : std::sin((1 - share) * angle) / std::sin(angle);
        const double kb = angle == 0 ? 0 : std::sin(share * angle) / std::sin(angle);
        const double x = ka * a[0] + kb * b[0], y = ka * a[1] + kb * b[1],
                     z = ka * a[2] + kb * b[2];
        return haversine(std::atan2(y, x) * 180 / std::numbers::pi,
                         std::atan2(z, std::hypot(x, y)) * 180 / std::numbers::pi, points.x[i],
                         points.y[i]);
      };
      graph.visit_all([&](Vertex u, Vertex v, double) {
        if (u == v) return;
        for (int k = 0; k <= 500; ++k) least = std::min(least, walk_to(u, v, k / 500.0));
      });
      const Place& place = places[i];
      of_place = walk_to(place.from, place.to, place.share);
      EXPECT_NEAR(place.walk, of_place, 1e-6 * (1 + of_place));
      EXPECT_LE(place.walk, least * (1 + 1e-9));
    }
  }
}

TEST(Places, BeyondTheLimitAndOddQuestionsAreRefused) {
  const Graph graph = graph_of(2, {{0, 1, 1}});
  const Coordinates at{{0, 10}, {0, 0}}, points{{5, 5}, {1, 3}};
  EXPECT_EQ(snap(graph, at, points, {.to = Snap::arc, .limit = 3})[1].share, 0.5);
  EXPECT_EQ(error_of([&] { snap(graph, at, points, {.to = Snap::arc, .limit = 2}); }).kind(),
            ErrorKind::input);
  EXPECT_EQ(error_of([&] { snap(graph, at, {{kInf}, {0}}); }).kind(), ErrorKind::input);
  EXPECT_EQ(error_of([&] {
              snap(graph, {{0, 1000}, {0, 0}}, {{5}, {0}, true});
            }).kind(),
            ErrorKind::usage);
  EXPECT_EQ(error_of([&] { snap(graph, {{0}, {0}}, points); }).kind(), ErrorKind::usage);
  EXPECT_EQ(error_of([&] { snap(graph_of(2, {}), at, points, {.to = Snap::arc}); }).kind(),
            ErrorKind::usage);
}

/// The streets of a graph, each cut at places of quarters, in both directions.
Graph cut_by_hand(const Graph& graph, const std::vector<Place>& places) {
  const std::int64_t n = graph.vertex_count();
  std::vector<Edge> edges;
  std::map<std::pair<Vertex, Vertex>, std::vector<std::pair<double, Vertex>>> cuts;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto number = static_cast<Vertex>(n + static_cast<std::int64_t>(i));
    const Place& of = places[i];
    if (of.is_vertex()) {
      edges.push_back({of.from, number, 0});
      edges.push_back({number, of.from, 0});
    } else {
      cuts[{of.from, of.to}].push_back({of.share, number});
    }
  }
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    edges.push_back({u, v, weight});
    auto cut = cuts.find({std::min(u, v), std::max(u, v)});
    if (cut == cuts.end()) return;
    std::vector<std::pair<double, Vertex>> stops = cut->second;
    for (auto& stop : stops) stop.first = u < v ? stop.first : 1 - stop.first;
    std::sort(stops.begin(), stops.end());
    stops.push_back({1, v});
    Vertex before = u;
    double share = 0;
    for (const auto& [at, number] : stops) {
      edges.push_back({before, number, (at - share) * weight});
      if (at == share && before != u) edges.push_back({number, before, 0});
      before = number;
      share = at;
    }
  });
  GraphBuilder builder(n + std::ssize(places));
  for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
  return std::move(builder).build();
}

std::vector<Place> drawn_places(const Graph& graph, std::size_t count, std::mt19937& draw) {
  std::vector<Place> streets, places;
  graph.visit_all([&](Vertex u, Vertex v, double) {
    if (u != v) streets.push_back({std::min(u, v), std::max(u, v)});
  });
  for (std::size_t i = 0; i < count; ++i) {
    Place place = streets[draw() % (streets.size() / 4)];  // several on one street
    place.share = static_cast<double>(draw() % 4) / 4;
    if (place.share == 0) place.to = place.from;
    places.push_back(place);
  }
  return places;
}

TEST(Places, HaveTheDistancesOfStreetsThatAreCutThere) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 draw(seed);
    const Graph graph =
        random_graph({.n = 12, .arcs = 30, .greatest = 9, .directed = seed % 2 == 0, .seed = seed});
    const std::vector<Place> places = drawn_places(graph, 12, draw);
    const std::int64_t n = graph.vertex_count(), k = std::ssize(places), all = n + k,
                       both = n + 2 * k;
    const std::vector<double> expected =
        verifier::floyd_warshall(cut_by_hand(graph, places), Semiring::min_plus);
    const std::vector<double> found =
        verifier::floyd_warshall(with_places(graph, places, places), Semiring::min_plus);
    const auto at = [](const std::vector<double>& of, std::int64_t width, std::int64_t i,
                       std::int64_t j) { return of[static_cast<std::size_t>(i * width + j)]; };
    for (std::int64_t i = 0; i < all; ++i) {
      for (std::int64_t j = 0; j < all; ++j) {
        EXPECT_EQ(at(found, both, i, j < n ? j : j + k), at(expected, all, i, j))
            << seed << ": " << i << " " << j;
      }
    }
  }
}

/// Random costs of turns of a graph, and the same of its streets as `cut_by_hand` cuts them, where
/// nothing turns round at a place.
std::pair<TurnRules, TurnRules> drawn_turns(const Graph& graph, const Graph& cut,
                                            const std::vector<Place>& places, std::mt19937& draw) {
  const auto n = static_cast<Vertex>(graph.vertex_count());
  const auto ways = [&](Vertex near, Vertex other) {  // the next vertices on a street
    std::vector<Vertex> found = {other};
    double least = near == other ? 0 : 1;  // a loop has no places
    for (Vertex i = 0; i < places.size(); ++i) {
      const auto& [from, to, share, walk] = places[i];
      if (std::pair(from, to) != std::pair<Vertex, Vertex>(std::minmax(near, other))) continue;
      const double apart = near == from ? share : 1 - share;
      if (apart < least) found = {other, n + i};
      least = std::min(least, apart);
    }
    return found;
  };
  TurnRules rules, of_cut;
  std::map<std::tuple<Vertex, Vertex, Vertex>, double> known;
  graph.visit_all([&](Vertex u, Vertex v, double) {
    graph.for_each_arc(v, [&](Vertex w, double) {
      if (draw() % 3 == 0)
        known.emplace(std::tuple(u, v, w),
                      draw() % 3 == 0 ? kInf : static_cast<double>(draw() % 5));
    });
  });
  for (const auto& [turn, cost] : known) {
    const auto& [u, v, w] = turn;
    rules.turns.push_back({u, v, w, cost});
    for (const Vertex before : ways(v, u)) {
      for (const Vertex next : ways(v, w)) of_cut.turns.push_back({before, v, next, cost});
    }
  }
  cut.visit_all([&](Vertex u, Vertex v, double) {
    cut.for_each_arc(v, [&](Vertex w, double) {
      if (v >= n && u == w) of_cut.turns.push_back({u, v, w, kInf});
    });
  });
  return {rules, of_cut};
}

TEST(Places, HaveTheDistancesOfCutStreetsWithTurns) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 draw(seed);
    const Graph graph =
        random_graph({.n = 9, .arcs = 20, .greatest = 9, .directed = seed % 2 == 0, .seed = seed});
    std::vector<Place> places = drawn_places(graph, 8, draw);
    const auto ends = [](const Place& of) { return std::tuple(of.from, of.to, of.share); };
    std::ranges::sort(places, {}, ends);
    const auto same = [&](const Place& a, const Place& b) { return ends(a) == ends(b); };
    places.erase(std::unique(places.begin(), places.end(), same), places.end());
    const Graph cut = cut_by_hand(graph, places);
    const auto [rules, of_cut] = drawn_turns(graph, cut, places, draw);
    const Graph turned = with_turns(graph, rules), expected_graph = with_turns(cut, of_cut);
    const std::vector<double> expected =
        verifier::floyd_warshall(expected_graph, Semiring::min_plus);
    const auto states = TurnStates::of(expected_graph);
    const Graph with = with_places(turned, places, places);
    const std::vector<double> found = verifier::floyd_warshall(with, Semiring::min_plus);
    const auto n = static_cast<std::size_t>(graph.vertex_count()), k = places.size();
    const auto all = static_cast<std::size_t>(turned.vertex_count());
    for (std::size_t i = 0; i < n + k; ++i) {
      for (std::size_t j = n; j < n + k; ++j) {  // the states have the distances to vertices
        const auto end = states ? states->end(static_cast<Vertex>(j)) : j;
        const std::size_t row = i < n ? i : all + i - n;
        ASSERT_EQ(found[row * (all + 2 * k) + all + k + j - n],
                  expected[i * static_cast<std::size_t>(expected_graph.vertex_count()) + end])
            << seed << ": " << i << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace apsp::places_test
