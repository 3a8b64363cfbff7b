// Solves whose matrix rests on the disk: the same files as of a matrix in memory, whenever they end
// and are gone on from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <fstream>

#include "api/earlier_run.hpp"
#include "store/leftovers.hpp"
#include "support/error_of.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kN = 300, kTile = 48;

Graph graph_to_solve(bool real = false, bool directed = true, std::uint64_t seed = 7) {
  return random_graph({.n = kN,
                       .arcs = 3 * kN,
                       .least = 1,
                       .greatest = 90,
                       .real = real,
                       .directed = directed,
                       .seed = seed});
}

SolveOptions options_for(const std::string& output, ValueType type = ValueType::i32) {
  return {.method = {.algorithm = Algorithm::floyd_warshall, .value_type = type, .tile = kTile},
          .machine = {.device = Device::cpu, .threads = 2},
          .storage = {.output = output}};
}

/// The same with a byte less memory than a matrix there would need.
SolveOptions on_disk(const Graph& graph, SolveOptions options) {
  const PlanReport plan = plan_solve(graph, options);
  EXPECT_TRUE(plan.matrix_kept);
  options.machine.memory = plan.bytes - 1;
  const PlanReport less = plan_solve(graph, options);
  EXPECT_EQ(less.candidates.front().residence, "disk");
  return options;
}

void expect_same(const Graph& graph, const std::string& output, const std::string& whole) {
  const Result a = open_result(output, graph), b = open_result(whole, graph);
  for (Vertex s = 0; s < static_cast<Vertex>(kN); ++s) {
    ASSERT_EQ(a.distances_from(s), b.distances_from(s)) << "from " << s;
  }
}

class DiskSolve : public testing::Test {
 protected:
  std::vector<std::string> names() const { return store::posix_file_system().list(folder_.path()); }

  /// Ends a solve behind its second step.
  void solve_partly(const Graph& graph, SolveOptions options) {
    RecordedProgress progress;
    progress.cancel_when = [&] {
      return progress.task == "Floyd-Warshall" && progress.done > 0.6 * progress.total;
    };
    options.control = {&progress, &progress.cancellation};
    EXPECT_ERROR(interrupted, solve(graph, options));
  }

  TemporaryFolder folder_;
};

TEST_F(DiskSolve, WritesWhatASolveInMemoryWrites) {
  struct Way {
    std::string suffix;
    ValueType type;
    bool directed;
  };
  for (const Way& way : {Way{".npy", ValueType::u16, true}, Way{".npy", ValueType::f64, false},
                         Way{".zarr", ValueType::i32, false}, Way{".zarr", ValueType::f32, true}}) {
    const Graph graph = graph_to_solve(false, way.directed);
    const std::string whole = folder_ / ("a" + way.suffix), output = folder_ / ("b" + way.suffix);
    const Result expected = solve(graph, options_for(whole, way.type));
    const Result result = solve(graph, on_disk(graph, options_for(output, way.type)));
    EXPECT_THAT(result.report().plan, HasSubstr(", on disk"));
    EXPECT_EQ(result.kept(), Keep::statistics);
    statistics::expect_same(result.statistics(), expected.statistics());
    expect_same(graph, output, whole);
    EXPECT_TRUE(open_result(output, graph).verify().passed);
    EXPECT_EQ(names(), (std::vector<std::string>{"a" + way.suffix, "b" + way.suffix}));
    for (const std::string& path : {whole, output}) store::posix_file_system().remove_all(path);
  }
}

TEST_F(DiskSolve, InAnotherSemiringAndWithPredecessors) {
  const Graph graph = graph_to_solve();
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  SolveOptions options = options_for(whole);
  options.question.semiring = Semiring::max_min;
  options.question.predecessors = true;
  solve(graph, options);
  options.storage.output = output;
  solve(graph, on_disk(graph, options));
  expect_same(graph, output, whole);
  EXPECT_TRUE(open_result(output).verify().passed);
}

TEST_F(DiskSolve, OfSomeSourcesAndTargets) {
  const Graph graph = graph_to_solve();
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  SolveOptions options = options_for(whole);
  options.question.sources = {7, 3, 299, 20};
  options.question.targets = {1, 200, 2};
  options.storage.keep = Keep::statistics;
  solve(graph, options);
  options.storage.output = output;
  const SolveOptions limited = on_disk(graph, options);
  solve_partly(graph, limited);
  const auto earlier = store::find_resumable(store::posix_file_system(), output);
  ASSERT_TRUE(earlier);
  EXPECT_EQ(api::options_of(*earlier).question.sources, options.question.sources);
  EXPECT_EQ(api::options_of(*earlier).question.targets, options.question.targets);
  SolveOptions resume = limited;
  resume.storage.resume = true;
  EXPECT_GT(solve(graph, resume).report().pivots_resumed, 0);
  const Result a = open_result(output), b = open_result(whole);
  for (const Vertex s : options.question.sources) {
    for (const Vertex t : options.question.targets) EXPECT_EQ(a.distance(s, t), b.distance(s, t));
  }
}

