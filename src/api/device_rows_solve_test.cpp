// Rows that stay on a GPU: those of the textbook, from every engine, where the GPU, which is a
// strict device, has found them.
#include <apsp/apsp.hpp>

#include "api/solve.hpp"
#include "api/stored_result.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "semiring/dispatch.hpp"
#include "support/expected_rows.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/predecessors_of.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::device_rows_solve_test {
namespace {

SolveOptions rows_by(Algorithm algorithm) {
  SolveOptions options{.question = {.statistics = false},
                       .method = {.algorithm = algorithm},
                       .machine = {.device = Device::cuda}};
  return options;
}

/// Copies blocks of rows of a graph of n vertices, and overwrites them where they lie.
class TakenRows {
 public:
  TakenRows(std::int64_t n, Semiring semiring, std::vector<Vertex> targets = {})
      : n_(n), semiring_(semiring), targets_(std::move(targets)) {
    rows_.resize(static_cast<std::size_t>(n * n), kNone);
  }

  void operator()(const DeviceRowBlock& block) {
    EXPECT_EQ(inside_.fetch_add(1), 0) << "two calls at a time";
    ordinals.insert(block.ordinal);
    type = block.type;
    semiring::dispatch(semiring_, block.type, [&]<class S>() {
      auto* row = static_cast<typename S::Value*>(block.values);
      const auto columns = static_cast<Vertex>(targets_.empty() ? n_ : std::ssize(targets_));
      EXPECT_GE(block.stride, std::int64_t{columns});
      for (const Vertex source : block.sources) {
        taken.push_back(source);
        for (Vertex j = 0; j < columns; ++j) {
          const auto value = row[j];
          rows_[source * static_cast<std::size_t>(n_) + (targets_.empty() ? j : targets_[j])] =
              value == S::zero() ? no_path(semiring_, ValueType::f64) : static_cast<double>(value);
          row[j] = S::one();
        }
        row += block.stride;
      }
    });
    inside_.fetch_sub(1);
  }

  /// The rows of these sources alone, as the textbook has them.
  void expect(const std::vector<double>& expected, std::vector<Vertex> sources) {
    std::vector<double> wanted(rows_.size(), kNone);
    for (const Vertex source : sources) {
      for (Vertex j = 0; j < static_cast<Vertex>(n_); ++j) {
        if (!targets_.empty() && std::find(targets_.begin(), targets_.end(), j) == targets_.end())
          continue;
        const std::size_t at = source * static_cast<std::size_t>(n_) + j;
        wanted[at] = expected[at];
      }
    }
    std::sort(taken.begin(), taken.end());
    std::sort(sources.begin(), sources.end());
    EXPECT_EQ(taken, sources);
    EXPECT_EQ(rows_, wanted);
  }

  std::vector<Vertex> taken;
  std::set<int> ordinals;
  ValueType type = ValueType::f64;

