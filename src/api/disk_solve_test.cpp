// Solves whose matrix is on the disk, by the CPU and by GPUs that are none: the same files as of a
// matrix in memory, whenever a run ends and whoever resumes it.
#include <apsp/apsp.hpp>

#include "api/earlier_run.hpp"
#include "api/solve.hpp"
#include "planner/memory.hpp"
#include "statistics/histogram_bins.hpp"
#include "store/leftovers.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::disk_solve_test {
namespace {

constexpr std::int64_t kN = 300, kTile = 48;

enum class Machine {
  cpu,
  gpu,
  small_gpu,
  two_gpus,
  three_gpus
};  // small: the matrix passes through
constexpr Machine kMachines[] = {Machine::cpu, Machine::gpu, Machine::small_gpu, Machine::two_gpus,
                                 Machine::three_gpus};

int gpus_of(Machine machine) {
  constexpr int kCounts[] = {0, 1, 1, 2, 3};
  return kCounts[static_cast<int>(machine)];
}
bool is_several(Machine machine) { return gpus_of(machine) > 1; }

Graph graph_to_solve(bool real = false, bool directed = true, std::uint64_t seed = 7) {
  return random_graph(kN, 3 * kN, 1, 90, {.real = real, .directed = directed, .seed = seed});
}

SolveOptions options_to(const std::string& output, ValueType type = ValueType::i32) {
  return {.method = {.algorithm = Algorithm::floyd_warshall, .value_type = type, .tile = kTile},
          .machine = {.device = Device::cpu, .threads = 2},
          .storage = {.output = output}};
}

/// The same with a byte less memory than a matrix in memory would need.
SolveOptions on_disk(const Graph& graph, SolveOptions options, Machine machine = Machine::cpu) {
  const PlanReport plan = plan_solve(graph, options);
  EXPECT_TRUE(plan.matrix_kept);
  options.machine.memory = plan.bytes - 1;
  EXPECT_EQ(plan_solve(graph, options).candidates.front().residence, "disk");
  if (machine == Machine::cpu) return options;
  options.machine.device = Device::cuda;
  const std::int64_t size = size_of(*options.method.value_type), devices = gpus_of(machine);
  if (machine == Machine::small_gpu) options.machine.device_memory = 75'000 * size;
  if (!is_several(machine)) return options;
  for (int i = 0; i < devices; ++i) options.machine.device_ordinals.push_back(i);
  options.machine.device_memory =
      kN * kN * size * 8 / 5 / devices;  // one of them cannot hold the matrix
  return options;
}

Result solve_by(const Graph& graph, const SolveOptions& options) {
  return api::solve_among(
      options.machine.device == Device::cpu ? planner::no_device : planner::several_devices<3>,
      graph, options);
}

class DiskSolve : public testing::Test {
 protected:
  std::vector<std::string> names() const { return store::posix_file_system().list(folder_.path()); }
  void remove(const std::string& path) { store::posix_file_system().remove_all(path); }

  /// Ends a solve of at least three steps after its second one.
  void solve_partly(const Graph& graph, SolveOptions options) {
    RecordedProgress progress;
    progress.cancel_when = [&] {
      return progress.task == "Floyd-Warshall" && progress.done > 0.6 * progress.total;
    };
    options.control = {&progress, &progress.cancellation};
    EXPECT_ERROR(interrupted, solve_by(graph, options));
  }
  /// Ends a solve while its rows are written.
  void solve_all_steps(const Graph& graph, SolveOptions options) {
    options.consumer.on_rows = [](const RowBlock&) { throw std::runtime_error("enough"); };
    EXPECT_THROW(solve_by(graph, options), std::runtime_error);
  }

