#include "search/reachability_rows.hpp"

#include <apsp/graph.hpp>

#include "search/links.hpp"
#include "support/computed_rows.hpp"
#include "support/graph_of.hpp"
#include "support/named_graphs.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::search::reachability_rows_test {
namespace {

std::vector<std::uint8_t> expected_rows(const Graph& graph) {
  std::vector<std::uint8_t> expected;
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    for (const std::int64_t hops : verifier::bfs(graph, s)) expected.push_back(hops >= 0 ? 1 : 0);
  }
  return expected;
}

void expect_textbook(const std::string& name, const Graph& graph, RowCalls calls = {}) {
  SCOPED_TRACE(name);
  const auto source = reachability_rows(graph);
  EXPECT_EQ(source->vertices(), graph.vertex_count());
  EXPECT_EQ(source->semiring(), Semiring::or_and);
  EXPECT_EQ(source->type(), ValueType::boolean);
  EXPECT_TRUE(computed_rows<std::uint8_t>(*source, calls) == expected_rows(graph));
}

TEST(ReachabilityRows, AreTheTextbooks) {
  for (const NamedGraph& problem : named_graphs(3)) expect_textbook(problem.name, problem.graph);
  expect_textbook("a negative arc", graph_of(2, {{1, 0, -3}}));
  expect_textbook("few large components", random_graph({.n = 600, .arcs = 900, .least = -5}));
  expect_textbook("acyclic", random_graph({.n = 600, .arcs = 900, .acyclic = true}));
  expect_textbook("long path", generate({.kind = GraphKind::path, .vertices = 700}));
  expect_textbook("more than a block", random_graph({.n = 1100, .arcs = 1200, .real = true}));
}

TEST(ReachabilityRows, SeveralThreadsAtOnceInBlocksOfAnySize) {
  const Graph graph = random_graph({.n = 1000, .arcs = 1300});
  expect_textbook("threads", graph, {.threads = 4, .block = 100});
  for (const std::int64_t block : {1, 65, 511, 600, 1000}) {
    expect_textbook("block " + std::to_string(block), graph, {.block = block});
  }
}

TEST(ComponentLinks, LeadOnwardAndKeepWhoReachesWhom) {
  // 0 ⇄ 1 → 2 → 3 ⇄ 4, twice 1 → 3, 5 alone.
  const ComponentLinks links = component_links(graph_of(6, {{0, 1, 1},
                                                            {1, 0, 1},
                                                            {1, 2, 1},
                                                            {2, 3, 1},
                                                            {3, 4, 1},
                                                            {4, 3, 1},
                                                            {1, 3, 1},
                                                            {1, 3, 2},
                                                            {0, 4, 1}}));
  EXPECT_EQ(links.before.vertices(), 4);
  EXPECT_EQ(links.of[0], links.of[1]);
  EXPECT_EQ(links.of[3], links.of[4]);
  EXPECT_LT(links.of[1], links.of[2]);
  EXPECT_LT(links.of[2], links.of[3]);
  EXPECT_EQ(links.before.degree(links.of[3]), 2U);
  EXPECT_EQ(links.before.degree(links.of[5]), 0U);
}

}  // namespace
}  // namespace apsp::search::reachability_rows_test
