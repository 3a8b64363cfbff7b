// Results whose file holds a factor: they answer as the factor does, and as the matrix.
#include <apsp/apsp.hpp>

#include "api/stored_result.hpp"
#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::kept_factor_test {
namespace {

SolveOptions to_factor(const std::string& output) {
  SolveOptions options{
      .storage = {.output = output, .keep = Keep::statistics, .stored = Keep::factor}};
  return options;
}

Result in_memory(const Graph& graph, SolveOptions options, Keep keep) {
  options.storage.output.clear();
  options.storage.stored = Keep::automatic;
  options.storage.keep = keep;
  return solve(graph, options);
}

void expect_same(const Result& opened, const Result& fresh) {
  EXPECT_EQ(opened.kept(), Keep::factor);
  EXPECT_EQ(opened.semiring(), fresh.semiring());
  EXPECT_EQ(opened.value_type(), fresh.value_type());
  const auto n = static_cast<Vertex>(opened.vertex_count());
  std::vector<VertexPair> pairs;
  for (Vertex s = 0; s < n; s += 2) {
    EXPECT_EQ(opened.distances_from(s), fresh.distances_from(s));
    for (Vertex t = 0; t < n; t += 5) {
      EXPECT_EQ(opened.distance(s, t), fresh.distance(s, t));
      pairs.push_back({s, t});
    }
    if (s % 10 == 0) {
      EXPECT_EQ(opened.path(s, n - 1), fresh.path(s, n - 1));
    }
  }
  EXPECT_EQ(opened.distances(pairs), fresh.distances(pairs));
  EXPECT_TRUE(opened.verify().passed);
}

TEST(FactorFile, AnswersAsAFreshFactorDoesInEverySemiringAndType) {
  const TemporaryFolder folder;
  for (const auto& [graph, semiring, type, seed] : typed_graphs({90}, {0.45, 2.8}, 20)) {
    SolveOptions options = to_factor(folder / "a.zarr");
    options.question.semiring = semiring;
    options.method.value_type = type;
    options.storage.compress = seed % 2 == 0;
    solve(graph, options);
    expect_same(open_result(options.storage.output), in_memory(graph, options, Keep::factor));
  }
}

TEST(FactorFile, TakesNegativeAndRealWeights) {
  const TemporaryFolder folder;
  for (const Graph& graph : {random_graph({.n = 150, .arcs = 500, .potential = 30}),
                             random_graph({.n = 150, .arcs = 500, .least = 0.1, .real = true})}) {
    const SolveOptions options = to_factor(folder / "a.zarr");
    solve(graph, options);
    expect_same(open_result(options.storage.output), in_memory(graph, options, Keep::factor));
  }
}

TEST(FactorFile, KeepsStatisticsReportAndLabels) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1});
  SolveOptions options = to_factor(folder / "a.zarr");
  const Result solved = solve(graph, options);
  EXPECT_EQ(solved.kept(), Keep::statistics);
  const Result opened = open_result(options.storage.output);
  EXPECT_EQ(opened.graph().digest(), graph.digest());
  EXPECT_EQ(opened.report().algorithm, Algorithm::nested_dissection);
  EXPECT_EQ(opened.statistics().closeness, solved.statistics().closeness);
  EXPECT_EQ(opened.statistics().mean, solved.statistics().mean);
  options.question.statistics = false;
  solve(graph, options);
  EXPECT_EQ(open_result(options.storage.output).statistics().mean, solved.statistics().mean);
  EXPECT_TRUE(api::verify_stored(options.storage.output, graph, Semiring::min_plus, {}).passed);
  EXPECT_ERROR(input,
               api::verify_stored(options.storage.output, random_graph({.n = 120, .arcs = 90}),
                                  Semiring::min_plus, {}));
}

TEST(FactorFile, IsSavedAsAMatrix) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1});
  solve(graph, to_factor(folder / "a.zarr"));
  const Result factor = open_result(folder / "a.zarr");
  factor.save(folder / "b.zarr");
  factor.save(folder / "b.npy");
  for (const Result& matrix :
       {open_result(folder / "b.zarr"), open_result(folder / "b.npy", graph)}) {
    EXPECT_EQ(matrix.kept(), Keep::matrix);
    for (Vertex s = 0; s < 90; ++s) EXPECT_EQ(matrix.distances_from(s), factor.distances_from(s));
  }
}

