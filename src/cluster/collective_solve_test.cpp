// Solves on threads that stand for processes: what one process alone finds, bit by bit.
#include <fmt/format.h>

#include <condition_variable>

#include "cluster/collective_solve.hpp"

#include "paths/predecessor_rows.hpp"
#include "store/file_system.hpp"
#include "store/leftovers.hpp"
#include "store/store.hpp"
#include "support/files_below.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/job_solve.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::cluster::collective_solve_test {
namespace {

using store::Plane;

constexpr std::pair<int, int> kAllGrids[] = {{1, 1}, {1, 2}, {2, 2}, {2, 3}, {4, 1}};

/// By the threads of the host, or by GPUs that are strict devices, which refuse every access that
/// no event orders.
class CollectiveSuite : public testing::TestWithParam<Device> {
 protected:
  bool on_gpus() const { return GetParam() == Device::cuda; }
  JobRun run_on(int rows, int cols) const {
    JobRun run{.rows = rows, .cols = cols, .options = small_tiles()};
    run.options.machine.device = GetParam();
    run.find = planner::several_devices<2>;
    return run;
  }
  JobRun rows_by(Algorithm algorithm, int processes) const {
    JobRun run = run_on(1, processes);
    run.options.method.algorithm = algorithm;
    return run;
  }
};

constexpr Algorithm kByRows[] = {Algorithm::nested_dissection, Algorithm::boundary,
                                 Algorithm::johnson, Algorithm::breadth_first};

Graph graph_for(Algorithm algorithm, bool directed) {
  return random_graph(150, 330, 1, algorithm == Algorithm::breadth_first ? 1.0 : 20.0,
                      {.directed = directed});
}

TEST_P(CollectiveSuite, FindsTheStatisticsOfOneProcess) {
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_min, on_gpus() ? Semiring::min_max : Semiring::or_and}) {
    for (const auto& [rows, cols] : kAllGrids) {
      for (const std::int64_t n : {1, 5, 16, 61, 150}) {
        SCOPED_TRACE(fmt::format("{} x {}, n {}", rows, cols, n));
        JobRun run = run_on(rows, cols);
        run.options.question.semiring = semiring;
        run.verify = true;
        run.pattern = cols == 2 ? dense::Broadcast::binomial : dense::Broadcast::ring;
        const Answer answer = solve_as_one(run, random_graph({.n = n, .arcs = 4 * n, .seed = 7}));
        EXPECT_EQ(answer.verified->sources_checked, n);
        EXPECT_EQ(answer.on_device.has_value(), on_gpus());
      }
    }
  }
}

TEST_P(CollectiveSuite, SolvesHalfOfASymmetricMatrix) {
  for (const bool real : {false, true}) {
    if (real && on_gpus()) continue;  // sums are rounded in another order
    for (const int side : {1, 2, 3}) {
      for (const std::int64_t n : {5, 16, 33, 150}) {
        JobRun run = run_on(side, side);
        run.verify = true;
        const Graph graph =
            random_graph({.n = n, .arcs = 4 * n, .real = real, .directed = false, .seed = 3});
        EXPECT_EQ(solve_as_one(run, graph).relaxations, static_cast<double>(n * n * n) / 2);
      }
    }
  }
}

TEST_P(CollectiveSuite, DistributesRows) {
  for (const Algorithm algorithm : kByRows) {
    for (const bool directed : {false, true}) {
      for (const int processes : {1, 2, 3}) {
        SCOPED_TRACE(fmt::format("{} directed {} on {}", name(algorithm), directed, processes));
        expect_all_as_one(rows_by(algorithm, processes), graph_for(algorithm, directed));
      }
    }
  }
}

TEST_P(CollectiveSuite, FindsThePredecessorsOfRows) {
  for (const Algorithm algorithm : kByRows) {
    if (algorithm == Algorithm::boundary) continue;
    for (const bool compress : {false, true}) {
      JobRun run = rows_by(algorithm, 3);
      run.options.question.predecessors = true;
      run.options.storage.compress = compress;
      expect_planes_of_one(run, graph_for(algorithm, true), {Plane::predecessor});
    }
  }
}

