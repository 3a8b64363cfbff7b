// A solve by the processes of a job, each a thread.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "distributed/collective_read.hpp"
#include "distributed/collective_solve.hpp"
#include "support/thread_communicator.hpp"

namespace apsp::distributed {

struct JobRun {
  int rows = 1, cols = 1;
  SolveOptions options{};
  bool verify = false;
  places::Broadcast pattern = places::Broadcast::ring;
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
          options.threads = 1;
          options.on_plan = [&](const PlanReport& made) { answer.planned = made; };
          const CollectiveResult found = collective_solve(job, shared, options);
          if (options.algorithm == Algorithm::floyd_warshall) {
            EXPECT_EQ(found.result.report().tile, options.tile > 0 ? options.tile : run.tile);
          }
          EXPECT_EQ(found.result.report().grid.rows, run.rows);
          EXPECT_EQ(found.result.report().grid.columns, run.cols);
          if (!processes.first()) return;
          const std::lock_guard lock(mutex);
          if (options.statistics) answer.statistics = found.result.statistics();
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
  options.algorithm = Algorithm::floyd_warshall;
  options.device = Device::cpu;
  options.tile = 16;
  return options;
}

}  // namespace apsp::distributed
