// `solve` and `update` on the processes of a job, on the host's threads or a GPU each:
// Floyd-Warshall on a grid of them (distributed/grid_run.hpp), or rows that are distributed. What
// differs from a solve by one process is where things are; results are its, to the last bit where
// values are integers.
#pragma once

#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <functional>
#include <optional>
#include <string>

#include "distributed/grid_run.hpp"
#include "distributed/measure_messages.hpp"
#include "distributed/processes.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"

namespace apsp::distributed {

struct Job {
  Processes& processes;
  GridShape shape{};
  int of_machine = 1;  ///< processes that share this machine's memory
  int on_machine = 0;  ///< the number of this one among them
  /// From a checkpoint of Floyd-Warshall beside the output to the next, s; empty: none are written.
  std::optional<double> checkpoint_seconds{};
  /// What lets the GPUs of processes broadcast to each other; null: nothing, `why_no_links`.
  DeviceLinks* links = nullptr;
  std::string why_no_links{};
  bool direct = false;  ///< panels must go that way
  /// Rows are checked as they come. They are whole: there are no targets.
  std::optional<VerifyOptions> checks{};
  planner::FindDevices find = planner::cuda_devices;  ///< of this process
  planner::RateSource rates{};                        ///< what this process knows or measures
  /// Measures messages, all processes together; empty: they are as assumed.
  std::function<MessageRates()> messages{};
};

struct CollectiveResult {
  Result result;  ///< of process 0: report and statistics; elsewhere the report alone
  std::optional<VerifyReport> verified{};  ///< in process 0, where `Job::checks` asked for it
};

/// `graph`: the same in all processes. An output is written by all of them and must lie where all
/// see it. Throws `Error`, in all processes: as `solve`, and usage for what is not offered.
CollectiveResult collective_solve(const Job& job, const Graph& graph, const SolveOptions& options);

/// The factors of `count` that are nearest to each other, the smaller one first: rows and columns.
GridShape nearest_square(int count);

}  // namespace apsp::distributed
