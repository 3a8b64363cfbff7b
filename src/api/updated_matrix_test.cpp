// Matrices of distances for other weights, in memory and stored: as a solve of the changed graph.
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/update.hpp"
#include "paths/paths.hpp"
#include "support/changed_edges.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::api {
namespace {

constexpr std::int64_t kN = 120;

SolveOptions matrix_of(Semiring semiring, std::optional<ValueType> type = {}) {
  SolveOptions options{.question = {.semiring = semiring},
                       .method = {.value_type = type},
                       .storage = {.keep = Keep::matrix}};
  return options;
}

void expect_same(const Result& updated, const Result& fresh) {
  ASSERT_EQ(updated.vertex_count(), fresh.vertex_count());
  for (Vertex s = 0; s < updated.vertex_count(); ++s) {
    ASSERT_EQ(updated.distances_from(s), fresh.distances_from(s)) << "from " << s;
  }
  EXPECT_TRUE(updated.verify().passed);
  EXPECT_EQ(updated.statistics().mean, fresh.statistics().mean);
}

TEST(UpdatedMatrix, AnswersAsASolveInEverySemiring) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      for (const int nth : {1, 40, 150}) {
        const Graph graph = random_graph({.n = kN,
                                          .arcs = 300,
                                          .least = 1,
                                          .greatest = 40,
                                          .directed = directed,
                                          .acyclic = semiring == Semiring::max_plus,
                                          .seed = ++seed});
        const Graph after = with_changes(graph, changes_of(graph, nth));
        UpdateReport report;
        const Result updated =
            solve(graph, matrix_of(semiring)).update(after, {.threads = 2}, &report);
        EXPECT_EQ(updated.kept(), Keep::matrix);
        EXPECT_EQ(updated.graph().digest(), after.digest());
        EXPECT_GT(report.changes, 0);
        expect_same(updated, solve(after, matrix_of(semiring)));
      }
    }
  }
}

TEST(UpdatedMatrix, SolvesOnlyTheRowsThatLargerWeightsTouch) {
  GraphBuilder builder(6);
  for (Vertex v = 0; v < 5; ++v) builder.add_edge(v, v + 1, 2);
  const Graph graph = std::move(builder).build();
  UpdateReport report;
  const Graph after = with_changes(graph, std::vector<Edge>{{1, 2, 5}});
  const Result updated = solve(graph, matrix_of(Semiring::min_plus)).update(after, {}, &report);
  EXPECT_EQ(report.rows_solved, 2);
  EXPECT_EQ(updated.distance(0, 5), 13);
  EXPECT_EQ(updated.distance(2, 5), 6);
}

TEST(UpdatedMatrix, TakesRealWeightsWithinTheirRounding) {
  const Graph graph = random_graph({.n = kN, .arcs = 900, .least = 1, .greatest = 9, .real = true});
  const Graph after = with_changes(graph, changes_of(graph, 300));
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    const Result updated = solve(graph, matrix_of(Semiring::min_plus, type)).update(after);
    EXPECT_EQ(updated.value_type(), type);
    EXPECT_TRUE(updated.verify().passed);
  }
}

TEST(UpdatedMatrix, TakesNegativeWeightsAndRefusesTheirCycles) {
  const Graph graph = random_graph({.n = kN, .arcs = 500, .potential = 30});
  const Result before = solve(graph, matrix_of(Semiring::min_plus));
  const Edge first = [&] {
    Edge found{};
    graph.visit_all([&](Vertex from, Vertex to, double w) { found = {from, to, w}; });
    return found;
  }();
  const Graph after =
      with_changes(graph, std::vector<Edge>{{first.from, first.to, first.weight + 3}});
  expect_same(before.update(after), solve(after, matrix_of(Semiring::min_plus)));
  const Graph wrong = with_changes(
      graph, std::vector<Edge>{{first.from, first.to, -100}, {first.to, first.from, -100}});
  EXPECT_ERROR(negative_cycle, before.update(wrong));
}

