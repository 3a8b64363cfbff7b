#include "planner/find_plan.hpp"

#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/value_type.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::planner::find_plan_test {
namespace {

using testing::HasSubstr;

Graph path_graph(std::initializer_list<double> weights) {
  GraphBuilder builder(static_cast<std::int64_t>(weights.size()) + 1);
  Vertex v = 0;
  for (const double weight : weights) {
    builder.add_edge(v, v + 1, weight);
    ++v;
  }
  return std::move(builder).build();
}

ValueType chosen(std::initializer_list<double> weights, Semiring semiring = Semiring::min_plus) {
  return choose_value_type(path_graph(weights), semiring, std::nullopt).type;
}

TEST(DistanceBound, SumsTheLargestWeightThatLeavesEachVertex) {
  EXPECT_EQ(distance_bound(path_graph({3, 4, 5}), Semiring::min_plus), 12);
  EXPECT_EQ(distance_bound(path_graph({3, -4, 5}), Semiring::min_plus), 12);
  EXPECT_EQ(distance_bound(path_graph({3, -7, 5}), Semiring::max_min), 7);
  EXPECT_EQ(distance_bound(path_graph({3, -7, 5}), Semiring::or_and), 1);
  EXPECT_EQ(distance_bound(Graph(), Semiring::min_plus), 0);
}

TEST(ValueType, IsTheNarrowestThatHoldsEveryDistance) {
  EXPECT_EQ(chosen({1, 2, 3}), ValueType::u16);
  EXPECT_EQ(chosen({32766}), ValueType::u16);
  EXPECT_EQ(chosen({32767}), ValueType::i32);
  EXPECT_EQ(chosen({30000, 30000}), ValueType::i32);
  EXPECT_EQ(chosen({1, -2}), ValueType::i32);
  EXPECT_EQ(chosen({1073741822}), ValueType::i32);
  EXPECT_EQ(chosen({1073741823}), ValueType::f64);
  EXPECT_EQ(chosen({0.5}), ValueType::f32);
  EXPECT_EQ(chosen({1e38, 1e38, 1e38, 0.5}), ValueType::f64);
  EXPECT_EQ(chosen({1e-37, 0, 3}), ValueType::f32) << "normal in f32";
  EXPECT_EQ(chosen({1e-42, 3}), ValueType::f64);
  EXPECT_EQ(chosen({0.5, -1e-50}), ValueType::f64);
  EXPECT_EQ(chosen({0x1p-149, 0x1p-127, 0.5}), ValueType::f32) << "exact there";
  EXPECT_EQ(chosen({1.5e308}, Semiring::min_max), ValueType::f64) << "nothing is added";
  EXPECT_EQ(chosen({0}, Semiring::max_min), ValueType::i32) << "0 is u16's no path";
  EXPECT_EQ(chosen({1}, Semiring::max_min), ValueType::u16);
  EXPECT_EQ(chosen({}, Semiring::max_min), ValueType::u16);
  EXPECT_EQ(chosen({0}, Semiring::min_max), ValueType::u16);
  EXPECT_EQ(chosen({5}, Semiring::max_plus), ValueType::i32);
  EXPECT_EQ(chosen({0.5}, Semiring::or_and), ValueType::boolean);
}

TEST(ValueType, OneThatWouldNotFitIsRefused) {
  const auto ask = [](std::initializer_list<double> weights, ValueType type) {
    return error_of([&] { choose_value_type(path_graph(weights), Semiring::min_plus, type); })
        .kind();
  };
  EXPECT_EQ(ask({32767}, ValueType::u16), ErrorKind::does_not_fit);
  EXPECT_EQ(ask({-1}, ValueType::u16), ErrorKind::does_not_fit);
  EXPECT_EQ(ask({2e9}, ValueType::i32), ErrorKind::does_not_fit);
  EXPECT_EQ(ask({0.5}, ValueType::i32), ErrorKind::usage);
  EXPECT_EQ(ask({1}, ValueType::boolean), ErrorKind::usage);
}

TEST(ValueType, RefusalsNameTheCause) {
  const auto why = [](std::initializer_list<double> weights, std::optional<ValueType> type) {
    const Error error =
        error_of([&] { choose_value_type(path_graph(weights), Semiring::min_plus, type); });
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
    return std::string(error.what());
  };
  EXPECT_EQ(why({3, 1e-50}, ValueType::f32),
            "a weight of 1e-50 would lose digits in f32, or become 0, as the least normal value of "
            "f32 is 1.18e-38; use f64");
  EXPECT_EQ(why({1e308, 1e308}, {}),
            "the weights of a path may add up to more than 1.8e+308, too much for the widest type, "
            "f64; scale the weights");
  why({1e308, 1}, ValueType::f64);
  why({1e39, 1}, ValueType::f32);
}

TEST(UnitRoundoff, IsZeroWhereArithmeticIsExact) {
  EXPECT_EQ(unit_roundoff(path_graph({1, 2}), Semiring::min_plus, ValueType::i32), 0);
  EXPECT_EQ(unit_roundoff(path_graph({1, 2}), Semiring::min_plus, ValueType::f32), 0);
  EXPECT_EQ(unit_roundoff(path_graph({1 << 24, 2}), Semiring::min_plus, ValueType::f32), 0x1p-24);
  EXPECT_EQ(unit_roundoff(path_graph({0.5}), Semiring::min_plus, ValueType::f64), 0x1p-53);
}

TEST(Plan, RefusesWhatMemoryDoesNotHoldAndSaysWhatWould) {
  SolveOptions options{.machine = {.memory = 1000}};
  EXPECT_ERROR(does_not_fit, make_plan(path_graph({1, 2, 3}), options));
}

TEST(Plan, RefusesSizesOutOfRange) {
  for (const auto spoil : {+[](SolveOptions& o) { o.method.tile = -1; },
                           +[](SolveOptions& o) { o.method.tile = 32769; },
                           +[](SolveOptions& o) { o.method.tile = INT64_MAX; },
                           +[](SolveOptions& o) { o.machine.threads = -1; },
                           +[](SolveOptions& o) { o.machine.memory = -1; },
                           +[](SolveOptions& o) { o.machine.device_memory = -1; },
                           +[](SolveOptions& o) { o.storage.disk = -1; }}) {
    SolveOptions options;
    spoil(options);
    EXPECT_ERROR(usage, make_plan(path_graph({1}), options));
  }
}

/// 3,500 vertices, in rows of 50 from the first one, by undirected edges.
Graph long_paths() {
  GraphBuilder builder(3500, false);
  for (Vertex v = 0; v + 1 < 3500; ++v) builder.add_edge(v % 50 == 0 ? 0 : v, v + 1, 0.5);
  return std::move(builder).build();
}

TEST(Plan, OnADeviceSaysWhereTheMatrixIs) {
  SolveOptions options{.machine = {.device = Device::cuda}};
  const Graph graph = long_paths();
  const Plan resident = make_plan(graph, options, one_device);
  EXPECT_EQ(resident.device(), Device::cuda);
  EXPECT_EQ(resident.shape, dense::Shape::symmetric);
  EXPECT_EQ(resident.tile(), 256);
  EXPECT_EQ(resident.type, ValueType::f32);
  EXPECT_EQ(resident.on_device->device.ordinal, 0);
  EXPECT_FALSE(resident.on_device->streamed);
  EXPECT_TRUE(resident.predicted.rough);

  options.machine.device_memory = 10 << 20;
  options.method.algorithm = Algorithm::floyd_warshall;  // searches would need less
  const Plan streamed = make_plan(graph, options, one_device);
  EXPECT_EQ(streamed.shape, dense::Shape::symmetric);
  EXPECT_LE(streamed.on_device->bytes, options.machine.device_memory);
  EXPECT_TRUE(streamed.on_device->streamed);
  EXPECT_GT(plan_report(streamed).panel, 0);
  EXPECT_LE(streamed.bytes,
            make_plan(graph, {.machine = {.device = Device::cpu}}, one_device).bytes);
}

TEST(Plan, NumbersOfGpusAreChecked) {
  for (const Algorithm algorithm :
       {Algorithm::automatic, Algorithm::johnson, Algorithm::nested_dissection}) {
    SolveOptions options{.method = {.algorithm = algorithm}};
    for (const auto& [device, ordinals] :
         {std::pair(Device::cpu, std::vector{0}), std::pair(Device::automatic, std::vector{0}),
          std::pair(Device::cuda, std::vector{1, 1}), std::pair(Device::cuda, std::vector{-5})}) {
      options.machine.device = device;
      options.machine.device_ordinals = ordinals;
      EXPECT_ERROR(usage, find_plan(long_paths(), options, one_device));
    }
  }
}

TEST(Plan, AutomaticSaysWhy) {
  const Graph graph = long_paths();
  SolveOptions options{.question = {.via = true}, .machine = {.threads = 1}};
  const Plan plan = make_plan(graph, options, one_device);
  EXPECT_EQ(plan.device(), Device::cuda);
  EXPECT_GT(plan.why.cpu_seconds, 0);
  const Plan without = make_plan(graph, options, no_device);
  EXPECT_EQ(without.device(), Device::cpu);
  EXPECT_EQ(without.threads, 1);
  EXPECT_THAT(without.why.device, HasSubstr("no CUDA device"));
  options.machine.device = Device::cpu;
  EXPECT_EQ(make_plan(graph, options, one_device).why.device, "");
}

TEST(Plan, ADriverIsNotStartedForRowsThatEndBeforeItIsUp) {
  int looked = 0;
  const auto find = [&] {
    ++looked;
    return one_device();
  };
  const auto plan = [&](const Graph& graph, std::vector<Vertex> sources) {
    return make_plan(graph, {.question = {.sources = sources}, .machine = {.threads = 1}}, find);
  };
  const Graph tangled = random_graph({.n = 20000, .arcs = 80000});
  const Plan some = plan(tangled, {0, 7});
  EXPECT_EQ(looked, 0);
  EXPECT_EQ(some.algorithm, Algorithm::johnson);
  EXPECT_THAT(some.why.device, HasSubstr("no GPU is looked for"));
  EXPECT_EQ(plan(tangled, {}).device(), Device::cuda);
  EXPECT_EQ(looked, 1);
  const Plan flat = plan(generate({.kind = GraphKind::grid, .vertices = 4900}), {});
  EXPECT_EQ(looked, 1);
  EXPECT_EQ(flat.algorithm, Algorithm::nested_dissection);
  EXPECT_THAT(flat.why.device, HasSubstr("no GPU is looked for"));
}

TEST(Plan, OfSomeRowsOfADenseGraphTakesRowsOrLooksForGpus) {
  int looked = 0;
  const auto find = [&] {
    ++looked;
    return one_device();
  };
  constexpr Vertex kVertices = 600;
  const Graph dense = random_graph({.n = kVertices, .arcs = kVertices * kVertices});
  RateSource rates;  // the matrix pays for a driver, and not for searches in all arcs
  rates.any_link = [] { return std::optional(LinkRates{.start = 0.01}); };
  rates.host = [](const RateQuery&) {
    return std::optional(HostRates{RateCurve({{kVertices, 0.04}}), 1e-3, 1e9, 1e9, false});
  };
  const SolveOptions options{.question = {.sources = {0, 5}}, .machine = {.threads = 1}};
  const Plan plan = make_plan(dense, options, find, rates);
  EXPECT_TRUE(plan.rows() != nullptr || looked == 1);
}

TEST(Plan, OfANamedGpuAsksForNoMatrixOnTheHost) {
  const Graph tangled = random_graph({.n = 20000, .arcs = 80000});
  RateSource rates;
  bool asked = false;
  rates.host = [&](const RateQuery&) {
    asked = true;
    return std::optional<HostRates>();
  };
  const SolveOptions options{.machine = {.device = Device::cuda, .threads = 1}};
  EXPECT_EQ(make_plan(tangled, options, one_device, rates).device(), Device::cuda);
  EXPECT_FALSE(asked);
}

TEST(Plan, SignedIntegersBeyondTheDevicesLimitNameAWayOut) {
  const Graph graph = path_graph({200000000, -200000000});
  SolveOptions options{.machine = {.device = Device::cuda}};
  EXPECT_ERROR(device, make_plan(graph, options, one_device));
  options.method.value_type = ValueType::f64;
  EXPECT_EQ(make_plan(graph, options, one_device).type, ValueType::f64);
}

TEST(Plan, PredictsTheWholeByTheRatesOfThisMachine) {
  RateSource rates;
  rates.host = [](const RateQuery& asked) {
    EXPECT_EQ(title(asked.kernel, asked.shape), "min-plus f32 non-negative symmetric");
    EXPECT_EQ(asked.threads, 2);
    EXPECT_GT(asked.guess, 0);
    return HostRates{RateCurve({{3500, 7}}), 1, 1e6, 7000, false};
  };
  rates.store = [](const RateQuery& asked) {
    EXPECT_EQ(asked.path, "x.npy");
    EXPECT_GT(asked.guess, 49e6 / 1e9) << "by cautious figures of a disk";
    return StoreRates{0.5, 49e6, false};
  };
  const Graph graph = long_paths();
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.device = Device::cpu, .threads = 2}};
  Prediction predicted = make_plan(graph, options, no_device, rates).predicted;
  EXPECT_DOUBLE_EQ(predicted.start, 1);
  EXPECT_DOUBLE_EQ(predicted.solve, 7 + static_cast<double>(graph.arc_count()) / 7000);
  EXPECT_DOUBLE_EQ(predicted.statistics, 3500.0 * 3500 / 1e6);
  EXPECT_EQ(predicted.store, 0);
  EXPECT_FALSE(predicted.rough);
  options.storage.output = "x.npy";
  options.question.statistics = false;
  predicted = make_plan(graph, options, no_device, rates).predicted;
  EXPECT_EQ(predicted.statistics, 0);
  EXPECT_NEAR(predicted.store, 0.5 + 1, 1e-4) << "49 MB, and a header in a block of the disk";
  EXPECT_DOUBLE_EQ(predicted.seconds, predicted.start + predicted.solve + predicted.store);
}

