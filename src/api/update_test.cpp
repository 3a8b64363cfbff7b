// Results for other weights, in memory and stored, as factor and as matrix: as a solve of the
// changed graph.
#include <apsp/apsp.hpp>

#include "api/update.hpp"

#include "base/random.hpp"
#include "paths/paths.hpp"
#include "support/changed_edges.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "system/file_lock.hpp"

namespace apsp::api::update_test {
namespace {

constexpr std::int64_t kN = 100;
constexpr double kRemoved = std::numeric_limits<double>::infinity();

/// What a result keeps, in memory or in a file of this name.
struct Door {
  const char* name;
  Keep kept;
  const char* file = "";
  bool stored() const { return *file != '\0'; }
  bool is_npy() const { return std::string_view(file).ends_with(".npy"); }
};
void PrintTo(const Door& door, std::ostream* out) { *out << door.name; }

SolveOptions keeping(Keep keep, Semiring semiring = Semiring::min_plus,
                     std::optional<ValueType> type = {}) {
  return {.question = {.semiring = semiring, .statistics = false},
          .method = {.value_type = type},
          .storage = {.keep = keep}};
}

void store(const Graph& graph, const std::string& path, Keep stored,
           Semiring semiring = Semiring::min_plus, std::optional<ValueType> type = {}) {
  SolveOptions options = keeping(Keep::statistics, semiring, type);
  options.storage.stored = stored;
  options.storage.output = path;
  options.storage.overwrite = true;
  solve(graph, options);
}

UpdateReport update(const std::string& path, const std::vector<Edge>& changes,
                    const std::string& output = "") {
  return update_stored(
      path, [&](const Graph& graph) { return with_changes(graph, changes_of_all(graph, changes)); },
      {.output = output});
}

/// All distances of the fresh solve, its statistics and paths.
void expect_as_solved(const Result& updated, const Graph& graph, Keep kept) {
  EXPECT_EQ(updated.kept(), kept);
  EXPECT_EQ(updated.graph().digest(), graph.digest());
  const Result fresh = solve(graph, {.question = {.semiring = updated.semiring()}});
  ASSERT_EQ(updated.vertex_count(), fresh.vertex_count());
  const auto n = static_cast<Vertex>(graph.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    ASSERT_EQ(updated.distances_from(s), fresh.distances_from(s)) << "from " << s;
  }
  for (Vertex t = 0; t < n; t += 7) EXPECT_EQ(updated.path(1 % n, t), fresh.path(1 % n, t));
  EXPECT_EQ(updated.statistics().mean, fresh.statistics().mean);
  EXPECT_TRUE(updated.verify().passed);
}

class Update : public testing::TestWithParam<Door> {
 protected:
  /// Solves the graph, changes it, and returns the result that was updated.
  Result updated(const Graph& graph, const Graph& after, const SolveOptions& how,
                 UpdateReport* report = nullptr) {
    const Door& door = GetParam();
    UpdateReport unused;
    UpdateReport& told = report != nullptr ? *report : unused;
    if (!door.stored()) return solve(graph, how).update(after, {.threads = 2}, &told);
    const std::string path = folder_ / door.file;
    store(graph, path, door.kept, how.question.semiring, how.method.value_type);
    UpdateOptions options{.threads = 2, .semiring = how.question.semiring};
    if (door.is_npy()) options.before = graph;
    told = update_stored(
        path, [&](const Graph&) { return after; }, options);
    return open_result(path, door.is_npy() ? std::optional(after) : std::nullopt,
                       how.question.semiring);
  }
  SolveOptions kept(Semiring semiring = Semiring::min_plus,
                    std::optional<ValueType> type = {}) const {
    return keeping(GetParam().kept, semiring, type);
  }

