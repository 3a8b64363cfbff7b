// Solves on a GPU that is none: invented facts, and a strict device that runs the work and refuses
// every misuse. What the answers are must not depend on where they were found.
#include <apsp/apsp.hpp>

#include <random>

#include "api/floyd_warshall.hpp"
#include "api/solve.hpp"
#include "base/random.hpp"
#include "paths/via_path.hpp"
#include "semiring/dispatch.hpp"
#include "store/store.hpp"
#include "support/invented_devices.hpp"
#include "support/solved_on_device.hpp"
#include "support/strict/strict_device.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::device_solve_test {
namespace {

using planner::one_device;

constexpr std::int64_t kTile = 16;

struct GraphKind {
  bool directed = true, negative = false, real = false;
};

Graph random_graph(std::int64_t n, GraphKind kind = {}) {
  return generate({.vertices = n,
                   .probability = 0.1,
                   .real_weights = kind.real,
                   .directed = kind.directed,
                   .negative = kind.negative});
}

SolveOptions on_cuda(std::int64_t device_memory = 0) {
  SolveOptions options{.method = {.tile = kTile},
                       .machine = {.device = Device::cuda, .device_memory = device_memory}};
  return options;
}

constexpr auto four_devices = planner::several_devices<4>;

TEST(DeviceSolve, StreamsThroughLittleMemory) {
  for (const GraphKind kind : {GraphKind{}, {.negative = true}, {.directed = false}}) {
    const Graph graph = random_graph(150, kind);
    const Result here = solve_on_cpu(graph, {});
    const std::int64_t cap = kind.negative ? 40000 : 26000;  // values of 4 and 2 bytes
    for (const std::vector<int>& ordinals : {std::vector<int>{}, {0, 1}, {3, 1, 0}}) {
      SolveOptions options = on_cuda(cap);
      options.machine.device_ordinals = ordinals;
      const Result there = solve_on_device(graph, options, four_devices);
      EXPECT_TRUE(there.report().on_device->streamed);
      EXPECT_GT(there.report().on_device->panel, 0);
      EXPECT_LE(there.report().on_device->bytes, cap);
      EXPECT_EQ(there.report().relaxations, 150.0 * 150 * 150 / (kind.directed ? 1 : 2));
      expect_same_distances(there, here);
    }
  }
}

TEST(DeviceSolve, SeveralGpusSolveHalfOfASymmetricMatrix) {
  const Graph graph = random_graph(150, {.directed = false});
  SolveOptions options = on_cuda();
  options.machine.device_ordinals = {0, 1, 2};
  EXPECT_EQ(solve_on_device(graph, options, four_devices).report().relaxations,
            150.0 * 150 * 150 / 2);
  options.question.via = true;
  EXPECT_EQ(solve_on_device(graph, options, four_devices).report().relaxations, 150.0 * 150 * 150);
}

TEST(DeviceSolve, SignedRealWeightsStayWithinTheBoundOfBoth) {
  const Graph graph = random_graph(61, {.negative = true, .real = true});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    for (const std::int64_t memory : {0, 30000}) {
      SolveOptions options = on_cuda(memory);
      options.method.value_type = type;
      const Result there = solve_on_device(graph, options);
      options.machine.device = Device::cpu;
      const Result here = solve(graph, options);
      EXPECT_GT(there.report().absolute_error, 0);
      EXPECT_TRUE(there.verify().passed);
      const double bound = there.report().absolute_error + here.report().absolute_error;
      for (Vertex s = 0; s < 61; ++s) {
        for (Vertex t = 0; t < 61; ++t) {
          if (!here.reachable(s, t)) continue;
          ASSERT_NEAR(there.distance(s, t), here.distance(s, t), bound);
        }
      }
    }
  }
}