/// Seconds that predecessors add to the output of a prediction, by two threads. The whole would
/// not do: it holds what planning itself took, which a busy machine makes longer.
double seconds_of_predecessors(const Graph& graph, SolveOptions options) {
  options.machine = {.device = Device::cpu, .threads = 2};
  options.storage.output = "x.zarr";
  options.question.statistics = false;
  RateSource rates;
  rates.store = [](const RateQuery&) { return StoreRates{0, 1e15, false}; };
  const double without = make_plan(graph, options, no_device, rates).predicted.store;
  options.question.predecessors = true;
  return make_plan(graph, options, no_device, rates).predicted.store - without;
}

TEST(Plan, PredictsPredecessorsOfDenseAndSparseGraphs) {
  constexpr double kPairs = 800.0 * 800, kThreads = 2;
  const SolveOptions matrix{.method = {.algorithm = Algorithm::floyd_warshall}};
  const auto dense = [](bool real) {
    return generate({.kind = GraphKind::dense, .vertices = 800, .real_weights = real});
  };
  const double whole = seconds_of_predecessors(dense(false), matrix);
  // Measured for n = 1,600: 62 ns of a thread for a pair, its 4 bytes written; reals 164 ns.
  EXPECT_GT(whole, kPairs * 40e-9 / kThreads);
  EXPECT_LT(whole, kPairs * 120e-9 / kThreads);
  EXPECT_GT(seconds_of_predecessors(dense(true), matrix), 1.8 * whole);
  const Graph sparse = generate({.kind = GraphKind::grid, .vertices = 800});
  EXPECT_LT(seconds_of_predecessors(sparse, matrix), whole);
  SolveOptions some = matrix;
  some.question.sources = {3, 5, 7, 11};
  EXPECT_LT(seconds_of_predecessors(sparse, some), whole / 20);
}