  TemporaryFolder folder_;
};

TEST_P(Update, AnswersAsASolveInEverySemiring) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      for (const int nth : {1, 30, 150}) {
        const Graph graph = random_graph(
            kN, 250, 1, 40,
            {.directed = directed, .acyclic = semiring == Semiring::max_plus, .seed = ++seed});
        const Graph after = with_changes(graph, changes_of(graph, nth));
        UpdateReport report;
        const Result result = updated(graph, after, kept(semiring), &report);
        EXPECT_GT(report.changes, 0);
        EXPECT_EQ(report.value_type, result.value_type());
        expect_as_solved(result, after, GetParam().kept);
      }
    }
  }
}

TEST_P(Update, HasAWiderTypeWhereItsDistancesNeedOne) {
  const Graph path = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}, false);
  for (const auto& [weight, type] : {std::pair{9.0, ValueType::u16},
                                     {90000.0, ValueType::i32},
                                     {0.5, ValueType::f32},
                                     {1e300, ValueType::f64}}) {
    const Graph after = with_weights(path, std::vector<double>{2, 3, weight});
    UpdateReport report;
    const Result result = updated(path, after, kept(), &report);
    EXPECT_EQ(report.value_type_before, ValueType::u16);
    EXPECT_EQ(result.value_type(), type);
    EXPECT_EQ(result.report().value_type, type);
    expect_as_solved(result, after, GetParam().kept);
  }
}

TEST_P(Update, TakesNegativeWeightsAndRefusesTheirCycles) {
  const Graph graph = random_graph({.n = kN, .arcs = 500, .potential = 30});
  const Vertex to = graph.targets(0).front();
  const double weight = graph.weights(0).front();
  const Graph after = with_changes(graph, std::vector<Edge>{{0, to, weight + 3}});
  expect_as_solved(updated(graph, after, kept()), after, GetParam().kept);
  const Graph wrong = with_changes(graph, std::vector<Edge>{{0, to, -100}, {to, 0, -100}});
  EXPECT_ERROR(negative_cycle, updated(graph, wrong, kept()));
}

Graph named(const std::vector<std::string>& names, const std::vector<Edge>& edges) {
  GraphBuilder builder(std::ssize(names));
  builder.set_labels(names);
  for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
  return std::move(builder).build();
}

TEST_P(Update, MatchesVerticesByName) {
  const Graph graph = named({"a", "b", "c"}, {{0, 1, 3}, {1, 2, 4}});
  const Graph after = named({"c", "b", "a"}, {{1, 0, 40}, {2, 1, 30}});
  if (GetParam().is_npy()) return;  // it is opened with the numbers of a graph
  const Result result = updated(graph, after, kept());
  EXPECT_EQ(result.distance(0, 1), 30);
  EXPECT_EQ(result.distance(1, 2), 40);
  EXPECT_ERROR(usage, updated(graph, named({"a", "b"}, {{0, 1, 5}}), kept()));
}

TEST_P(Update, RefusesRealWeightsOfBothSignsAndTooLittleMemory) {
  const Graph graph = graph_of(3, {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}});
  EXPECT_ERROR(usage, updated(graph, graph_of(3, {{0, 1, 2.5}, {1, 2, -0.5}, {2, 0, 4}}), kept()));
  const Result before = solve(graph, kept());
  EXPECT_ERROR(does_not_fit, before.update(graph, {.memory = 100}));
}

TEST_P(Update, GoesElsewhereAndLeavesTheOldResult) {
  if (!GetParam().stored()) return;
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const Graph after = with_changes(graph, changes_of(graph, 130));
  const std::string path = folder_ / GetParam().file;
  store(graph, path, GetParam().kept);
  const bool npy = GetParam().is_npy();
  UpdateOptions options{.output = folder_ / (npy ? "b.npy" : "b.zarr")};
  if (npy) options.before = graph;
  EXPECT_GT(update_stored(
                path, [&](const Graph&) { return after; }, options)
                .changes,
            0);
  const auto opened = [&](const std::string& file, const Graph& of) {
    return open_result(file, npy ? std::optional(of) : std::nullopt);
  };
  expect_as_solved(opened(options.output, after), after, GetParam().kept);
  expect_as_solved(opened(path, graph), graph, GetParam().kept);
}

