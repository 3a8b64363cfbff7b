// Solves of some sources and targets give the textbook's distances between them, by every
// algorithm, in memory, in files, to statistics and to callers, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "api/stored_result.hpp"
#include "store/store.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;
using Vertices = std::vector<Vertex>;

constexpr std::int64_t kVertices = 90;
const Vertices kSources = {70, 3, 88, 4, 5, 0, 41}, kTargets = {2, 89, 3, 50};

struct Choice {
  Vertices sources, targets;
};
const std::vector<Choice> kChoices = {
    {kSources, {}}, {{}, kTargets}, {kSources, kTargets}, {{17}, {}}, {{17}, {17}}};

/// An algorithm, and a graph that it takes.
struct Case {
  Algorithm algorithm;
  Graph graph;
  Semiring semiring = Semiring::min_plus;
};

std::vector<Case> cases() {
  const auto graph = [](RandomGraph of) {
    of.n = kVertices;
    of.arcs = 2 * kVertices;
    return random_graph(of);
  };
  const Graph hops = graph({.least = 1, .greatest = 1});
  const Graph weighted = graph({.least = 1, .greatest = 9});
  const Graph roads = graph({.least = 1, .greatest = 100, .directed = false});
  const Graph negative = graph({.potential = 40});
  const Graph real = graph({.greatest = 3, .real = true, .potential = 2});
  std::vector<Case> all;
  for (const Algorithm algorithm :
       {Algorithm::floyd_warshall, Algorithm::nested_dissection, Algorithm::johnson}) {
    for (const Graph& of : {weighted, roads, negative}) all.push_back({algorithm, of});
    all.push_back({algorithm, weighted, Semiring::max_min});
  }
  all.push_back({Algorithm::floyd_warshall, real});
  for (const Algorithm algorithm :
       {Algorithm::floyd_warshall, Algorithm::nested_dissection, Algorithm::breadth_first}) {
    all.push_back({algorithm, hops, Semiring::or_and});
  }
  all.push_back({Algorithm::breadth_first, hops});
  return all;
}

SolveOptions options_of(const Case& of, const Choice& choice, Keep keep = Keep::automatic) {
  SolveOptions options;
  options.method.algorithm = of.algorithm;
  options.question.semiring = of.semiring;
  options.question.sources = choice.sources;
  options.question.targets = choice.targets;
  options.machine.threads = 3;
  options.storage.keep = keep;
  options.method.tile = 3;  // several bands, of the sources too
  return options;
}

Vertices or_all(const Vertices& chosen) {
  Vertices all = chosen;
  for (Vertex v = 0; chosen.empty() && v < kVertices; ++v) all.push_back(v);
  return all;
}

/// Calls visit(row, column, source, target, distance) with the textbook's distances.
template <class Visit>
void for_each_pair(const Case& of, const Choice& choice, const Visit& visit) {
  const std::vector<double> textbook = verifier::floyd_warshall(of.graph, of.semiring);
  const Vertices sources = or_all(choice.sources), targets = or_all(choice.targets);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      visit(i, j, sources[i], targets[j],
            textbook[sources[i] * std::size_t{kVertices} + targets[j]]);
    }
  }
}

void expect_near(double found, double right) {
  if (std::isinf(right)) {
    EXPECT_EQ(found, right);
  } else {
    EXPECT_NEAR(found, right, 1e-4);
  }
}

void expect_textbook(const Result& result, const Case& of, const Choice& choice) {
  EXPECT_EQ(Vertices(result.sources().begin(), result.sources().end()), choice.sources);
  EXPECT_EQ(Vertices(result.targets().begin(), result.targets().end()), choice.targets);
  std::vector<VertexPair> pairs;
  std::vector<double> right;
  for_each_pair(of, choice, [&](auto, auto, Vertex s, Vertex t, double distance) {
    expect_near(result.distance(s, t), distance);
    pairs.push_back({s, t});
    right.push_back(distance);
  });
  const std::vector<double> found = result.distances(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) expect_near(found[i], right[i]);
}

