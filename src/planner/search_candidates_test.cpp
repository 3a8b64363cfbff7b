#include "planner/search_candidates.hpp"

#include "base/random.hpp"
#include "planner/find_plan.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::planner::search_candidates_test {
namespace {

using testing::HasSubstr;

Plan plan_of(const Graph& graph, SolveOptions options) {
  options.machine.threads = 2;
  return make_plan(graph, options, no_device);
}

/// Their distances would be differences of potentials, which rounding leaves without digits.
TEST(SearchCandidates, JohnsonLeavesNegativeRealsToSumsOfThem) {
  for (const double least : {-2.0, -2.5}) {
    const Graph graph = graph_of(3, {{0, 1, least}, {1, 2, -1}}, true);
    const SolveOptions options{.method = {.algorithm = Algorithm::johnson}};
    if (least == -2) {
      EXPECT_EQ(plan_of(graph, options).algorithm, Algorithm::johnson);
    } else {
      EXPECT_ERROR(usage, plan_of(graph, options));
    }
  }
}

/// Reduced sums may be three times as long as distances, and beyond 2^53 they are rounded: found by
/// the campaign, where the distance 1 of a longest path came out as 2.
TEST(SearchCandidates, JohnsonLeavesSumsBeyondF64ToOthers) {
  const auto message = [](double large, double sign, Semiring semiring) {
    const SolveOptions options{.question = {.semiring = semiring},
                               .method = {.algorithm = Algorithm::johnson}};
    const Graph graph = graph_of(4, {{0, 1, sign * large}, {1, 2, sign * 1}, {2, 3, sign * large}});
    try {
      return std::string(name(plan_of(graph, options).algorithm));
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const auto too_long = HasSubstr("sums of these integers are too long");
  EXPECT_THAT(message(0x1p51, 1, Semiring::max_plus), too_long);
  EXPECT_THAT(message(0x1p51, -1, Semiring::min_plus), too_long);
  EXPECT_EQ(message(0x1p51, 1, Semiring::min_plus), "johnson");
  EXPECT_EQ(message(0x1p50, 1, Semiring::max_plus), "johnson");
  EXPECT_EQ(message(0x1p50, -1, Semiring::min_plus), "johnson");
}

TEST(SearchCandidates, AreTakenWhereDistancesAreHops) {
  GraphBuilder builder(20'000, false);
  base::SplitMix64 random(7);
  for (int edge = 0; edge < 200'000; ++edge) {
    builder.add_edge(static_cast<Vertex>(random.below(20'000)),
                     static_cast<Vertex>(random.below(20'000)), 1);
  }
  const Graph graph = std::move(builder).build();
  const Plan plan = plan_of(
      graph, {.machine = {.memory = std::int64_t{1} << 40}, .storage = {.keep = Keep::statistics}});
  EXPECT_EQ(plan.algorithm, Algorithm::breadth_first);
  EXPECT_EQ(plan_of(graph, {.question = {.semiring = Semiring::or_and},
                            .machine = {.memory = std::int64_t{1} << 40},
                            .storage = {.keep = Keep::statistics}})
                .type,
            ValueType::boolean);
}

TEST(SearchCandidates, SayWhatTheyDoNotTake) {
  const auto refusal = [](Algorithm algorithm, SolveOptions options, const Graph& graph) {
    options.method.algorithm = algorithm;
    EXPECT_ERROR(usage, plan_of(graph, options));
  };
  const Graph weighted = random_graph({.n = 30, .arcs = 90, .least = 2});
  refusal(Algorithm::breadth_first, {}, weighted);
  refusal(Algorithm::breadth_first, {.question = {.semiring = Semiring::max_min}}, weighted);
  refusal(Algorithm::johnson, {.question = {.semiring = Semiring::or_and}}, weighted);
  EXPECT_EQ(plan_of(weighted, {.method = {.algorithm = Algorithm::johnson}}).algorithm,
            Algorithm::johnson);
  const Graph real = random_graph({.n = 30, .arcs = 90, .least = 2, .real = true, .acyclic = true});
  refusal(Algorithm::johnson, {.question = {.semiring = Semiring::max_plus}}, real);
}

TEST(SearchCandidates, TryNoRowsOutWhereThatWouldBeALargePartOfAll) {
  const Graph grid = generate({.kind = GraphKind::grid, .vertices = 60 * 60});
  const auto tried = [&](Algorithm algorithm, std::int64_t sources) {
    int times = 0;
    RateSource rates;
    rates.sample = [&](const Graph&, const RowSample&, double) {
      ++times;
      return std::optional<double>();
    };
    const Problem problem{
        .type = ValueType::u16,
        .threads = 2,
        .n = grid.vertex_count(),
        .selection = {std::vector<Vertex>(static_cast<std::size_t>(sources)), {}}};
    Findings findings;
    plan_searches(algorithm, grid, problem,
                  {.findings = findings, .rates = rates, .control = Control()});
    return times;
  };
  // A search by breadth finds 512 rows at once on each thread.
  EXPECT_EQ(tried(Algorithm::breadth_first, 2 * 512 * 16), 1);
  EXPECT_EQ(tried(Algorithm::breadth_first, 2 * 512 * 16 - 1), 0);
  EXPECT_EQ(tried(Algorithm::johnson, 2 * 16), 1);
  EXPECT_EQ(tried(Algorithm::johnson, 2 * 16 - 1), 0);
}

}  // namespace
}  // namespace apsp::planner::search_candidates_test