  TemporaryFolder folder_;
  const std::string whole_ = folder_ / "whole.zarr", output_ = folder_ / "out.zarr";
};

class DiskSolveOn : public DiskSolve, public testing::WithParamInterface<Machine> {};

TEST_P(DiskSolveOn, WritesWhatASolveInMemoryWrites) {
  struct Kind {
    std::string suffix;
    ValueType type;
    bool directed;
  };
  for (const Kind& kind :
       {Kind{".npy", ValueType::u16, true}, Kind{".npy", ValueType::f64, false},
        Kind{".zarr", ValueType::i32, false}, Kind{".zarr", ValueType::f32, true}}) {
    const Graph graph = graph_to_solve(false, kind.directed);
    const std::string whole = folder_ / ("a" + kind.suffix), output = folder_ / ("b" + kind.suffix);
    const Result expected = solve(graph, options_to(whole, kind.type));
    SolveOptions options = on_disk(graph, options_to(output, kind.type), GetParam());
    options.on_plan = [](const PlanReport& plan) {
      EXPECT_EQ(plan.candidates.front().residence, "disk");
    };
    const Result result = solve_by(graph, options);
    EXPECT_EQ(result.kept(), Keep::statistics);
    const std::optional<DeviceReport>& device = result.report().on_device;
    ASSERT_EQ(device.has_value(), GetParam() != Machine::cpu);
    if (device) {
      EXPECT_EQ(device->streamed, GetParam() == Machine::small_gpu);
      EXPECT_EQ(std::ssize(device->peers), gpus_of(GetParam()) - 1);
      EXPECT_GT(device->seconds, 0);
    }
    statistics::expect_same(result.statistics(), expected.statistics());
    expect_same_distances(open_result(output, graph), open_result(whole, graph));
    EXPECT_TRUE(open_result(output, graph).verify().passed);
    EXPECT_EQ(names(), (std::vector<std::string>{"a" + kind.suffix, "b" + kind.suffix}));
    for (const std::string& path : {whole, output}) remove(path);
  }
}

TEST_P(DiskSolveOn, OtherSemiringsNegativeWeightsAndPredecessors) {
  const Graph negative =
      random_graph({.n = kN, .arcs = 3 * kN, .least = -5, .greatest = 90, .acyclic = true});
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_min, Semiring::min_max, Semiring::max_plus}) {
    SolveOptions options = options_to(whole_);
    options.question.semiring = semiring;
    options.question.predecessors = semiring == Semiring::max_min;
    solve(negative, options);
    options.storage.output = output_;
    solve_by(negative, on_disk(negative, options, GetParam()));
    expect_same_distances(open_result(output_), open_result(whole_));
    EXPECT_TRUE(open_result(output_).verify().passed);
    for (const std::string& path : {whole_, output_}) remove(path);
  }
}

/// Several devices keep no step on the disk, and begin again.
TEST_P(DiskSolveOn, IntegersAreResumedByAny) {
  const Graph graph = graph_to_solve();
  solve(graph, options_to(whole_));
  for (const Machine begun : kMachines) {
    if (begun == Machine::gpu) continue;  // as several, in one step
    solve_partly(graph, on_disk(graph, options_to(output_), begun));
    SolveOptions resume = on_disk(graph, options_to(output_), GetParam());
    if (is_several(GetParam())) resume.machine.device_memory = 0;
    resume.storage.resume = true;
    const Result resumed = solve_by(graph, resume);
    EXPECT_EQ(resumed.report().pivots_resumed > 0, !is_several(begun));
    EXPECT_LT(resumed.report().pivots_resumed, kN);
    EXPECT_EQ(resumed.report().on_device.has_value(), GetParam() != Machine::cpu);
    expect_same_distances(open_result(output_, graph), open_result(whole_, graph));
    remove(output_);
  }
}