TEST(FactorFile, FollowsWhatTheResultKeeps) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1});
  SolveOptions options{.storage = {.output = folder / "a.zarr", .keep = Keep::factor}};
  options.on_plan = [](const PlanReport& plan) {
    EXPECT_EQ(plan.stored, Keep::factor);
    EXPECT_GT(plan.factor_entries, 0);
    EXPECT_GT(plan.bytes_disk, 0);
  };
  const Result factor = solve(graph, options);
  expect_same(open_result(options.storage.output), factor);
  options.storage.keep = Keep::matrix;
  options.storage.stored = Keep::factor;
  const Result matrix = solve(graph, options);
  EXPECT_EQ(matrix.kept(), Keep::matrix);
  expect_same(open_result(options.storage.output), matrix);
}

TEST(FactorFile, IsWrittenUnaskedWhereAllDistancesDoNotFitTheDisk) {
  const TemporaryFolder folder;
  GraphBuilder builder(2000, false);
  for (Vertex v = 0; v + 1 < 2000; ++v) builder.add_edge(v, v + 1, 1);
  const Graph path = std::move(builder).build();
  SolveOptions options{.storage = {.output = folder / "a.zarr", .keep = Keep::statistics}};
  options.storage.disk = 1 << 20;  // 2,000² values of two bytes are 8 MB
  options.on_plan = [&](const PlanReport& plan) {
    EXPECT_EQ(plan.stored, Keep::factor);
    EXPECT_EQ(plan.bytes_disk_allowed, options.storage.disk);
    EXPECT_LT(plan.bytes_disk, plan.bytes_disk_allowed);
  };
  solve(path, options);
  EXPECT_EQ(open_result(options.storage.output).kept(), Keep::factor);
  EXPECT_EQ(open_result(options.storage.output).distance(0, 1999), 1999);
  options.on_plan = [&](const PlanReport& plan) { EXPECT_EQ(plan.stored, Keep::matrix); };
  options.storage.disk = 1 << 24;
  solve(path, options);
  EXPECT_EQ(open_result(options.storage.output).kept(), Keep::matrix);
  options.storage.disk = 1 << 20;
  options.storage.stored = Keep::matrix;  // asked for
  EXPECT_ERROR(does_not_fit, solve(path, options));
}

TEST(FactorFile, RefusesWhatCannotBe) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 20, .arcs = 40, .least = 1});
  const auto refused = [&](auto change) {
    SolveOptions options = to_factor(folder / "a.zarr");
    change(options);
    EXPECT_ERROR(usage, solve(graph, options));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  const auto npy = [&](SolveOptions& options) { options.storage.output = folder / "a.npy"; };
  refused(npy);
  refused([&](SolveOptions& options) {
    npy(options);
    options.storage.keep = Keep::factor;
    options.storage.stored = Keep::automatic;
  });
  refused([](SolveOptions& options) { options.storage.output.clear(); });
  refused([](SolveOptions& options) { options.storage.stored = Keep::statistics; });
  refused([](SolveOptions& options) { options.question.predecessors = true; });
  refused([](SolveOptions& options) { options.question.via = true; });
  refused([](SolveOptions& options) { options.method.algorithm = Algorithm::johnson; });
}

/// Flips a bit in the first chunk of an array.
void damage(const std::string& array) {
  std::fstream file(array + "/c/0", std::ios::in | std::ios::out | std::ios::binary);
  const auto bit = static_cast<char>(file.get() ^ 1);
  file.seekp(0);
  file.put(bit);
}