TEST(DeviceSolve, IntermediateVerticesAndHopsDescribeBestPaths) {
  struct Through {
    std::int64_t cap;
    std::vector<int> ordinals;
  };
  for (const auto& [cap, ordinals] :
       {Through{0, {}}, {0, {0, 1, 2}}, {30000, {}}, {18000, {0, 1, 2}}}) {
    const Graph graph = random_graph(90);
    SolveOptions options = on_cuda(cap);
    options.machine.device_ordinals = ordinals;
    options.question.hops = true;
    const TemporaryFolder folder;
    const std::string file = folder / "result.zarr";
    options.storage.output = file;
    const Result there = solve_on_device(graph, options, four_devices);
    EXPECT_EQ(there.report().on_device->streamed, cap > 0);
    expect_same_distances(there, solve(graph, {.machine = {.device = Device::cpu}}));
    EXPECT_TRUE(open_result(file).verify().passed);
    const auto store = store::open_store(file, Semiring::min_plus);
    for (Vertex s = 0; s < 90; s += 7) {
      for (Vertex t = 0; t < 90; t += 5) {
        const std::vector<Vertex> path = paths::path_from_via(*store, s, t);
        ASSERT_EQ(path.empty(), !there.reachable(s, t));
        if (path.empty()) continue;
        std::int32_t hops = -2;
        store->read(store::Plane::hops, {s, t, 1, 1}, &hops, 1);
        EXPECT_EQ(hops, static_cast<std::int32_t>(path.size()) - 1);
        double length = 0;
        for (std::size_t i = 1; i < path.size(); ++i) {
          double best = std::numeric_limits<double>::infinity();
          const auto targets = graph.targets(path[i - 1]);
          for (std::size_t a = 0; a < targets.size(); ++a) {
            if (targets[a] == path[i]) best = std::min(best, graph.weights(path[i - 1])[a]);
          }
          length += best;
        }
        EXPECT_EQ(length, there.distance(s, t));
      }
    }
    EXPECT_EQ(open_result(file).report().on_device->name, "NVIDIA H200");
  }
}

TEST(DeviceSolve, ReportsWhatThePlanSaidAndWhatItTook) {
  const Result result = solve_on_device(random_graph(100), on_cuda());
  const DeviceReport& device = *result.report().on_device;
  EXPECT_EQ(device.ordinal, 0);
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_GT(device.seconds, 0);
  EXPECT_GT(device.seconds_predicted, 0);
  EXPECT_GT(device.bytes, 100 * 100 * 2);
  EXPECT_LE(device.seconds, result.report().seconds_solve);
  SolveOptions several = on_cuda();
  several.machine.device_ordinals = {2, 0};
  const Result there = solve_on_device(random_graph(100), several, four_devices);
  EXPECT_FALSE(there.report().on_device->streamed);
  EXPECT_EQ(there.report().on_device->ordinal, 2);
  EXPECT_EQ(there.report().on_device->peers, std::vector<int>{0});
}

TEST(DeviceSolve, ErrorsSayWhatWouldWork) {
  const Graph graph = random_graph(50);
  EXPECT_ERROR(device, solve_on_device(graph, on_cuda(), planner::no_device));
  EXPECT_ERROR(does_not_fit, solve_on_device(graph, on_cuda(200)));
  SolveOptions options = on_cuda();
  options.question.semiring = Semiring::or_and;
  options.question.via = true;
  EXPECT_ERROR(device, solve_on_device(graph, options));
  options = on_cuda();
  options.machine.device_ordinals = {0, 1};
  EXPECT_ERROR(device, solve_on_device(graph, options));
  const Error shares = error_of([&] {
    SolveOptions less = on_cuda(3000);
    less.machine.device_ordinals = {0, 1};
    solve_on_device(graph, less, four_devices);
  });
  EXPECT_EQ(shares.kind(), ErrorKind::does_not_fit);
}

TEST(DeviceSolve, MemoryThatIsGoneAfterThePlanIsReported) {
  // By the plan's facts the device has the memory; the one that is opened for the solve has not.
  const auto find = [] {
    planner::Devices devices = one_device();
    devices.open = [](int, Semiring semiring, ValueType type, kernels::Sign, std::int64_t) {
      return kernels::strict::make_device(semiring, type, 100);
    };
    return devices;
  };
  EXPECT_ERROR(does_not_fit, solve_on_device(random_graph(50), on_cuda(), find));
}

TEST(DeviceSolve, ADeviceThatFailsIsNamed) {
  const auto find = [] {
    planner::Devices devices = one_device();
    devices.open = [](int, Semiring, ValueType, kernels::Sign,
                      std::int64_t) -> std::unique_ptr<kernels::ComputeDevice> {
      throw Error(ErrorKind::device, "CUDA, a queue: fell off the bus");
    };
    return devices;
  };
  EXPECT_ERROR(device, solve_on_device(random_graph(50), on_cuda(), find));
}

TEST(DeviceSolve, StopsWhenAskedTo) {
  Cancellation cancellation;
  cancellation.request();
  for (const std::int64_t cap : {0, 30000}) {
    SolveOptions options = on_cuda(cap);
    options.control.cancellation = &cancellation;
    EXPECT_ERROR(interrupted, solve_on_device(random_graph(150), options));
  }
}

