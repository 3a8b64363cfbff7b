#include "cluster/launched_job.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include "api/earlier_run.hpp"
#include "base/byte_stream.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/collective_read.hpp"
#include "cluster/launch.hpp"
#include "cluster/measure_messages.hpp"
#include "rates/measured_rates.hpp"

namespace apsp::cluster {
namespace {

Placement placement_of(const JobOptions& options, const GridShape& shape, const Launch& launch) {
  Placement plain{shape.rows, shape.cols};
  if (!options.block_rows && !options.variant.blocked) return plain;
  if (!options.block_rows || *options.block_rows == 0) {
    const auto blocks = placed_in_blocks(shape.rows, shape.cols, launch.of_each_machine);
    if (blocks || !options.block_rows) return blocks.value_or(plain);
    throw usage_error(
        "`ranks=blocked`: the {} processes of a machine do not form a block of the {} × {} grid; "
        "choose another `grid`, or `ranks=plain`",
        launch.of_each_machine, shape.rows, shape.cols);
  }
  refuse_if(shape.rows % *options.block_rows != 0 || shape.cols % *options.block_columns != 0,
            "`ranks={}x{}` does not divide a grid of {} × {}: choose sides that do, or "
            "`ranks=plain`",
            *options.block_rows, *options.block_columns, shape.rows, shape.cols);
  plain.block_rows = *options.block_rows;
  plain.block_cols = *options.block_columns;
  return plain;
}

GridShape shape_of(const JobOptions& options, int processes) {
  GridShape shape = nearest_square(processes);
  if (options.grid_rows > 0) {
    shape.rows = options.grid_rows;
    shape.cols = options.grid_columns;
  }
  const std::int64_t wanted = std::int64_t{shape.rows} * shape.cols;
  refuse_if(wanted != processes, "`grid={}x{}` is for {}, and there are {}", shape.rows, shape.cols,
            base::counted(wanted, "process", "processes"), processes);
  shape.transport.broadcasts = options.variant.broadcasts;
  shape.transport.cuda_aware = options.cuda_aware;
  shape.schedule = options.variant.schedule;
  shape.offload = options.variant.offload;
  return shape;
}

}  // namespace

int run_job(Launch& launch, const JobOptions& options, const Cancellation* cancellation,
            const std::function<int(Job&)>& work) {
  const GridShape shape = shape_of(options, launch.size);
  const auto communicator = meet_on_grid(launch, placement_of(options, shape, launch));
  Processes processes(*communicator);
  refuse_if(options.cuda_aware && !communicator->reads_devices(),
            "`cuda_aware`: this MPI does not report that it can read GPU memory; leave the option "
            "out, and panels go through the host");
  try {
    rates::RatePolicy policy = rates::rate_policy(cancellation);
    policy.processes = launch.of_machine;
    if (options.measure && policy.measuring != rates::Measuring::never) {
      policy.measuring = rates::Measuring::always;
      policy.renew = true;
    }
    rates::MeasuredRates measured(std::move(policy));
    Job job{processes, shape, launch.of_machine, launch.on_machine};
    job.find = measured.find();
    job.rates = measured.source();
    job.messages = [&] { return measure_messages(processes, launch.machine); };
    job.links = launch.links.get();
    job.why_no_links = launch.why_no_links;
    job.direct = options.variant.broadcasts.panels == dense::Broadcast::direct;
    return processes.of_first(work(job));
  } catch (const std::exception& error) {
    launch.broken = !processes.in_step();
    if (!launch.broken) throw;
    const auto* const ours = dynamic_cast<const Error*>(&error);
    throw Error(ours != nullptr ? ours->kind() : ErrorKind::defect,
                fmt::format("process {} of {}: {}", launch.rank, launch.size, error.what()));
  }
}

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
    const auto earlier = api::earlier_run(processes, *request.resumed);
    processes.run_local([&] {
      program.take_up(earlier);
      if (processes.first()) graph = earlier->graph(store::posix_file_system());
    });
  }
  processes.run_local([&] { program.check(processes.first()); });
  if (request.resumed) {
    processes.communicate([&] { graph = share_graph(processes, graph); });
    return graph;
  }
  ReadOptions reading = request.reading;
  reading.threads = threads_of_process(launch, reading.threads);
  return collective_read(processes, request.graph, reading);
}

SolveOptions options_of_all(const Launch& launch, JobProgram& program, Processes& processes,
                            const Graph& graph) {
  SolveOptions options;
  processes.run_local([&] { options = program.options(graph, processes.first()); });
  processes.communicate([&] {
    share_choice(processes, options.question.sources);
    share_choice(processes, options.question.targets);
  });
  options.storage.keep = Keep::statistics;
  options.machine.threads = threads_of_process(launch, options.machine.threads);
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
    job.processes.run_local([&] {
      if (job.processes.first()) code = program.tell(found);
    });
    return code;
  });
}

}  // namespace apsp::cluster