/// The statistics of shortest paths, counted one pair after another.
void expect_counted(const Statistics& found, const Case& of, const Choice& choice) {
  std::int64_t pairs = 0, reachable = 0;
  double sum = 0;
  std::map<Vertex, double> farthest, incoming;
  for_each_pair(of, choice, [&](auto, auto, Vertex s, Vertex t, double distance) {
    if (s == t) return;
    ++pairs;
    if (std::isinf(distance)) return;
    ++reachable;
    sum += distance;
    const auto [at, fresh] = farthest.try_emplace(s, distance);
    if (!fresh) at->second = std::max(at->second, distance);
    incoming[t] += distance;
  });
  EXPECT_EQ(found.vertices, kVertices);
  EXPECT_EQ(found.sources, std::ssize(or_all(choice.sources)));
  EXPECT_EQ(found.targets, std::ssize(or_all(choice.targets)));
  EXPECT_FALSE(found.of_all());
  EXPECT_EQ(found.pairs, pairs);
  EXPECT_EQ(found.reachable_pairs, reachable);
  EXPECT_EQ(found.connected, reachable == pairs);
  EXPECT_FALSE(found.diameter || found.radius);
  if (reachable == 0) return;
  EXPECT_DOUBLE_EQ(*found.mean, sum / static_cast<double>(reachable));
  EXPECT_EQ(found.diameter_at_least, found.greatest);
  EXPECT_EQ(found.eccentricity.empty(), !choice.targets.empty());
  // Empty too where no source is in the largest component.
  EXPECT_TRUE(!found.radius_at_most || choice.targets.empty());
  const std::set<Vertex> sources(choice.sources.begin(), choice.sources.end());
  for (Vertex v = 0; v < found.eccentricity.size(); ++v) {
    EXPECT_EQ(std::isnan(found.eccentricity[v]), !sources.contains(v));
    if (!farthest.contains(v)) continue;
    EXPECT_EQ(found.eccentricity[v], farthest[v]);
  }
  const bool central = choice.sources.empty() && *found.least >= 0;
  EXPECT_EQ(found.closeness.empty(), !central);
  const std::set<Vertex> targets(choice.targets.begin(), choice.targets.end());
  const Statistics all = solve(of.graph).statistics();
  for (Vertex v = 0; v < found.closeness.size(); ++v) {
    EXPECT_EQ(std::isnan(found.closeness[v]), !targets.contains(v));
    if (!targets.contains(v)) continue;
    if (all.closeness.empty()) continue;  // another distance is negative
    EXPECT_EQ(found.closeness[v], all.closeness[v]);
    EXPECT_EQ(found.harmonic[v], all.harmonic[v]);
  }
}