 private:
  static constexpr double kNone = -12345;
  std::int64_t n_;
  Semiring semiring_;
  std::vector<Vertex> targets_;
  std::vector<double> rows_;
  std::atomic<int> inside_{0};
};

std::vector<Vertex> all_of(std::int64_t n) {
  std::vector<Vertex> all;
  for (Vertex v = 0; v < static_cast<Vertex>(n); ++v) all.push_back(v);
  return all;
}

Graph graph_for(Algorithm algorithm, std::int64_t n, bool directed = true,
                std::uint64_t seed = 41) {
  const double greatest = algorithm == Algorithm::breadth_first ? 1 : 30;
  return random_graph(n, n * 2, 1, greatest, {.directed = directed, .seed = seed});
}

constexpr Algorithm kEngines[] = {Algorithm::nested_dissection, Algorithm::boundary,
                                  Algorithm::johnson, Algorithm::breadth_first};

TEST(DeviceRowsSolve, SeveralGpusGiveTheirOwn) {
  const auto two = [] {
    return planner::invented_devices({planner::invented_h200(0), planner::invented_h200(3)});
  };
  for (const Algorithm algorithm : kEngines) {
    const Graph graph = graph_for(algorithm, 400, false);
    SolveOptions options = rows_by(algorithm);
    options.machine.device_ordinals = {3, 0};
    options.machine.device_memory = std::int64_t{1} << 20;
    TakenRows taken(400, Semiring::min_plus);
    options.consumer.on_device_rows = std::ref(taken);
    const Result result = api::solve_among(two, graph, options);
    taken.expect(expected_rows(graph, Semiring::min_plus, result.value_type()), all_of(400));
    for (const int ordinal : taken.ordinals) EXPECT_TRUE(ordinal == 0 || ordinal == 3) << ordinal;
    EXPECT_FALSE(taken.ordinals.empty());
  }
  SolveOptions options = rows_by(Algorithm::johnson);
  options.machine.device_ordinals = {3};
  TakenRows taken(40, Semiring::min_plus);
  options.consumer.on_device_rows = std::ref(taken);
  api::solve_among(two, graph_for(Algorithm::johnson, 40), options);
  EXPECT_THAT(taken.ordinals, ElementsAre(3));
}

TEST(DeviceRowsSolve, WhatTheFunctionThrowsEndsTheSolveAndLeavesNoFile) {
  const TemporaryFolder folder;
  for (const Algorithm algorithm : kEngines) {
    for (const char* const output : {"", "x.npy", "x.zarr"}) {
      SolveOptions options = rows_by(algorithm);
      if (*output != '\0') options.storage.output = folder / output;
      int calls = 0;
      options.consumer.on_device_rows = [&](const DeviceRowBlock&) {
        ++calls;
        throw std::length_error("enough");
      };
      EXPECT_THROW(solve_on_device(graph_for(algorithm, 200), options), std::length_error);
      EXPECT_EQ(calls, 1);
      EXPECT_EQ(folder.entries(), 0);
    }
  }
}

TEST(DeviceRowsSolve, StopWhenAskedTo) {
  Cancellation cancellation;
  SolveOptions options = rows_by(Algorithm::johnson);
  options.machine.device_memory = std::int64_t{1} << 17;  // several blocks
  options.control.cancellation = &cancellation;
  int calls = 0;
  options.consumer.on_device_rows = [&](const DeviceRowBlock&) {
    ++calls;
    cancellation.request();
  };
  EXPECT_ERROR(interrupted, solve_on_device(graph_for(Algorithm::johnson, 300), options));
  EXPECT_EQ(calls, 1);
}

TEST(DeviceRowsSolve, TakeNoMemoryOfTheHostForPieces) {
  const Graph graph = graph_for(Algorithm::johnson, 3000);
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    SolveOptions options = rows_by(algorithm);
    options.consumer.on_device_rows = [](const DeviceRowBlock&) {};
    const std::int64_t there = api::plan_among(planner::one_device, graph, options).bytes;
    options.consumer.on_device_rows = {};
    options.consumer.on_rows = [](const RowBlock&) {};
    options.storage.keep = Keep::statistics;
    const std::int64_t here = api::plan_among(planner::one_device, graph, options).bytes;
    constexpr std::int64_t kPieces = 4 * 3000 * 3000 * 2;  // four, of all rows, in u16
    EXPECT_GT(here - there, kPieces / 2) << name(algorithm);
  }
}