TEST(UpdatedMatrix, TakesNewVertices) {
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  GraphBuilder builder(kN + 2);
  graph.visit_all([&](Vertex from, Vertex to, double w) { builder.add_edge(from, to, w); });
  builder.add_edge(3, kN, 1);
  builder.add_edge(kN, 70, 1);
  builder.add_edge(70, kN + 1, 4);
  const Graph after = std::move(builder).build();
  UpdateReport report;
  const Result updated = solve(graph, matrix_of(Semiring::min_plus)).update(after, {}, &report);
  EXPECT_EQ(report.changes, 3);
  EXPECT_EQ(report.rows_solved, 0);
  EXPECT_EQ(updated.report().sources, kN + 2);
  expect_same(updated, solve(after, matrix_of(Semiring::min_plus)));
}

TEST(UpdatedMatrix, MatchesNewVerticesByName) {
  const auto named = [](std::vector<std::string> names, std::vector<Edge> edges) {
    GraphBuilder builder(std::ssize(names));
    builder.set_labels(std::move(names));
    builder.add_edges(std::move(edges));
    return std::move(builder).build();
  };
  const Graph graph = named({"a", "b", "c"}, {{0, 1, 5}, {1, 2, 5}});
  const Graph after = named({"d", "c", "b", "a"}, {{3, 2, 5}, {2, 1, 5}, {3, 0, 1}, {0, 1, 1}});
  const Result updated = solve(graph, matrix_of(Semiring::min_plus)).update(after);
  const auto vertex = [&](const char* name) { return *updated.graph().find(name); };
  EXPECT_EQ(vertex("a"), 0U);
  EXPECT_EQ(vertex("d"), 3U);
  EXPECT_EQ(updated.distance(vertex("a"), vertex("c")), 2);
  EXPECT_EQ(updated.distance(vertex("d"), vertex("c")), 1);
  const Graph fewer = named({"a", "b"}, {{0, 1, 5}});
  EXPECT_ERROR(usage, updated.update(fewer));
}

TEST(UpdatedMatrix, HasAWiderTypeWhereItsDistancesNeedOne) {
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const Graph after = with_changes(graph, std::vector<Edge>{{0, 1, 40'000}, {1, 2, 0.5}});
  UpdateReport report;
  const Result updated =
      solve(graph, matrix_of(Semiring::min_plus, ValueType::u16)).update(after, {}, &report);
  EXPECT_EQ(report.value_type_before, ValueType::u16);
  EXPECT_EQ(report.value_type, ValueType::f32);
  EXPECT_EQ(report.rows_solved, kN);
  expect_same(updated, solve(after, matrix_of(Semiring::min_plus, ValueType::f32)));
}

TEST(UpdatedMatrix, TakesWeightsThatItsTypeDoesNotHoldForNoPath) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 5}, {2, 0, 3}});
  const Result before = solve(graph, matrix_of(Semiring::min_plus, ValueType::u16));
  for (const double weight : {32'767.0, 65'536.0, 65'537.0, 1e6, 0x1p32 + 1, 0x1p53}) {
    const Graph after = with_changes(graph, std::vector<Edge>{{0, 2, weight}});
    const Result updated = before.update(after);
    EXPECT_EQ(updated.value_type(), ValueType::u16) << weight;
    expect_same(updated, solve(after, matrix_of(Semiring::min_plus)));
    // And from there to a weight that it holds.
    expect_same(updated.update(graph), before);
  }
}

std::unique_ptr<store::Store> stored_of(const Result& result) {
  const RowBlock found = *result.matrix();
  const std::int64_t n = result.vertex_count();
  auto stored = store::make_memory_store(
      {.n = n, .type = result.value_type(), .semiring = result.semiring()});
  stored->write(store::Plane::distance, {0, 0, n, n}, found.values, found.stride);
  return stored;
}

/// The distances of the changed graph by invented GPUs.
UpdatedMatrix through_device(const Graph& graph, const Graph& after, const SolveOptions& how,
                             std::vector<int> ordinals = {}) {
  return updated_matrix(
      graph, *stored_of(solve(graph, how)), after,
      {.threads = 2, .device = Device::cuda, .device_ordinals = std::move(ordinals)}, [] {
        return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(1)});
      });
}