INSTANTIATE_TEST_SUITE_P(Of, Update,
                         testing::Values(Door{"AFactor", Keep::factor},
                                         Door{"AStoredFactor", Keep::factor, "a.zarr"},
                                         Door{"AMatrix", Keep::matrix},
                                         Door{"AStoredMatrix", Keep::matrix, "a.zarr"},
                                         Door{"AnArray", Keep::matrix, "a.npy"}),
                         [](const auto& info) { return info.param.name; });

// Factors.

Result factor_of(const Graph& graph, std::optional<ValueType> type = {}) {
  return solve(graph, keeping(Keep::factor, Semiring::min_plus, type));
}

TEST(UpdatedFactor, CountsEdgesThatDiffer) {
  const Graph path = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}, false);
  UpdateReport report;
  factor_of(path).update(with_weights(path, std::vector<double>{2, 5, kRemoved}), {}, &report);
  EXPECT_EQ(report.changes, 2);
  EXPECT_EQ(report.growth, 1);
  const Graph arcs = graph_of(3, {{0, 1, 2}, {1, 0, 3}, {1, 2, 3}});
  factor_of(arcs).update(with_changes(arcs, std::vector<Edge>{{0, 1, 9}, {1, 2, 3}}), {}, &report);
  EXPECT_EQ(report.changes, 1);
}

TEST(UpdatedFactor, TakesEdgesThatCome) {
  base::SplitMix64 random(5);
  bool stayed = false, changed = false;
  for (const bool directed : {false, true}) {
    for (std::uint64_t round = 0; round < 15; ++round) {
      const Graph graph = random_graph(80, 110, 1, 40, {.directed = directed, .seed = round + 1});
      std::vector<Edge> changes;
      for (std::uint64_t i = 0; i <= round % 3; ++i) {
        changes.push_back(
            {static_cast<Vertex>(random.below(80)), static_cast<Vertex>(random.below(80)), 1});
      }
      const Graph after = with_changes(graph, changes_of_all(graph, changes));
      UpdateReport report;
      const Result before = factor_of(graph);
      expect_as_solved(before.update(after, {}, &report), after, Keep::factor);
      if (round == 0) expect_as_solved(before, graph, Keep::factor);
      (report.growth == 1 ? stayed : changed) = true;
    }
  }
  EXPECT_TRUE(stayed);
  EXPECT_TRUE(changed);
}

TEST(UpdatedFactor, AnEdgeThatWasRemovedMayComeBack) {
  const Graph graph =
      random_graph({.n = 60, .arcs = 150, .least = 1, .greatest = 9, .directed = false});
  const Edge first = {0, graph.targets(0).front(), kRemoved};
  const Result closed =
      factor_of(graph).update(with_changes(graph, changes_of_all(graph, {&first, 1})));
  UpdateReport report;
  const Result open = closed.update(graph, {}, &report);
  EXPECT_EQ(report.growth, 1);
  expect_as_solved(open, graph, Keep::factor);
}

TEST(UpdatedFactor, TakesAMatrixOfWeights) {
  const Graph graph =
      graph_of(3, {{0, 1, 3}, {0, 2, 4}, {1, 0, 5}, {1, 2, 6}, {2, 0, 7}, {2, 1, 8}});
  const float values[] = {0, 3, 100, 5, 0, 6, 7, 8, 0};
  WeightMatrix matrix{.n = 3, .data = values, .owner = nullptr};
  GraphBuilder builder(3);
  builder.set_matrix(std::move(matrix));
  UpdateReport report;
  const Result updated = factor_of(graph).update(std::move(builder).build(), {}, &report);
  EXPECT_EQ(report.changes, 1);
  EXPECT_EQ(updated.distance(0, 2), 9);
}

