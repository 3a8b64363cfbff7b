// The solve of a program that a launcher started several times: its processes meet on a grid, read
// the graph, solve and end together. The program adds how options are read and what is printed.
#pragma once

#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <functional>
#include <optional>
#include <string>

#include "distributed/launched_job.hpp"
#include "store/leftovers.hpp"

namespace apsp::distributed {

struct JobRequest {
  JobOptions job{};
  std::string graph;      ///< a file
  ReadOptions reading{};  ///< its threads: as asked for; 0: they are chosen
  std::optional<SolveOptions>
      resumed{};  ///< instead: an earlier run left the graph beside this output
  std::optional<VerifyOptions> checks{};  ///< rows are checked as they come
};

/// What the program does between the steps of a job. `first`: in process 0, which alone reads
/// standard input, looks beside the output and prints. An `Error` that is thrown ends all
/// processes.
class JobProgram {
 public:
  virtual ~JobProgram() = default;

  /// Completes the options by what an earlier run left; only for a request that is `resumed`.
  virtual void take_up(const std::optional<store::Resumable>& earlier) = 0;
  /// Checks the options before the graph is read.
  virtual void check(bool first) = 0;
  /// Keeps the graph, which took `seconds` to read, while the job lasts.
  virtual const Graph& keep(Graph graph, double seconds) = 0;
  /// What the library is asked for; sources and targets are asked of process 0 only.
  virtual SolveOptions options(const Graph& graph, bool first) = 0;
  /// In process 0, where a solve has ended early.
  virtual void ended_early(const SolveOptions& options) = 0;
  /// In process 0: prints the result. Returns the exit code.
  virtual int tell(const CollectiveResult& found) = 0;
};

/// Every process of the launch. Returns the exit code of process 0. Throws `Error`; where
/// `launch.broken` is set then, the others do not know of it.
int run_solve_job(Launch& launch, const JobRequest& request, JobProgram& program);

}  // namespace apsp::distributed
