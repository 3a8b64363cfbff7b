// Questions to the processes of a job, each of them a thread.
#include <apsp/solve.hpp>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cluster/collective_read.hpp"
#include "cluster/collective_solve.hpp"
#include "cluster/collective_update.hpp"
#include "differential/case.hpp"
#include "support/thread_communicator.hpp"

namespace apsp::campaign {
namespace {

using cluster::CollectiveResult;
using cluster::GridShape;
using cluster::Job;

/// work(job) in every process of the grid. Throws the `Error` that all of them throw, or Wrong.
void on_grid(const Case& c, GridShape shape, const std::function<void(const Job&)>& work) {
  ThreadPost post(shape.rows, shape.cols);
  std::mutex mutex;
  std::vector<Error> errors;
  std::string failed;
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col, 1 << 20);
        cluster::Processes processes(communicator);
        Job job{processes, shape};
        job.of_machine = processes.size();
        job.on_machine = processes.rank();
        job.find = c.devices();
        try {
          work(job);
        } catch (const Error& error) {
          if (!processes.in_step()) throw;
          const std::lock_guard lock(mutex);
          errors.push_back(error);
        }
      },
      [&](const std::string& what) {
        const std::lock_guard lock(mutex);
        failed = what;
      });
  require(failed.empty(), "a process left the others: {}", failed);
  if (errors.empty()) return;
  const int count = shape.rows * shape.cols;
  require(std::ssize(errors) == count, "{} of {} processes end with: {}", errors.size(), count,
          errors.front().what());
  // Details are in the error of the process that failed; the others tell its words.
  const auto has_cycle = [](const Error& error) { return !error.cycle().vertices.empty(); };
  std::stable_partition(errors.begin(), errors.end(), has_cycle);
  for (const Error& error : errors) {
    require(error.kind() == errors.front().kind(), "processes end with \"{}\" and with \"{}\"",
            errors.front().what(), error.what());
  }
  throw errors.front();
}

/// What process 0 has found.
struct Found {
  SolveReport report{};
  std::optional<Statistics> statistics{};
  std::optional<VerifyReport> verified{};
};

struct JobQuestion {
  GridShape shape{};
  SolveOptions options{};
  bool verify = false;
  std::optional<double> checkpoint_seconds{};
};

Found solve_on(const Case& c, const JobQuestion& asked) {
  Found found;
  on_grid(c, asked.shape, [&](const Job& of_process) {
    Job job = of_process;
    if (asked.verify) job.checks.emplace();
    job.checkpoint_seconds = asked.checkpoint_seconds;
    const Graph graph =
        cluster::share_graph(job.processes, job.processes.first() ? c.graph : Graph());
    const CollectiveResult mine = collective_solve(job, graph, asked.options);
    if (!job.processes.first()) return;
    found.report = mine.result.report();
    if (asked.options.question.statistics) found.statistics = mine.result.statistics();
    found.verified = mine.verified;
  });
  return found;
}

/// As the problem says, to a .zarr.
JobQuestion asked_of(Case& c) {
  JobQuestion asked{{c.problem.grid_rows, c.problem.grid_columns}, c.options()};
  asked.options.storage.output = c.path("out.zarr");
  asked.options.question.statistics = c.random.below(2) == 0;
  const bool dense = c.problem.algorithm == Algorithm::floyd_warshall;
  if (dense && c.random.below(2) == 0) asked.checkpoint_seconds = 0;
  return asked;
}

}  // namespace

void ask_job(Case& c) {
  JobQuestion asked = asked_of(c);
  SolveOptions& options = asked.options;
  options.question.sources = c.problem.sources;
  options.question.targets = c.problem.targets;
  asked.verify = options.question.targets.empty() && c.random.below(2) == 0;
  const bool all = options.question.sources.empty() && options.question.targets.empty();
  const std::uint64_t output = c.random.below(8);
  if (output == 0) options.storage.output.clear();
  if (output == 1) options.storage.output = c.path("out.npy");
  const bool factor = c.problem.keep == Keep::factor && all && output >= 2;
  if (factor) options.storage.stored = Keep::factor;
  options.storage.compress = output == 2;
  const bool planes = all && !factor && c.problem.gpus == 0;
  options.question.predecessors = output == 3 && planes;
  options.question.via = output == 4 && planes;
  options.question.hops = output == 5 && planes;
  if (output == 0 || factor || options.question.via || options.question.hops)
    asked.checkpoint_seconds.reset();
  const Found found = solve_on(c, asked);
  if (asked.verify) {
    require(found.verified.has_value(), "nothing was verified");
    require(found.verified->passed || c.truth().cyclic(), "the job's rows do not verify: {}",
            found.verified->meaning);
  }
  const bool whole = c.truth().whole() && !c.truth().cyclic();
  if (options.question.statistics && whole)
    judge_statistics(c, options, *found.statistics, found.report);
  if (!options.storage.output.empty()) judge_stored(c, options, found.report);
}

void ask_job_resumed(Case& c) {
  JobQuestion asked = asked_of(c);
  EndsEarly early(c.problem.count);
  asked.options.control = {&early, &early.flag};
  try {
    solve_on(c, asked);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    asked.options.control = {};
    asked.options.storage.resume = true;
    if (c.random.below(4) == 0) {
      c.solve(asked.options);
    } else {
      asked.shape = {.rows = static_cast<int>(1 + c.random.below(2)),
                     .cols = static_cast<int>(1 + c.random.below(3))};
      solve_on(c, asked);
    }
  }
  const Result opened = open_result(asked.options.storage.output);
  judge_all(c, opened);
  require(opened.verify().passed || c.truth().cyclic(), "the resumed result does not verify");
}

void ask_job_update(Case& c) {
  const JobQuestion asked = asked_of(c);
  c.solve(asked.options);
  Changes changes(c);
  UpdateOptions options;
  options.threads = c.problem.threads;
  options.device = asked.options.machine.device;
  changes.or_told([&] {
    on_grid(c, asked.shape, [&](const Job& job) {
      collective_update(
          job, asked.options.storage.output, [&](const Graph&) { return changes.graph(); },
          options);
    });
    changes.judge(open_result(asked.options.storage.output));
  });
}

}  // namespace apsp::campaign
