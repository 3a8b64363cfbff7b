// Solves on a grid that end early, and those that go on from what they kept.
#include "store/file_system.hpp"
#include "store/leftovers.hpp"
#include "support/job_solve.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::cluster::collective_checkpoints_test {
namespace {

/// Asks for the end of a solve when it has done so much.
class EndsAt final : public Progress {
 public:
  explicit EndsAt(double share) : share_(share) {}
  const Cancellation& cancellation() const { return cancellation_; }
  void begin(std::string_view name, double total, std::string_view) override {
    const std::lock_guard lock(mutex_);
    if (name == "Floyd-Warshall" && total_ == 0) total_ = total;
    left_ = total;
  }
  void update(double done) override {
    const std::lock_guard lock(mutex_);
    if (total_ > 0 && total_ - left_ + done >= share_ * total_) cancellation_.request();
  }
  void end() override {}

 private:
  std::mutex mutex_;  // the threads stand for processes
  double share_, total_ = 0, left_ = 0;
  Cancellation cancellation_;
};

/// A solve on a grid that ends early behind a checkpoint. The number of pivots that are kept.
std::int64_t leave_checkpoint(JobRun run, const Graph& graph, double share) {
  run.checkpoint_seconds = 0;
  EndsAt ends(share);
  run.options.control = {&ends, &ends.cancellation()};
  const Answer answer = solve_on(run, graph);
  EXPECT_EQ(std::ssize(answer.errors), run.rows * run.cols);
  for (const auto& error : answer.errors) EXPECT_EQ(error->kind(), ErrorKind::interrupted);
  const auto left = store::find_resumable(store::posix_file_system(), run.options.storage.output);
  EXPECT_TRUE(left && left->contents.checkpoint);
  return left && left->contents.checkpoint ? left->contents.checkpoint->pivots : 0;
}

TEST(Checkpoints, AnotherGridGoesOnFromACheckpoint) {
  for (const bool real : {false, true}) {
    const Graph graph = random_graph({.n = 301, .arcs = 1200, .real = real});
    SolveOptions options = small_tiles();
    options.question.statistics = true;
    const Answer whole = solve_on({.rows = 2, .cols = 2, .options = options}, graph);
    for (const auto& [rows, cols] : {std::pair{1, 1}, {2, 3}}) {
      const TemporaryFolder folder;
      options.storage.output = folder / "out.zarr";
      options.storage.resume = false;
      const std::int64_t pivots =
          leave_checkpoint({.rows = 2, .cols = 2, .options = options}, graph, 0.6);
      EXPECT_GE(pivots, 16 * 5) << "a vote travels for four steps";
      EXPECT_LT(pivots, 301);
      EXPECT_EQ(pivots % 16, 0);
      options.storage.resume = true;
      const Answer gone_on = solve_on({.rows = rows, .cols = cols, .options = options}, graph);
      ASSERT_TRUE(gone_on.errors.empty()) << gone_on.errors.front()->what();
      EXPECT_EQ(gone_on.pivots_resumed, pivots);
      statistics::expect_same(*gone_on.statistics, *whole.statistics);
      EXPECT_EQ(folder.entries(), 1) << "the output alone is left";
      const Result stored = open_result(options.storage.output, graph);
      EXPECT_TRUE(stored.verify().passed);
    }
  }
}

TEST(Checkpoints, DamagedOnesAreNamedAndNotGoneOnFrom) {
  const Graph graph = random_graph({.n = 301, .arcs = 1200});
  const TemporaryFolder folder;
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles()};
  run.options.question.statistics = true;
  const Answer whole = solve_on(run, graph);
  run.options.storage.output = folder / "out.zarr";
  leave_checkpoint(run, graph, 0.6);
  const auto left = store::find_resumable(store::posix_file_system(), run.options.storage.output);
  ASSERT_TRUE(left);
  std::fstream file(
      left->partial + "/generation-" + std::to_string(left->contents.checkpoint->generation),
      std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(301 * 100);
  file.write("changed", 7);
  file.close();
  run.options.storage.resume = true;
  run.checkpoint_seconds = 0;
  const Answer again = solve_on(run, graph);
  ASSERT_TRUE(again.errors.empty()) << again.errors.front()->what();
  EXPECT_EQ(again.pivots_resumed, 0);
  ASSERT_FALSE(again.damaged.empty());
  EXPECT_NE(again.damaged.front().find("are not what was written"), std::string::npos);
  statistics::expect_same(*again.statistics, *whole.statistics);
  EXPECT_TRUE(open_result(run.options.storage.output, graph).verify().passed);
}

/// Whichever grid leaves one and whichever goes on from it: half of the matrix or all.
TEST(Checkpoints, OfSymmetricMatricesAreOfTheWhole) {
  for (const bool real : {false, true}) {
    const Graph graph = random_graph({.n = 301, .arcs = 1200, .real = real, .directed = false});
    SolveOptions options = small_tiles();
    const Answer whole = solve_on({.rows = 2, .cols = 2, .options = options}, graph);
    for (const auto& [left, behind] :
         {std::pair{std::pair{2, 2}, std::pair{2, 2}}, {{2, 2}, {1, 3}}, {{3, 1}, {2, 2}}}) {
      const TemporaryFolder folder;
      options.storage.output = folder / "out.zarr";
      options.storage.resume = false;
      JobRun run{.rows = left.first, .cols = left.second, .options = options};
      const std::int64_t pivots = leave_checkpoint(run, graph, 0.6);
      EXPECT_LT(pivots, 301);
      run.rows = behind.first;
      run.cols = behind.second;
      run.options.storage.resume = true;
      const Answer gone_on = solve_on(run, graph);
      ASSERT_TRUE(gone_on.errors.empty()) << gone_on.errors.front()->what();
      EXPECT_EQ(gone_on.pivots_resumed, pivots);
      const double half = behind.first == behind.second ? 2 : 1;
      EXPECT_EQ(gone_on.relaxations, 301.0 * 301 * 301 / half);
      statistics::expect_same(*gone_on.statistics, *whole.statistics);
      EXPECT_TRUE(open_result(options.storage.output, graph).verify().passed);
    }
  }
}

TEST(Checkpoints, CheckpointsAreWrittenAgainWhenGoneOnWith) {
  const Graph graph = random_graph({.n = 400, .arcs = 1500});
  const TemporaryFolder folder;
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles()};
  run.options.storage.output = folder / "out.npy";
  const std::int64_t first = leave_checkpoint(run, graph, 0.3);
  run.options.storage.resume = true;
  run.rows = 1;
  const std::int64_t second = leave_checkpoint(run, graph, 0.5);
  EXPECT_GT(second, first);
  run.cols = 3;
  const Answer whole = solve_on(run, graph);
  ASSERT_TRUE(whole.errors.empty()) << whole.errors.front()->what();
  EXPECT_EQ(whole.pivots_resumed, second);
  statistics::expect_same(*whole.statistics, solve(graph, small_tiles()).statistics());
  EXPECT_EQ(folder.entries(), 1);
}