TEST(UpdatedFactor, TellsOfItsProgressAndEndsWhenAsked) {
  const Graph graph =
      random_graph({.n = 400, .arcs = 900, .least = 1, .greatest = 40, .directed = false});
  const Result before = factor_of(graph);
  const Graph after = with_changes(graph, changes_of(graph, 1));
  RecordedProgress progress;
  before.update(after, {.control = {&progress, nullptr}});
  EXPECT_EQ(progress.task, "eliminating");
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, before.update(after, {.control = {nullptr, &cancellation}}));
}

TEST(UpdatedFactor, HasItsVertices) {
  const Result before = factor_of(graph_of(3, {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}}));
  EXPECT_ERROR(usage, before.update(graph_of(4, {{0, 1, 2}})));
}

// Matrices.

SolveOptions matrix_of(Semiring semiring, std::optional<ValueType> type = {}) {
  return keeping(Keep::matrix, semiring, type);
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
  expect_as_solved(updated, after, Keep::matrix);
  const Graph of_names = named({"a", "b", "c"}, {{0, 1, 5}, {1, 2, 5}});
  const Result named_ones =
      solve(of_names, matrix_of(Semiring::min_plus))
          .update(named({"d", "c", "b", "a"}, {{3, 2, 5}, {2, 1, 5}, {3, 0, 1}, {0, 1, 1}}));
  EXPECT_EQ(*named_ones.graph().find("d"), 3U);
  EXPECT_EQ(named_ones.distance(0, 2), 2);
  EXPECT_EQ(named_ones.distance(3, 2), 1);
}

TEST(UpdatedMatrix, TakesWeightsThatItsTypeDoesNotHoldForNoPath) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 5}, {2, 0, 3}});
  const Result before = solve(graph, matrix_of(Semiring::min_plus, ValueType::u16));
  for (const double weight : {32'767.0, 65'536.0, 65'537.0, 1e6, 0x1p32 + 1, 0x1p53}) {
    const Graph after = with_changes(graph, std::vector<Edge>{{0, 2, weight}});
    const Result updated = before.update(after);
    EXPECT_EQ(updated.value_type(), ValueType::u16) << weight;
    expect_as_solved(updated, after, Keep::matrix);
    expect_as_solved(updated.update(graph), graph, Keep::matrix);  // to a weight that it holds
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
apsp::api::UpdatedMatrix through_device(const Graph& graph, const Graph& after,
                                        const SolveOptions& how, std::vector<int> ordinals = {}) {
  return updated_matrix(
      graph, *stored_of(solve(graph, how)), after,
      {.threads = 2, .device = Device::cuda, .device_ordinals = std::move(ordinals)},
      planner::several_devices<2>);
}

TEST(UpdatedMatrix, IsTheSameThroughADevice) {
  std::uint64_t seed = 50;
  for (const Semiring semiring : all_semirings()) {
    for (const int nth : {1, 40, 150}) {  // 1: solved again
      const Graph graph =
          random_graph(kN, 300, 1, 40, {.acyclic = semiring == Semiring::max_plus, .seed = ++seed});
      const Graph after = with_changes(graph, changes_of(graph, nth));
      const apsp::api::UpdatedMatrix updated = through_device(graph, after, matrix_of(semiring));
      const auto fresh = stored_of(solve(after, matrix_of(semiring, updated.report.value_type)));
      for (Vertex s = 0; s < kN; ++s) {
        ASSERT_EQ(paths::read_row(*updated.matrix, s), paths::read_row(*fresh, s))
            << name(semiring) << ", every " << nth << ", from " << s;
      }
    }
  }
}

TEST(UpdatedMatrix, OnADeviceRefusesWhatThatDoesNotTake) {
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const SolveOptions how = matrix_of(Semiring::min_plus);
  EXPECT_ERROR(usage, through_device(graph, graph, how, {0, 1}));
  EXPECT_ERROR(device, through_device(graph, graph, how, {7}));
  EXPECT_ERROR(usage, factor_of(graph).update(graph, {.device = Device::cuda}));
  // Sums of signed int32 end at 2^28 on a GPU, and a product adds paths of both graphs.
  const Graph far = with_changes(random_graph({.n = kN, .arcs = 400, .potential = 30}),
                                 std::vector<Edge>{{0, 1, 1 << 27}});
  EXPECT_ERROR(does_not_fit,
               through_device(far, far, matrix_of(Semiring::min_plus, ValueType::i32)));
}

TEST(UpdatedMatrix, RefusesWhatItCannotRenew) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kN, .arcs = 400, .least = 1, .greatest = 20});
  const auto refused = [&](auto&& change) {
    SolveOptions options = matrix_of(Semiring::min_plus);
    change(options);
    EXPECT_ERROR(usage, solve(graph, options).update(graph));
  };
  refused([](SolveOptions& o) { o.question.via = true; });
  refused([](SolveOptions& o) { o.question.sources = {1, 2}; });
  refused([](SolveOptions& o) { o.storage.keep = Keep::statistics; });
  store(graph, folder / "a.npy", Keep::matrix);
  const auto same = [](const Graph& of) { return of; };
  EXPECT_ERROR(usage, update_stored(folder / "a.npy", same));
  const Graph other = random_graph({.n = 5, .arcs = 9});
  EXPECT_ERROR(usage, update_stored(folder / "a.npy", same, {.before = other}));
}