TEST(FactorFile, AnswersAFewPairsWithoutTheGraphAndTheRestFromTheWhole) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 300, .arcs = 900, .least = 1, .greatest = 50});
  const SolveOptions options = to_factor(folder / "a.zarr");
  solve(graph, options);
  const Result fresh = in_memory(graph, options, Keep::factor);
  std::vector<VertexPair> few, many;
  for (Vertex v = 0; v < 5; ++v) few.push_back({v, 299 - v});
  for (Vertex v = 0; v < 40; ++v) many.push_back({v, 299 - v});
  const Result opened = open_result(options.storage.output);
  EXPECT_EQ(opened.kept(), Keep::factor);
  EXPECT_EQ(opened.vertex_count(), 300);
  EXPECT_EQ(opened.find("17"), 17);
  EXPECT_EQ(opened.find("300"), std::nullopt);
  EXPECT_EQ(opened.first_id(), 0);
  EXPECT_EQ(opened.name(299), "299");
  EXPECT_ERROR(usage, (void)opened.name(300));
  EXPECT_EQ(opened.distances(few), fresh.distances(few));
  EXPECT_EQ(opened.distance(3, 3), 0);
  for (Vertex v = 0; v < 40; ++v) EXPECT_EQ(opened.distance(v, 299), fresh.distance(v, 299));
  EXPECT_EQ(opened.distances(many), fresh.distances(many));
  EXPECT_EQ(opened.find("17"), 17);
  EXPECT_EQ(opened.first_id(), 0);
  EXPECT_EQ(opened.name(299), "299");
  EXPECT_EQ(opened.graph().digest(), graph.digest());
  for (const auto& ask : {VertexPair{300, 0}, VertexPair{0, 300}}) {
    const Result again = open_result(options.storage.output);
    EXPECT_ERROR(usage, again.distance(ask.from, ask.to));
    EXPECT_ERROR(usage, again.distances(std::vector{ask}));
  }
}

TEST(FactorFile, DamageIsFoundByWhateverReadsIt) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 300, .arcs = 900, .least = 1, .greatest = 50});
  const SolveOptions options = to_factor(folder / "a.zarr");
  solve(graph, options);
  const double distance = in_memory(graph, options, Keep::factor).distance(3, 200);
  damage(folder / "a.zarr/graph/weights");
  const Result opened = open_result(options.storage.output);
  EXPECT_EQ(opened.distance(3, 200), distance);  // needs no graph
  EXPECT_ERROR(input, opened.distances_from(3));
  EXPECT_ERROR(input, (void)opened.verify());
  damage(folder / "a.zarr/graph/weights");  // back
  EXPECT_NO_THROW(opened.distances_from(3));
  damage(folder / "a.zarr/factor/up");
  EXPECT_ERROR(input, open_result(options.storage.output).distance(3, 200));
}

TEST(FactorFile, NamesOfALabelledGraphAreItsLabels) {
  const TemporaryFolder folder;
  GraphBuilder builder(3, false);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 3);
  builder.set_labels({"x", "y", "z"});
  const SolveOptions options = to_factor(folder / "a.zarr");
  solve(std::move(builder).build(), options);
  const Result opened = open_result(options.storage.output);
  EXPECT_EQ(opened.first_id(), std::nullopt);
  EXPECT_EQ(opened.find("z"), 2);
  EXPECT_EQ(opened.find("2"), std::nullopt);
  EXPECT_EQ(opened.name(1), "y");
  EXPECT_EQ(opened.distance(0, 2), 5);
}

TEST(FactorFile, OfAnotherGraphIsRefused) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 1});
  solve(graph, to_factor(folder / "a.zarr"));
  solve(random_graph({.n = 60, .arcs = 200, .least = 1, .seed = 7}), to_factor(folder / "b.zarr"));
  EXPECT_EQ(open_result(folder / "a.zarr", graph).distance(1, 1), 0);
  EXPECT_ERROR(usage, open_result(folder / "b.zarr", graph));
  namespace fs = std::filesystem;
  fs::remove_all(folder / "a.zarr/factor");
  fs::copy(folder / "b.zarr/factor", folder / "a.zarr/factor", fs::copy_options::recursive);
  EXPECT_ERROR(input, open_result(folder / "a.zarr"));
}

Result solved(const Graph& graph, Keep keep, Semiring semiring = Semiring::min_plus,
              std::optional<ValueType> type = {}) {
  SolveOptions options{.question = {.semiring = semiring, .statistics = false},
                       .method = {.value_type = type},
                       .storage = {.keep = keep}};
  options.method.algorithm =
      keep == Keep::matrix ? Algorithm::floyd_warshall : Algorithm::nested_dissection;
  return solve(graph, options);
}

