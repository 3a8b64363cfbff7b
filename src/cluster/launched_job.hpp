// A job of all processes of a launch: they meet on a grid, have common rates, and end with one exit
// code or one error.
#pragma once

#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <functional>
#include <optional>
#include <string>

#include "cluster/collective_solve.hpp"
#include "cluster/launch.hpp"
#include "dense/variant.hpp"
#include "store/leftovers.hpp"

namespace apsp::cluster {

struct JobOptions {
  int grid_rows = 0, grid_columns = 0;  ///< 0: chosen
  dense::Variant variant{};
  bool cuda_aware = false;  ///< MPI reads the memory of GPUs
  /// 0: by machine; none: as the variant says, by machine if possible.
  std::optional<int> block_rows{}, block_columns{};
  std::optional<double> checkpoint_minutes{};
  /// Measures the rates of processors and GPUs now, in all processes at the same time, and ignores
  /// the cache; not if APSP_MEASURE is "never".
  bool measure = false;
};

/// Collective over the launch. `work`: called in each process, in step. Returns the exit code of
/// process 0 in all. Throws `Error`; if `launch.broken` is set then, the others do not know of it.
int run_job(Launch& launch, const JobOptions& options, const Cancellation* cancellation,
            const std::function<int(Job&)>& work);

// A solve by such a job: read the graph, solve and end together. The program adds how options are
// read and what is printed.

struct JobRequest {
  JobOptions job{};
  std::string graph;
  ReadOptions reading{};  ///< threads: as asked for; 0: chosen
  std::optional<SolveOptions>
      resumed{};  ///< instead of `graph`: an output next to which an earlier run left it
  std::optional<VerifyOptions> checks{};
};

/// Callbacks of the program between the steps of a job. `first`: in process 0, the only one that
/// reads standard input, looks for earlier runs and prints. A thrown `Error` ends all processes.
class JobProgram {
 public:
  virtual ~JobProgram() = default;

  /// Completes the options from an earlier run; only for a request that is `resumed`.
  virtual void take_up(const std::optional<store::Resumable>& earlier) = 0;
  virtual void check(bool first) = 0;
  /// Keeps the graph, which took `seconds` to read, while the job lasts.
  virtual const Graph& keep(Graph graph, double seconds) = 0;
  /// Returns the options; sources and targets count in process 0 only.
  virtual SolveOptions options(const Graph& graph, bool first) = 0;
  /// Called in process 0 if a solve was interrupted.
  virtual void ended_early(const SolveOptions& options) = 0;
  /// Called in process 0: prints the result. Returns the exit code.
  virtual int tell(const CollectiveResult& found) = 0;
};

/// Collective over the launch. Returns the exit code of process 0. Throws `Error`; if
/// `launch.broken` is set then, the others do not know of it.
int run_solve_job(Launch& launch, const JobRequest& request, JobProgram& program);

}  // namespace apsp::cluster