TEST_P(CollectiveSuite, FindsTheIntermediateVerticesOfOneProcess) {
  const std::vector<Plane> via = {Plane::via, Plane::hops};
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}, {3, 2}}) {
    for (const std::int64_t n : {5, 61, 90}) {
      for (const bool directed : {false, true}) {
        const Graph graph = random_graph({.n = n, .arcs = 4 * n, .directed = directed, .seed = 5});
        JobRun run = run_on(rows, cols);
        run.options.question.hops = run.options.question.predecessors = true;
        expect_planes_of_one(run, graph, {Plane::via, Plane::hops, Plane::predecessor});
      }
    }
  }
  JobRun run = run_on(2, 2);
  run.options.question.hops = true;
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max}) {
    run.options.question.semiring = semiring;
    expect_planes_of_one(run, random_graph({.n = 70, .arcs = 250, .least = 1}), via);
  }
  run.options.question.semiring = Semiring::min_plus;
  for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
    run.options.method.value_type = type;
    expect_planes_of_one(run, random_graph({.n = 70, .arcs = 250, .least = 1}), via);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CollectiveSuite, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(CollectiveSolve, IntermediateVerticesOfNegativeRealAndZeroWeights) {
  JobRun run{2, 2, small_tiles()};
  run.options.question.hops = true;
  for (const RandomGraph& of : {RandomGraph{.n = 70, .arcs = 250, .potential = 30},
                                RandomGraph{.n = 70, .arcs = 250, .real = true},
                                RandomGraph{.n = 70, .arcs = 250, .greatest = 0}}) {
    expect_planes_of_one(run, random_graph(of), {Plane::via, Plane::hops});
  }
  run.options.question.semiring = Semiring::or_and;
  expect_planes_of_one(run, random_graph({.n = 70, .arcs = 250, .least = 1}),
                       {Plane::via, Plane::hops});
}

TEST(CollectiveSolve, ChoosesATile) {
  solve_as_one({.rows = 2, .cols = 2}, random_graph({.n = 150, .arcs = 600}));
}

TEST(CollectiveSolve, SolvesRealAndNegativeWeights) {
  for (const RandomGraph& of : {RandomGraph{.n = 90, .arcs = 400, .real = true},
                                RandomGraph{.n = 90, .arcs = 400, .potential = 40}}) {
    const Answer answer = solve_on({2, 2, small_tiles(), true}, random_graph(of));
    ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
    EXPECT_TRUE(answer.verified->passed);
  }
}

TEST(CollectiveSolve, AllProcessesWriteOneOutput) {
  const Graph graph = random_graph({.n = 150, .arcs = 500});
  JobRun run{2, 3, small_tiles()};
  expect_all_as_one(run, graph);
  const TemporaryFolder folder;
  run.options.storage.output = folder / "out.zarr";
  run.options.storage.compress = true;
  solve_as_one(run, graph);
  EXPECT_EQ(folder.entries(), 1) << "the output alone is left";
  EXPECT_TRUE(open_result(run.options.storage.output).verify().passed);
}

TEST(CollectiveSolve, RealWeightsAreThoseOfOneProcess) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .real = true, .directed = false});
  JobRun run{1, 3};
  run.options.method.algorithm = Algorithm::johnson;
  solve_as_one(run, graph);
  // Processes have an order of METIS each, which threads that stand for them share and so disturb.
  run.options.method.algorithm = Algorithm::nested_dissection;
  run.verify = true;
  const Answer answer = solve_on(run, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_TRUE(answer.verified->passed);
  EXPECT_EQ(answer.verified->sources_checked, 120);
}

TEST(CollectiveSolve, RealWeightsOfBothSignsAreThoseOfOneProcess) {
  const Graph graph = random_graph({.n = 150, .arcs = 500, .real = true, .potential = 9});
  for (const std::vector<Vertex>& sources : {std::vector<Vertex>{}, {140, 3, 77, 12, 0}}) {
    JobRun run{1, 2};
    run.options.method.algorithm = Algorithm::johnson;
    run.options.question.sources = sources;
    run.verify = true;
    const Answer answer = solve_as_one(run, graph);
    EXPECT_TRUE(answer.verified->passed);
  }
  JobRun swept{.rows = 1, .cols = 2, .verify = true};
  swept.options.method.algorithm = Algorithm::nested_dissection;
  const Answer answer = solve_on(swept, graph);
  ASSERT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  EXPECT_TRUE(answer.verified->passed);
}

TEST(CollectiveSolve, SparseGraphsAreSolvedByRowsUnasked) {
  const Graph graph = random_graph({.n = 3000, .arcs = 3100, .directed = false});
  EXPECT_NE(solve_as_one({.rows = 1, .cols = 2}, graph).algorithm, Algorithm::floyd_warshall);
}

TEST(CollectiveSolve, SomeRowsAndColumns) {
  const Graph graph = random_graph({.n = 150, .arcs = 500});
  const std::vector<Vertex> some = {140, 3, 77, 12,  13, 14, 149, 0,  60,  31,
                                    32,  9, 8,  100, 50, 51, 52,  53, 120, 2};
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection,
                                    Algorithm::johnson, Algorithm::automatic}) {
    for (const auto& [sources, targets] :
         {std::pair{some, std::vector<Vertex>{}}, {{}, some}, {some, {7, 149, 1}}}) {
      const TemporaryFolder folder;
      JobRun run{.rows = 2, .cols = 2};
      run.options.method.algorithm = algorithm;
      run.options.method.tile = 16;
      run.options.question.sources = sources;
      run.options.question.targets = targets;
      const Result alone = solve(graph, run.options);
      run.verify = targets.empty();
      const Answer counted = solve_as_one(run, graph);
      if (run.verify) {
        EXPECT_EQ(counted.verified->sources_checked, 20);
      }
      run.verify = false;
      run.options.storage.output = folder / "out.zarr";
      solve_as_one(run, graph);
      const Result stored = open_result(run.options.storage.output, graph);
      for (const Vertex from : sources.empty() ? std::vector<Vertex>{0, 5, 149} : sources) {
        for (const Vertex to : targets.empty() ? some : targets) {
          ASSERT_EQ(stored.distance(from, to), alone.distance(from, to)) << from << " to " << to;
        }
      }
    }
  }
}

