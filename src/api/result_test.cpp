// What results of some sources and targets hold, and what they refuse. Their distances:
// solve_suite_test.
#include <apsp/apsp.hpp>

#include "api/stored_result.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::result_test {
namespace {

using Vertices = std::vector<Vertex>;

constexpr std::int64_t kVertices = 90;
const Vertices kSources = {70, 3, 88, 4, 5, 0, 41}, kTargets = {2, 89, 3, 50};

/// A graph, an algorithm that takes it, and some of its vertices.
Graph graph_to_select_from() {
  return random_graph({.n = kVertices, .arcs = 2 * kVertices, .least = 1, .greatest = 9});
}

SolveOptions options_between(const Vertices& sources, const Vertices& targets) {
  return {.question = {.sources = sources, .targets = targets},
          .method = {.algorithm = Algorithm::floyd_warshall, .tile = 3},
          .machine = {.threads = 3}};
}

/// The list once made the diameter a bound of itself, which a stored result then lost.
TEST(SelectedSolve, AListOfAllVerticesGivesTheStatisticsOfAll) {
  const Graph graph = graph_of(3, {{1, 0, 2}, {2, 1, 3}}, true);
  const Vertices all = {2, 0, 1};
  const Statistics expected = solve(graph).statistics();
  for (const bool listed_sources : {false, true}) {
    for (const bool listed_targets : {false, true}) {
      SolveOptions options;
      if (listed_sources) options.question.sources = all;
      if (listed_targets) options.question.targets = all;
      statistics::expect_same(solve(graph, options).statistics(), expected);
    }
  }
}

TEST(SelectedSolve, AnswersForWhatItHoldsAndRefusesTheRest) {
  const Graph graph = graph_to_select_from();
  const auto refusal = [](auto&& act) { EXPECT_EQ(error_of(act).kind(), ErrorKind::usage); };
  const Result rows = solve(graph, options_between(kSources, {}));
  const Result whole = solve(graph, {.method = {.algorithm = Algorithm::floyd_warshall}});
  for (const Vertex s : kSources) {
    EXPECT_EQ(rows.distances_from(s), whole.distances_from(s));
    EXPECT_EQ(rows.predecessors(s), whole.predecessors(s));
    for (Vertex t = 0; t < kVertices; t += 7) EXPECT_EQ(rows.path(s, t), whole.path(s, t));
  }
  const VerifyReport checked = rows.verify();
  EXPECT_TRUE(checked.passed);
  EXPECT_EQ(checked.sources_checked, std::ssize(kSources));
  EXPECT_EQ(checked.meaning, "proof for the sources that are kept");
  refusal([&] { rows.distance(1, 70); });
  refusal([&] { rows.path(1, 70); });
  const std::vector<VertexPair> pair = {{1, 70}};
  refusal([&] { rows.distances(pair); });
  refusal([&] { rows.distance(90, 1); });
  const Result columns = solve(graph, options_between({}, kTargets));
  refusal([&] { columns.distance(1, 1); });
  refusal([&] { columns.path(1, 2); });
  refusal([&] { columns.distances_from(1); });
  refusal([&] { columns.verify(); });
}

TEST(SelectedSolve, FindsWhatIsWrongInTheRowsThatItHolds) {
  const Graph graph = graph_to_select_from();
  const Result rows = solve(graph, options_between(kSources, {}));
  const Graph other = random_graph({.n = kVertices, .arcs = 2 * kVertices, .least = 1, .seed = 7});
  const TemporaryFolder folder;
  rows.save(folder / "x.npy");
  const auto check = [&](const Graph& with, const Vertices& sources) {
    return api::verify_stored(folder / "x.npy", with, Semiring::min_plus, {}, nullptr,
                              {sources, {}});
  };
  EXPECT_TRUE(check(graph, kSources).passed);
  EXPECT_FALSE(check(other, kSources).passed);
  Vertices swapped = kSources;
  std::swap(swapped[0], swapped[1]);
  EXPECT_FALSE(check(graph, swapped).passed);
}

TEST(SelectedSolve, RefusesWhatItCannotHave) {
  const Graph graph = graph_to_select_from();
  const auto refusal = [&](auto&& change) {
    SolveOptions options = options_between({1, 2}, {});
    change(options);
    EXPECT_ERROR(usage, solve(graph, options));
  };
  refusal([](SolveOptions& o) { o.question.sources = {1, 2, 1}; });
  refusal([](SolveOptions& o) { o.question.sources = {kVertices}; });
  refusal([](SolveOptions& o) { o.question.targets = {5, 5}; });
  refusal([](SolveOptions& o) {
    o.question.targets = {5};
    o.question.predecessors = true;
  });
  refusal([](SolveOptions& o) { o.question.via = true; });
  refusal([](SolveOptions& o) {
    o.method.algorithm = Algorithm::nested_dissection;
    o.storage.keep = Keep::factor;
  });
  refusal([](SolveOptions& o) {
    o.storage.output = "nowhere.zarr";
    o.storage.stored = Keep::factor;
  });
}

TEST(SelectedSolve, HoldsThePredecessorsOfItsSources) {
  const Graph graph = graph_to_select_from();
  for (const Vertices& sources : {Vertices(), kSources}) {
    SolveOptions options = options_between(sources, {});
    const Result without = solve(graph, options);
    EXPECT_EQ(without.matrix()->predecessors, nullptr);
    options.question.predecessors = true;
    const Result with = solve(graph, options);
    ASSERT_NE(with.matrix()->predecessors, nullptr);
    for (const Vertex s : kSources) EXPECT_EQ(with.predecessors(s), without.predecessors(s));
  }
}

TEST(SelectedSolve, OptionsOfAnOutputNeedOne) {
  const Graph graph = generate({.kind = GraphKind::path, .vertices = 4});
  const auto refusal = [&](const SolveOptions& options) {
    EXPECT_ERROR(usage, solve(graph, options));
  };
  refusal({.storage = {.overwrite = true}});
  refusal({.storage = {.disk = 1024}});
}

TEST(SelectedSolve, OfAFewSourcesTakesNoMatrixAndLittleMemory) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 22500});
  std::map<std::int64_t, PlanReport> plans;
  for (const std::int64_t count : {1, 20, 22500}) {
    SolveOptions options;
    options.machine.device = Device::cpu;  // whatever GPUs and processors this machine has
    options.machine.threads = 2;
    for (Vertex v = 0; v < count; ++v) options.question.sources.push_back(v);
    options.storage.keep = Keep::matrix;
    options.on_plan = [&](const PlanReport& plan) { plans[count] = plan; };
    if (count < 22500) {
      const Result result = solve(grid, options);
      EXPECT_LT(result.report().bytes_matrix, std::int64_t{22500} * 20 * 4 + 1);
    } else {
      options.question.sources.clear();
      options.machine.memory = std::int64_t{1} << 40;
      options.on_plan = [&](const PlanReport& plan) {
        plans[count] = plan;
        throw std::runtime_error("enough");
      };
      EXPECT_THROW(solve(grid, options), std::runtime_error);
    }
  }
  EXPECT_NE(plans[1].algorithm, Algorithm::floyd_warshall);
  EXPECT_EQ(plans[20].sources, 20);
  EXPECT_EQ(plans[20].targets, 22500);
  EXPECT_LT(plans[20].bytes, plans[22500].bytes / 4);
  EXPECT_LT(plans[20].predicted.seconds, plans[22500].predicted.seconds / 4);
}

