// A solve that ends early is gone on from, and ends in the same result; nothing else is.
#include "api/earlier_run.hpp"

#include <apsp/apsp.hpp>

#include "store/leftovers.hpp"
#include "support/files_below.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::earlier_run_test {
namespace {

constexpr std::int64_t kN = 1200, kTile = 64;

Graph graph_to_resume(std::uint64_t seed = 7, double greatest = 9) {
  return random_graph({.n = kN, .arcs = 3 * kN, .least = 1, .greatest = greatest, .seed = seed});
}

SolveOptions options_for(const std::string& output,
                         Algorithm algorithm = Algorithm::nested_dissection) {
  return {.method = {.algorithm = algorithm, .tile = kTile},
          .machine = {.threads = 2},
          .storage = {.output = output, .keep = Keep::statistics}};
}

/// What ends a solve.
struct Enough {};

/// Solves until so many rows have been passed on.
void solve_partly(const Graph& graph, SolveOptions options, std::int64_t rows) {
  options.consumer.on_rows = [&rows](const RowBlock& block) {
    rows -= std::ssize(block.sources);
    if (rows < 0) throw Enough();
  };
  EXPECT_THROW(solve(graph, options), Enough);
}

class EarlierRun : public testing::Test {
 protected:
  std::vector<std::string> names() const { return store::posix_file_system().list(folder_.path()); }

