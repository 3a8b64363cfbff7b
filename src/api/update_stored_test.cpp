// Stored factors whose weights changed: as a solve of the changed graph, or as they were.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <limits>
#include <thread>

#include "support/changed_edges.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "system/file_lock.hpp"

namespace apsp::api {
namespace {

void store(const Graph& graph, const std::string& path, Semiring semiring = Semiring::min_plus,
           Keep stored = Keep::factor, std::optional<ValueType> type = {}) {
  SolveOptions options;
  options.question.semiring = semiring;
  options.method.value_type = type;
  options.storage.keep = Keep::statistics;
  options.storage.stored = stored;
  options.storage.output = path;
  solve(graph, options);
}

UpdateReport update(const std::string& path, const std::vector<Edge>& changes,
                    const std::string& output = "") {
  return update_stored(
      path, [&](const Graph& graph) { return with_changes(graph, changes_of_all(graph, changes)); },
      {.output = output});
}

/// Every n-th arc, with another weight.
std::vector<Edge> renewed_arcs(const Graph& graph, int nth) {
  std::vector<Edge> changes;
  int count = 0;
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (count++ % nth == 0) changes.push_back({from, to, static_cast<double>(1 + count % 40)});
  });
  return changes;
}

TEST(UpdateStored, AnswersAsASolveOfTheChangedGraph) {
  const TemporaryFolder folder;
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      for (const int nth : {1, 20, 1000}) {
        const Graph graph = random_graph({.n = 120,
                                          .arcs = 300,
                                          .least = 1,
                                          .greatest = 40,
                                          .directed = directed,
                                          .acyclic = semiring == Semiring::max_plus,
                                          .seed = ++seed});
        store(graph, folder / "a.zarr", semiring);
        const std::vector<Edge> changes = renewed_arcs(graph, nth);
        EXPECT_LE(update(folder / "a.zarr", changes).changes, std::ssize(changes));
        const Result opened = open_result(folder / "a.zarr");
        EXPECT_EQ(opened.kept(), Keep::factor);
        EXPECT_EQ(opened.graph().digest(),
                  with_changes(graph, changes_of_all(graph, changes)).digest());
        SolveOptions options{.question = {.semiring = semiring}};
        const Result fresh = solve(opened.graph(), options);
        for (Vertex s = 0; s < 120; s += 3) {
          EXPECT_EQ(opened.distances_from(s), fresh.distances_from(s));
        }
        EXPECT_EQ(opened.statistics().mean, fresh.statistics().mean);
        EXPECT_TRUE(opened.verify().passed);
      }
    }
  }
}

TEST(UpdateStored, LeavesTheOldOneWhereItGoesElsewhere) {
  const TemporaryFolder folder;
  const Graph path = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}, false);
  store(path, folder / "a.zarr");
  update(folder / "a.zarr", {{2, 1, 30}, {0, 1, 5}, {0, 1, 1}}, folder / "b.zarr");
  EXPECT_EQ(open_result(folder / "a.zarr").distance(0, 3), 9);
  EXPECT_EQ(open_result(folder / "b.zarr").distance(0, 3), 35);  // the last change counts
}

TEST(UpdateStored, GivesParallelArcsOneWeightAndArcsOfOneDirectionOne) {
  const TemporaryFolder folder;
  const Graph graph =
      graph_of(3, {{0, 1, 2}, {0, 1, 7}, {1, 0, 2}, {1, 0, 7}, {1, 2, 1}, {2, 1, 1}});
  store(graph, folder / "a.zarr");
  update(folder / "a.zarr", {{0, 1, 5}});
  const Result opened = open_result(folder / "a.zarr");
  EXPECT_EQ(opened.distance(0, 2), 6);
  EXPECT_EQ(opened.distance(2, 0), 3);
  update(folder / "a.zarr", {{1, 0, 5}});  // symmetric again
  EXPECT_EQ(open_result(folder / "a.zarr").distance(2, 0), 6);
}