std::string shown(const testing::TestParamInfo<Machine>& info) {
  constexpr const char* kNames[] = {"Cpu", "Gpu", "SmallGpu", "TwoGpus", "ThreeGpus"};
  return kNames[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Of, DiskSolveOn, testing::ValuesIn(kMachines), shown);

TEST_F(DiskSolve, OfSomeSourcesAndTargetsIsResumed) {
  const Graph graph = graph_to_solve();
  SolveOptions options = options_to(whole_);
  options.question.sources = {7, 3, 299, 20};
  options.question.targets = {1, 200, 2};
  options.storage.keep = Keep::statistics;
  solve(graph, options);
  options.storage.output = output_;
  SolveOptions limited = on_disk(graph, options);
  solve_partly(graph, limited);
  const auto earlier = store::find_resumable(store::posix_file_system(), output_);
  ASSERT_TRUE(earlier);
  EXPECT_EQ(api::options_of(*earlier).question.sources, options.question.sources);
  EXPECT_EQ(api::options_of(*earlier).question.targets, options.question.targets);
  limited.storage.resume = true;
  EXPECT_GT(solve(graph, limited).report().pivots_resumed, 0);
  const Result a = open_result(output_), b = open_result(whole_);
  for (const Vertex s : options.question.sources) {
    for (const Vertex t : options.question.targets) EXPECT_EQ(a.distance(s, t), b.distance(s, t));
  }
}

TEST_F(DiskSolve, IsResumedFromItsLastStep) {
  for (const bool real : {false, true}) {
    const std::string suffix = real ? ".npy" : ".zarr";
    const Graph graph = graph_to_solve(real);
    const ValueType type = real ? ValueType::f32 : ValueType::i32;
    const std::string whole = folder_ / ("whole" + suffix), output = folder_ / ("out" + suffix);
    const SolveOptions options = on_disk(graph, options_to(output, type));
    SolveOptions uninterrupted = options;
    uninterrupted.storage.output = whole;
    solve(graph, uninterrupted);
    solve_partly(graph, options);
    EXPECT_ERROR(usage, solve(graph, options));
    // There is memory for all of it now, and the algorithm is left open.
    SolveOptions resume = options_to(output, type);
    resume.storage.resume = true;
    resume.method.algorithm = Algorithm::automatic;
    const Result resumed = solve(graph, resume);
    EXPECT_GT(resumed.report().pivots_resumed, 0);
    EXPECT_LT(resumed.report().pivots_resumed, kN);
    expect_same_distances(open_result(output, graph), open_result(whole, graph));
    statistics::expect_same(resumed.statistics(), open_result(whole, graph).statistics());
    EXPECT_EQ(names(), (std::vector<std::string>{"out" + suffix, "whole" + suffix}));
    for (const std::string& path : {whole, output}) remove(path);
  }
}

TEST_F(DiskSolve, IsResumedWhileItsRowsAreWritten) {
  const Graph graph = graph_to_solve();
  solve(graph, options_to(whole_));
  SolveOptions options = on_disk(graph, options_to(output_));
  solve_all_steps(graph, options);
  options.storage.resume = true;
  EXPECT_EQ(solve(graph, options).report().pivots_resumed, kN);
  expect_same_distances(open_result(output_), open_result(whole_));
}

TEST_F(DiskSolve, RoundedSumsAreResumedWhereTheyWereBegun) {
  const Graph graph = graph_to_solve(true);
  const SolveOptions options =
      on_disk(graph, options_to(output_, ValueType::f32), Machine::small_gpu);
  SolveOptions uninterrupted = options;
  uninterrupted.storage.output = whole_;
  solve_by(graph, uninterrupted);
  solve_partly(graph, options);
  SolveOptions resume = options;
  resume.storage.resume = true;
  resume.machine.device = Device::cpu;
  resume.machine.device_memory = 0;
  EXPECT_ERROR(usage, solve_by(graph, resume));
  resume.machine.device = Device::automatic;
  const Result resumed = solve_by(graph, resume);
  EXPECT_GT(resumed.report().pivots_resumed, 0);
  EXPECT_EQ(resumed.report().device, Device::cuda);
  expect_same_distances(open_result(output_), open_result(whole_));
}

/// They depend on the blocks of the plan, and a run that begins again takes the same.
TEST_F(DiskSolve, RoundedSumsOfSeveralDevicesAreTheSameAgain) {
  const Graph graph = graph_to_solve(true);
  SolveOptions options = on_disk(graph, options_to(whole_, ValueType::f32), Machine::two_gpus);
  solve_by(graph, options);
  options.storage.output = output_;
  RecordedProgress progress;
  progress.cancel_when = [&] { return progress.task == "Floyd-Warshall" && progress.done > 0; };
  SolveOptions stopped = options;
  stopped.control = {&progress, &progress.cancellation};
  EXPECT_ERROR(interrupted, solve_by(graph, stopped));
  options.storage.resume = true;
  solve_by(graph, options);
  expect_same_distances(open_result(output_), open_result(whole_));
  EXPECT_TRUE(open_result(output_).verify().passed);
}

/// Values that changed between the end of a run and its resumption.
void change_values(const std::string& output) {
  const auto earlier = store::find_resumable(store::posix_file_system(), output);
  ASSERT_TRUE(earlier && earlier->contents.checkpoint);
  const std::string path = store::join(
      earlier->partial, "generation-" + std::to_string(earlier->contents.checkpoint->generation));
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(kN * kN);
  file.write("changed", 7);
}

TEST_F(DiskSolve, DamagedStepsAreNamedAndComputedAgain) {
  const Graph graph = graph_to_solve();
  solve(graph, options_to(whole_));
  for (const bool last_step : {false, true}) {
    SolveOptions options = on_disk(graph, options_to(output_));
    last_step ? solve_all_steps(graph, options) : solve_partly(graph, options);
    change_values(output_);
    options.storage.resume = true;
    const Result resumed = solve(graph, options);
    ASSERT_EQ(resumed.report().damaged.size(), 1u);
    EXPECT_THAT(resumed.report().damaged.front(), HasSubstr("are not what was written"));
    EXPECT_EQ(resumed.report().pivots_resumed, 0);
    EXPECT_EQ(open_result(output_).report().damaged, resumed.report().damaged);
    expect_same_distances(open_result(output_), open_result(whole_));
    EXPECT_EQ(names(), (std::vector<std::string>{"out.zarr", "whole.zarr"}));
    remove(output_);
  }
}

TEST_F(DiskSolve, WhatIsOfAnotherSolveIsRefusedAndStays) {
  const Graph graph = graph_to_solve();
  const SolveOptions options = on_disk(graph, options_to(output_));
  solve_partly(graph, options);
  SolveOptions resume = options_to(output_);
  resume.storage.resume = true;
  EXPECT_ERROR(usage, solve(graph_to_solve(false, true, 8), resume));
  const auto refused = [&](auto&& change) {
    SolveOptions other = resume;
    change(other);
    EXPECT_ERROR(usage, solve(graph, other));
  };
  refused([](SolveOptions& o) { o.question.semiring = Semiring::max_min; });
  refused([](SolveOptions& o) { o.method.algorithm = Algorithm::johnson; });
  refused([](SolveOptions& o) { o.question.via = true; });
  EXPECT_GT(solve(graph, resume).report().pivots_resumed, 0);
  solve_partly(graph, options);
  SolveOptions anew = options;
  anew.storage.overwrite = true;
  EXPECT_EQ(solve(graph, anew).report().pivots_resumed, 0);
  EXPECT_EQ(names(), std::vector<std::string>{"out.zarr"});
}

TEST_F(DiskSolve, WhatGpusDoNotTakeIsRefused) {
  const Graph graph = graph_to_solve();
  const auto refused = [&](Machine machine, auto&& change) {
    SolveOptions options = on_disk(graph, options_to(output_), machine);
    change(options);
    EXPECT_ERROR(does_not_fit, solve_by(graph, options));
  };
  refused(Machine::gpu, [](SolveOptions& o) { o.question.via = true; });
  refused(Machine::gpu, [](SolveOptions& o) { o.machine.device_memory = 20'000; });
  refused(Machine::two_gpus, [](SolveOptions& o) { o.machine.device_memory = 150'000; });
  refused(Machine::gpu, [](SolveOptions& o) { o.machine.memory = std::int64_t{1} << 20; });
  EXPECT_TRUE(names().empty());
}

// The planner, which knows nothing of queries, counts their memory by a formula: it must not fall
// behind them.

constexpr std::int64_t kPlanned = 1000;
constexpr std::int64_t kLargePage = 2 << 20;

/// Bytes of counters, a thread, of which cells of negative values are touched only if there are
/// any.
std::int64_t touched(const statistics::HistogramBins& cells, bool negative) {
  const std::int64_t all = 8 * cells.count();
  return negative ? all : std::min(all, all - 8 * cells.of(0.0) + kLargePage);
}

TEST(MemoryPlan, CountsTheCountersOfStatistics) {
  for (const double bound : {0.0, 1.0, 1e4, 32767.0, 32768.0, 40000.5, 1e6, 2097150.0, 1e9}) {
    for (const bool integral : {false, true}) {
      for (const bool negative : {false, true}) {
        for (const int threads : {1, 2, 16}) {
          const std::int64_t planned = planner::statistics_bytes(kPlanned, ValueType::f32, integral,
                                                                 negative, bound, threads);
          const std::int64_t counters =
              threads * touched(statistics::HistogramBins(integral, bound), negative);
          // Each thread: a count, the farthest vertex and a cache line. Two: slices of both sums.
          EXPECT_GE(planned, counters + (threads * 84 + 64) * kPlanned) << bound << " " << integral;
          EXPECT_LE(planned, counters + (threads * 96 + 200) * kPlanned)
              << bound << " " << integral;
        }
      }
    }
  }
}

TEST(MemoryPlan, CellsOfNegativeValuesComeFirst) {
  for (const bool integral : {false, true}) {
    const statistics::HistogramBins cells(integral, 1e6);
    EXPECT_LT(cells.of(-1), cells.of(0.0));
    EXPECT_LT(cells.of(-1e30), cells.of(0.0));
    EXPECT_GE(cells.of(-0.0), cells.of(0.0));
    EXPECT_GE(cells.of(1), cells.of(0.0));
    EXPECT_GT(cells.no_path(), cells.of(1e30));
  }
}

}  // namespace
}  // namespace apsp::disk_solve_test