TEST(Plan, CountsWhatADriverTookToStartAndWillTakeToEnd) {
  constexpr double kTaken = 0.05;  // s
  const auto slow = [=] {
    std::this_thread::sleep_for(std::chrono::duration<double>(kTaken));
    return one_device();
  };
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection}) {
    SolveOptions options;
    options.method.algorithm = algorithm;
    options.machine.device = Device::cuda;
    options.storage.keep = algorithm == Algorithm::floyd_warshall ? Keep::matrix : Keep::statistics;
    const auto begun = std::chrono::steady_clock::now();
    const Prediction predicted = make_plan(path_graph({1, 2, 3}), options, slow).predicted;
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begun;
    EXPECT_GE(predicted.start, kTaken);
    EXPECT_LT(predicted.start, all.count() + 0.01) << "not what is assumed of drivers";
    EXPECT_GT(predicted.end, 0);
    EXPECT_NEAR(predicted.seconds, predicted.start + predicted.solve + predicted.statistics, 1e-9)
        << "whoever stays does not wait for the end";
    EXPECT_EQ(make_plan(path_graph({1, 2}), {.machine = {.device = Device::cpu}}).predicted.end, 0);
  }
}

TEST(Plan, PredictsTheOutputByWhatMemoryAndDiskMove) {
  RateSource rates;
  rates.host = [](auto&&...) {
    return HostRates{RateCurve({{3500, 7}}), 0, 1e6, 0, false, "2026-11-22T10:00:00Z"};
  };
  rates.store = [](auto&&...) { return std::nullopt; };  // nothing was written yet
  rates.transfers = [](const RateQuery& asked) {
    EXPECT_EQ(asked.path, "x.npy");
    EXPECT_EQ(asked.threads, 2);
    EXPECT_GT(asked.guess, 0);
    return TransferRates{98e6, 49e6, 7e9, "2026-11-21T10:00:00Z"};
  };
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.device = Device::cpu, .threads = 2},
                       .storage = {.output = "x.npy"}};
  const auto predict = [&] { return make_plan(long_paths(), options, no_device, rates).predicted; };
  EXPECT_NEAR(predict().store, 0.5 + 1, 0.1) << "49 MB are copied, and written";
  EXPECT_FALSE(predict().rough);
  EXPECT_EQ(predict().measured, "2026-11-21T10:00:00Z") << "of the older figures";
  options.storage.output = "x.zarr";
  options.storage.compress = true;
  EXPECT_TRUE(predict().rough) << "how far bytes shrink is not known";
}

TEST(Plan, IsRoughWhereNothingWasMeasured) {
  const Prediction predicted =
      make_plan(long_paths(), {.method = {.algorithm = Algorithm::floyd_warshall}}, no_device)
          .predicted;
  EXPECT_TRUE(predicted.rough);
  EXPECT_GT(predicted.solve, 0.05);
  EXPECT_LT(predicted.solve, 100);
}

TEST(Plan, UndirectedGraphsNeedHalfTheWork) {
  const Plan plan = make_plan(graph_of(10, {{0, 1, 1}}, false), {});
  EXPECT_EQ(plan.shape, dense::Shape::symmetric);
  EXPECT_EQ(plan.relaxations(), 500);
}

}  // namespace
}  // namespace apsp::planner::find_plan_test
