// Solves by rows give what Floyd-Warshall gives: in memory, in files, to statistics and to callers.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <vector>

#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

constexpr Algorithm kByRows[] = {Algorithm::nested_dissection, Algorithm::boundary,
                                 Algorithm::johnson, Algorithm::breadth_first};

Graph hops_graph(std::int64_t n, bool directed) {
  return random_graph({.n = n, .arcs = 2 * n, .least = 1, .greatest = 1, .directed = directed});
}

std::vector<double> distances(const Result& result) {
  std::vector<double> all;
  for (Vertex s = 0; s < result.vertex_count(); ++s) {
    const std::vector<double> row = result.distances_from(s);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

TEST(RowsSolve, GivesTheMatrixAndStatisticsOfFloydWarshall) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t n : {0, 1, 2, 40, 700}) {
      const Graph graph = hops_graph(n, directed);
      const Result dense = solve(graph, {.method = {.algorithm = Algorithm::floyd_warshall}});
      for (const Algorithm algorithm : kByRows) {
        const Result result =
            solve(graph, {.method = {.algorithm = algorithm}, .machine = {.threads = 3}});
        EXPECT_EQ(result.report().algorithm, algorithm);
        EXPECT_EQ(distances(result), distances(dense)) << name(algorithm) << " n " << n;
        statistics::expect_same(result.statistics(), dense.statistics());
        const Result no_matrix = solve(graph, {.method = {.algorithm = algorithm},
                                               .machine = {.threads = 3},
                                               .storage = {.keep = Keep::statistics}});
        statistics::expect_same(no_matrix.statistics(), dense.statistics());
      }
    }
  }
}

TEST(RowsSolve, GivesPathsOverTheMatrixThatItFills) {
  const Graph graph = hops_graph(300, false);
  const Result dense = solve(graph, {.method = {.algorithm = Algorithm::floyd_warshall}});
  for (const Algorithm algorithm : kByRows) {
    const Result result =
        solve(graph, {.question = {.predecessors = true}, .method = {.algorithm = algorithm}});
    for (Vertex t = 0; t < 300; t += 7) EXPECT_EQ(result.path(3, t), dense.path(3, t));
    EXPECT_TRUE(result.verify().passed);
  }
}

TEST(RowsSolve, WritesTheSameFilesWithoutAMatrix) {
  const TemporaryFolder folder;
  const Graph graph = hops_graph(500, true);
  const Result dense = solve(graph, {.method = {.algorithm = Algorithm::floyd_warshall}});
  for (const Algorithm algorithm : kByRows) {
    for (const std::string ending : {".zarr", ".npy"}) {
      const std::string path = folder.path() + "/" + std::string(name(algorithm)) + ending;
      solve(graph, {.method = {.algorithm = algorithm, .tile = 64},
                    .machine = {.threads = 2},
                    .storage = {.output = path, .keep = Keep::statistics}});
      const Result stored = open_result(path, graph);
      EXPECT_EQ(distances(stored), distances(dense)) << path;
      EXPECT_TRUE(stored.verify().passed);
    }
  }
}

TEST(RowsSolve, GivesEveryRowOnceToACaller) {
  const Graph graph = hops_graph(600, true);
  for (const Algorithm algorithm : kByRows) {
    std::vector<int> times(600);
    SolveOptions options{.method = {.algorithm = algorithm},
                         .machine = {.threads = 3},
                         .storage = {.keep = Keep::statistics}};
    options.consumer.on_rows = [&](const RowBlock& rows) {
      for (const Vertex s : rows.sources) ++times[s];
    };
    solve(graph, options);
    EXPECT_EQ(times, std::vector<int>(600, 1));
  }
}

TEST(RowsSolve, TakesEverySemiringAndNegativeWeights) {
  const Graph graph = random_graph({.n = 200, .arcs = 700, .least = 1, .greatest = 50});
  const Graph negative = random_graph({.n = 200, .arcs = 700, .potential = 40});
  const auto compare = [](const Graph& of, Algorithm algorithm, Semiring semiring) {
    const Result dense = solve(of, {.question = {.semiring = semiring},
                                    .method = {.algorithm = Algorithm::floyd_warshall}});
    const Result result =
        solve(of, {.question = {.semiring = semiring}, .method = {.algorithm = algorithm}});
    EXPECT_EQ(distances(result), distances(dense)) << name(algorithm) << " " << name(semiring);
  };
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    compare(graph, Algorithm::nested_dissection, semiring);
    compare(graph, Algorithm::boundary, semiring);
    compare(graph, Algorithm::johnson, semiring);
  }
  compare(graph, Algorithm::nested_dissection, Semiring::or_and);
  compare(graph, Algorithm::boundary, Semiring::or_and);
  compare(graph, Algorithm::breadth_first, Semiring::or_and);
  const Graph acyclic =
      random_graph({.n = 200, .arcs = 700, .least = -9, .greatest = 50, .acyclic = true});
  for (const Algorithm algorithm :
       {Algorithm::nested_dissection, Algorithm::boundary, Algorithm::johnson}) {
    compare(acyclic, algorithm, Semiring::max_plus);
  }
  compare(negative, Algorithm::nested_dissection, Semiring::min_plus);
  compare(negative, Algorithm::boundary, Semiring::min_plus);
  compare(negative, Algorithm::johnson, Semiring::min_plus);
}

}  // namespace
}  // namespace apsp
