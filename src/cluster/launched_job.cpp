#include "cluster/launched_job.hpp"

#include <fmt/format.h>

#include <apsp/error.hpp>
#include <exception>
#include <utility>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "cluster/measure_messages.hpp"
#include "cluster/meeting.hpp"
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

}  // namespace apsp::cluster
