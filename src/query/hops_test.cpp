#include "query/paths.hpp"

#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp::query {
namespace {

std::vector<double> so_far(Semiring semiring, const std::vector<Vertex>& path) {
  const Graph graph = graph_of(3, {{0, 1, 4}, {0, 1, 6}, {1, 2, 5}});
  std::vector<double> values;
  for (const Hop& hop : hops(graph, semiring, ValueType::f64, path)) values.push_back(hop.so_far);
  return values;
}

TEST(Hops, TakeTheBestOfParallelEdgesInEverySemiring) {
  EXPECT_EQ(so_far(Semiring::min_plus, {0, 1, 2}), (std::vector<double>{4, 9}));
  EXPECT_EQ(so_far(Semiring::max_plus, {0, 1, 2}), (std::vector<double>{6, 11}));
  EXPECT_EQ(so_far(Semiring::max_min, {0, 1, 2}), (std::vector<double>{6, 5}));
  EXPECT_EQ(so_far(Semiring::min_max, {0, 1, 2}), (std::vector<double>{4, 5}));
}

TEST(Hops, AreNoneOfAPathOfOneVertexAndOfNoPath) {
  EXPECT_TRUE(so_far(Semiring::min_plus, {1}).empty());
  EXPECT_TRUE(so_far(Semiring::min_plus, {}).empty());
}

TEST(Hops, NeedTheEdgesOfTheGraph) { EXPECT_ERROR(input, so_far(Semiring::min_plus, {2, 1})); }

}  // namespace
}  // namespace apsp::query
