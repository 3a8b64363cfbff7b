// `solve` by the processes of a job, each with the host's threads or a GPU: Floyd-Warshall on a
// grid (grid_run.hpp), or distributed rows. Results equal those of one process, to the last bit if
// values are integers.
#pragma once

#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <functional>
#include <optional>
#include <string>

#include "cluster/grid_run.hpp"
#include "cluster/measure_messages.hpp"
#include "cluster/processes.hpp"
#include "planner/devices.hpp"
#include "planner/rates.hpp"

namespace apsp::cluster {

struct Job {
  Processes& processes;
  GridShape shape{};
  int of_machine = 1;
  int on_machine = 0;  ///< number of this process among them
  /// Seconds between checkpoints of Floyd-Warshall next to the output; empty: none.
  std::optional<double> checkpoint_seconds{};
  /// Broadcasts between the GPUs of processes; null: none, see `why_no_links`.
  DeviceLinks* links = nullptr;
  std::string why_no_links{};
  bool direct = false;  ///< panels must use `links`
  /// Options of the checks of rows as they are computed; rows are complete, as there are no
  /// targets.
  std::optional<VerifyOptions> checks{};
  planner::FindDevices find = planner::cuda_devices;
  planner::RateSource rates{};
  /// Measures messages, collectively; empty: rates are assumed.
  std::function<MessageRates()> messages{};
};

struct CollectiveResult {
  Result result;  ///< in process 0 report and statistics; elsewhere only the report
  std::optional<VerifyReport> verified{};  ///< in process 0, if `Job::checks` is set
};

/// `graph`: the same in all processes. All processes write the output, so all must see its disk.
/// Throws `Error`, in all processes: as `solve`, and usage for options that are not supported.
CollectiveResult collective_solve(const Job& job, const Graph& graph, const SolveOptions& options);

/// Returns the factors of `count` that are nearest to each other, the smaller one first.
GridShape nearest_square(int count);

}  // namespace apsp::cluster