TEST_F(DiskSolve, IsGoneOnFromItsLastStep) {
  for (const bool real : {false, true}) {
    const std::string suffix = real ? ".npy" : ".zarr";
    const Graph graph = graph_to_solve(real);
    const ValueType type = real ? ValueType::f32 : ValueType::i32;
    const std::string whole = folder_ / ("whole" + suffix), output = folder_ / ("out" + suffix);
    const SolveOptions options = on_disk(graph, options_for(output, type));
    SolveOptions uninterrupted = options;
    uninterrupted.storage.output = whole;
    solve(graph, uninterrupted);
    solve_partly(graph, options);
    EXPECT_ERROR(usage, solve(graph, options));
    // There is memory for all of it now, and the algorithm is left open.
    SolveOptions resume = options_for(output, type);
    resume.storage.resume = true;
    resume.method.algorithm = Algorithm::automatic;
    const Result resumed = solve(graph, resume);
    EXPECT_GT(resumed.report().pivots_resumed, 0);
    EXPECT_LT(resumed.report().pivots_resumed, kN);
    expect_same(graph, output, whole);
    statistics::expect_same(resumed.statistics(), open_result(whole, graph).statistics());
    EXPECT_EQ(names(), (std::vector<std::string>{"out" + suffix, "whole" + suffix}));
    for (const std::string& path : {whole, output}) store::posix_file_system().remove_all(path);
  }
}

TEST_F(DiskSolve, IsGoneOnFromWhileItsRowsAreWritten) {
  const Graph graph = graph_to_solve();
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  solve(graph, options_for(whole));
  const SolveOptions options = on_disk(graph, options_for(output));
  SolveOptions failing = options;
  failing.consumer.on_rows = [](const RowBlock&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(solve(graph, failing), std::runtime_error);
  SolveOptions resume = options;
  resume.storage.resume = true;
  EXPECT_EQ(solve(graph, resume).report().pivots_resumed, kN);
  expect_same(graph, output, whole);
}

/// Values that changed between the end of a run and its resumption.
void change_values(const std::string& output) {
  const auto earlier = store::find_resumable(store::posix_file_system(), output);
  ASSERT_TRUE(earlier && earlier->contents.cut);
  const std::string path = store::join(
      earlier->partial, "generation-" + std::to_string(earlier->contents.cut->generation));
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(kN * kN);
  file.write("changed", 7);
}

TEST_F(DiskSolve, DamagedStepsAreNamedAndComputedAgain) {
  const Graph graph = graph_to_solve();
  const std::string whole = folder_ / "whole.zarr", output = folder_ / "out.zarr";
  solve(graph, options_for(whole));
  for (const bool last_step : {false, true}) {
    const SolveOptions options = on_disk(graph, options_for(output));
    if (last_step) {
      SolveOptions failing = options;
      failing.consumer.on_rows = [](const RowBlock&) { throw std::runtime_error("enough"); };
      EXPECT_THROW(solve(graph, failing), std::runtime_error);
    } else {
      solve_partly(graph, options);
    }
    change_values(output);
    SolveOptions resume = options;
    resume.storage.resume = true;
    const Result resumed = solve(graph, resume);
    ASSERT_EQ(resumed.report().damaged.size(), 1u);
    EXPECT_THAT(resumed.report().damaged.front(), HasSubstr("are not what was written"));
    EXPECT_EQ(resumed.report().pivots_resumed, 0);
    EXPECT_EQ(open_result(output).report().damaged, resumed.report().damaged);
    expect_same(graph, output, whole);
    EXPECT_EQ(names(), (std::vector<std::string>{"out.zarr", "whole.zarr"}));
    store::posix_file_system().remove_all(output);
  }
}

TEST_F(DiskSolve, WhatIsOfAnotherSolveIsRefusedAndStays) {
  const Graph graph = graph_to_solve();
  const std::string output = folder_ / "out.zarr";
  const SolveOptions options = on_disk(graph, options_for(output));
  solve_partly(graph, options);
  SolveOptions resume = options_for(output);
  resume.storage.resume = true;
  const auto complaint = [&](const Graph& of, const SolveOptions& with) {
    EXPECT_ERROR(usage, solve(of, with));
  };
  complaint(graph_to_solve(false, true, 8), resume);
  SolveOptions other = resume;
  other.question.semiring = Semiring::max_min;
  complaint(graph, other);
  other = resume;
  other.method.algorithm = Algorithm::johnson;
  complaint(graph, other);
  other = resume;
  other.question.via = true;
  complaint(graph, other);
  EXPECT_GT(solve(graph, resume).report().pivots_resumed, 0);
  solve_partly(graph, options);
  SolveOptions anew = options;
  anew.storage.overwrite = true;
  EXPECT_EQ(solve(graph, anew).report().pivots_resumed, 0);
  EXPECT_EQ(names(), std::vector<std::string>{"out.zarr"});
}

}  // namespace
}  // namespace apsp
