// Bounds of dense graphs compared with all distances of the textbook algorithm.
#include "graph/distance_bounds.hpp"

#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/progress.hpp>

#include <limits>
#include <memory>
#include <vector>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(HopBound, HoldsAndDoesNotDependOnThreads) {
  for (const bool directed : {false, true}) {
    for (const bool real : {false, true}) {
      for (const std::int64_t arcs : {60, 300, 2500}) {
        const Graph graph = random_graph(
            {.n = 50, .arcs = arcs, .greatest = 100, .real = real, .directed = directed});
        const double longest = verifier::longest_distance(graph);
        const double bound = hop_bound(graph, longest, 1);
        EXPECT_GE(bound, longest);
        for (const int threads : {2, 7}) EXPECT_EQ(hop_bound(graph, longest, threads), bound);
        if (arcs == 2500) {
          EXPECT_LE(bound, 4 * longest);
        }
      }
    }
  }
}

TEST(HopBound, EndsOnceItIsEnough) {
  const Graph graph = random_graph({.n = 50, .arcs = 5000, .greatest = 100, .directed = false});
  EXPECT_LE(hop_bound(graph, 200, 2), 200);
  EXPECT_GT(hop_bound(graph, 200, 2), hop_bound(graph, verifier::longest_distance(graph), 2))
      << "further hops find shorter ways";
}

Graph path(std::int64_t n) {
  GraphBuilder builder(n, false);
  for (Vertex v = 0; v + 1 < n; ++v) builder.add_edge(v, v + 1, 1);
  return std::move(builder).build();
}

TEST(HopBound, ReachesAsFarAsItsHops) {
  const std::int64_t n = kMostHops + 2;  // the centre is the second vertex
  EXPECT_GE(hop_bound(path(n), 100, 2), kMostHops + 1);
  EXPECT_EQ(hop_bound(path(n + 1), 100, 2), kInfinity);
  EXPECT_EQ(hop_bound(graph_of(3, {{0, 1, 1}}), 100, 2), kInfinity) << "no way back";
}

TEST(HopBound, IsInfiniteWhereItDoesNotLook) {
  EXPECT_EQ(hop_bound(graph_of(2, {{0, 1, -1}, {1, 0, 1}}), 100, 1), kInfinity);
  EXPECT_EQ(hop_bound(Graph(), 100, 1), 0);
  EXPECT_EQ(hop_bound(graph_of(1, {}), 100, 1), 0);
}

TEST(HopBound, OfAMatrix) {
  const auto values =
      std::make_shared<std::vector<float>>(std::vector<float>{0, 5, 9, 1, 0, 1, 2, 7, 0});
  for (const bool by_columns : {false, true}) {
    GraphBuilder builder(3);
    builder.set_matrix({.type = ValueType::f32,
                        .n = 3,
                        .by_columns = by_columns,
                        .data = values->data(),
                        .owner = values});
    const Graph graph = std::move(builder).build();
    ASSERT_NE(graph.matrix(), nullptr);
    if (by_columns) {
      EXPECT_EQ(hop_bound(graph, 8, 2), kInfinity);
    } else {
      EXPECT_GE(hop_bound(graph, 8, 2), verifier::longest_distance(graph));
      EXPECT_LE(hop_bound(graph, 8, 2), 14);
    }
  }
}

TEST(HopBound, IsCancelled) {
  Cancellation cancellation;
  cancellation.request();
  const Control control{.cancellation = &cancellation};
  EXPECT_ERROR(interrupted, hop_bound(path(9), 1, 2, control));
}

}  // namespace
}  // namespace apsp