TEST(UpdatedMatrix, IsTheSameThroughADevice) {
  std::uint64_t seed = 50;
  for (const Semiring semiring : all_semirings()) {
    for (const int nth : {1, 40, 150}) {  // 1: solved again
      const Graph graph = random_graph({.n = kN,
                                        .arcs = 300,
                                        .least = 1,
                                        .greatest = 40,
                                        .acyclic = semiring == Semiring::max_plus,
                                        .seed = ++seed});
      const Graph after = with_changes(graph, changes_of(graph, nth));
      const UpdatedMatrix updated = through_device(graph, after, matrix_of(semiring));
      const Result fresh = solve(after, matrix_of(semiring, updated.report.value_type));
      for (Vertex s = 0; s < kN; ++s) {
        ASSERT_EQ(paths::read_row(*updated.matrix, s), paths::read_row(*stored_of(fresh), s))
            << name(semiring) << ", every " << nth << ", from " << s;
      }
    }
  }
}

TEST(UpdatedMatrix, OnADeviceRefusesWhatThatDoesNotTake) {
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const auto refused = [](auto&& work) { return std::string(error_of(work).what()); };
  const SolveOptions how = matrix_of(Semiring::min_plus);
  refused([&] { through_device(graph, graph, how, {0, 1}); });
  refused([&] { through_device(graph, graph, how, {7}); });
  SolveOptions of_factor{.storage = {.keep = Keep::factor}};
  refused([&] { solve(graph, of_factor).update(graph, {.device = Device::cuda}); });
  // Sums of signed int32 end at 2^28 on a GPU, and a product adds paths of both graphs.
  const Graph far = with_changes(random_graph({.n = kN, .arcs = 400, .potential = 30}),
                                 std::vector<Edge>{{0, 1, 1 << 27}});
  refused([&] { through_device(far, far, matrix_of(Semiring::min_plus, ValueType::i32)); });
}

TEST(UpdatedMatrix, OfAFileAppearsWholeOrNotAtAll) {
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const auto change = [](const Graph& of) { return with_changes(of, changes_of(of, 130)); };
  for (const char* name : {"a.zarr", "a.npy"}) {
    const TemporaryFolder folder;
    SolveOptions options = matrix_of(Semiring::min_plus);
    options.storage.output = folder / name;
    options.storage.stored = Keep::matrix;
    solve(graph, options);
    const bool npy = std::string(name) == "a.npy";
    UpdateOptions updating{.threads = 2, .output = folder / (npy ? "b.npy" : "b.zarr")};
    if (npy) updating.before = graph;
    EXPECT_GT(update_stored(folder / name, change, updating).changes, 0);
    const std::optional<Graph> before = npy ? std::optional(graph) : std::nullopt;
    const std::optional<Graph> after = npy ? std::optional(change(graph)) : std::nullopt;
    const Result fresh = solve(change(graph), matrix_of(Semiring::min_plus));
    expect_same(open_result(updating.output, after), fresh);
    expect_same(open_result(folder / name, before), solve(graph, matrix_of(Semiring::min_plus)));
    updating.output.clear();  // in place
    update_stored(folder / name, change, updating);
    expect_same(open_result(folder / name, after), fresh);
  }
}

TEST(UpdatedMatrix, RefusesWhatItCannotRenew) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const auto refused = [&](const Result& result, const UpdateOptions& options = {}) {
    return std::string(error_of([&] { result.update(graph, options); }).what());
  };
  SolveOptions options = matrix_of(Semiring::min_plus);
  options.question.via = true;
  refused(solve(graph, options));
  options = matrix_of(Semiring::min_plus);
  options.question.sources = {1, 2};
  refused(solve(graph, options));
  options.question.sources.clear();
  options.storage.keep = Keep::statistics;
  refused(solve(graph, options));
  refused(solve(graph, matrix_of(Semiring::min_plus)), {.memory = 1000});
  options = matrix_of(Semiring::min_plus);
  options.storage.output = folder / "a.npy";
  options.storage.stored = Keep::matrix;
  solve(graph, options);
  const auto same = [](const Graph& of) { return of; };
  EXPECT_ERROR(usage, update_stored(options.storage.output, same));
  const Graph other = random_graph({.n = 5, .arcs = 9});
  EXPECT_ERROR(usage, update_stored(options.storage.output, same, {.before = other}));
}

}  // namespace
}  // namespace apsp::api
