// Rows that processes were writing when their solve ended early, and solves that go on from them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "store/file_system.hpp"
#include "store/leftovers.hpp"
#include "support/files_below.hpp"
#include "support/invented_devices.hpp"
#include "support/job_solve.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::cluster {
namespace {

constexpr std::int64_t kN = 1200, kTile = 64;

/// Asks for the end of a solve when each of so many threads, which stand for processes, has
/// computed so many rows; nobody goes on before.
class EndsAt final : public Progress {
 public:
  EndsAt(int processes, double rows) : processes_(processes), rows_(rows) {}
  const Cancellation& cancellation() const { return cancellation_; }
  void begin(std::string_view name, double, std::string_view) override {
    const std::lock_guard lock(mutex_);
    if (name == "solving") solving_.insert(std::this_thread::get_id());
  }
  void update(double done) override {
    std::unique_lock lock(mutex_);
    if (!solving_.contains(std::this_thread::get_id()) || done < rows_) return;
    far_.insert(std::this_thread::get_id());
    if (std::ssize(far_) == processes_) cancellation_.request();
    changed_.notify_all();
    changed_.wait(lock, [&] { return std::ssize(far_) == processes_; });
  }
  void end() override {}

 private:
  int processes_;
  double rows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::thread::id> solving_, far_;
  Cancellation cancellation_;
};

JobRun by(int processes, const std::string& output,
          Algorithm algorithm = Algorithm::nested_dissection) {
  JobRun run{1, processes};
  run.options.method.algorithm = algorithm;
  run.options.method.tile = kTile;
  run.options.storage.output = output;
  return run;
}

store::JournalContents left_beside(const std::string& output) {
  const auto left = store::find_resumable(store::posix_file_system(), output);
  EXPECT_TRUE(left);
  return left ? left->contents : store::JournalContents{};
}

/// A solve that ends early. What it leaves.
store::JournalContents leave_rows(JobRun run, const Graph& graph, double rows = 130) {
  EndsAt ends(run.cols, rows);
  run.options.control = {&ends, &ends.cancellation()};
  const Answer answer = solve_on(run, graph);
  EXPECT_EQ(std::ssize(answer.errors), run.cols);
  for (const auto& error : answer.errors) EXPECT_EQ(error->kind(), ErrorKind::interrupted);
  return left_beside(run.options.storage.output);
}

JobRun resuming(JobRun run) {
  run.options.storage.resume = true;
  return run;
}

Graph graph_of_rows(bool real = false) {
  return random_graph({.n = kN, .arcs = 2600, .least = 1, .greatest = 9, .real = real, .seed = 5});
}

class CollectiveRows : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string whole_ = folder_ / "whole.zarr", output_ = folder_ / "out.zarr";
};

TEST_F(CollectiveRows, AreGoneOnFromByAnyNumberOfProcesses) {
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    const Graph graph = graph_of_rows(algorithm == Algorithm::johnson);
    SolveOptions alone = by(1, whole_, algorithm).options;
    alone.storage.keep = Keep::statistics;
    const Result whole = solve(graph, alone);
    for (const auto& [before, behind] : {std::pair{3, 2}, {4, 1}}) {
      const store::JournalContents left = leave_rows(by(before, output_, algorithm), graph);
      EXPECT_FALSE(left.of_others.empty()) << "bands of other processes than the first";
      EXPECT_LT(left.done(), kN);
      const Answer answer = solve_on(resuming(by(behind, output_, algorithm)), graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      EXPECT_EQ(answer.rows_resumed, left.done());
      statistics::expect_same(*answer.statistics, whole.statistics());
      EXPECT_EQ(files_below(output_), files_below(whole_));
      EXPECT_EQ(folder_.entries(), 2) << "the outputs alone are left";
    }
  }
}

TEST_F(CollectiveRows, AreGoneOnFromBySearchesOnGpus) {
  const Graph graph = random_graph({.n = kN, .arcs = 2600, .least = 1, .greatest = 1, .seed = 5});
  for (const Algorithm algorithm : {Algorithm::johnson, Algorithm::breadth_first}) {
    SolveOptions alone = by(1, whole_, algorithm).options;
    alone.storage.keep = Keep::statistics;
    const Result whole = solve(graph, alone);
    const store::JournalContents left = leave_rows(by(3, output_, algorithm), graph);
    JobRun run = resuming(by(2, output_, algorithm));
    run.options.machine.device = Device::cuda;
    run.find = planner::one_device;
    const Answer answer = solve_on(run, graph);
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    EXPECT_EQ(answer.rows_resumed, left.done());
    statistics::expect_same(*answer.statistics, whole.statistics());
    EXPECT_EQ(files_below(output_), files_below(whole_));
  }
}