  TemporaryFolder folder_;
  std::string whole_ = folder_ / "whole.zarr", output_ = folder_ / "out.zarr";
};

TEST_F(EarlierRun, IsGoneOnFromWithEveryAlgorithm) {
  for (const Algorithm algorithm :
       {Algorithm::nested_dissection, Algorithm::johnson, Algorithm::breadth_first}) {
    for (const bool predecessors : {false, true}) {
      const Graph graph = graph_to_resume(3, algorithm == Algorithm::breadth_first ? 1 : 9);
      SolveOptions options = options_for(whole_, algorithm);
      options.question.predecessors = predecessors;
      const Result whole = solve(graph, options);
      EXPECT_EQ(whole.report().rows_resumed, 0);
      options.storage.output = output_;
      solve_partly(graph, options, 300);
      options.storage.resume = true;
      options.method.algorithm = Algorithm::automatic;
      std::set<Vertex> heard;
      options.consumer.on_rows = [&](const RowBlock& block) {
        heard.insert(block.sources.begin(), block.sources.end());
      };
      const Result resumed = solve(graph, options);
      EXPECT_GT(resumed.report().rows_resumed, 0);
      EXPECT_LT(resumed.report().rows_resumed, kN);
      EXPECT_EQ(resumed.report().algorithm, algorithm);
      EXPECT_EQ(std::ssize(heard), kN) << "those of the earlier run too";
      statistics::expect_same(resumed.statistics(), whole.statistics());
      EXPECT_EQ(files_below(output_), files_below(whole_));
      EXPECT_TRUE(open_result(output_).verify().passed);
      EXPECT_EQ(names(), (std::vector<std::string>{"out.zarr", "whole.zarr"}));
    }
  }
}

TEST_F(EarlierRun, KeepsItsTypeOfRealWeightsWhateverTheTolerance) {
  const Graph graph =
      random_graph({.n = kN, .arcs = 6 * kN, .least = 1, .greatest = 9, .real = true});
  for (const ValueType type : {ValueType::f32, ValueType::f64}) {
    SolveOptions options = options_for(output_, Algorithm::johnson);
    options.method.tolerance = type == ValueType::f32 ? 1 : 0;
    options.storage.overwrite = true;
    solve_partly(graph, options, 300);
    options.method.tolerance = 1 - options.method.tolerance;
    options.storage.overwrite = false;
    options.storage.resume = true;
    const Result resumed = solve(graph, options);
    EXPECT_GT(resumed.report().rows_resumed, 0);
    EXPECT_EQ(resumed.value_type(), type);
    EXPECT_TRUE(open_result(output_).verify().passed);
  }
}

TEST_F(EarlierRun, IsInTheWayOfAnotherUnlessOverwritten) {
  const Graph graph = graph_to_resume();
  solve_partly(graph, options_for(output_), 300);
  EXPECT_ERROR(usage, solve(graph, options_for(output_)));
  ASSERT_TRUE(store::find_resumable(store::posix_file_system(), output_));
  SolveOptions anew = options_for(output_);
  anew.storage.overwrite = true;
  EXPECT_EQ(solve(graph, anew).report().rows_resumed, 0);
  EXPECT_EQ(names(), std::vector<std::string>{"out.zarr"});
}

TEST_F(EarlierRun, WithoutOneASolveBeginsAtTheBeginning) {
  SolveOptions options = options_for(output_);
  options.storage.resume = true;
  EXPECT_EQ(solve(graph_to_resume(), options).report().rows_resumed, 0);
  EXPECT_EQ(solve(graph_to_resume(), options).report().rows_resumed, 0)
      << "a complete one is replaced";
}

TEST_F(EarlierRun, OfAnotherSolveIsRefusedAndStays) {
  const Graph graph = graph_to_resume();
  solve_partly(graph, options_for(output_), 300);
  SolveOptions resume = options_for(output_);
  resume.storage.resume = true;
  const auto complaint = [&](const Graph& other, const SolveOptions& options) {
    EXPECT_ERROR(usage, solve(other, options));
  };
  SolveOptions planned = resume;
  planned.on_plan = [](const PlanReport&) { ADD_FAILURE() << "planned for another graph"; };
  complaint(graph_to_resume(8), planned);
  constexpr void (*kChanges[])(SolveOptions&) = {
      [](SolveOptions& other) { other.method.value_type = ValueType::f64; },
      [](SolveOptions& other) { other.question.semiring = Semiring::max_min; },
      [](SolveOptions& other) { other.storage.compress = true; },
      [](SolveOptions& other) { other.question.predecessors = true; },
      [](SolveOptions& other) { other.method.tile = 8; },
      [](SolveOptions& other) { other.method.algorithm = Algorithm::johnson; },
      [](SolveOptions& other) { other.storage.keep = Keep::matrix; },
      [](SolveOptions& other) { other.storage.overwrite = true; },
      [](SolveOptions& other) { other.storage.output.clear(); }};
  for (const auto change : kChanges) {
    SolveOptions other = resume;
    change(other);
    complaint(graph, other);
  }
  EXPECT_GT(solve(graph, resume).report().rows_resumed, 0);
}

TEST_F(EarlierRun, OfSomeSourcesAndTargetsIsGoneOnFrom) {
  const Graph graph = graph_to_resume();
  for (const bool all_targets : {true, false}) {
    SolveOptions options = options_for(whole_);
    for (Vertex v = 0; v < 1100; ++v) options.question.sources.push_back((v * 7 + 3) % kN);
    if (!all_targets) options.question.targets = {5, 1, 900, 30, 1199};
    const Result whole = solve(graph, options);
    options.storage.output = output_;
    solve_partly(graph, options, 300);
    SolveOptions resume = options;
    resume.storage.resume = true;
    SolveOptions other = resume;
    other.question.sources.pop_back();
    EXPECT_ERROR(usage, solve(graph, other));
    other = resume;
    std::swap(other.question.sources[0], other.question.sources[1]);
    EXPECT_ERROR(usage, solve(graph, other));
    const auto earlier = store::find_resumable(store::posix_file_system(), output_);
    ASSERT_TRUE(earlier);
    EXPECT_EQ(earlier->contents.all(), 1100);
    EXPECT_EQ(api::options_of(*earlier).question.sources, options.question.sources);
    EXPECT_EQ(api::options_of(*earlier).question.targets, options.question.targets);
    const Result resumed = solve(graph, resume);
    EXPECT_GT(resumed.report().rows_resumed, 0);
    EXPECT_LT(resumed.report().rows_resumed, 1100);
    statistics::expect_same(resumed.statistics(), whole.statistics());
    EXPECT_EQ(files_below(output_), files_below(whole_));
  }
}

TEST_F(EarlierRun, OptionsComeBackFromTheLedger) {
  SolveOptions options = options_for(output_, Algorithm::johnson);
  options.method.value_type = ValueType::f64;
  options.storage.compress = true;
  options.question.predecessors = true;
  options.question.semiring = Semiring::min_max;
  solve_partly(graph_to_resume(), options, 300);
  const auto earlier = store::find_resumable(store::posix_file_system(), output_);
  ASSERT_TRUE(earlier);
  const SolveOptions begun = api::options_of(*earlier);
  EXPECT_EQ(begun.method.algorithm, Algorithm::johnson);
  EXPECT_EQ(begun.method.value_type, ValueType::f64);
  EXPECT_EQ(begun.question.semiring, Semiring::min_max);
  EXPECT_TRUE(begun.storage.compress && begun.question.predecessors && begun.question.statistics &&
              begun.storage.resume);
  EXPECT_EQ(begun.method.tile, kTile);
  EXPECT_EQ(earlier->graph(store::posix_file_system()).digest(), graph_to_resume().digest());
}

TEST_F(EarlierRun, OfRoundedSumsTheOrderIsCompared) {
  const Graph graph =
      random_graph({.n = kN, .arcs = 3 * kN, .least = 1, .greatest = 9, .real = true, .seed = 5});
  solve(graph, options_for(whole_));
  solve_partly(graph, options_for(output_), 300);
  const auto earlier = store::find_resumable(store::posix_file_system(), output_);
  EXPECT_THAT(earlier->contents.head.recipe.rounding, HasSubstr("order "));
  SolveOptions resume = options_for(output_);
  resume.storage.resume = true;
  EXPECT_GT(solve(graph, resume).report().rows_resumed, 0);
  EXPECT_EQ(files_below(output_), files_below(whole_));
}

TEST_F(EarlierRun, MatricesInMemoryLeaveNothingToGoOnFrom) {
  SolveOptions options = options_for(output_);
  options.storage.keep = Keep::matrix;
  solve_partly(graph_to_resume(), options, 300);
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace apsp::earlier_run_test