/// A copy of each part that is written while the solve goes on is in the plan; where memory has no
/// room for it, all wait for the disk.
TEST(Checkpoints, TheCopyIsTakenWhereMemoryHasRoomForIt) {
  const Graph graph = random_graph({.n = 400, .arcs = 1500});
  const TemporaryFolder folder;
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles(), .checkpoint_seconds = 0};
  run.options.storage.output = folder / "out.npy";
  const Answer roomy = solve_on(run, graph);
  ASSERT_TRUE(roomy.errors.empty()) << roomy.errors.front()->what();
  run.options.machine.memory = 4 * roomy.bytes_planned - 1;  // of all four
  const Answer narrow = solve_on(run, graph);
  ASSERT_TRUE(narrow.errors.empty()) << narrow.errors.front()->what();
  EXPECT_EQ(roomy.bytes_planned - narrow.bytes_planned, 208 * 208 * 2) << "13 of 25 tiles, u16";
  statistics::expect_same(*narrow.statistics, *roomy.statistics);
  leave_checkpoint(run, graph, 0.5);
}

TEST(Checkpoints, OneProcessGoesOnFromACheckpointOfWholeNumbers) {
  const Graph graph = random_graph({.n = 200, .arcs = 800});
  const TemporaryFolder folder;
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles()};
  run.options.storage.output = folder / "out.zarr";
  const std::int64_t pivots = leave_checkpoint(run, graph, 0.7);
  run.options.storage.resume = true;
  run.options.storage.keep = Keep::statistics;
  const Result alone = solve(graph, run.options);
  EXPECT_EQ(alone.report().pivots_resumed, pivots);
  statistics::expect_same(alone.statistics(), solve(graph, small_tiles()).statistics());
}

TEST(Checkpoints, AllEndAlikeWhereACheckpointIsAnothers) {
  const Graph graph = random_graph({.n = 200, .arcs = 800});
  const TemporaryFolder folder;
  JobRun run{.rows = 1, .cols = 2, .options = small_tiles()};
  run.options.storage.output = folder / "out.zarr";
  leave_checkpoint(run, graph, 0.7);
  const auto error = [&](const Graph& of, const SolveOptions& options) {
    JobRun other = run;
    other.options = options;
    const Answer answer = solve_on(other, of);
    EXPECT_EQ(std::ssize(answer.errors), 2);
    return answer.errors.empty() ? Error(ErrorKind::defect, "none") : *answer.errors.front();
  };
  EXPECT_EQ(error(graph, run.options).kind(), ErrorKind::usage) << "in the way";
  SolveOptions options = run.options;
  options.storage.resume = true;
  const Error of_graph = error(random_graph({.n = 200, .arcs = 801}), options);
  EXPECT_EQ(of_graph.kind(), ErrorKind::usage);
  EXPECT_NE(std::string(of_graph.what()).find("graph: there"), std::string::npos);
  options.method.value_type = ValueType::i32;
  const Error of_type = error(graph, options);
  EXPECT_EQ(of_type.kind(), ErrorKind::usage);
  EXPECT_NE(std::string(of_type.what()).find("value type: there"), std::string::npos);
  options.method.value_type.reset();
  options.method.algorithm = Algorithm::johnson;
  EXPECT_EQ(error(graph, options).kind(), ErrorKind::usage);
}

TEST(Checkpoints, CheckpointsAreOfFloydWarshallBesideAnOutput) {
  const TemporaryFolder folder;
  for (const bool with_output : {false, true}) {
    JobRun run{.rows = 1, .cols = 2, .options = small_tiles(), .checkpoint_seconds = 60};
    if (with_output) run.options.storage.output = folder / "out.zarr";
    if (with_output) run.options.method.algorithm = Algorithm::johnson;
    const Answer answer = solve_on(run, random_graph({}));
    ASSERT_EQ(std::ssize(answer.errors), 2);
    EXPECT_EQ(answer.errors.front()->kind(), ErrorKind::usage);
  }
}

}  // namespace
}  // namespace apsp::cluster::collective_checkpoints_test
