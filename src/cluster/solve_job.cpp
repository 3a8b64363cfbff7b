#include "cluster/solve_job.hpp"

#include <apsp/error.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/seconds_since.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/collective_read.hpp"

namespace apsp::cluster {
namespace {

/// Sends the vertices chosen in process 0, which may have come from its standard input.
void share_choice(Processes& processes, std::vector<Vertex>& vertices) {
  base::ByteWriter writer;
  writer.put(vertices);
  const base::ByteVector of_first = processes.share(writer.take());
  base::ByteReader reader(of_first);
  vertices = reader.get_all<Vertex>();
}

Graph read_in_step(const Launch& launch, const JobRequest& request, JobProgram& program,
                   Processes& processes) {
  Graph graph;
  if (request.resumed) {
    const auto earlier = earlier_run_of_all(processes, *request.resumed);
    processes.collective([&] {
      program.take_up(earlier);
      if (processes.first()) graph = earlier->graph(store::posix_file_system());
    });
  }
  processes.collective([&] { program.check(processes.first()); });
  if (request.resumed) {
    processes.apart([&] { graph = share_graph(processes, graph); });
    return graph;
  }
  ReadOptions reading = request.reading;
  reading.threads = threads_of_process(launch, reading.threads);
  return collective_read(processes, request.graph, reading);
}

SolveOptions options_of_all(const Launch& launch, JobProgram& program, Processes& processes,
                            const Graph& graph) {
  SolveOptions options;
  processes.collective([&] { options = program.options(graph, processes.first()); });
  processes.apart([&] {
    share_choice(processes, options.sources);
    share_choice(processes, options.targets);
  });
  options.keep = Keep::statistics;
  options.threads = threads_of_process(launch, options.threads);
  return options;
}

CollectiveResult solve_in_step(const Launch& launch, const JobRequest& request, JobProgram& program,
                               Job& job) {
  Processes& processes = job.processes;
  const auto began = std::chrono::steady_clock::now();
  const Graph read = read_in_step(launch, request, program, processes);
  const double taken = base::seconds_since(began);
  const Graph& graph = program.keep(read, taken);
  const SolveOptions options = options_of_all(launch, program, processes, graph);
  job.checks = request.checks;
  if (request.job.checkpoint_minutes) job.checkpoint_seconds = 60 * *request.job.checkpoint_minutes;
  try {
    return collective_solve(job, graph, options);
  } catch (const Error&) {
    if (processes.first()) program.ended_early(options);
    throw;
  }
}

}  // namespace

int run_solve_job(Launch& launch, const JobRequest& request, JobProgram& program) {
  return run_job(launch, request.job, request.reading.control.cancellation, [&](Job& job) {
    const CollectiveResult found = solve_in_step(launch, request, program, job);
    int code = 0;
    job.processes.collective([&] {
      if (job.processes.first()) code = program.tell(found);
    });
    return code;
  });
}

}  // namespace apsp::cluster
