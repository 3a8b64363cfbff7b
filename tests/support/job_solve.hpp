// A solve by the processes of a job, each a thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/stored_result.hpp"
#include "cluster/collective_read.hpp"
#include "cluster/collective_solve.hpp"
#include "store/store.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/thread_communicator.hpp"

namespace apsp::cluster {

struct JobRun {
  int rows = 1, cols = 1;
  SolveOptions options{};
  bool verify = false;
  dense::Broadcast pattern = dense::Broadcast::ring;
  std::optional<double> checkpoint_seconds{};
  planner::FindDevices find = planner::cuda_devices;
  std::function<planner::RateSource(int process)> rates{};
  std::int64_t tile = 48;          // where none is asked for
  std::int64_t most_bytes = 4096;  // of a message
  bool offload = false;            // parts stay in host memory
  bool direct = false;             // panels go from GPU to GPU,
  DeviceLinks* links = nullptr;    // by these
  std::string file{};              // of the graph, which all read; else it is sent
};

struct Answer {
  std::optional<Statistics> statistics;
  std::optional<VerifyReport> verified;
  Algorithm algorithm = Algorithm::automatic;
  std::int64_t pivots_resumed = 0, rows_resumed = 0;
  std::vector<std::string> damaged{};
  std::optional<DeviceReport> on_device;  // of process 0
  std::string plan;
  PlanReport planned;
  double relaxations = 0;
  std::int64_t bytes_planned = 0;
  std::vector<std::optional<Error>> errors;  // of every process
};

inline Answer solve_on(const JobRun& run, const Graph& graph) {
  ThreadPost post(run.rows, run.cols);
  std::mutex mutex;
  Answer answer;
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col, run.most_bytes);
        Processes processes(communicator);
        try {
          const Graph shared = run.file.empty()
                                   ? share_graph(processes, processes.first() ? graph : Graph())
                                   : collective_read(processes, run.file, {.threads = 1});
          EXPECT_EQ(shared.digest(), graph.digest());
          Job job{processes, {run.rows, run.cols, {.broadcasts = {run.pattern, run.pattern}}}};
          job.shape.offload = run.offload;
          if (run.verify) job.checks.emplace();
          job.checkpoint_seconds = run.checkpoint_seconds;
          job.find = run.find;
          if (run.rates) job.rates = run.rates(processes.rank());
          job.direct = run.direct;
          job.links = run.links;
          job.why_no_links = "there is nothing that links them";
          job.of_machine = run.rows * run.cols;
          job.on_machine = processes.rank();
          SolveOptions options = run.options;
          options.machine.threads = 1;
          options.on_plan = [&](const PlanReport& made) { answer.planned = made; };
          const CollectiveResult found = collective_solve(job, shared, options);
          if (options.method.algorithm == Algorithm::floyd_warshall) {
            EXPECT_EQ(found.result.report().tile,
                      options.method.tile > 0 ? options.method.tile : run.tile);
          }
          EXPECT_EQ(found.result.report().grid.rows, run.rows);
          EXPECT_EQ(found.result.report().grid.columns, run.cols);
          if (!processes.first()) return;
          const std::lock_guard lock(mutex);
          if (options.question.statistics) answer.statistics = found.result.statistics();
          answer.algorithm = found.result.report().algorithm;
          answer.relaxations = found.result.report().relaxations;
          answer.bytes_planned = found.result.report().bytes_planned;
          answer.pivots_resumed = found.result.report().pivots_resumed;
          answer.rows_resumed = found.result.report().rows_resumed;
          answer.damaged = found.result.report().damaged;
          answer.verified = found.verified;
          answer.on_device = found.result.report().on_device;
          answer.plan = found.result.report().plan;
        } catch (const Error& error) {
          if (!processes.in_step()) throw;
          const std::lock_guard lock(mutex);
          answer.errors.emplace_back(error);
        }
      },
      [](const std::string& what) { ADD_FAILURE() << what; });
  return answer;
}

