// Near pairs and nearest places are checked by their properties.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
#include <functional>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string failures(const VerifyReport& report) {
  std::string text;
  for (const VerifyCheck& check : report.checks) text += check.first_failure;
  return text;
}

std::vector<Graph> near_graphs() {
  std::vector<Graph> graphs;
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      graphs.push_back(random_graph(
          {.n = 120, .arcs = 300, .least = 0, .greatest = 5, .real = real, .directed = directed}));
    }
  }
  return graphs;
}

TEST(VerifyNearPairs, PassWhereTheyAreRight) {
  for (const Graph& graph : near_graphs()) {
    for (const double limit : {0.0, 3.7, 1e9}) {
      const VerifyReport report = verify(within(graph, limit), graph, limit);
      EXPECT_TRUE(report.passed) << failures(report);
      EXPECT_EQ(report.meaning,
                graph.weight_facts().integral ? "proof" : "proof, within tolerance");
      const std::vector<Vertex> sources = {7, 3, 100};
      EXPECT_TRUE(verify(within(graph, limit, {.sources = sources}), graph, limit, sources).passed);
    }
  }
}

TEST(VerifyNearPairs, FailWhereAnyIsWrong) {
  const Graph graph = near_graphs()[2];
  const double limit = 4;
  const SparseDistances right = within(graph, limit);
  const auto fails = [&](const std::function<void(SparseDistances&)>& plant) {
    SparseDistances wrong = right;
    plant(wrong);
    const VerifyReport report = verify(wrong, graph, limit);
    EXPECT_FALSE(report.passed);
    EXPECT_NE(failures(report), "");
  };
  const std::size_t middle = right.targets.size() / 2;
  fails([&](SparseDistances& pairs) { pairs.distances[middle] += 1; });
  fails([&](SparseDistances& pairs) { pairs.distances[middle] = -1; });
  fails([&](SparseDistances& pairs) { pairs.distances[middle] = std::nan(""); });
  fails([&](SparseDistances& pairs) { pairs.targets[middle] = pairs.targets[middle + 1]; });
  fails([&](SparseDistances& pairs) { pairs.targets[middle] = 4'000'000; });
  fails([&](SparseDistances& pairs) {  // a pair is left out
    pairs.targets.erase(pairs.targets.begin());
    pairs.distances.erase(pairs.distances.begin());
    for (std::int64_t& begin : pairs.row_begin) begin -= begin > 0 ? 1 : 0;
  });
  EXPECT_FALSE(verify(right, graph, limit + 1).passed);
  SparseDistances torn = right;
  torn.row_begin.pop_back();
  EXPECT_ERROR(usage, verify(torn, graph, limit));
  EXPECT_EQ(verify(right, graph, limit, {}, {.tolerance = 0.5}).meaning,
            "within the tolerance of 0.5");
}

TEST(VerifyNearestPlaces, PassWhereTheyAreRight) {
  for (const Graph& graph : near_graphs()) {
    const std::vector<Vertex> places = {5, 60, 60, 7, 119, 33};
    for (const std::int64_t k : {1, 3, 10}) {
      for (const Towards towards : {Towards::places, Towards::vertices}) {
        const VerifyReport report =
            verify(nearest(graph, places, k, towards), graph, places, towards);
        EXPECT_TRUE(report.passed) << failures(report);
      }
    }
  }
}

TEST(VerifyNearestPlaces, FailWhereAnyIsWrong) {
  const Graph graph = near_graphs()[2];
  const std::vector<Vertex> places = {5, 60, 7, 119, 33};
  const NearestPlaces right = nearest(graph, places, 2);
  const auto fails = [&](const std::function<void(NearestPlaces&)>& plant) {
    NearestPlaces wrong = right;
    plant(wrong);
    const VerifyReport report = verify(wrong, graph, places);
    EXPECT_FALSE(report.passed);
    EXPECT_NE(failures(report), "");
  };
  std::size_t at = 0;  // a list of two places at different distances
  while (!(right.distances[at] > 0 && right.distances[at + 1] > right.distances[at] &&
           right.distances[at + 1] < 1e9)) {
    at += 2;
  }
  fails([&](NearestPlaces& found) { found.distances[at] /= 2; });
  fails([&](NearestPlaces& found) { found.distances[at + 1] += 1; });
  fails([&](NearestPlaces& found) { std::swap(found.places[at], found.places[at + 1]); });
  fails([&](NearestPlaces& found) { found.places[at] = found.places[at + 1]; });
  fails([&](NearestPlaces& found) { found.places[at] = 77; });
  fails([&](NearestPlaces& found) {
    found.places[at + 1] = NearestPlaces::kNone;
    found.distances[at + 1] = std::numeric_limits<double>::infinity();
  });
  EXPECT_FALSE(verify(right, graph, places, Towards::vertices).passed);
}

TEST(VerifyNearestPlaces, FindCirclesThatCostNothing) {
  // 2 and 3 claim to be 1 from the place, each by the other, but no arc leads to them.
  const std::vector<Edge> edges = {{0, 1, 1}, {2, 3, 0}, {3, 2, 0}};
  const Graph graph = graph_of(4, edges, false);
  NearestPlaces found = nearest(graph, std::vector<Vertex>{0}, 1);
  for (const std::size_t v : {2, 3}) {
    found.places[v] = 0;
    found.distances[v] = 1;
  }
  EXPECT_FALSE(verify(found, graph, std::vector<Vertex>{0}).passed);
}

}  // namespace
}  // namespace apsp
