#include "search/breadth_first_rows.hpp"

#include <apsp/graph.hpp>

#include "search/links.hpp"
#include "semiring/dispatch.hpp"
#include "support/computed_rows.hpp"
#include "support/graph_of.hpp"
#include "support/named_graphs.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::search::breadth_first_rows_test {
namespace {

Graph unit_graph(std::int64_t n, std::int64_t arcs, bool directed, std::uint64_t seed = 1) {
  return random_graph(
      {.n = n, .arcs = arcs, .least = 1, .greatest = 1, .directed = directed, .seed = seed});
}

Graph unit_graph(GraphKind kind, std::int64_t n, bool directed = false) {
  return generate({.kind = kind, .vertices = n, .greatest_weight = 1, .directed = directed});
}

std::vector<NamedGraph> problems() {
  std::vector<NamedGraph> all = named_graphs(1);
  all.push_back({"LongPath", unit_graph(GraphKind::path, 700)});
  all.push_back({"LargeGrid", unit_graph(GraphKind::grid, 30 * 25)});
  all.push_back({"MoreThanABlock", unit_graph(1100, 3000, true)});
  all.push_back({"ABlock", unit_graph(512, 2000, false)});
  all.push_back({"ABlockAndOne", unit_graph(513, 2000, false)});
  return all;
}

template <class T>
std::vector<T> expected_rows(const Graph& graph) {
  std::vector<T> expected;
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    for (const std::int64_t hops : verifier::bfs(graph, s)) {
      expected.push_back(hops < 0 ? semiring::MinPlus<T>::zero() : static_cast<T>(hops));
    }
  }
  return expected;
}

template <class S>
void expect_textbook(const NamedGraph& problem, ValueType type) {
  SCOPED_TRACE(problem.name + " " + std::string(name(type)));
  using T = typename S::Value;
  const auto source = breadth_first_rows(problem.graph, type);
  EXPECT_EQ(source->type(), type);
  EXPECT_EQ(source->semiring(), Semiring::min_plus);
  EXPECT_TRUE(computed_rows<T>(*source) == expected_rows<T>(problem.graph));
}

TEST(BreadthFirstRows, AreTheTextbooksInEveryType) {
  for (const NamedGraph& problem : problems()) {
    for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
      semiring::dispatch(Semiring::min_plus, type, [&]<class S>() {
        if constexpr (S::kKind == Semiring::min_plus) expect_textbook<S>(problem, type);
      });
    }
  }
}

TEST(BreadthFirstRows, BlocksOfAnySizeOneAfterTheOther) {
  for (const bool directed : {true, false}) {
    const Graph graph = unit_graph(600, 1500, directed, 7);
    const auto expected = expected_rows<std::int32_t>(graph);
    const auto source = breadth_first_rows(graph, ValueType::i32);
    for (const std::int64_t block : {1, 2, 63, 64, 65, 511, 600}) {
      EXPECT_TRUE(computed_rows<std::int32_t>(*source, {.block = block}) == expected) << block;
    }
  }
}

TEST(BreadthFirstRows, SeveralThreadsAtOnce) {
  const Graph graph = unit_graph(1500, 6000, true, 3);
  const auto source = breadth_first_rows(graph, ValueType::u16);
  EXPECT_TRUE(computed_rows<std::uint16_t>(*source, {.threads = 4, .block = 100}) ==
              expected_rows<std::uint16_t>(graph));
  EXPECT_GE(source->worker_bytes(), 1500 * 64 * 3);
}

TEST(BreadthFirstRows, LevelsOfThreeBytes) {
  const std::int64_t n = 70000;  // a path: the last vertex is 69,999 hops away
  const Graph graph = unit_graph(GraphKind::path, n);
  const auto source = breadth_first_rows(graph, ValueType::i32);
  const std::vector<Vertex> ends = {0, static_cast<Vertex>(n - 1), 5};
  std::vector<std::int32_t> rows(static_cast<std::size_t>(3 * n));
  source->worker()->compute(ends, rows.data(), n);
  for (std::int64_t v = 0; v < n; ++v) {
    ASSERT_EQ(rows[static_cast<std::size_t>(v)], v);
    ASSERT_EQ(rows[static_cast<std::size_t>(n + v)], n - 1 - v);
    ASSERT_EQ(rows[static_cast<std::size_t>(2 * n + v)], std::abs(v - 5));
  }
}

TEST(BreadthFirstRows, ADistanceBeyondTheTypeIsAnErrorAndTheWorkerStaysUsable) {
  const std::int64_t n = 40000;
  const Graph graph = unit_graph(GraphKind::path, n);
  const auto source = breadth_first_rows(graph, ValueType::u16);
  const auto worker = source->worker();
  std::vector<std::uint16_t> row(static_cast<std::size_t>(n));
  const Vertex end = 0, middle = 20000;
  EXPECT_ERROR(does_not_fit, worker->compute({&end, 1}, row.data(), n));
  worker->compute({&middle, 1}, row.data(), n);
  EXPECT_EQ(row[0], 20000);
  EXPECT_EQ(row[39999], 19999);
}

TEST(BreadthFirstRows, RefuseOtherWeightsAndTypes) {
  const Graph weighted = graph_of(2, {{0, 1, 2}}), unit = graph_of(2, {{0, 1, 1}});
  EXPECT_ERROR(usage, breadth_first_rows(weighted, ValueType::i32));
  EXPECT_ERROR(usage, breadth_first_rows(unit, ValueType::boolean));
}

TEST(ClusteredOrder, HoldsEveryVertexOnceInConnectedClusters) {
  const Graph graph = unit_graph(GraphKind::grid, 40 * 40);
  const std::vector<Vertex> order = clustered_order(links_of(graph), 64);
  std::vector<Vertex> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Vertex v = 0; v < 1600; ++v) ASSERT_EQ(sorted[v], v);
  // The first cluster is a corner of the grid: no two of its vertices are far from each other.
  const std::vector<std::int64_t> hops = verifier::bfs(graph, order[0]);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_LE(hops[order[i]], 11);
}

TEST(Links, ReversedTwiceAreTheSame) {
  const Links links = links_of(unit_graph(90, 400, true));
  const Links twice = reversed(reversed(links));
  EXPECT_EQ(twice.first, links.first);
  EXPECT_EQ(twice.targets, links.targets);
}

}  // namespace
}  // namespace apsp::search::breadth_first_rows_test