TEST(UpdateStored, RefusesWhatNeedsAnotherSolve) {
  const TemporaryFolder folder;
  const Graph graph = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}, {2, 3, 1}});
  const std::string path = folder / "a.zarr";
  store(graph, path);
  ASSERT_EQ(open_result(path).value_type(), ValueType::u16);
  const auto refused = [&](const std::vector<Edge>& changes, ErrorKind kind) {
    EXPECT_EQ(error_of([&] { update(path, changes); }).kind(), kind);
    EXPECT_EQ(open_result(path).distance(0, 3), 6);
  };
  refused({{1, 0, std::numeric_limits<double>::infinity()}}, ErrorKind::usage);
  refused({{0, 9, 1}}, ErrorKind::usage);
  store(graph, path, Semiring::min_plus, Keep::factor, ValueType::i32);
  refused({{0, 1, -20}}, ErrorKind::negative_cycle);
  update(path, {{0, 1, -5}});
  EXPECT_EQ(open_result(path).distance(0, 3), -1);
}

TEST(UpdateStored, StoresAWiderTypeAndEdgesThatCome) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  store(graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}, {2, 3, 1}}), path);
  ASSERT_EQ(open_result(path).value_type(), ValueType::u16);
  EXPECT_EQ(update(path, {{0, 1, 90000}}).value_type_before, ValueType::u16);
  const Result wider = open_result(path);
  EXPECT_EQ(wider.value_type(), ValueType::i32);
  EXPECT_EQ(wider.report().value_type, ValueType::i32);
  EXPECT_EQ(wider.distance(0, 3), 90004);
  update(path, {{0, 3, 7}, {3, 1, 1}});
  const Result more = open_result(path);
  EXPECT_EQ(more.distance(0, 1), 8);
  EXPECT_TRUE(more.verify().passed);
}

TEST(UpdateStored, TwoAtOnceBothCount) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 100, .greatest = 200});
  store(graph, folder / "a.zarr", Semiring::min_plus, Keep::factor, ValueType::f64);
  std::vector<Edge> arcs;
  graph.visit_all([&](Vertex from, Vertex to, double) { arcs.push_back({from, to, 1}); });
  for (std::size_t i = 0; i + 1 < 20; i += 2) {
    std::thread other;
    update_stored(folder / "a.zarr",
                  [&](const Graph& read) {  // the first has read it, and the second begins
                    other = std::thread([&] { update(folder / "a.zarr", {arcs[i + 1]}); });
                    return with_changes(read, changes_of_all(read, {&arcs[i], 1}));
                  });
    other.join();
  }
  const std::vector<Edge> all(arcs.begin(), arcs.begin() + 20);
  EXPECT_EQ(open_result(folder / "a.zarr").graph().digest(),
            with_changes(graph, changes_of_all(graph, all)).digest());
}

TEST(UpdateStored, OfWhatASolveHasReplacedIsAnError) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 60, .arcs = 200}),
              other = random_graph({.n = 50, .arcs = 90});
  store(graph, folder / "a.zarr");
  const Error error = error_of([&] {
    update_stored(folder / "a.zarr", [&](const Graph& read) {
      store(other, folder / "a.zarr");
      return with_changes(read, changes_of_all(read, renewed_arcs(read, 1000)));
    });
  });
  EXPECT_EQ(error.kind(), ErrorKind::input_output);
  EXPECT_EQ(open_result(folder / "a.zarr").graph().digest(), other.digest());
  EXPECT_EQ(folder.entries(), 1);
}

TEST(UpdateStored, OneThatWaitsCanBeEnded) {
  const TemporaryFolder folder;
  store(random_graph({.n = 60, .arcs = 200}), folder / "a.zarr");
  const auto held = system::try_lock(folder / "a.zarr/graph/zarr.json");
  Cancellation cancellation;
  cancellation.request();
  const Error error = error_of([&] {
    update_stored(folder / "a.zarr", [](const Graph& graph) { return graph; },
                  {.control = {nullptr, &cancellation}});
  });
  EXPECT_EQ(error.kind(), ErrorKind::interrupted);
}

}  // namespace
}  // namespace apsp::api