TEST(DeviceFloydWarshall, WorksInPlaceOnACallersMatrix) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const std::int64_t memory : {0, 2000}) {
    std::vector<float> matrix = {5, 3, inf, -1, inf, 5, 4, -1, 1, inf, 5, -1};
    FloydWarshallOptions options{.tile = 4, .device = Device::cuda, .device_memory = memory};
    api::floyd_warshall_among(one_device, Semiring::min_plus, ValueType::f32,
                              {matrix.data(), 3, 3, 4}, options);
    EXPECT_THAT(matrix, ElementsAre(0, 3, 7, -1, 5, 0, 4, -1, 1, 4, 0, -1));
  }
}

TEST(DeviceFloydWarshall, ReducesSignedRealWeightsInPlace) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<double> matrix = {0, 3.5, inf, inf, 0, -1.25, -2, inf, 0};
  FloydWarshallOptions options{.device = Device::cuda};
  api::floyd_warshall_among(one_device, Semiring::min_plus, ValueType::f64,
                            {matrix.data(), 3, 3, 3}, options);
  EXPECT_THAT(matrix, ElementsAre(0, 3.5, 2.25, -3.25, 0, -1.25, -2, 1.5, 0));
}

TEST(DeviceFloydWarshall, LeavesSignedRealWeightsAsTheyWereWhereThereIsNoDevice) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> weights = {0, 3.5, inf, inf, 0, -1.25, -2, inf, 0};
  std::vector<double> matrix = weights;
  FloydWarshallOptions options{.device = Device::cuda};
  const auto run = [&](const planner::FindDevices& find) {
    api::floyd_warshall_among(find, Semiring::min_plus, ValueType::f64, {matrix.data(), 3, 3, 3},
                              options);
  };
  EXPECT_ERROR(device, run(planner::no_device));
  EXPECT_EQ(matrix, weights);
  options.device_memory = 8;
  EXPECT_ERROR(does_not_fit, run(one_device));
  EXPECT_EQ(matrix, weights);
  options.device = Device::cpu;
  run(planner::no_device);
  EXPECT_THAT(matrix, ElementsAre(0, 3.5, 2.25, -3.25, 0, -1.25, -2, 1.5, 0));
}

TEST(DeviceFloydWarshall, ClosesACallersBytes) {
  // 0 → 1 → 2, and a column that is not the matrix's.
  std::vector<std::uint8_t> matrix = {0, 1, 0, 9, 0, 0, 1, 9, 0, 0, 0, 9};
  FloydWarshallOptions options{.device = Device::cuda};
  api::floyd_warshall_among(one_device, Semiring::or_and, ValueType::boolean,
                            {matrix.data(), 3, 3, 4}, options);
  EXPECT_THAT(matrix, ElementsAre(1, 1, 1, 9, 0, 1, 1, 9, 0, 0, 1, 9));
}

TEST(DeviceFloydWarshall, StopsAtANegativeCycleAndRefusesAMissingDevice) {
  std::vector<std::int32_t> cycle = {0, -3, 2, 0};
  FloydWarshallOptions options{.device = Device::cuda};
  const auto run = [&](const planner::FindDevices& find) {
    api::floyd_warshall_among(find, Semiring::min_plus, ValueType::i32, {cycle.data(), 2, 2, 2},
                              options);
  };
  EXPECT_ERROR(device, run(planner::no_device));
  EXPECT_ERROR(negative_cycle, run(one_device));
  options.device_memory = -1;
  EXPECT_ERROR(usage, run(one_device));
}

// A device that reports an error in the middle of a solve: the solve ends with it, and the next one
// succeeds.

struct Work {
  const char* name;
  Algorithm algorithm;
  std::int64_t device_memory = 0;  // less than the matrix takes: it streams
};
void PrintTo(const Work& work, std::ostream* out) { *out << work.name; }

Graph some_graph() {
  GenerateOptions options{.vertices = 150, .probability = 0.05};
  return generate(options);
}

class DeviceFault : public testing::TestWithParam<Work> {
 protected:
  Result solved(const std::string& output) const {
    SolveOptions options;
    options.machine.device = Device::cuda;
    options.method.algorithm = GetParam().algorithm;
    options.machine.device_memory = GetParam().device_memory;
    options.method.tile = 16;
    options.storage.output = output;
    options.storage.overwrite = !output.empty();
    return api::solve_among(planner::one_device, graph_, options);
  }
  Graph graph_ = some_graph();
};