/// What the error of a solve with these options says.
std::string refusal(const SolveOptions& options, const Graph& graph) {
  const Error error = error_of([&] { solve_on_device(graph, options); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  return error.what();
}

TEST(DeviceRowsSolve, AreRefusedWithTheReason) {
  const Graph graph = graph_for(Algorithm::johnson, 50);
  const auto asked = [&](auto&& change) {
    SolveOptions options = rows_by(Algorithm::automatic);
    options.consumer.on_device_rows = [](const DeviceRowBlock&) { FAIL() << "a row came"; };
    change(options);
    return refusal(options, graph);
  };
  for (const Device device : {Device::cpu, Device::automatic}) {
    asked([&](SolveOptions& o) { o.machine.device = device; });
  }
  asked([](SolveOptions& o) { o.method.algorithm = Algorithm::floyd_warshall; });
  asked([](SolveOptions& o) { o.question.via = true; });
  asked([](SolveOptions& o) { o.storage.keep = Keep::matrix; });
  asked([](SolveOptions& o) { o.question.predecessors = true; });
  asked([](SolveOptions& o) {
    o.storage.resume = true;
    o.storage.output = "not-there.zarr";
  });
  asked([](SolveOptions& o) { o.question.semiring = Semiring::or_and; });
  SolveOptions options = rows_by(Algorithm::automatic);
  options.consumer.on_device_rows = [](const DeviceRowBlock&) {};
  const auto values = std::make_shared<std::vector<float>>(std::vector<float>{0, 5, 1, 0});
  GraphBuilder builder(2);
  builder.set_matrix({.type = ValueType::f32,
                      .n = 2,
                      .by_columns = false,
                      .data = values->data(),
                      .owner = values});
  refusal(options, std::move(builder).build());
  EXPECT_ERROR(device, api::solve_among(planner::no_device, graph, options));
}

// Predecessors of rows that come from a GPU that is none: those of the CPU, to the last byte.

SolveOptions with_predecessors(Algorithm algorithm, std::int64_t device_memory = 0) {
  SolveOptions options = statistics_by(algorithm, Device::cuda, device_memory);
  options.question.predecessors = true;
  options.method.tile = 32;
  return options;
}

/// Where sums are exact, both planes are the CPU's. Where they round, the host finds predecessors
/// of what the device has found, and they must be trees.
void expect_trees(const Graph& graph, SolveOptions options, bool on_device,
                  const planner::FindDevices& find = planner::one_device) {
  const TemporaryFolder folder;
  options.storage.output = folder / "there.zarr";
  EXPECT_EQ(planner::find_plan(graph, options, find).rows()->uses.finds_predecessors, on_device);
  const Result there = api::solve_among(find, graph, options);
  EXPECT_EQ(there.report().device, Device::cuda);
  EXPECT_TRUE(
      api::verify_stored(options.storage.output, graph, options.question.semiring, {}).passed);
  if (!on_device && !graph.weight_facts().integral) return;
  const std::string found = std::exchange(options.storage.output, folder / "here.zarr");
  options.machine.device = Device::cpu;
  options.machine.device_ordinals.clear();
  const Result here = solve(graph, options);
  EXPECT_EQ(predecessors_of(found), predecessors_of(options.storage.output));
  expect_same_distances(open_result(found, graph), open_result(options.storage.output, graph));
  statistics::expect_same(there.statistics(), here.statistics());
}

TEST(DevicePredecessors, OfSweepsAreThoseOfTheCpu) {
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const bool directed : {false, true}) {
      for (const std::int64_t n : {1, 31, 32, 33, 130}) {
        if (n < 130 && n > 1 && type != ValueType::u16) continue;
        SolveOptions options = with_predecessors(Algorithm::nested_dissection);
        options.method.value_type = type;
        expect_trees(random_graph(n, n * 2, 1, 9, {.directed = directed, .seed = 41}), options,
                     true);
      }
    }
  }
}

TEST(DevicePredecessors, OfTheBoundaryAlgorithmAreThoseOfTheCpu) {
  expect_trees(random_graph({.n = 150, .arcs = 300, .greatest = 9, .seed = 42}),
               with_predecessors(Algorithm::boundary), true);
}

TEST(DevicePredecessors, OfBreadthFirstSearchesAreThoseOfTheCpu) {
  for (const ValueType type : types_of(Semiring::min_plus)) {
    for (const std::int64_t n : {1, 127, 129, 270}) {
      SolveOptions options = with_predecessors(Algorithm::breadth_first);
      options.method.value_type = type;
      expect_trees(random_graph({.n = n, .arcs = n * 5 / 4, .least = 1, .greatest = 1, .seed = 43}),
                   options, true);
    }
  }
}

TEST(DevicePredecessors, AreNoCirclesWhereWeightsAreZero) {
  for (const double greatest : {0.0, 1.0}) {
    for (const bool directed : {false, true}) {
      for (const ValueType type : {ValueType::u16, ValueType::f32}) {
        SolveOptions options = with_predecessors(Algorithm::nested_dissection);
        options.method.value_type = type;
        expect_trees(random_graph(140, 420, 0, greatest, {.directed = directed, .seed = 44}),
                     options, true);
      }
    }
  }
}

