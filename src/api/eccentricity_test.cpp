#include <apsp/eccentricity.hpp>

#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::eccentricity_test {
namespace {

Statistics statistics_of(const Graph& graph) {
  SolveOptions options;
  options.storage.keep = Keep::statistics;
  options.method.value_type =
      graph.weight_facts().integral ? std::nullopt : std::optional(ValueType::f64);
  return solve(graph, options).statistics();
}

/// Compares with the statistics of all distances within the largest component. `stored`: null, or a
/// result of the graph.
void expect_as_solved(const Graph& graph, const EccentricityOptions& options,
                      const Result* stored = nullptr) {
  const Eccentricities found =
      stored != nullptr ? eccentricity(*stored, options) : eccentricity(graph, options);
  const Graph part = largest_component(graph);
  const Statistics all = statistics_of(part);
  ASSERT_TRUE(found.complete);
  EXPECT_EQ(found.vertices, part.vertex_count());
  const double diameter = all.diameter.value_or(0), radius = all.radius.value_or(0);
  const double slack = found.tolerance * diameter;
  if (options.goal != EccentricityGoal::radius) {
    EXPECT_NEAR(found.diameter.least, diameter, slack);
    EXPECT_TRUE(found.diameter.known());
  }
  if (options.goal != EccentricityGoal::diameter) {
    EXPECT_NEAR(found.radius.most, radius, slack);
    EXPECT_TRUE(found.radius.known());
  }
  std::vector<Vertex> periphery, centre;
  for (Vertex v = 0; v < part.vertex_count(); ++v) {
    const Vertex of_graph = *graph.find(part.name(v));
    const double value = found.eccentricity[of_graph];
    if (options.goal == EccentricityGoal::all) {
      EXPECT_NEAR(value, all.eccentricity[v], 8 * slack);
    }
    if (all.eccentricity[v] == diameter) periphery.push_back(of_graph);
    if (all.eccentricity[v] == radius) centre.push_back(of_graph);
  }
  if (found.tolerance > 0) return;
  if (!options.sets && options.goal != EccentricityGoal::all) return;
  if (options.goal != EccentricityGoal::radius) {
    EXPECT_EQ(found.periphery, periphery);
  }
  if (options.goal != EccentricityGoal::diameter) {
    EXPECT_EQ(found.centre, centre);
  }
}

constexpr EccentricityGoal kGoals[] = {EccentricityGoal::diameter, EccentricityGoal::radius,
                                       EccentricityGoal::extremes, EccentricityGoal::all};

TEST(Eccentricity, IsThatOfAllDistances) {
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    RandomGraph of{.n = 1 + static_cast<std::int64_t>(seed % 31), .seed = seed};
    of.arcs = static_cast<std::int64_t>(seed % 5) * of.n;
    of.directed = seed % 3 != 0;
    of.greatest = seed % 4 == 0 ? 1 : 20;
    of.least = seed % 8 == 0 ? 1 : 0;
    of.real = seed % 5 == 0;
    SCOPED_TRACE(seed);
    expect_as_solved(
        random_graph(of),
        {.goal = kGoals[seed % 4], .sets = seed % 7 < 4, .threads = 1 + int(seed % 3)});
  }
}

TEST(Eccentricity, RowsOfAFactorAndSearchesAgree) {
  for (const bool directed : {false, true}) {
    const Graph roads = generate({.kind = GraphKind::roads, .vertices = 900, .directed = directed});
    for (const Algorithm algorithm : {Algorithm::johnson, Algorithm::nested_dissection}) {
      expect_as_solved(roads, {.goal = EccentricityGoal::all, .algorithm = algorithm});
    }
  }
}

Result with_factor(const Graph& graph, ValueType type) {
  SolveOptions options;
  options.storage.keep = Keep::factor;
  options.method.value_type = type;
  options.method.algorithm = Algorithm::nested_dissection;
  return solve(graph, options);
}

bool names_factor(const Eccentricities& found) {
  return found.plan.find("stored factor") != std::string::npos;
}

TEST(Eccentricity, RowsOfAStoredFactor) {
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    RandomGraph of{.n = 2 + static_cast<std::int64_t>(seed % 31), .seed = seed};
    of.arcs = static_cast<std::int64_t>(1 + seed % 4) * of.n;
    of.directed = seed % 3 != 0;
    of.real = seed % 5 == 0;
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(of);
    const Result result =
        with_factor(graph, of.real || seed % 2 == 0 ? ValueType::f64 : ValueType::i32);
    expect_as_solved(
        graph,
        {.goal = kGoals[seed % 4],
         .algorithm = seed % 4 < 3 ? Algorithm::nested_dissection : Algorithm::automatic,
         .threads = 1 + int(seed % 3)},
        &result);
  }
}