/// How many operations a solve gives, at most.
constexpr std::int64_t kMost = 1 << 20;

TEST_P(DeviceFault, AtAnyOperationEndsTheSolveWithItsError) {
  const TemporaryFolder folder;
  const std::string output = folder / "out.zarr";
  const Result whole = solved("");
  std::mt19937_64 random(1);
  int failed = 0;
  for (std::int64_t step = 0, most = 1; most < kMost; ++step) {
    if (step % 6 == 5) most *= 2;
    kernels::strict::fail_after(std::uniform_int_distribution<std::int64_t>(0, most)(random));
    std::optional<Error> error;
    try {
      solved(step % 2 == 0 ? "" : output);
    } catch (const Error& thrown) {
      error = thrown;
    }
    if (!kernels::strict::has_failed()) break;  // the solve has given fewer operations
    kernels::strict::fail_after(-1);
    ASSERT_TRUE(error) << "after step " << step;
    EXPECT_EQ(error->kind(), ErrorKind::device);
    ++failed;
  }
  kernels::strict::fail_after(-1);
  EXPECT_GT(failed, 10);
  statistics::expect_same(solved(output).statistics(), whole.statistics());
}

INSTANTIATE_TEST_SUITE_P(Of, DeviceFault,
                         testing::Values(Work{"resident", Algorithm::floyd_warshall},
                                         Work{"streamed", Algorithm::floyd_warshall, 40000},
                                         Work{"rows", Algorithm::nested_dissection},
                                         Work{"searches", Algorithm::johnson}),
                         [](const auto& info) { return info.param.name; });

// A matrix that lies on a device, invented, and strict about whose memory and queue is whose.

constexpr std::int64_t kMargin = 3;  // columns behind the matrix that must survive

struct MatrixKind {
  bool negative = false, symmetric = false, real = false;
};

/// [n, n + kMargin]: weights 1 … 100; `negative`: differences of heights are added, so that no
/// cycle is negative.
template <class S>
std::vector<typename S::Value> random_matrix(std::int64_t n, MatrixKind kind) {
  using T = typename S::Value;
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  const std::int64_t stride = n + kMargin;
  std::vector<T> values(static_cast<std::size_t>(n * stride), T(7));
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return values[static_cast<std::size_t>(i * stride + j)];
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double weight = static_cast<double>(1 + random.below(100)) + (kind.real ? 0.25 : 0);
      if (kind.negative) weight += static_cast<double>(40 * (i % 5) - 40 * (j % 5));
      at(i, j) = random.below(4) == 0 ? static_cast<T>(weight) : S::zero();
      if (kind.symmetric && j < i) at(i, j) = at(j, i);
    }
  }
  return values;
}

template <class T>
void solve_on_device(Semiring semiring, ValueType type, std::vector<T>& values, std::int64_t n,
                     std::int64_t tile = 0, const planner::FindDevices& find = one_device) {
  api::floyd_warshall_on_device_among(
      find, semiring, {.data = values.data(), .n = n, .stride = n + kMargin, .type = type},
      {.threads = 2, .tile = tile});
}

template <class S>
void expect_solved_as_on_the_host(ValueType type, std::int64_t n, MatrixKind kind) {
  auto there = random_matrix<S>(n, kind);
  auto here = there;
  solve_on_device(S::kKind, type, there, n, 16);
  api::floyd_warshall_among(one_device, S::kKind, type, {here.data(), n, n, n + kMargin}, {});
  EXPECT_EQ(there, here) << name(S::kKind) << " " << name(type) << ", n " << n;
}

TEST(DeviceMatrix, IsSolvedWhereItLiesAsOnTheHost) {
  for (const std::int64_t n : {1, 15, 16, 17, 61}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
      for (const ValueType type :
           {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
        semiring::dispatch(semiring, type, [&]<class S>() {
          for (const bool symmetric : {false, true}) {
            expect_solved_as_on_the_host<S>(type, n, {.symmetric = symmetric});
          }
        });
      }
    }
  }
}

TEST(DeviceMatrix, WeightsOfBothSigns) {
  for (const std::int64_t n : {16, 45}) {
    expect_solved_as_on_the_host<semiring::MinPlus<std::int32_t>>(ValueType::i32, n,
                                                                  {.negative = true});
    expect_solved_as_on_the_host<semiring::MinPlus<float>>(ValueType::f32, n, {.negative = true});
    expect_solved_as_on_the_host<semiring::MinPlus<double>>(ValueType::f64, n,
                                                            {.negative = true, .real = true});
  }
}

