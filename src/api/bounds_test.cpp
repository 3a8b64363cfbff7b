// A vertex that the graph does not have is refused by every public call that takes one.
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

struct Call {
  const char* name;
  std::function<void(Vertex)> with;
};

/// Vertices that a graph of five does not have; the last ones wrap where 1 is added.
constexpr Vertex kOutside[] = {5, 6, 1000, std::numeric_limits<Vertex>::max() - 1,
                               std::numeric_limits<Vertex>::max()};

void expect_refused(const std::vector<Call>& calls) {
  for (const Call& call : calls) {
    for (const Vertex v : kOutside) {
      SCOPED_TRACE(call.name);
      EXPECT_ERROR(usage, call.with(v));
    }
  }
}

GraphBuilder path_of_five() {
  GraphBuilder builder(5, false);
  for (Vertex v = 0; v < 4; ++v) builder.add_edge(v, v + 1, 2);
  return builder;
}

Graph labelled() {
  GraphBuilder builder = path_of_five();
  builder.set_labels({"a", "b", "c", "d", "e"});
  return std::move(builder).build();
}

/// As compressed rows, with labels, and as a matrix.
std::vector<Graph> graphs() {
  GraphBuilder of_matrix(5);
  auto values = std::make_shared<std::vector<float>>(25, 1.0F);
  of_matrix.set_matrix({.type = ValueType::f32, .n = 5, .data = values->data(), .owner = values});
  return {path_of_five().build(), labelled(), std::move(of_matrix).build()};
}

TEST(Bounds, OfGraphs) {
  for (const Graph& graph : graphs()) {
    ASSERT_EQ(graph.vertex_count(), 5);
    const auto visit = [](auto&&...) {};
    std::int64_t place = 0;
    expect_refused({
        {"name", [&](Vertex v) { graph.name(v); }},
        {"out_degree", [&](Vertex v) { graph.out_degree(v); }},
        {"for_each_arc", [&](Vertex v) { graph.for_each_arc(v, visit); }},
        {"for_each_arc_between from", [&](Vertex v) { graph.for_each_arc_between(v, 0, visit); }},
        {"for_each_arc_between to", [&](Vertex v) { graph.for_each_arc_between(0, v, visit); }},
        {"next_arc", [&](Vertex v) { graph.next_arc(v, place); }},
    });
    place = -1;
    EXPECT_ERROR(usage, graph.next_arc(0, place));
    place = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(graph.next_arc(0, place), std::nullopt);
    EXPECT_EQ(graph.find("5"), std::nullopt);
    if (graph.matrix() != nullptr) continue;
    expect_refused({{"targets", [&](Vertex v) { graph.targets(v); }},
                    {"weights", [&](Vertex v) { graph.weights(v); }}});
  }
}

TEST(Bounds, OfAGraphWithoutVertices) {
  const Graph nothing;
  EXPECT_ERROR(usage, nothing.name(0));
  EXPECT_ERROR(usage, nothing.out_degree(0));
  EXPECT_ERROR(usage, nothing.targets(0));
}

TEST(Bounds, OfEdges) {
  expect_refused({
      {"from",
       [](Vertex v) {
         GraphBuilder builder(5);
         builder.add_edge(v, 0);
         std::move(builder).build();
       }},
      {"to",
       [](Vertex v) {
         GraphBuilder builder(5, false);
         builder.add_edge(0, v);
         std::move(builder).build();
       }},
      {"with_changes",
       [](Vertex v) {
         with_changes(labelled(), std::vector<Edge>{{v, 0, 1}});
       }},
      {"with_changes to",
       [](Vertex v) {
         with_changes(labelled(), std::vector<Edge>{{0, v, 1}});
       }},
  });
}

std::vector<Result> results(const TemporaryFolder& folder) {
  std::vector<Result> all;
  SolveOptions options{.question = {.via = true, .hops = true},
                       .method = {.algorithm = Algorithm::floyd_warshall}};
  all.push_back(solve(labelled(), options));
  all.push_back(solve(labelled(), {.method = {.algorithm = Algorithm::nested_dissection},
                                   .storage = {.keep = Keep::factor}}));
  for (const auto& [name, keep] :
       {std::pair{"a.zarr", Keep::matrix}, std::pair{"b.zarr", Keep::factor}}) {
    const std::string path = folder / name;
    SolveOptions stored{.method = {.algorithm = Algorithm::nested_dissection}};
    stored.storage.output = path;
    stored.storage.stored = keep;
    stored.question.statistics = keep == Keep::matrix;
    solve(path_of_five().build(), stored);
    all.push_back(open_result(path));
  }
  return all;
}