TEST(CollectiveSolve, PredecessorsOfRowsAreInThePlanOnce) {
  const Graph graph = random_graph({.n = 150, .arcs = 400});
  const TemporaryFolder folder;
  JobRun run{1, 3};
  run.options.method.algorithm = Algorithm::johnson;
  run.options.method.tile = 16;
  run.options.storage.output = folder / "without.zarr";
  const Answer without = solve_on(run, graph);
  run.options.storage.output = folder / "with.zarr";
  run.options.question.predecessors = true;
  const Answer with = solve_on(run, graph);
  ASSERT_TRUE(with.errors.empty()) << with.errors.front()->what();
  EXPECT_EQ(with.bytes_planned - without.bytes_planned, paths::PredecessorRows::bytes(150, 16, 1));
}

TEST(CollectiveSolve, KeepsLabelsAndFirstNumbers) {
  GraphBuilder builder(3, false);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 3);
  builder.set_labels({"a", "b", "c"});
  const Graph graph = std::move(builder).build();
  const Answer answer = solve_on({.rows = 1, .cols = 2, .options = small_tiles()}, graph);
  EXPECT_EQ(answer.statistics->diameter, 5);
}

TEST(CollectiveSolve, AllRefuseWhatOneProcessAloneDoes) {
  const Graph graph = random_graph({});
  const std::vector<std::function<void(SolveOptions&)>> asked = {
      [](SolveOptions& o) { o.question.hops = true; },
      [](SolveOptions& o) { o.question.via = true; },           // without an output
      [](SolveOptions& o) { o.question.predecessors = true; },  // the same
      [](SolveOptions& o) { o.storage.resume = true; },
      [](SolveOptions& o) { o.storage.keep = Keep::factor; }};
  for (const auto& ask : asked) {
    JobRun run{.rows = 1, .cols = 2, .options = small_tiles()};
    ask(run.options);
    EXPECT_EQ(error_of_all(run, graph).kind(), ErrorKind::usage);
  }
  const JobRun run{.rows = 1, .cols = 2, .options = small_tiles()};
  EXPECT_EQ(error_of_all(run, random_graph({.least = -1, .greatest = 5, .real = true})).kind(),
            ErrorKind::usage)
      << "real weights of both signs";
  const TemporaryFolder folder;
  JobRun kept{.rows = 1, .cols = 2, .options = small_tiles(), .checkpoint_seconds = 1};
  kept.options.storage.output = folder / "out.zarr";
  kept.options.question.via = true;
  EXPECT_EQ(error_of_all(kept, graph).kind(), ErrorKind::usage) << "checkpoints";
}

TEST(CollectiveSolve, AllEndWithTheErrorOfOne) {
  JobRun run{.rows = 2, .cols = 2, .options = small_tiles()};
  EXPECT_EQ(error_of_all(run, graph_of(40, {{3, 30, 1}, {30, 3, -2}})).kind(),
            ErrorKind::negative_cycle);
  run.options.machine.memory = 1000;
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::does_not_fit);
  const TemporaryFolder folder;
  run.options = small_tiles();
  run.options.storage.output = folder / "out.zarr";
  run.options.storage.disk = 100;
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::does_not_fit);
  EXPECT_EQ(folder.entries(), 0);
  run.options = small_tiles();
  run.options.storage.output = "/nowhere/out.zarr";
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::input_output);
  Cancellation cancellation;
  cancellation.request();
  run.options = small_tiles();
  run.options.control.cancellation = &cancellation;
  EXPECT_EQ(error_of_all(run, random_graph({})).kind(), ErrorKind::interrupted);
}

TEST(Job, GridsAreNearlySquare) {
  for (const auto& [count, rows, cols] :
       {std::array{1, 1, 1}, {2, 1, 2}, {4, 2, 2}, {6, 2, 3}, {7, 1, 7}, {12, 3, 4}, {64, 8, 8}}) {
    const GridShape shape = nearest_square(count);
    EXPECT_EQ(shape.rows, rows);
    EXPECT_EQ(shape.cols, cols);
  }
}

// Rows that processes were writing when their solve ended early, and solves that go on from them.

constexpr std::int64_t kN = 1200, kTile = 64;

/// Asks for the end of a solve when each of so many threads, which stand for processes, has
/// computed so many rows; nobody goes on before.
class EndsAtRows final : public Progress {
 public:
  EndsAtRows(int processes, double rows) : processes_(processes), rows_(rows) {}
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
  EndsAtRows ends(run.cols, rows);
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
  EndsAtRows ends(1, 130);
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
}  // namespace apsp::cluster::collective_solve_test