TEST(DeviceMatrix, ReachabilityGoesThroughTheHost) {
  std::vector<std::uint8_t> matrix = {0, 1, 0, 9, 9, 9, 0, 0, 1, 9, 9, 9, 0, 0, 0, 9, 9, 9};
  solve_on_device(Semiring::or_and, ValueType::boolean, matrix, 3);
  EXPECT_THAT(matrix, ElementsAre(1, 1, 1, 9, 9, 9, 0, 1, 1, 9, 9, 9, 0, 0, 1, 9, 9, 9));
}

TEST(DeviceMatrix, ABadValueIsNamedByItsPlace) {
  std::vector<float> values(5 * (5 + kMargin), 1);
  values[2 * (5 + kMargin) + 4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_ERROR(usage, solve_on_device(Semiring::min_plus, ValueType::f32, values, 5));
  std::vector<std::uint16_t> beyond = {0, 40000, 0, 0, 0, 3, 0, 0, 0, 0};
  EXPECT_ERROR(usage, solve_on_device(Semiring::min_plus, ValueType::u16, beyond, 2));
}

TEST(DeviceMatrix, NegativeCyclesEndTheSolve) {
  for (const std::int64_t n : {2, 40}) {  // one tile, and several
    std::vector<std::int32_t> values(static_cast<std::size_t>(n * (n + kMargin)), 50);
    values[1] = -60;
    EXPECT_ERROR(negative_cycle,
                 solve_on_device(Semiring::min_plus, ValueType::i32, values, n, 16));
    std::vector<double> real(static_cast<std::size_t>(n * (n + kMargin)), 0.5);
    real[1] = -0.75;
    EXPECT_ERROR(negative_cycle, solve_on_device(Semiring::min_plus, ValueType::f64, real, n, 16));
  }
}

TEST(DeviceMatrix, DistancesThatTheTypeDoesNotHoldAreRefused) {
  std::vector<std::uint16_t> values(9 * (9 + kMargin), 5000);
  EXPECT_ERROR(does_not_fit, solve_on_device(Semiring::min_plus, ValueType::u16, values, 9));
}

TEST(DeviceMatrix, RefusesWhatIsNoMatrixAndMissingDevices) {
  std::vector<float> values(8 * (8 + kMargin), 1);
  const auto refused = [&](DeviceMatrix matrix, FloydWarshallOptions options = {},
                           Semiring semiring = Semiring::min_plus,
                           const planner::FindDevices& find = one_device) {
    return error_of([&] { api::floyd_warshall_on_device_among(find, semiring, matrix, options); });
  };
  const DeviceMatrix good{.data = values.data(), .n = 8, .stride = 8 + kMargin};
  DeviceMatrix bad = good;
  bad.stride = 7;
  EXPECT_EQ(refused(bad).kind(), ErrorKind::usage);
  bad = good;
  bad.ordinal = 4;
  EXPECT_EQ(refused(bad).kind(), ErrorKind::device);
  EXPECT_EQ(refused(good, {.tile = -1}).kind(), ErrorKind::usage);
  EXPECT_EQ(refused(good, {}, Semiring::or_and).kind(), ErrorKind::usage);
  EXPECT_EQ(refused(good, {.device_memory = 20}).kind(), ErrorKind::does_not_fit);
  const Error none = refused(good, {}, Semiring::min_plus, planner::no_device);
  EXPECT_EQ(none.kind(), ErrorKind::device);
}

TEST(DeviceMatrix, OfNoVerticesIsSolved) {
  EXPECT_NO_THROW(
      api::floyd_warshall_on_device_among(one_device, Semiring::min_plus, DeviceMatrix{}, {}));
}

TEST(DeviceMatrix, StopsWhenAskedTo) {
  std::vector<float> values(150 * (150 + kMargin), 1);
  Cancellation cancellation;
  cancellation.request();
  const FloydWarshallOptions options{.tile = 16, .control = {nullptr, &cancellation}};
  EXPECT_ERROR(interrupted,
               api::floyd_warshall_on_device_among(
                   one_device, Semiring::min_plus,
                   {.data = values.data(), .n = 150, .stride = 150 + kMargin}, options));
}

}  // namespace
}  // namespace apsp::device_solve_test