/// All that can be asked, of results of whole numbers.
void expect_all_same(const Result& factor, const Result& matrix) {
  EXPECT_EQ(factor.kept(), Keep::factor);
  EXPECT_EQ(matrix.kept(), Keep::matrix);
  EXPECT_EQ(factor.semiring(), matrix.semiring());
  EXPECT_EQ(factor.value_type(), matrix.value_type());
  const auto n = static_cast<Vertex>(factor.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    EXPECT_EQ(factor.distances_from(s), matrix.distances_from(s));
    if (s % 9 == 0) {
      EXPECT_EQ(factor.predecessors(s), matrix.predecessors(s));
    }
    for (Vertex t = 0; t < n; t += 3) {
      EXPECT_EQ(factor.distance(s, t), matrix.distance(s, t));
      EXPECT_EQ(factor.reachable(s, t), matrix.reachable(s, t));
    }
    EXPECT_EQ(factor.path(s, n / 2), matrix.path(s, n / 2));
  }
  EXPECT_EQ(factor.statistics().mean, matrix.statistics().mean);
  EXPECT_EQ(factor.statistics().diameter, matrix.statistics().diameter);
  EXPECT_EQ(factor.statistics().closeness, matrix.statistics().closeness);
  EXPECT_EQ(factor.statistics().reachable_pairs, matrix.statistics().reachable_pairs);
  EXPECT_TRUE(factor.verify().passed);
}

TEST(KeptFactor, AnswersAsTheMatrixDoes) {
  std::uint64_t seed = 0;
  for (const Semiring semiring : all_semirings()) {
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      for (const std::int64_t n : {1, 2, 130}) {
        const Graph graph = random_graph(
            n, 2 * n, 1, 20,
            {.directed = directed, .acyclic = semiring == Semiring::max_plus, .seed = ++seed});
        expect_all_same(solved(graph, Keep::factor, semiring),
                        solved(graph, Keep::matrix, semiring));
      }
    }
  }
}

TEST(KeptFactor, TakesNegativeWeights) {
  const Graph graph = random_graph({.n = 150, .arcs = 500, .potential = 30});
  expect_all_same(solved(graph, Keep::factor), solved(graph, Keep::matrix));
}

TEST(KeptFactor, StatisticsAreGatheredWhileSolvingToo) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .directed = false});
  SolveOptions options{.storage = {.keep = Keep::factor}};
  const Result result = solve(graph, options);
  EXPECT_EQ(result.statistics().closeness, solved(graph, Keep::matrix).statistics().closeness);
  EXPECT_EQ(result.report().algorithm, Algorithm::nested_dissection);
}

TEST(KeptFactor, IsAskedByManyThreadsAtOnce) {
  const Graph graph = random_graph({.n = 300, .arcs = 700, .least = 1});
  const Result factor = solved(graph, Keep::factor), matrix = solved(graph, Keep::matrix);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&, i] {
      for (Vertex s = static_cast<Vertex>(i); s < 300; s += 5) {
        wrong[i] += factor.distances_from(s) != matrix.distances_from(s);
        wrong[i] += factor.distance(s, 7) != matrix.distance(s, 7);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

TEST(Distances, OfManyPairsComeInTheirOrderFromPairsAndFromRows) {
  const Graph graph = random_graph({.n = 200, .arcs = 500, .least = 1});
  const Result factor = solved(graph, Keep::factor), matrix = solved(graph, Keep::matrix);
  std::vector<VertexPair> pairs;
  for (Vertex i = 0; i < 600; ++i) {
    pairs.push_back({i % 7 == 0 ? i % 200 : 5, i * 31 % 200});  // vertex 5 often, others rarely
  }
  const std::vector<double> found = factor.distances(pairs);
  EXPECT_EQ(found, matrix.distances(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(found[i], matrix.distance(pairs[i].from, pairs[i].to));
  }
  EXPECT_THAT(factor.distances({}), IsEmpty());
  const std::vector<VertexPair> wrong = {{0, 1}, {0, 200}};
  EXPECT_ERROR(usage, factor.distances(wrong));
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, factor.distances(pairs, {nullptr, &cancellation}));
}

TEST(KeptFactor, StandsBesideAFileOfAllDistances) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 90, .arcs = 200, .least = 1});
  SolveOptions options;
  options.method.algorithm = Algorithm::nested_dissection;
  options.storage.keep = Keep::factor;
  options.storage.stored = Keep::matrix;
  options.storage.output = folder / "a.npy";
  const Result factor = solve(graph, options);
  const Result opened = open_result(options.storage.output, graph);
  EXPECT_EQ(opened.distances_from(8), factor.distances_from(8));
}

TEST(KeptFactor, RefusesWhatItDoesNotHold) {
  const Result result = solved(random_graph({.n = 5, .arcs = 9, .least = 1}), Keep::factor);
  EXPECT_FALSE(result.has_via());
  EXPECT_FALSE(result.has_hops());
  EXPECT_ERROR(usage, result.distance(5, 0));
  EXPECT_ERROR(usage, result.path(0, 5));
  EXPECT_ERROR(usage, result.via(0, 1));
}