TEST(SelectedSolve, HandsOutItsMatrixWhereItRestsInMemory) {
  const Graph graph = random_graph({.n = kVertices, .arcs = 2 * kVertices, .greatest = 9});
  SolveOptions options{.question = {.sources = kSources, .targets = kTargets},
                       .method = {.value_type = ValueType::f64}};
  for (const bool all : {false, true}) {
    if (all) options.question.sources = options.question.targets = {};
    Result solved = solve(graph, options);
    const std::optional<RowBlock> matrix = solved.matrix();
    ASSERT_TRUE(matrix);
    EXPECT_EQ(matrix->type, ValueType::f64);
    EXPECT_TRUE(std::ranges::equal(matrix->sources, options.question.sources));
    const Result moved = std::move(solved);
    const auto* values = static_cast<const double*>(matrix->values);
    for (std::size_t i = 0; i < kSources.size(); ++i) {
      for (std::size_t j = 0; j < kTargets.size(); ++j) {
        const std::size_t row = all ? kSources[i] : i, column = all ? kTargets[j] : j;
        EXPECT_EQ(values[row * static_cast<std::size_t>(matrix->stride) + column],
                  moved.distance(kSources[i], kTargets[j]));
      }
    }
  }
}

TEST(SelectedSolve, HandsOutNoMatrixThatIsNotInMemory) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kVertices, .arcs = 2 * kVertices, .greatest = 9});
  EXPECT_FALSE(solve(graph, {.storage = {.keep = Keep::statistics}}).matrix());
  EXPECT_FALSE(solve(graph, {.storage = {.keep = Keep::factor}}).matrix());
  solve(graph, {.storage = {.output = folder / "a.zarr"}});
  EXPECT_FALSE(open_result(folder / "a.zarr").matrix());
}

/// 0 → 1 → 2 → 3, and 4 apart.
Graph chain() { return graph_of(5, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}); }

void expect_chain(const Result& result) {
  ASSERT_TRUE(result.has_via() && result.has_hops());
  EXPECT_EQ(result.via(0, 1), std::nullopt);
  EXPECT_EQ(result.via(0, 0), std::nullopt);
  EXPECT_EQ(result.via(0, 4), std::nullopt);
  EXPECT_EQ(result.via(0, 2), 1u);
  EXPECT_EQ(result.hops(0, 3), 3);
  EXPECT_EQ(result.hops(0, 1), 1);
  EXPECT_EQ(result.hops(2, 2), 0);
  EXPECT_EQ(result.hops(3, 0), std::nullopt);
  EXPECT_THAT(result.path_by_via(0, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(result.path_by_via(2, 2), ElementsAre(2));
  EXPECT_THAT(result.path_by_via(3, 0), IsEmpty());
  EXPECT_ERROR(usage, result.via(0, 5));
  EXPECT_ERROR(usage, result.path_by_via(5, 0));
}

TEST(ResultVia, FromMemoryAndFromAFile) {
  SolveOptions options{.question = {.hops = true}};
  expect_chain(solve(chain(), options));
  const TemporaryFolder folder;
  options.storage.output = folder / "chain.zarr";
  solve(chain(), options);
  expect_chain(open_result(options.storage.output));
  EXPECT_TRUE(open_result(options.storage.output).verify().passed);
}

TEST(ResultVia, WhatWasNotKeptIsAnErrorWithTheWayOut) {
  const Result plain = solve(chain());
  EXPECT_FALSE(plain.has_via() || plain.has_hops());
  for (const auto& act : std::initializer_list<std::function<void()>>{
           [&] { plain.via(0, 1); }, [&] { plain.path_by_via(0, 1); }}) {
    EXPECT_EQ(error_of(act).kind(), ErrorKind::usage);
  }
  SolveOptions options{.question = {.via = true}};
  const Result via = solve(chain(), options);
  EXPECT_TRUE(via.has_via());
  EXPECT_ERROR(usage, via.hops(0, 1));
}

}  // namespace
}  // namespace apsp::result_test