inline SolveOptions small_tiles() {
  SolveOptions options;
  options.method.algorithm = Algorithm::floyd_warshall;
  options.machine.device = Device::cpu;
  options.method.tile = 16;
  return options;
}

/// What is asked of a job, as one process takes it on the host.
inline SolveOptions of_one_process(SolveOptions options) {
  options.machine.device = Device::cpu;
  options.machine.device_ordinals.clear();
  options.machine.device_memory = 0;
  options.storage.output.clear();
  return options;
}

/// Fails where a process ends with an error, the statistics are not those of one process on the
/// host, or a verification that was asked for does not pass.
inline Answer solve_as_one(const JobRun& run, const Graph& graph) {
  const Answer answer = solve_on(run, graph);
  EXPECT_TRUE(answer.errors.empty()) << answer.errors.front()->what();
  if (!answer.errors.empty()) return answer;
  SolveOptions alone = of_one_process(run.options);
  alone.question.via = alone.question.hops = alone.question.predecessors = false;
  statistics::expect_same(*answer.statistics, solve(graph, alone).statistics());
  EXPECT_EQ(answer.verified.has_value(), run.verify);
  EXPECT_TRUE(!answer.verified || answer.verified->passed);
  EXPECT_TRUE(answer.on_device || run.options.machine.device != Device::cuda);
  return answer;
}

/// Counted, checked and written: all as one process has them.
inline void expect_all_as_one(JobRun run, const Graph& graph) {
  const TemporaryFolder folder;
  const Result alone = solve(graph, of_one_process(run.options));
  for (const char* const output : {"", "out.zarr", "out.npy"}) {
    run.verify = *output == '\0';
    run.options.storage.output = run.verify ? "" : folder / output;
    const Answer answer = solve_as_one(run, graph);
    EXPECT_EQ(answer.algorithm, alone.report().algorithm);
    if (run.verify) continue;
    const Result stored = open_result(run.options.storage.output, graph);
    for (Vertex v = 0; v < static_cast<Vertex>(graph.vertex_count()); ++v) {
      ASSERT_EQ(stored.distances_from(v), alone.distances_from(v)) << output << ", row " << v;
    }
  }
  EXPECT_EQ(folder.entries(), 2) << "nothing is left but the outputs";
}

/// All of a plane of a result with n vertices.
inline std::vector<std::int32_t> plane_of(const std::string& path, store::Plane plane,
                                          std::int64_t n) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(n * n));
  store::open_store(path)->read(plane, {0, 0, n, n}, values.data(), n);
  return values;
}

/// Processes write the planes that one process writes on the host, and checks of them pass.
inline void expect_planes_of_one(JobRun run, const Graph& graph,
                                 const std::vector<store::Plane>& planes) {
  const TemporaryFolder folder;
  SolveOptions alone = of_one_process(run.options);
  alone.storage.output = folder / "alone.zarr";
  solve(graph, alone);
  run.options.storage.output = folder / "out.zarr";
  solve_as_one(run, graph);
  EXPECT_EQ(folder.entries(), 2);
  const std::int64_t n = graph.vertex_count();
  for (const store::Plane plane : planes) {
    EXPECT_EQ(plane_of(run.options.storage.output, plane, n),
              plane_of(alone.storage.output, plane, n))
        << store::name(plane) << ", n " << n;
  }
  EXPECT_TRUE(
      api::verify_stored(run.options.storage.output, graph, alone.question.semiring, {}).passed);
}

/// The error that all processes end with.
inline Error error_of_all(const JobRun& run, const Graph& graph) {
  const Answer answer = solve_on(run, graph);
  EXPECT_EQ(std::ssize(answer.errors), run.rows * run.cols);
  if (answer.errors.empty()) return {ErrorKind::defect, "no error"};
  for (const auto& error : answer.errors) EXPECT_EQ(error->kind(), answer.errors[0]->kind());
  return *answer.errors[0];
}

}  // namespace apsp::cluster