// Stored results.

TEST(UpdateStored, GivesParallelArcsOneWeightAndArcsOfOneDirectionOne) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  store(graph_of(3, {{0, 1, 2}, {0, 1, 7}, {1, 0, 2}, {1, 0, 7}, {1, 2, 1}, {2, 1, 1}}), path,
        Keep::factor);
  update(path, {{0, 1, 30}, {0, 1, 5}});  // the last change counts
  EXPECT_EQ(open_result(path).distance(0, 2), 6);
  EXPECT_EQ(open_result(path).distance(2, 0), 3);
  update(path, {{1, 0, 5}});  // symmetric again
  EXPECT_EQ(open_result(path).distance(2, 0), 6);
  update(path, {{0, 2, 3}});  // an edge that comes
  EXPECT_EQ(open_result(path).distance(0, 2), 3);
  EXPECT_TRUE(open_result(path).verify().passed);
}

TEST(UpdateStored, RefusesWhatNeedsAnotherSolve) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  store(graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 0, 4}, {2, 3, 1}}), path, Keep::factor,
        Semiring::min_plus, ValueType::i32);
  const auto refused = [&](const std::vector<Edge>& changes, ErrorKind kind) {
    EXPECT_EQ(error_of([&] { update(path, changes); }).kind(), kind);
    EXPECT_EQ(open_result(path).distance(0, 3), 6);
  };
  refused({{1, 0, kRemoved}}, ErrorKind::usage);
  refused({{0, 9, 1}}, ErrorKind::usage);
  refused({{0, 1, -20}}, ErrorKind::negative_cycle);
  update(path, {{0, 1, -5}});
  EXPECT_EQ(open_result(path).distance(0, 3), -1);
}

TEST(UpdateStored, TwoAtOnceBothCount) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 100, .greatest = 200});
  store(graph, folder / "a.zarr", Keep::factor, Semiring::min_plus, ValueType::f64);
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
  store(graph, folder / "a.zarr", Keep::factor);
  const Error error = error_of([&] {
    update_stored(folder / "a.zarr", [&](const Graph& read) {
      store(other, folder / "a.zarr", Keep::factor);
      return with_changes(read, changes_of(read, 1000));
    });
  });
  EXPECT_EQ(error.kind(), ErrorKind::input_output);
  EXPECT_EQ(open_result(folder / "a.zarr").graph().digest(), other.digest());
  EXPECT_EQ(folder.entries(), 1);
}

TEST(UpdateStored, OneThatWaitsCanBeEnded) {
  const TemporaryFolder folder;
  store(random_graph({.n = 60, .arcs = 200}), folder / "a.zarr", Keep::factor);
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
}  // namespace apsp::api::update_test