TEST(Bounds, OfResults) {
  const TemporaryFolder folder;
  for (const Result& result : results(folder)) {
    expect_refused({
        {"name", [&](Vertex v) { result.name(v); }},
        {"distance from", [&](Vertex v) { result.distance(v, 0); }},
        {"distance to", [&](Vertex v) { result.distance(0, v); }},
        {"distances_from", [&](Vertex v) { result.distances_from(v); }},
        {"distances from",
         [&](Vertex v) {
           result.distances(std::vector<VertexPair>{{v, 0}});
         }},
        {"distances to",
         [&](Vertex v) {
           result.distances(std::vector<VertexPair>{{0, 1}, {0, v}});
         }},
        {"reachable from", [&](Vertex v) { result.reachable(v, 0); }},
        {"reachable to", [&](Vertex v) { result.reachable(0, v); }},
        {"path from", [&](Vertex v) { result.path(v, 0); }},
        {"path to", [&](Vertex v) { result.path(0, v); }},
        {"predecessors", [&](Vertex v) { result.predecessors(v); }},
        {"write_table from",
         [&](Vertex v) { write_table(result, folder / "t.csv", {.sources = {v}}); }},
        {"write_table to",
         [&](Vertex v) {
           write_table(result, folder / "t.csv", {.targets = {0, v}});
         }},
    });
    if (!result.has_via()) continue;
    expect_refused({{"via from", [&](Vertex v) { result.via(v, 0); }},
                    {"via to", [&](Vertex v) { result.via(0, v); }},
                    {"hops from", [&](Vertex v) { result.hops(v, 0); }},
                    {"hops to", [&](Vertex v) { result.hops(0, v); }},
                    {"path_by_via from", [&](Vertex v) { result.path_by_via(v, 0); }},
                    {"path_by_via to", [&](Vertex v) { result.path_by_via(0, v); }}});
  }
}

TEST(Bounds, OfSolvesAndWhatIsNear) {
  const TemporaryFolder folder;
  const Graph graph = labelled();
  const std::vector<double> people(5, 1), limits = {2};
  expect_refused({
      {"sources", [&](Vertex v) { solve(graph, {.question = {.sources = {v}}}); }},
      {"targets", [&](Vertex v) { solve(graph, {.question = {.targets = {v}}}); }},
      {"plan_solve",
       [&](Vertex v) {
         plan_solve(graph, {.question = {.sources = {0, v}}});
       }},
      {"distances",
       [&](Vertex v) {
         distances(graph, std::vector<VertexPair>{{0, v}});
       }},
      {"within", [&](Vertex v) { within(graph, 2, {.sources = {v}}); }},
      {"access", [&](Vertex v) { access(graph, people, limits, {}, {.sources = {v}}); }},
      {"nearest",
       [&](Vertex v) {
         nearest(graph, std::vector<Vertex>{0, v});
       }},
      {"betweenness", [&](Vertex v) { betweenness(graph, {.sources = {v}}); }},
      {"write_table", [&](Vertex v) { write_table(graph, folder / "t.csv", {.sources = {v}}); }},
      {"write_zarr",
       [&](Vertex v) {
         const std::vector<Vertex> sources = {v};
         write_zarr(within(graph, 2, {.sources = {0}}), graph, 2, sources, folder / "n.zarr");
       }},
  });
}

TEST(Bounds, OfListsOfVertices) {
  const std::vector<double> values = {1, std::numeric_limits<double>::quiet_NaN(), 3};
  EXPECT_EQ(top(values, 10), (std::vector<Vertex>{2, 0}));
  EXPECT_TRUE(top({}, 3).empty());
}

TEST(Bounds, OfMatrices) {
  std::vector<float> values(6, 1);
  const auto kind = [](const std::function<void()>& call) { return error_of(call).kind(); };
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(values.data(), 2, 3)); }),
            ErrorKind::usage);
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(values.data(), -1, -1)); }),
            ErrorKind::usage);
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(nullptr, 2, 2)); }),
            ErrorKind::usage);
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(values.data(), 2, 2, 1)); }),
            ErrorKind::usage);
  const MatrixView<float> two(values.data(), 2, 2), odd(values.data(), 2, 3);
  EXPECT_EQ(kind([&] { multiply_add<MinPlus>(two, odd, odd); }), ErrorKind::usage);
}

}  // namespace
}  // namespace apsp