TEST(Eccentricity, UsesAStoredFactorThatIsExact) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 100, .directed = false});
  const EccentricityOptions options{.algorithm = Algorithm::nested_dissection};
  EXPECT_TRUE(names_factor(eccentricity(with_factor(grid, ValueType::u16), options)));
  EXPECT_FALSE(names_factor(eccentricity(with_factor(grid, ValueType::f32), options)));
  const EccentricityOptions searches{.algorithm = Algorithm::johnson};
  EXPECT_FALSE(names_factor(eccentricity(with_factor(grid, ValueType::u16), searches)));
  const Graph islands = graph_of(5, {{0, 1, 4}, {2, 3, 1}, {3, 4, 1}}, false);
  const auto found = component_eccentricities(with_factor(islands, ValueType::u16), options);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].diameter.most, 2);
  EXPECT_EQ(found[0].centre, std::vector<Vertex>{3});
  EXPECT_EQ(found[1].radius.least, 4);
}

TEST(Eccentricity, FewRowsAreEnough) {
  const Graph grid = generate({.kind = GraphKind::roads, .vertices = 20000, .directed = false});
  EXPECT_LT(eccentricity(grid).rows, 200);
}

TEST(Eccentricity, MatricesOfDirectedGraphs) {
  std::vector<double> weights(30 * 30);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = double(1 + i * 7919 % 83);
  GraphBuilder builder(30);
  WeightMatrix matrix;
  matrix.type = ValueType::f64;
  matrix.n = 30;
  matrix.data = weights.data();
  builder.set_matrix(matrix);
  expect_as_solved(std::move(builder).build(), {.goal = EccentricityGoal::all});
}

TEST(Eccentricity, EveryComponent) {
  const Graph islands = graph_of(7, {{0, 1, 4}, {2, 3, 1}, {3, 4, 1}, {4, 5, 2}}, false);
  const std::vector<Eccentricities> found =
      component_eccentricities(islands, {.goal = EccentricityGoal::all});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].components, 3);
  EXPECT_EQ(found[0].vertices, 4);
  EXPECT_EQ(found[0].diameter.most, 4);
  EXPECT_EQ(found[0].radius.least, 2);
  EXPECT_EQ(found[0].centre, (std::vector<Vertex>{4}));
  EXPECT_EQ(found[0].periphery, (std::vector<Vertex>{2, 5}));
  EXPECT_TRUE(std::isnan(found[0].eccentricity[0]));
  EXPECT_EQ(found[1].diameter_pair.from + found[1].diameter_pair.to, 1U);
  EXPECT_EQ(found[1].radius.most, 4);
  EXPECT_EQ(found[2].vertices, 1);
  EXPECT_EQ(found[2].diameter.most, 0);
}

/// Requests cancellation when the bounds have been told for the first time.
class Interrupting final : public Progress {
 public:
  explicit Interrupting(Cancellation& of) : of_(of) {}
  void begin(std::string_view, double, std::string_view) override { of_.request(); }
  void update(double) override {}
  void end() override {}

 private:
  Cancellation& of_;
};

TEST(Eccentricity, AnInterruptedRunHasProvenBounds) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 400, .directed = false});
  const Eccentricities whole = eccentricity(grid);
  Cancellation cancellation;
  Interrupting progress(cancellation);
  EccentricityOptions options;
  options.control = {&progress, &cancellation};
  const Eccentricities found = eccentricity(grid, options);
  EXPECT_FALSE(found.complete);
  EXPECT_FALSE(found.diameter.known());
  EXPECT_LE(found.diameter.least, whole.diameter.least);
  EXPECT_GE(found.diameter.most, whole.diameter.least);
  EXPECT_LE(found.radius.least, whole.radius.least);
  EXPECT_GE(found.radius.most, whole.radius.least);
  EXPECT_ERROR(interrupted, eccentricity(grid, options));  // before the first row
}

TEST(Eccentricity, Refusals) {
  EXPECT_ERROR(usage, eccentricity(graph_of(2, {{0, 1, -1}})));
  EXPECT_ERROR(usage, eccentricity(graph_of(0, {})));
  const Graph cycle = generate({.kind = GraphKind::cycle, .vertices = 5});
  EXPECT_ERROR(usage, eccentricity(cycle, {.algorithm = Algorithm::floyd_warshall}));
  EXPECT_ERROR(does_not_fit, eccentricity(cycle, {.memory = 1}));
}

}  // namespace
}  // namespace apsp::eccentricity_test