TEST(KeptFactor, StopsWhenAskedTo) {
  Cancellation cancellation;
  const Result result = solved(random_graph({.n = 300, .arcs = 900}), Keep::factor);
  cancellation.request();
  EXPECT_ERROR(interrupted, result.statistics({nullptr, &cancellation}));
}

TEST(KeptFactor, IsWhatRemainsWhereTheMatrixDoesNotFit) {
  GraphBuilder builder(20'000, false);
  for (Vertex v = 0; v + 1 < 20'000; ++v) builder.add_edge(v, v + 1, 1);
  const Graph path = std::move(builder).build();
  SolveOptions options{.question = {.statistics = false},
                       .machine = {.memory = std::int64_t{200} << 20}};
  const Result result = solve(path, options);
  EXPECT_EQ(result.kept(), Keep::factor);
  EXPECT_EQ(result.distance(0, 19'999), 19'999);
  EXPECT_EQ(result.path(3, 7), (std::vector<Vertex>{3, 4, 5, 6, 7}));
}

TEST(Keep, IsKnownByItsNames) {
  for (const Keep keep : {Keep::automatic, Keep::matrix, Keep::factor, Keep::statistics}) {
    EXPECT_EQ(parse_keep(name(keep)), keep);
  }
  EXPECT_EQ(parse_keep("both"), std::nullopt);
}

// Distances of pairs straight from a graph are those of its result, in every semiring, whether rows
// are found along or against the arcs or a factor is asked.

constexpr std::int64_t kVertices = 300;

/// Pairs of some sources and some targets, some of them twice.
std::vector<VertexPair> drawn_pairs(std::uint64_t sources, std::uint64_t targets, int count) {
  base::SplitMix64 random(7);
  std::vector<VertexPair> pairs = {{0, 0}};
  for (int i = 0; i < count; ++i) {
    pairs.push_back(
        {static_cast<Vertex>(random.below(sources)), static_cast<Vertex>(random.below(targets))});
  }
  return pairs;
}

struct Solved {
  std::vector<double> distances;
  PlanReport plan;
};

Solved told(const Graph& graph, const std::vector<VertexPair>& pairs, SolveOptions options = {}) {
  Solved found;
  options.machine.threads = 2;
  options.on_plan = [&](const PlanReport& plan) { found.plan = plan; };
  found.distances = distances(graph, pairs, options);
  return found;
}

/// A grid of streets; a narrow one has a small factor.
Graph streets(Vertex width, Vertex length) {
  GraphBuilder builder(std::int64_t{width} * length, false);
  for (Vertex v = 0; v < width * length; ++v) {
    if ((v + 1) % width != 0) builder.add_edge(v, v + 1, 1 + v % 7);
    if (v + width < width * length) builder.add_edge(v, v + width, 1 + v % 5);
  }
  return std::move(builder).build();
}

TEST(PairDistances, AreThoseOfTheResultInEverySemiring) {
  const RandomGraph shape{.n = kVertices, .arcs = 3 * kVertices, .least = 0, .greatest = 9};
  for (const Semiring semiring : all_semirings()) {
    RandomGraph of = shape;
    of.acyclic = semiring == Semiring::max_plus;
    const Graph graph = random_graph(of);
    const Result whole = solve(graph, {.question = {.semiring = semiring}});
    for (const auto& pairs : {drawn_pairs(3, kVertices, 200), drawn_pairs(kVertices, 3, 200),
                              drawn_pairs(kVertices, kVertices, 500)}) {
      for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::nested_dissection}) {
        EXPECT_EQ(told(graph, pairs,
                       {.question = {.semiring = semiring}, .method = {.algorithm = algorithm}})
                      .distances,
                  whole.distances(pairs))
            << name(semiring) << " " << name(algorithm);
      }
    }
  }
}

TEST(PairDistances, TakeNegativeWeights) {
  const Graph graph = random_graph({.n = kVertices, .arcs = 3 * kVertices, .potential = 40});
  const Result whole = solve(graph);
  for (const auto& pairs : {drawn_pairs(3, kVertices, 50), drawn_pairs(kVertices, 3, 500)}) {
    EXPECT_EQ(told(graph, pairs, {.method = {.algorithm = Algorithm::johnson}}).distances,
              whole.distances(pairs));
  }
}

TEST(PairDistances, OfFewTargetsAreFoundAgainstTheArcs) {
  const Graph graph =
      random_graph({.n = kVertices, .arcs = 3 * kVertices, .least = 1, .greatest = 9});
  const SolveOptions searching{.method = {.algorithm = Algorithm::johnson}};
  EXPECT_EQ(told(graph, drawn_pairs(kVertices, 2, 500), searching).plan.sources, 2);
  EXPECT_EQ(told(graph, drawn_pairs(2, kVertices, 500), searching).plan.sources, 2);
  const Graph negative = random_graph({.n = kVertices, .arcs = 3 * kVertices, .potential = 40});
  EXPECT_GT(told(negative, drawn_pairs(kVertices, 2, 500), searching).plan.sources, 2);
}

TEST(PairDistances, OfOnePairAreASearch) {
  const Solved found = told(streets(60, 60), {{0, 3599}});
  EXPECT_EQ(found.plan.algorithm, Algorithm::johnson);
  EXPECT_EQ(found.plan.keep, Keep::statistics);
}

TEST(PairDistances, OfManyPairsAreAskedOfTheFactor) {
  constexpr Vertex kVerticesOfStreets = 36'000;
  const Graph graph = streets(3, kVerticesOfStreets / 3);
  const SolveOptions dissecting{.method = {.algorithm = Algorithm::nested_dissection}};
  const auto some = drawn_pairs(kVerticesOfStreets, kVerticesOfStreets, 100);
  const Solved asked = told(graph, some, dissecting);
  EXPECT_EQ(asked.plan.keep, Keep::factor);
  EXPECT_EQ(asked.distances,
            told(graph, some, {.method = {.algorithm = Algorithm::johnson}}).distances);
  const auto all_of_few = drawn_pairs(3, kVerticesOfStreets, 100'000);
  EXPECT_EQ(told(graph, all_of_few, dissecting).plan.keep, Keep::statistics);
}

TEST(PairDistances, OfAFactorAreTheSameInAnyMemory) {
  for (const bool directed : {false, true}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::or_and}) {
      const Graph graph =
          generate({.kind = GraphKind::roads, .vertices = 3000, .directed = directed});
      const Result factor = solve(graph, {.question = {.semiring = semiring, .statistics = false},
                                          .storage = {.keep = Keep::factor}});
      const auto pairs = drawn_pairs(3000, 3000, 40'000);
      const std::vector<double> found = factor.distances(pairs);
      EXPECT_EQ(factor.distances(pairs, {.memory = 1}), found);
      EXPECT_EQ(factor.distances(pairs, {.memory = 3 << 20, .threads = 2}), found);
      EXPECT_EQ(factor.distances(pairs, {.threads = 1}), found);
      for (std::size_t i = 0; i < pairs.size(); i += 4001) {
        EXPECT_EQ(found[i], factor.distances_from(pairs[i].from)[pairs[i].to]);
      }
    }
  }
}

TEST(PairDistances, OfAFactorEndWhenTheCallerAsks) {
  const Graph graph = generate({.kind = GraphKind::roads, .vertices = 3000, .directed = false});
  const Result factor =
      solve(graph, {.question = {.statistics = false}, .storage = {.keep = Keep::factor}});
  const auto pairs = drawn_pairs(3000, 3000, 40'000);
  Cancellation cancellation;
  cancellation.request();
  for (const std::int64_t memory : {1, 0}) {
    EXPECT_ERROR(interrupted,
                 factor.distances(pairs, {.memory = memory, .control = {nullptr, &cancellation}}));
  }
  EXPECT_ERROR(
      usage, factor.distances(std::vector<VertexPair>(1000, VertexPair{0, 3000}), PairsOptions()));
}

TEST(PairDistances, RefuseWhatIsNoVertexAndACycle) {
  const Graph graph = streets(3, 3);
  EXPECT_TRUE(distances(graph, {}).empty());
  const auto asked = [](const Graph& of, VertexPair pair) {
    return error_of([&] { distances(of, std::vector<VertexPair>{pair}); }).kind();
  };
  EXPECT_EQ(asked(graph, {0, 9}), ErrorKind::usage);
  EXPECT_EQ(asked(graph_of(2, {{0, 1, 1}, {1, 0, -2}}), {0, 1}), ErrorKind::negative_cycle);
}

}  // namespace
}  // namespace apsp::kept_factor_test