TEST_F(CollectiveRows, AreGoneOnFromByOneProcessAndBack) {
  const Graph graph = graph_of_rows();
  SolveOptions alone = by(1, whole_).options;
  alone.storage.keep = Keep::statistics;
  solve(graph, alone);
  const std::int64_t first = leave_rows(by(3, output_), graph).done();
  alone.storage.output = output_;
  alone.storage.resume = true;
  alone.machine.threads = 1;
  EndsAt ends(1, 130);
  alone.control = {&ends, &ends.cancellation()};
  EXPECT_THROW(solve(graph, alone), Error);
  const store::JournalContents second = left_beside(output_);
  EXPECT_GE(second.done(), first) << "what others have named is named by one";
  EXPECT_TRUE(second.of_others.empty());
  const Answer answer = solve_on(resuming(by(2, output_)), graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_EQ(answer.rows_resumed, second.done());
  EXPECT_EQ(files_below(output_), files_below(whole_));
}

TEST_F(CollectiveRows, AreKeptAgainWhenGoneOnWith) {
  const Graph graph = graph_of_rows();
  const std::int64_t first = leave_rows(by(2, output_), graph).done();
  const std::int64_t second = leave_rows(resuming(by(3, output_)), graph).done();
  EXPECT_GT(second, first);
  const Answer answer = solve_on(resuming(by(2, output_)), graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_EQ(answer.rows_resumed, second);
}

TEST_F(CollectiveRows, AreComputedAgainWhereTheyAreDamaged) {
  const Graph graph = graph_of_rows();
  ASSERT_TRUE(solve_on(by(2, whole_), graph).errors.empty());
  const store::JournalContents left = leave_rows(by(3, output_), graph);
  store::FileSystem& files = store::posix_file_system();
  const std::string partial = store::find_resumable(files, output_)->partial;
  for (const std::int64_t band : {left.bands[0], left.bands[1]}) {
    files.remove_all(partial + "/distance/c/" + std::to_string(band) + "/3");
  }
  const Answer answer = solve_on(resuming(by(2, output_)), graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_EQ(answer.rows_resumed, left.done() - 2 * kTile);
  EXPECT_EQ(answer.damaged.size(), 2u);
  EXPECT_EQ(files_below(output_), files_below(whole_));
}

TEST_F(CollectiveRows, OfSomeSourcesAndTargetsAreGoneOnFrom) {
  const Graph graph = graph_of_rows();
  JobRun run = by(3, whole_);
  for (Vertex v = 0; v < 1100; ++v) run.options.question.sources.push_back((v * 7 + 3) % kN);
  run.options.question.targets = {5, 1, 900, 30, 1199};
  const Answer whole = solve_on(run, graph);
  ASSERT_TRUE(whole.errors.empty());
  run.options.storage.output = output_;
  const store::JournalContents left = leave_rows(run, graph);
  const Answer answer = solve_on(resuming(run), graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_EQ(answer.rows_resumed, left.done());
  statistics::expect_same(*answer.statistics, *whole.statistics);
  EXPECT_EQ(files_below(output_), files_below(whole_));
}

TEST_F(CollectiveRows, OfAnotherSolveAreRefusedByAllAndStay) {
  const Graph graph = graph_of_rows();
  const store::JournalContents left = leave_rows(by(2, output_), graph);
  const auto complaint = [&](const Graph& of, const auto& change) {
    JobRun run = resuming(by(2, output_));
    change(run.options);
    const Answer answer = solve_on(run, of);
    EXPECT_EQ(std::ssize(answer.errors), 2);
    return answer.errors.empty() ? std::string() : std::string(answer.errors.front()->what());
  };
  const auto nothing = [](SolveOptions&) {};
  complaint(graph, [](SolveOptions& o) { o.storage.resume = false; });
  complaint(random_graph({.n = kN, .arcs = 901}), nothing);
  complaint(graph, [](SolveOptions& o) { o.method.tile = 16; });
  complaint(graph, [](SolveOptions& o) { o.storage.compress = true; });
  complaint(graph, [](SolveOptions& o) { o.method.algorithm = Algorithm::johnson; });
  complaint(graph, [](SolveOptions& o) { o.method.algorithm = Algorithm::floyd_warshall; });
  EXPECT_EQ(left_beside(output_).done(), left.done());
}

/// As a job is killed when its last band is written, and nothing is committed.
TEST_F(CollectiveRows, ThatAreAllThereNeedNoSolve) {
  const Graph graph = graph_of_rows();
  ASSERT_TRUE(solve_on(by(2, whole_), graph).errors.empty());
  JobRun run = by(2, output_);
  leave_rows(run, graph);
  store::FileSystem& files = store::posix_file_system();
  const auto left = store::find_resumable(files, output_);
  {
    store::Journal ledger(files, left->partial, left->contents);
    for (std::int64_t band = 0; band < (kN + kTile - 1) / kTile; ++band) {
      const std::string path = "/distance/c/" + std::to_string(band);
      files.remove_all(left->partial + path);
      files.make_directory(left->partial + path);
      for (const std::string& chunk : files.list(whole_ + path)) {
        const std::string bytes = files.read_text(whole_ + path + "/" + chunk);
        files.write_atomically(left->partial + path + "/" + chunk, std::as_bytes(std::span(bytes)));
      }
      ledger.note(band);
    }
  }
  const Answer answer = solve_on(resuming(run), graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_EQ(answer.rows_resumed, kN);
  EXPECT_EQ(files_below(output_), files_below(whole_));
}

TEST_F(CollectiveRows, TheFactorIsKeptThatGaveThem) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 300, .arcs = 900, .least = 1, .greatest = 9});
  const Result alone = solve(graph);
  int number = 0;
  for (const Device device : {Device::cpu, Device::cuda}) {
    for (const bool statistics : {true, false}) {
      JobRun run = by(3, folder / fmt::format("{}.zarr", number++));
      run.find = planner::one_device;
      run.options.machine.device = device;
      run.options.storage.stored = Keep::factor;
      run.options.question.statistics = statistics;
      const Answer answer = solve_on(run, graph);
      ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
      const Result kept = open_result(run.options.storage.output);
      EXPECT_EQ(kept.kept(), Keep::factor);
      EXPECT_TRUE(kept.verify().passed);
      for (Vertex s = 0; s < 300; s += 7) {
        EXPECT_EQ(kept.distances_from(s), alone.distances_from(s));
      }
      if (statistics) statistics::expect_same(*answer.statistics, alone.statistics());
    }
  }
}

}  // namespace
}  // namespace apsp::cluster
