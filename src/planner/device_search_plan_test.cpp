#include "planner/device_search_plan.hpp"

#include <apsp/graph.hpp>

#include "planner/device_model.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::planner::device_search_plan_test {
namespace {

using testing::HasSubstr;

Graph tangled(std::int64_t vertices, std::int64_t edges) {
  GenerateOptions options{.kind = GraphKind::rmat, .vertices = vertices, .edges = edges};
  return generate(options);
}

SolveOptions on_cuda(Algorithm algorithm = Algorithm::johnson) {
  SolveOptions options{.method = {.algorithm = algorithm},
                       .machine = {.device = Device::cuda},
                       .storage = {.keep = Keep::statistics}};
  return options;
}

void refusal(const Graph& graph, const SolveOptions& options) {
  EXPECT_ERROR(usage, find_plan(graph, options, one_device));
}

const SearchesOnDevice& searches_of(const Plan& plan) {
  return *std::get<RowsBySearches>(plan.rows()->by).on_device;
}

const HopsOnDevice& hops_of(const Plan& plan) {
  return *std::get<RowsByBreadthFirst>(plan.rows()->by).on_device;
}

TEST(DeviceSearchPlan, KnowsTheMemoryOfTheDevice) {
  const Graph graph = tangled(2500, 20000);
  const Plan plan = find_plan(graph, on_cuda(), one_device);
  ASSERT_TRUE(plan.rows() && plan.on_device);
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  EXPECT_EQ(plan.device(), Device::cuda);
  EXPECT_EQ(searches_of(plan).batches.batch, 2500) << "all sources in one launch";
  EXPECT_TRUE(plan.rows()->uses.gives_columns);
  EXPECT_EQ(plan.on_device->bytes,
            searches_of(plan).batches.bytes_of_counts(2500, graph.arc_count(), {plan.type, false},
                                                      searches_of(plan).counting));
  EXPECT_GT(plan.predicted.solve, 0);

  SolveOptions less = on_cuda();
  less.machine.device_memory = plan.on_device->bytes / 4;
  const Plan smaller = find_plan(graph, less, one_device);
  EXPECT_LE(smaller.on_device->bytes, less.machine.device_memory);
  EXPECT_LT(searches_of(smaller).batches.batch, 700);

  less.machine.device_memory = 1000;
  EXPECT_ERROR(does_not_fit, find_plan(graph, less, one_device));
}

TEST(DeviceSearchPlan, CountsShortestDistancesThereAndPassesOthersOn) {
  SolveOptions options = on_cuda();
  const Graph graph = tangled(600, 3000);
  EXPECT_TRUE(find_plan(graph, options, one_device).rows()->uses.gives_columns);
  EXPECT_FALSE(searches_of(find_plan(graph, options, one_device)).counting.binned);
  options.method.value_type = ValueType::f32;
  const Plan real = find_plan(graph, options, one_device);
  EXPECT_TRUE(real.rows()->uses.gives_columns);
  EXPECT_TRUE(searches_of(real).counting.binned);
  options.method.value_type.reset();
  options.question.semiring = Semiring::max_min;
  EXPECT_FALSE(find_plan(graph, options, one_device).rows()->uses.gives_columns);
  options.question.semiring = Semiring::min_plus;
  options.storage.keep = Keep::matrix;
  EXPECT_FALSE(find_plan(graph, options, one_device).rows()->uses.gives_columns);
}

TEST(DeviceSearchPlan, TakesLessForSomeSources) {
  const Graph graph = tangled(2500, 20000);
  SolveOptions options = on_cuda();
  options.method.value_type = ValueType::i32;
  const Plan all = find_plan(graph, options, one_device);
  options.question.sources = {5, 3, 9};
  const Plan some = find_plan(graph, options, one_device);
  EXPECT_FALSE(some.rows()->uses.gives_columns) << "statistics of some rows are the sink's";
  EXPECT_EQ(searches_of(some).batches.batch, 3);
  EXPECT_LT(some.on_device->bytes, all.on_device->bytes / 10);
}

TEST(DeviceSearchPlan, TakesLessForSomeTargets) {
  const Graph graph = tangled(2500, 20000);
  SolveOptions options = on_cuda();
  options.storage.keep = Keep::matrix;
  const Plan all = find_plan(graph, options, one_device);
  options.question.targets = {1, 2, 7};
  const Plan some = find_plan(graph, options, one_device);
  EXPECT_EQ(some.device(), Device::cuda);
  EXPECT_EQ(some.on_device->bytes, searches_of(some).batches.bytes_of_rows(
                                       2500, graph.arc_count(), 2500, 3, {some.type, false}));
  EXPECT_LT(some.on_device->bytes + 2 * 2500 * 2400 * size_of(some.type), all.on_device->bytes);
}

TEST(DeviceSearchPlan, TakesWeightsOfBothSignsThatAreWhole) {
  GenerateOptions generated{.vertices = 400, .negative = true};
  const Graph graph = generate(generated);
  SolveOptions options = on_cuda();
  options.storage.keep = Keep::matrix;
  const Plan plan = find_plan(graph, options, one_device);
  EXPECT_EQ(plan.device(), Device::cuda);
  EXPECT_EQ(plan.on_device->bytes, searches_of(plan).batches.bytes_of_rows(
                                       400, graph.arc_count(), 400, 400, {plan.type, true}));
  EXPECT_FALSE(plan.rows()->uses.gives_columns) << "a GPU counts no distances below 0";
  generated.real_weights = true;
  refusal(generate(generated), on_cuda());
}

TEST(DeviceSearchPlan, TakesMoreVerticesThanAMultiprocessorHolds) {
  for (const std::int64_t vertices : {400'000, 2'000'000}) {
    GraphBuilder builder(vertices);
    for (Vertex v = 0; v + 1 < static_cast<Vertex>(vertices); ++v) builder.add_edge(v, v + 1, 2);
    SolveOptions options = on_cuda();
    options.question.sources = {0, 5, 9};
    options.method.value_type = ValueType::i32;
    const Graph graph = std::move(builder).build();
    const Plan plan = find_plan(graph, options, one_device);
    EXPECT_EQ(plan.device(), Device::cuda);
    EXPECT_EQ(searches_of(plan).batches.searches, 3);
    EXPECT_LT(plan.on_device->bytes, vertices * (3 * (12 + 4 + 1 + 8) + 16 + 12));
  }
}

TEST(DeviceSearchPlan, BatchesOfManyVerticesFitTheMemory) {
  const Graph graph = tangled(100'000, 400'000);
  SolveOptions options = on_cuda();
  options.machine.device_memory = kGiB / 4;
  const Plan plan = find_plan(graph, options, one_device);
  EXPECT_LE(plan.on_device->bytes, options.machine.device_memory);
  EXPECT_LT(searches_of(plan).batches.batch, 1024);
  EXPECT_EQ(searches_of(plan).batches.searches,
            std::min<std::int64_t>(searches_of(plan).batches.batch, 132 * 2));
}

TEST(DeviceSearchPlan, SharesTheSourcesAmongSeveralDevices) {
  const Graph graph = tangled(40000, 320000);
  constexpr auto two = several_devices<2>;
  SolveOptions options = on_cuda();
  const Plan one = find_plan(graph, options, two);
  EXPECT_EQ(one.on_device->devices(), 1) << "the first, where none is named";
  options.machine.device_ordinals = {kAllGpus};
  const Plan both = find_plan(graph, options, two);
  EXPECT_EQ(both.on_device->devices(), 2);
  EXPECT_LT(both.on_device->seconds, one.on_device->seconds * 0.7);
  EXPECT_GT(both.on_device->seconds, one.on_device->seconds * 0.4);
}

/// Whether Floyd-Warshall on a GPU is among the candidates.
bool looks_at_matrix(const Graph& graph) {
  const Plan plan = find_plan(graph, on_cuda(Algorithm::automatic), one_device);
  return std::any_of(plan.candidates.begin(), plan.candidates.end(), [](const CandidateReport& c) {
    return c.algorithm == Algorithm::floyd_warshall && c.device == Device::cuda && c.known;
  });
}

TEST(DeviceSearchPlan, EveryDevicePinsItsOwnMemoryMeanwhile) {
  RateSource rates;
  rates.link = [](auto&&...) { return LinkRates{.pinned = 1e4}; };  // most of the time
  SolveOptions options = on_cuda();
  options.storage.keep = Keep::matrix;
  const Graph graph = tangled(9000, 40000);
  const double one = find_plan(graph, options, one_device, rates).on_device->seconds;
  options.machine.device_ordinals = {0, 1};
  const Plan two = find_plan(graph, options, several_devices<2>, rates);
  EXPECT_NEAR(two.on_device->seconds / one, 1, 0.01);
  EXPECT_GT(two.rows()->costs.worker_bytes, 1.9 * 1e4 * one) << "bytes of both";
}

TEST(DeviceSearchPlan, LooksAtTheMatrixWhereArcsAreMany) {
  EXPECT_TRUE(looks_at_matrix(tangled(32768, 4'000'000)));
  EXPECT_FALSE(looks_at_matrix(tangled(32768, 260'000)));
}

TEST(DeviceSearchPlan, ComesBeforeAnOrderThatTakesLonger) {
  for (const GraphKind kind : {GraphKind::grid, GraphKind::geometric}) {
    const Graph hops = generate({.kind = kind, .vertices = 10'000, .greatest_weight = 1});
    const Plan plan = find_plan(hops, on_cuda(Algorithm::automatic), one_device);
    EXPECT_TRUE(plan.rows() && plan.rows()->searches());
    for (const CandidateReport& candidate : plan.candidates) {
      EXPECT_EQ(candidate.known, candidate.algorithm != Algorithm::nested_dissection &&
                                     candidate.algorithm != Algorithm::boundary)
          << static_cast<int>(candidate.algorithm);
    }
  }
}

TEST(DeviceSearchPlan, TakesAllDevicesByItselfWhereOneTakesLong) {
  constexpr auto two = several_devices<2>;
  SolveOptions options = on_cuda(Algorithm::automatic);
  options.machine.device = Device::automatic;
  options.machine.threads = 2;
  const Plan large = find_plan(tangled(160'000, 1'024'000), options, two);
  EXPECT_EQ(large.algorithm, Algorithm::johnson);
  ASSERT_TRUE(large.on_device);
  EXPECT_EQ(large.why.device, "") << "that of the matrix";
  EXPECT_EQ(large.on_device->devices(), 2);
  const Plan small = find_plan(tangled(40000, 320000), options, two);
  EXPECT_EQ(small.algorithm, Algorithm::johnson);
  ASSERT_TRUE(small.on_device);
  EXPECT_EQ(small.on_device->devices(), 1) << "another GPU costs its start";
}

/// The figures of rows that a solve would be worth measuring for, asked once more with its seconds.
TEST(DeviceRowRates, AreMeasuredForLongSolvesAndScaleTheEngineTheyAreOf) {
  const Graph roads = generate({.kind = GraphKind::grid, .vertices = 40'000});
  const Graph scattered = tangled(40'000, 400'000);
  const Graph hops = generate({.kind = GraphKind::rmat,
                               .vertices = 40'000,
                               .edges = 400'000,
                               .greatest_weight = 1,
                               .directed = false});
  std::vector<double> guesses;
  const auto seconds = [&](const Graph& graph, Algorithm algorithm, const DeviceRowRates& rates) {
    guesses.clear();
    RateSource source;
    source.device_rows = [&](const RateQuery& asked) -> std::optional<DeviceRowRates> {
      guesses.push_back(asked.guess);
      return asked.guess > 0 ? std::optional(rates) : std::nullopt;
    };
    const Plan plan = find_plan(graph, on_cuda(algorithm), one_device, source);
    EXPECT_EQ(plan.predicted.rough, false);
    return plan.on_device->seconds - kRowsSetupSeconds;
  };
  DeviceRowRates plain, faster;
  plain.measured = faster.measured = "2026-11-30T00:00:00Z";
  const auto factor = [&](const Graph& graph, Algorithm algorithm, double DeviceRowRates::*figure) {
    faster = plain;
    faster.*figure *= 2;
    return seconds(graph, algorithm, plain) / seconds(graph, algorithm, faster);
  };
  EXPECT_NEAR(factor(scattered, Algorithm::johnson, &DeviceRowRates::searched), 2, 0.1);
  ASSERT_EQ(guesses.size(), 2);
  EXPECT_EQ(guesses[0], 0) << "cached figures need no guess";
  EXPECT_GT(guesses[1], kRowsSetupSeconds);
  EXPECT_GT(factor(roads, Algorithm::nested_dissection, &DeviceRowRates::swept), 1.2);
  EXPECT_GT(factor(hops, Algorithm::breadth_first, &DeviceRowRates::hopped), 1.2);
  EXPECT_EQ(factor(scattered, Algorithm::johnson, &DeviceRowRates::hopped), 1);
}

TEST(DeviceSearchPlan, TakesTheTimeOfSampledSearchesWhereTheyAreAFewOfAll) {
  constexpr double kRow = 20e-6;  // s
  int samples = 0;
  RateSource rates;
  rates.sample_on_device = [&](const Graph& graph, const DeviceSearchSample& asked, double guess) {
    ++samples;
    EXPECT_EQ(graph.vertex_count(), 40'000);
    EXPECT_LT(asked.batches.searches, 40'000 / 16);
    EXPECT_GT(guess, kRowsSetupSeconds);
    return std::optional(kRow);
  };
  const Graph graph = tangled(40'000, 320'000);
  SolveOptions options = on_cuda();
  EXPECT_NEAR(find_plan(graph, options, one_device, rates).on_device->seconds,
              kRowsSetupSeconds + 40'000 * kRow, 1e-9);
  EXPECT_NEAR(find_plan(graph, options, several_devices<2>, rates).on_device->seconds,
              kRowsSetupSeconds + 40'000 * kRow, 1e-9);
  EXPECT_EQ(samples, 2);
  for (Vertex v = 0; v < 1000; ++v) options.question.sources.push_back(v);
  find_plan(graph, options, one_device, rates);
  GraphBuilder chain(60'000, false);
  for (Vertex v = 1; v < 60'000; ++v) chain.add_edge(v - 1, v, 1 + v % 9);
  find_plan(std::move(chain).build(), on_cuda(), one_device, rates);
  EXPECT_EQ(samples, 2) << "few sources, and long searches, are not sampled";
}

TEST(DeviceSearchPlan, LeavesPredecessorsToTheHost) {
  SolveOptions some = on_cuda();
  some.question.predecessors = true;
  some.storage.keep = Keep::statistics;
  some.storage.output = "out.zarr";  // a plan writes nothing
  const Plan plan = find_plan(tangled(600, 3000), some, one_device);
  ASSERT_TRUE(plan.on_device);
  EXPECT_FALSE(plan.rows()->uses.finds_predecessors);
}

TEST(DeviceSearchPlan, RefusesRealWeightsOfBothSigns) {
  GraphBuilder builder(600);
  for (Vertex v = 0; v + 1 < 600; ++v) builder.add_edge(v, v + 1, v % 2 == 0 ? 1.5 : -1.25);
  refusal(std::move(builder).build(), on_cuda());
}

TEST(DeviceSearchPlan, RefusesBeforeAnythingIsMeasured) {
  RateSource rates;
  rates.device = [](auto&&...) -> std::optional<DeviceRates> {
    ADD_FAILURE() << "a GPU is measured for a solve that is refused";
    return std::nullopt;
  };
  EXPECT_ERROR(usage, find_plan(tangled(40000, 80000), on_cuda(Algorithm::breadth_first),
                                one_device, rates));
}

TEST(DeviceSearchPlan, TakesSearchesWhereSeparatorsAreLarge) {
  const Plan plan = find_plan(tangled(40000, 320000), on_cuda(Algorithm::automatic), one_device);
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  ASSERT_EQ(plan.candidates.size(), 4);
  EXPECT_FALSE(plan.candidates[2].known) << "an order that could not pay is not asked for";
  EXPECT_EQ(plan.candidates[2].device, Device::cuda);
  EXPECT_THAT(plan.candidates[2].why_not, HasSubstr("little to gain over johnson"));
}

TEST(DeviceSearchPlan, IsTakenByItselfWhereItIsSooner) {
  SolveOptions options = on_cuda(Algorithm::automatic);
  options.machine.device = Device::automatic;
  options.machine.threads = 2;
  const Plan large = find_plan(tangled(40000, 320000), options, one_device);
  EXPECT_EQ(large.algorithm, Algorithm::johnson);
  EXPECT_EQ(large.device(), Device::cuda);
  const Plan small = find_plan(tangled(1000, 8000), options, one_device);
  EXPECT_EQ(small.device(), Device::cpu);
}

Graph of_hops(GraphKind kind, std::int64_t vertices, std::int64_t edges = 0) {
  return generate({.kind = kind,
                   .vertices = vertices,
                   .edges = edges,
                   .greatest_weight = 1,
                   .directed = false});
}

TEST(DeviceHopPlan, KnowsTheMemoryOfTheDevice) {
  const Graph graph = of_hops(GraphKind::rmat, 2500, 20000);
  const Plan plan = find_plan(graph, on_cuda(Algorithm::breadth_first), one_device);
  ASSERT_TRUE(plan.rows() && plan.on_device);
  EXPECT_TRUE(plan.rows()->on_device());
  EXPECT_EQ(plan.device(), Device::cuda);
  EXPECT_EQ(hops_of(plan).lanes, 2560) << "all sources, in lines of 128";
  EXPECT_TRUE(plan.rows()->uses.gives_columns);
  EXPECT_GT(plan.on_device->bytes, 2500 * 2560 * size_of(plan.type));
  EXPECT_LT(plan.on_device->bytes, 3 * 2500 * 2560 * size_of(plan.type));

  SolveOptions less = on_cuda(Algorithm::breadth_first);
  less.machine.device_memory = plan.on_device->bytes / 4;
  const Plan smaller = find_plan(graph, less, one_device);
  EXPECT_LE(smaller.on_device->bytes, less.machine.device_memory);
  EXPECT_LT(hops_of(smaller).lanes, 700);

  less.machine.device_memory = 1000;
  EXPECT_ERROR(does_not_fit, find_plan(graph, less, one_device));
}

TEST(DeviceHopPlan, TakesWeightsOfOne) {
  refusal(tangled(600, 3000), on_cuda(Algorithm::breadth_first));
  SolveOptions reachability = on_cuda(Algorithm::breadth_first);
  reachability.question.semiring = Semiring::or_and;
  refusal(of_hops(GraphKind::rmat, 600, 3000), reachability);
}

TEST(DeviceHopPlan, IsTakenOfWeightsOfOne) {
  const Graph graph = of_hops(GraphKind::rmat, 40000, 320000);
  const Plan named = find_plan(graph, on_cuda(Algorithm::automatic), one_device);
  EXPECT_EQ(named.algorithm, Algorithm::breadth_first);
  SolveOptions options = on_cuda(Algorithm::automatic);
  options.machine.device = Device::automatic;
  options.machine.threads = 2;
  const Plan chosen = find_plan(graph, options, one_device);
  EXPECT_EQ(chosen.algorithm, Algorithm::breadth_first);
  EXPECT_EQ(chosen.device(), Device::cuda);
}

/// Finding an order of such graphs costs more than their searches take on a GPU, whose driver every
/// plan there starts.
TEST(DeviceSearchPlan, NoOrderIsFoundThatCostsMoreThanTheSearches) {
  const auto expect_searches = [](const Graph& graph, Algorithm searches) {
    const Plan plan = find_plan(graph, on_cuda(Algorithm::automatic), one_device);
    EXPECT_EQ(plan.algorithm, searches);
    for (const CandidateReport& candidate : plan.candidates) {
      EXPECT_FALSE(candidate.algorithm == Algorithm::nested_dissection && candidate.known);
    }
  };
  expect_searches(generate({.kind = GraphKind::gnp,
                            .vertices = 100'000,
                            .probability = 6.0 / 100'000,
                            .least_weight = 1,
                            .greatest_weight = 1}),
                  Algorithm::breadth_first);
  expect_searches(
      generate(
          {.kind = GraphKind::grid, .vertices = 4900, .least_weight = 1, .greatest_weight = 9}),
      Algorithm::johnson);
}

/// Sweeps and matrices of i32 refuse distances from 2^28 on, and searches of reduced weights do
/// not.
TEST(DeviceSearchPlan, TakesLongNegativeDistancesThatOtherAlgorithmsRefuse) {
  GraphBuilder path(2000);
  for (Vertex v = 1; v < 2000; ++v) path.add_edge(v - 1, v, v == 1000 ? -200'000 : 200'000);
  const Graph graph = std::move(path).build();
  const Plan plan = find_plan(graph, on_cuda(Algorithm::automatic), one_device);
  EXPECT_EQ(plan.algorithm, Algorithm::johnson);
  EXPECT_EQ(plan.device(), Device::cuda);
}

TEST(DeviceSearchPlan, NoGpuIsAskedWhereRowsAreFoundOnTheCpu) {
  bool asked = false;
  const auto devices = [&] {
    asked = true;
    return one_device();
  };
  SolveOptions options{.method = {.algorithm = Algorithm::johnson}};
  const Graph large = generate({.kind = GraphKind::grid, .vertices = 10000});
  EXPECT_EQ(find_plan(large, options, devices).device(), Device::cpu);
  options.method.algorithm = Algorithm::automatic;
  options.storage.keep = Keep::factor;
  EXPECT_EQ(find_plan(large, options, devices).device(), Device::cpu);
  EXPECT_FALSE(asked);
}

}  // namespace
}  // namespace apsp::planner::device_search_plan_test