TEST(DevicePredecessors, OfNegativeWeightsAreThoseOfTheCpu) {
  const Graph graph =
      random_graph({.n = 150, .arcs = 400, .least = 0, .greatest = 9, .potential = 20, .seed = 45});
  ASSERT_LT(graph.weight_facts().least, 0);
  SolveOptions options = with_predecessors(Algorithm::nested_dissection);
  options.method.value_type = ValueType::i32;
  expect_trees(graph, options, true);
}

TEST(DevicePredecessors, AreFoundByTheHostWhereSumsRound) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 225, .real_weights = true});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    SolveOptions options = with_predecessors(Algorithm::nested_dissection);
    options.method.value_type = type;
    expect_trees(graph, options, false);
  }
}

TEST(DevicePredecessors, OfDijkstrasSearchesAreFoundByTheHost) {
  const Graph graph = random_graph({.n = 150, .arcs = 500, .greatest = 30, .seed = 46});
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
    SolveOptions options = with_predecessors(Algorithm::johnson);
    options.question.semiring = semiring;
    expect_trees(graph, options, false);
  }
}

TEST(DevicePredecessors, OfSeveralGpusAndLittleMemoryAreThoseOfOne) {
  constexpr auto two = planner::several_devices<2>;
  for (const bool hops : {false, true}) {
    const Graph graph = random_graph(
        {.n = 300, .arcs = 700, .least = 1, .greatest = hops ? 1.0 : 40.0, .seed = 47});
    SolveOptions options =
        with_predecessors(hops ? Algorithm::breadth_first : Algorithm::nested_dissection);
    const TemporaryFolder folder;
    options.storage.output = folder / "plan.zarr";
    const planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
    options.machine.device_memory = plan.on_device->bytes * 2 / 3;
    EXPECT_LE(planner::find_plan(graph, options, planner::one_device).on_device->bytes,
              options.machine.device_memory);
    expect_trees(graph, options, true);
    options.machine.device_ordinals = {kAllGpus};
    expect_trees(graph, options, true, two);
  }
}

TEST(DevicePredecessors, ComeToACallerWithTheDistances) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 9, .seed = 48});
  SolveOptions options = with_predecessors(Algorithm::nested_dissection);
  const TemporaryFolder folder;
  options.storage.output = folder / "out.zarr";
  std::vector<std::int32_t> came(130 * 130, -2);
  options.consumer.on_rows = [&](const RowBlock& block) {
    ASSERT_NE(block.predecessors, nullptr);
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      std::memcpy(came.data() + block.sources[i] * 130,
                  block.predecessors + static_cast<std::int64_t>(i) * block.stride,
                  130 * sizeof(std::int32_t));
    }
  };
  solve_on_device(graph, options);
  EXPECT_EQ(came, predecessors_of(options.storage.output));
}

/// Where the matrix stays in memory, the host finds them as it does for Floyd-Warshall.
TEST(DevicePredecessors, OfAMatrixInMemoryAreFoundAfterwards) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 9, .seed = 49});
  SolveOptions options = with_predecessors(Algorithm::nested_dissection);
  options.storage.keep = Keep::matrix;
  expect_trees(graph, options, false);
  const planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
  EXPECT_TRUE(plan.on_device);
  options.storage.output.clear();
  expect_matrix_of_cpu(graph, options);
}

TEST(DevicePredecessors, AreInThePlan) {
  const Graph graph =
      random_graph({.n = 2000, .arcs = 5000, .least = 1, .greatest = 9, .seed = 50});
  const TemporaryFolder folder;
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    SolveOptions options = with_predecessors(algorithm);
    options.storage.output = folder / "out.zarr";
    const planner::Plan with = planner::find_plan(graph, options, planner::one_device);
    options.question.predecessors = false;
    const planner::Plan without = planner::find_plan(graph, options, planner::one_device);
    EXPECT_GT(with.bytes, without.bytes);
    if (algorithm == Algorithm::johnson) continue;
    EXPECT_GT(with.on_device->bytes, without.on_device->bytes);
    EXPECT_GT(with.on_device->seconds, without.on_device->seconds);
  }
}

}  // namespace
}  // namespace apsp::device_rows_solve_test