std::string shown(const Case& of, const Choice& choice) {
  return std::string(name(of.algorithm)) + " " + std::string(name(of.semiring)) + " " +
         std::to_string(choice.sources.size()) + " to " + std::to_string(choice.targets.size());
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

TEST(SelectedSolve, GivesTheTextbooksDistancesInMemory) {
  for (const Case& of : cases()) {
    for (const Choice& choice : kChoices) {
      SCOPED_TRACE(shown(of, choice));
      const Result result = solve(of.graph, options_of(of, choice));
      EXPECT_EQ(result.report().algorithm, of.algorithm);
      EXPECT_EQ(result.report().sources, std::ssize(or_all(choice.sources)));
      EXPECT_EQ(result.report().targets, std::ssize(or_all(choice.targets)));
      EXPECT_EQ(result.kept(), Keep::matrix);
      expect_textbook(result, of, choice);
    }
  }
}

TEST(SelectedSolve, CountsThePairsThatWereChosen) {
  for (const Case& of : cases()) {
    for (const Choice& choice : kChoices) {
      SCOPED_TRACE(shown(of, choice));
      const Statistics kept = solve(of.graph, options_of(of, choice)).statistics();
      const Result alone = solve(of.graph, options_of(of, choice, Keep::statistics));
      statistics::expect_same(alone.statistics(), kept);
      const bool counted = of.semiring == Semiring::min_plus && of.graph.weight_facts().integral;
      if (counted) expect_counted(kept, of, choice);
    }
  }
}

TEST(SelectedSolve, WritesFilesOfThatShape) {
  const TemporaryFolder folder;
  const std::string zarr = folder / "x.zarr", npy = folder / "x.npy", copy = folder / "y.npy";
  for (const Case& of : cases()) {
    for (const Choice& choice : kChoices) {
      SCOPED_TRACE(shown(of, choice));
      SolveOptions options = options_of(of, choice, Keep::statistics);
      options.storage.output = zarr;
      options.method.tile = 25;
      solve(of.graph, options);
      const Result opened = open_result(zarr);
      expect_textbook(opened, of, choice);
      SolveOptions in_memory = options_of(of, choice);
      in_memory.method.tile = options.method.tile;  // sums of real weights are rounded tile by tile
      statistics::expect_same(opened.statistics(), solve(of.graph, in_memory).statistics());
      opened.save(copy);
      options.storage.output = npy;
      solve(of.graph, options);
      const store::Layout about{.n = kVertices, .selection = {choice.sources, choice.targets}};
      for (const std::string& path : {npy, copy}) {
        const auto matrix = store::open_store(path, of.semiring, nullptr, &about);
        EXPECT_EQ(matrix->layout().rows(), std::ssize(or_all(choice.sources)));
        EXPECT_EQ(matrix->layout().cols(), std::ssize(or_all(choice.targets)));
        // Of one pair, a matrix of one vertex that is not the graph's.
        const bool one = choice.sources.size() == 1 && choice.targets.size() == 1;
        EXPECT_EQ(error_of([&] { open_result(path, of.graph, of.semiring); }).kind(),
                  one ? ErrorKind::usage : ErrorKind::input);
      }
      if (choice.targets.empty()) {
        EXPECT_TRUE(opened.verify().passed);
        EXPECT_TRUE(
            api::verify_stored(npy, of.graph, of.semiring, {}, nullptr, {choice.sources, {}})
                .passed);
        EXPECT_EQ(opened.verify().sources, std::ssize(choice.sources));
      }
    }
  }
}

TEST(SelectedSolve, HandsThoseRowsToACaller) {
  for (const Case& of : cases()) {
    for (const Choice& choice : kChoices) {
      SCOPED_TRACE(shown(of, choice));
      SolveOptions options = options_of(of, choice, Keep::statistics);
      options.method.value_type =
          of.semiring == Semiring::or_and ? std::nullopt : std::optional(ValueType::f64);
      std::map<Vertex, std::vector<double>> rows;
      const auto columns = static_cast<std::int64_t>(or_all(choice.targets).size());
      options.consumer.on_rows = [&](const RowBlock& block) {
        for (std::size_t i = 0; i < block.sources.size(); ++i) {
          std::vector<double>& row = rows[block.sources[i]];
          EXPECT_TRUE(row.empty()) << "twice";
          const std::int64_t first = static_cast<std::int64_t>(i) * block.stride;
          for (std::int64_t j = first; j < first + columns; ++j) {
            row.push_back(block.type == ValueType::f64
                              ? static_cast<const double*>(block.values)[j]
                              : static_cast<const std::uint8_t*>(block.values)[j]);
          }
        }
      };
      solve(of.graph, options);
      EXPECT_EQ(rows.size(), or_all(choice.sources).size());
      for_each_pair(of, choice, [&](auto, std::size_t j, Vertex s, Vertex, double distance) {
        ASSERT_TRUE(rows.contains(s));
        expect_near(rows[s][j], distance);
      });
    }
  }
}

TEST(SelectedSolve, AnswersForWhatItHoldsAndRefusesTheRest) {
  const Case of = cases().front();
  const auto refusal = [](auto&& act) { EXPECT_EQ(error_of(act).kind(), ErrorKind::usage); };
  const Result rows = solve(of.graph, options_of(of, {kSources, {}}));
  const Result whole = solve(of.graph, {.method = {.algorithm = of.algorithm}});
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
  const Result columns = solve(of.graph, options_of(of, {{}, kTargets}));
  refusal([&] { columns.distance(1, 1); });
  refusal([&] { columns.path(1, 2); });
  refusal([&] { columns.distances_from(1); });
  refusal([&] { columns.verify(); });
}

TEST(SelectedSolve, FindsWhatIsWrongInTheRowsThatItHolds) {
  const Case of = cases().front();
  const Result rows = solve(of.graph, options_of(of, {kSources, {}}));
  const Graph other = random_graph({.n = kVertices, .arcs = 2 * kVertices, .least = 1, .seed = 7});
  const TemporaryFolder folder;
  rows.save(folder / "x.npy");
  const auto check = [&](const Graph& graph, const Vertices& sources) {
    return api::verify_stored(folder / "x.npy", graph, of.semiring, {}, nullptr, {sources, {}});
  };
  EXPECT_TRUE(check(of.graph, kSources).passed);
  EXPECT_FALSE(check(other, kSources).passed);
  Vertices swapped = kSources;
  std::swap(swapped[0], swapped[1]);
  EXPECT_FALSE(check(of.graph, swapped).passed);
}

TEST(SelectedSolve, RefusesWhatItCannotHave) {
  const Case of = cases().front();
  const auto refusal = [&](auto&& change) {
    SolveOptions options = options_of(of, {{1, 2}, {}});
    change(options);
    const Error error = error_of([&] { solve(of.graph, options); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what());
  };
  refusal([](SolveOptions& o) { o.question.sources = {1, 2, 1}; });
  refusal([](SolveOptions& o) { o.question.sources = {kVertices}; });
  refusal([](SolveOptions& o) { o.question.targets = {5, 5}; });
  refusal([](SolveOptions& o) { o.question.predecessors = true; });
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

TEST(SelectedSolve, OptionsOfAnOutputNeedOne) {
  const Graph graph = generate({.kind = GraphKind::path, .vertices = 4});
  const auto refusal = [&](const SolveOptions& options) {
    const Error error = error_of([&] { solve(graph, options); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what());
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
  EXPECT_THAT(plans[20].line, HasSubstr("20 of 22,500 sources"));
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

}  // namespace
}  // namespace apsp
