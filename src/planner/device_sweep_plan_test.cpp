#include "planner/device_sweep_plan.hpp"

#include <apsp/graph.hpp>

#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/eligibility.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "sparse/device_front.hpp"
#include "sparse/eliminate.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/mesh.hpp"
#include "support/test.hpp"

namespace apsp::planner::device_sweep_plan_test {
namespace {

Graph grid(std::int64_t vertices) {
  GenerateOptions options{.kind = GraphKind::grid, .vertices = vertices, .directed = false};
  return generate(options);
}

SolveOptions on_cuda(Algorithm algorithm = Algorithm::nested_dissection) {
  SolveOptions options{.method = {.algorithm = algorithm},
                       .machine = {.device = Device::cuda},
                       .storage = {.keep = Keep::statistics}};
  return options;
}

const SweepsOnDevice& sweeps_of(const Plan& plan) { return *plan.rows()->factor()->on_device; }

TEST(DeviceSweepPlan, KnowsTheMemoryOfTheDevice) {
  const Graph graph = grid(2500);
  const Plan plan = find_plan(graph, on_cuda(), one_device);
  ASSERT_TRUE(plan.rows() && plan.on_device);
  EXPECT_EQ(plan.device(), Device::cuda);
  EXPECT_EQ(sweeps_of(plan).lanes, 2528) << "all sources, in whole lines of 64 bytes";
  EXPECT_TRUE(plan.rows()->uses.gives_columns);
  EXPECT_GT(plan.on_device->bytes, 2500 * 2500 * size_of(plan.type));
  EXPECT_LT(plan.on_device->bytes, 5 * 2500 * 2500 * size_of(plan.type));
  EXPECT_GT(plan.predicted.solve, 0);

  SolveOptions less = on_cuda();
  less.machine.device_memory = plan.on_device->bytes / 4;
  const Plan smaller = find_plan(graph, less, one_device);
  EXPECT_LE(smaller.on_device->bytes, less.machine.device_memory);
  EXPECT_LT(sweeps_of(smaller).lanes, 1264);
  EXPECT_GT(smaller.on_device->bytes, less.machine.device_memory * 9 / 10)
      << "as many sources as fit";

  SolveOptions kept = on_cuda();
  kept.storage.keep = Keep::matrix;
  EXPECT_GT(find_plan(graph, kept, one_device).on_device->bytes, plan.on_device->bytes)
      << "rows leave through memory of their own";
}

TEST(DeviceSweepPlan, LooksAtSearchesAloneBesideItWhereTheGraphIsLargeAndSparse) {
  RateSource rates;
  rates.device = [](auto&&...) -> std::optional<DeviceRates> {
    ADD_FAILURE() << "Floyd-Warshall is asked for";
    return std::nullopt;
  };
  rates.elimination = [](auto&&...) -> std::optional<EliminationRates> {
    ADD_FAILURE() << "sweeps of the CPU are asked for";
    return std::nullopt;
  };
  const Plan plan = find_plan(grid(40000), on_cuda(Algorithm::automatic), one_device, rates);
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  ASSERT_EQ(plan.candidates.size(), 4);
  EXPECT_EQ(plan.candidates[1].algorithm, Algorithm::johnson);
  EXPECT_FALSE(plan.candidates[2].known) << "other weights than 1";
  EXPECT_FALSE(plan.candidates[3].known) << "not named";
  EXPECT_LT(plan.predicted.seconds, 2);
}

TEST(DeviceSweepPlan, LeavesSmallAndDenseGraphsToFloydWarshall) {
  EXPECT_EQ(find_plan(generate({.kind = GraphKind::dense, .vertices = 300}),
                      on_cuda(Algorithm::automatic), one_device)
                .algorithm,
            Algorithm::floyd_warshall);
}

TEST(DeviceSweepPlan, IsTakenUnaskedWhereTheCpuTakesLong) {
  SolveOptions options{.machine = {.threads = 1}, .storage = {.keep = Keep::statistics}};
  const Plan plan = find_plan(grid(90000), options, one_device);
  EXPECT_EQ(plan.algorithm, Algorithm::nested_dissection);
  EXPECT_EQ(plan.device(), Device::cuda);
  ASSERT_TRUE(plan.on_device);
  EXPECT_EQ(sweeps_of(plan).lanes, 4096) << "more take as many times the memory and are no faster";
  EXPECT_LE(plan.predicted.solve, 3);

  EXPECT_EQ(find_plan(grid(90000), options, no_device).device(), Device::cpu);
  EXPECT_EQ(find_plan(grid(3000), options, one_device).device(), Device::cpu);
  options.question.sources = {1};
  EXPECT_EQ(find_plan(grid(90000), options, one_device).device(), Device::cpu);
}

TEST(DeviceSweepPlan, ClosesWideSupernodesThereWhereTheyFit) {
  const Graph graph =
      generate({.kind = GraphKind::rmat, .vertices = 16384, .edges = 400000, .directed = false});
  const Plan plan = find_plan(graph, on_cuda(), one_device);
  ASSERT_TRUE(plan.rows());
  EXPECT_GE(sweeps_of(plan).closed_from, 64);
  EXPECT_GT(sweeps_of(plan).closed_tile, 0);
  const std::int64_t width = plan.rows()->tree()->width(plan.rows()->tree()->supernodes() - 1);
  EXPECT_GE(width, sweeps_of(plan).closed_from);
  EXPECT_GE(plan.on_device->bytes, width * width * size_of(plan.type));
}

TEST(DeviceSweepPlan, CountsTheEliminationOnceWhereTheFactorIsKeptUnasked) {
  constexpr std::int64_t kMiB = 1 << 20;
  const Graph graph = grid(10000);
  SolveOptions little = on_cuda();
  little.storage.keep = Keep::automatic;
  little.machine.memory = 100 * kMiB;
  const Plan plan = find_plan(graph, little, one_device);
  EXPECT_EQ(plan.keep, Keep::factor) << "the matrix does not fit";
  EXPECT_EQ(plan.rows()->costs.making_seconds,
            find_plan(graph, on_cuda(), one_device).rows()->costs.making_seconds);
}

Graph path_of(double weight, double another) {
  GraphBuilder builder(40);
  for (Vertex v = 0; v + 1 < 40; ++v) builder.add_edge(v, v + 1, v % 2 == 0 ? weight : another);
  return std::move(builder).build();
}

TEST(DeviceSweepPlan, CountsAnyDistancesWhoseDigitsTheDeviceHolds) {
  for (const Graph& graph : {path_of(200000, 3), path_of(0.25, 1), path_of(0.25, 0)}) {
    const Plan plan = find_plan(graph, on_cuda(), one_device);
    EXPECT_TRUE(plan.rows()->uses.gives_columns);
    EXPECT_TRUE(sweeps_of(plan).counting.binned);
    EXPECT_GT(plan.on_device->bytes, 40 * std::int64_t{sizeof(kernels::DistanceTotals)} +
                                         8 * sweeps_of(plan).counting.bins());
  }
}

TEST(DeviceSweepPlan, TakesAsManySourcesAtATimeAsFitWhereDistancesAreLong) {
  SolveOptions options = on_cuda();
  constexpr std::int64_t kMiB = 1 << 20;
  options.machine.device_memory = 60 * kMiB;
  const Plan plan =
      find_plan(generate({.kind = GraphKind::roads, .vertices = 20000, .greatest_weight = 1e6}),
                options, one_device);
  EXPECT_FALSE(plan.on_device->streamed);
  EXPECT_TRUE(plan.rows()->uses.gives_columns);
  EXPECT_TRUE(sweeps_of(plan).counting.binned);
  EXPECT_GT(plan.distance_bound, 1 << 21);
  EXPECT_LT(sweeps_of(plan).lanes, 600);
  EXPECT_LE(plan.on_device->bytes, options.machine.device_memory);
  EXPECT_GT(plan.on_device->bytes, options.machine.device_memory * 9 / 10);
}

TEST(DeviceSweepPlan, LeavesCountsToTheHostWhereTheDeviceHasNone) {
  SolveOptions real = on_cuda();
  real.method.value_type = ValueType::f64;
  const Plan plan = find_plan(path_of(0x1p-60, 0x1p60), real, one_device);
  EXPECT_FALSE(plan.rows()->uses.gives_columns);
  EXPECT_FALSE(sweeps_of(plan).counting.counts());

  SolveOptions some = on_cuda();
  EXPECT_TRUE(find_plan(grid(400), some, one_device).rows()->uses.gives_columns);
  some.question.sources = {3, 4, 5};
  some.question.targets = {7};
  const Plan of_some = find_plan(grid(400), some, one_device);
  EXPECT_FALSE(of_some.rows()->uses.gives_columns);
  EXPECT_EQ(sweeps_of(of_some).lanes, 32) << "three, in a whole line of 64 bytes";
}

TEST(DeviceSweepPlan, KeepsWholeDistancesOfF64InThirtyTwoBits) {
  using kernels::ListedForm;
  const Problem whole{.type = ValueType::f64,
                      .sign = kernels::Sign::non_negative,
                      .distance_bound = kernels::kMostWhole,
                      .whole = true,
                      .n = 1000};
  EXPECT_EQ(swept_form(whole), ListedForm::whole);
  EXPECT_EQ(swept_kernel(whole).type, ValueType::i32) << "as large, and as fast";
  const auto changed = [&](auto&& change) {
    Problem other = whole;
    change(other);
    return swept_form(other);
  };
  const auto too_long = changed([](Problem& p) { p.distance_bound += 1; });
  EXPECT_EQ(too_long, ListedForm::values);
  EXPECT_EQ(changed([](Problem& p) { p.whole = false; }), ListedForm::values);
  EXPECT_EQ(changed([](Problem& p) { p.sign = kernels::Sign::any; }), ListedForm::values);
  EXPECT_EQ(changed([](Problem& p) { p.type = ValueType::f32; }), ListedForm::values);
  EXPECT_EQ(changed([](Problem& p) { p.semiring = Semiring::min_max; }), ListedForm::values);
}

TEST(DeviceSweepPlan, LeastSecondsAreOfTheSourcesThatAreAskedFor) {
  const Graph graph = grid(2500);
  const DevicePlan plan = *find_plan(graph, on_cuda(), one_device).on_device;
  Problem problem{.type = ValueType::u16,
                  .sign = kernels::Sign::non_negative,
                  .distance_bound = 5000,
                  .whole = true,
                  .n = 2500};
  const double all = least_sweeping_seconds(problem, true, plan);
  EXPECT_LT(least_sweeping_seconds(problem, false, plan), all) << "nobody counts";
  problem.selection.sources = store::VertexList({1, 1200, 2400});
  EXPECT_LT(least_sweeping_seconds(problem, true, plan), all);
}

TEST(DeviceSweepPlan, BreadthFirstSearchesLookMoreOftenFromScatteredSources) {
  const Graph graph = generate(
      {.kind = GraphKind::grid, .vertices = 40'000, .least_weight = 1, .greatest_weight = 1});
  const auto seconds_a_source = [&](Vertex step) {
    SolveOptions options = on_cuda(Algorithm::breadth_first);
    for (Vertex v = 0; v < 40'000; v += step) options.question.sources.push_back(v);
    const Plan plan = find_plan(graph, options, one_device);
    return plan.on_device->seconds / static_cast<double>(options.question.sources.size());
  };
  EXPECT_GT(seconds_a_source(4), 1.2 * seconds_a_source(1));
}

TEST(DeviceSweepPlan, RefusesLongDistancesOfBothSigns) {
  const Problem problem{
      .type = ValueType::i32, .sign = kernels::Sign::any, .distance_bound = 1 << 28};
  EXPECT_EQ(
      why_not_swept(problem),
      "runs on a GPU in i32 over negative weights only if distances are below 268435456, and these "
      "may reach 268435456");
}

TEST(DeviceSweepPlan, TakesMoreVerticesThanTotalsAddUp) {
  const Plan plan =
      find_plan(graph_of(kernels::kCountedColumns + 1, {{0, 1, 1}}), on_cuda(), one_device);
  EXPECT_TRUE(plan.rows()->uses.gives_columns);
}

using sparse::SupernodeId;

/// A mesh, and what is planned of its elimination on an H200.
struct PlannedFronts {
  static constexpr double kMaking = 10;  // s, by the host
  RowsByFactor by{.tree = sparse::dissected(cube()), .symmetric = true};
  Problem problem{.type = ValueType::u16, .threads = 2, .sign = kernels::Sign::non_negative};
  SweepsOnDevice sweeps{};
  RowCosts costs{};
  NamedDevice device = named_device({.device = Device::cuda}, one_device);
  DevicePlan plan;

  /// `relaxation`: s, of the host.
  explicit PlannedFronts(double relaxation, int threads = 2, std::int64_t memory = 0) {
    problem.threads = threads;
    costs.making_seconds = kMaking;
    costs.front_relaxation = relaxation;
    plan = begun_rows(problem, tree().vertices(), {.memory = memory}, device);
    eliminate_on_device(problem, device, by, sweeps, plan, costs);
  }
  static const Graph& cube() {
    static const Graph graph = mesh(16);
    return graph;
  }
  const sparse::Tree& tree() const { return *by.tree; }
  sparse::FrontBuffers buffers() const {
    sizes = device.devices.sizes(problem.semiring, problem.type, problem.sign);
    sparse::FrontBuffers buffers(*sizes, size_of(problem.type), sweeps.closed_tile);
    for (const SupernodeId s : sweeps.fronts) {
      buffers.add(tree().width(s), tree().structure_size(s));
    }
    return buffers;
  }
  /// Of the root, if it is only closed there, while memory of fronts is held.
  std::int64_t closing_bytes() const {
    const SupernodeId root = tree().supernodes() - 1;
    const bool whole = std::binary_search(sweeps.fronts.begin(), sweeps.fronts.end(), root);
    if (whole || sweeps.closed_from == 0) return 0;
    return sparse::DeviceShare::closing_bytes(*sizes, tree().width(root), sweeps.closed_tile,
                                              problem.type);
  }
  mutable std::unique_ptr<kernels::DeviceSizes> sizes{};
};

constexpr double kSlow = 1e-9, kFast = 1e-13;

TEST(DeviceFrontPlan, TakesFrontsOnWhichAllThreadsWork) {
  const PlannedFronts planned(kSlow);
  const SweepsOnDevice& sweeps = planned.sweeps;
  ASSERT_FALSE(sweeps.fronts.empty());
  EXPECT_TRUE(sweeps.eliminates());
  EXPECT_TRUE(std::is_sorted(sweeps.fronts.begin(), sweeps.fronts.end()));
  EXPECT_GT(sweeps.closed_tile, 0);
  const auto above = sparse::subtrees_of(planned.tree(), 2).above;
  for (const SupernodeId s : sweeps.fronts) {
    EXPECT_NE(std::find(above.begin(), above.end(), s), above.end());
  }
  EXPECT_GT(PlannedFronts(kSlow, 1).sweeps.fronts.size(), sweeps.fronts.size())
      << "one thread works on all";
}

TEST(DeviceFrontPlan, TakesTheFewerTheFasterTheHostIs) {
  const PlannedFronts slow(kSlow, 1), slower(100 * kSlow, 1), fast(kFast, 1);
  EXPECT_GT(slower.sweeps.fronts.size(), slow.sweeps.fronts.size());
  EXPECT_TRUE(fast.sweeps.fronts.empty());
  EXPECT_FALSE(fast.sweeps.eliminates());
  EXPECT_EQ(fast.costs.making_seconds, PlannedFronts::kMaking);
  EXPECT_EQ(fast.plan.bytes, 0);
  std::int64_t least = fast.tree().vertices();
  for (const SupernodeId s : slow.sweeps.fronts) {
    least = std::min<std::int64_t>(least, slow.tree().width(s) + slow.tree().structure_size(s));
  }
  EXPECT_GT(least, 32) << "smaller fronts are not worth launches";
}

TEST(DeviceFrontPlan, PredictsWhatIsSaved) {
  const PlannedFronts planned(kSlow);
  double taken = 0;
  for (const SupernodeId s : planned.sweeps.fronts) {
    const auto width = static_cast<double>(planned.tree().width(s));
    const double side = width + static_cast<double>(planned.tree().structure_size(s));
    taken += width * side * side * kSlow;
  }
  EXPECT_LT(planned.costs.making_seconds, PlannedFronts::kMaking - taken / 2);
  EXPECT_GT(planned.costs.making_seconds,
            PlannedFronts::kMaking - planned.tree().elimination_relaxations() * kSlow);
}

TEST(DeviceFrontPlan, KnowsTheMemoryOfFronts) {
  const PlannedFronts planned(kSlow);
  EXPECT_EQ(planned.plan.bytes, planned.buffers().device_bytes() + planned.closing_bytes());
  EXPECT_GT(planned.costs.making_bytes, 0) << "rows lie further apart";
  const PlannedFronts less(kSlow, 2, planned.plan.bytes - 1);
  EXPECT_LT(less.plan.bytes, planned.plan.bytes);
  EXPECT_FALSE(less.sweeps.fronts.empty()) << "smaller ones fit";
  EXPECT_FALSE(PlannedFronts(kSlow, 2, 1000).sweeps.eliminates());
}

TEST(DeviceFrontPlan, ClosesWhatItDoesNotTakeWhole) {
  Problem problem{.type = ValueType::u16, .threads = 2, .sign = kernels::Sign::non_negative};
  const NamedDevice device = named_device({.device = Device::cuda}, one_device);
  const std::vector<sparse::Position> first = {0};
  sparse::Pattern pattern;  // one supernode
  constexpr std::int64_t kVertices = 3000;
  for (std::int64_t v = 0; v < kVertices; ++v) pattern.offsets.push_back(0);
  const RowsByFactor by{.tree = std::make_shared<const sparse::Tree>(
                            pattern, sparse::natural_order(kVertices), first)};
  SweepsOnDevice sweeps;
  RowCosts costs{.making_seconds = 10, .front_relaxation = 1e-11};
  DevicePlan plan = begun_rows(problem, kVertices, {}, device);
  eliminate_on_device(problem, device, by, sweeps, plan, costs);
  EXPECT_TRUE(sweeps.fronts.empty()) << "roots go there whole only beside other fronts";
  EXPECT_GT(sweeps.closed_from, 0);
  EXPECT_LE(sweeps.closed_from, kVertices);
  EXPECT_LT(costs.making_seconds, 10);
  EXPECT_GE(plan.bytes, kVertices * kVertices * 2);
}

TEST(DeviceFrontPlan, SaysHowLongAFrontTakes) {
  const PlannedFronts planned(kSlow);
  const FrontOnDevice front{
      .width = 500, .upper = 2000, .bytes = 2500 * 2560 * 2, .at_once = 2560, .symmetric = true};
  const double seconds = front_seconds(planned.plan, front);
  EXPECT_GT(seconds, 0.3e-3);
  EXPECT_LT(seconds, 3e-3);
  for (const auto grow :
       {+[](FrontOnDevice& of) { of.width *= 2; }, +[](FrontOnDevice& of) { of.upper *= 8; },
        +[](FrontOnDevice& of) { of.bytes *= 4; },
        +[](FrontOnDevice& of) { of.upper *= 8, of.symmetric = false; }}) {
    FrontOnDevice larger = front;
    grow(larger);
    EXPECT_GT(front_seconds(planned.plan, larger), seconds);
  }
  EXPECT_GT(closing_seconds(planned.plan, 5000, 2560), closing_seconds(planned.plan, 2560, 2560));
}

}  // namespace
}  // namespace apsp::planner::device_sweep_plan_test
