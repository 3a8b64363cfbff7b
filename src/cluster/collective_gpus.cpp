#include "cluster/collective_gpus.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <string>
#include <utility>

#include "api/earlier_run.hpp"
#include "planner/device_model.hpp"

namespace apsp::cluster {

planner::DevicePreference device_preference(const SolveOptions& options) {
  return {options.device, options.device_ordinals};
}

ProcessPlace place_of(const Job& job) {
  return {job.shape.rows, job.shape.cols, job.on_machine, job.of_machine, job.shape.offload};
}

dense::Shape shape_on_grid(const Job& job, const Graph& graph, bool with_via) {
  const bool triangle = graph.symmetric() && job.shape.rows == job.shape.cols && !with_via;
  return triangle ? dense::Shape::symmetric : dense::Shape::full;
}

GpusTogether::GpusTogether(const Job& job, const Graph& graph, const SolveOptions& options,
                           const std::optional<store::Resumable>& earlier)
    : job_(job), graph_(graph), options_(options), earlier_(earlier) {}

planner::DeviceProblem GpusTogether::problem_of(const planner::Plan& plan) const {
  return {.n = plan.n,
          .kernel = {plan.kernel_semiring(), plan.type, plan.sign, plan.with_via},
          .shape = shape_on_grid(job_, graph_, plan.with_via),
          .distance_bound = plan.distance_bound,
          .tile = options_.tile,
          .memory = options_.device_memory,
          .threads = plan.threads * job_.processes.size()};
}

/// `start`: seconds until the driver is up.
bool GpusTogether::may_take_one(const planner::Plan& plan, double start) const {
  if (options_.device == Device::cpu) return false;
  if (plan.rows()) return plan.on_device.has_value();
  if (!planner::why_not_on_cuda(problem_of(plan)).empty()) return false;
  return named() || host_.solve.seconds(static_cast<double>(plan.n)) >= 2 * start;
}

void GpusTogether::prepare(const planner::Plan& plan, const planner::RateSource& rates) {
  const planner::DeviceProblem problem = problem_of(plan);
  if (options_.device == Device::automatic && !plan.rows()) {
    host_ = planner::host_rates(rates, plan.kernel(), problem.shape, problem.threads, plan.n);
  }
  const double start = planner::driver_start_seconds(rates);
  if (!may_take_one(plan, start)) return;
  try {
    const planner::DeviceFacts device =
        own_device(device_preference(options_), place_of(job_), job_.find).list.front();
    question_ = {problem.kernel, problem.shape, device, plan.threads, 0, start};
    if (plan.rows()) return;
    question_->solve = planner::relaxations(plan.n, problem.shape) / job_.processes.size() /
                       planner::assumed_offload_rates(problem.kernel, device).relaxations;
  } catch (const Error& error) {
    if (named() || error.kind() != ErrorKind::device) throw;
  }
}

void GpusTogether::choose(planner::Plan& plan) {
  Processes& processes = job_.processes;
  rates_ = collective_gpu_rates(job_, question_);
  if (processes.least(question_ && !plan.rows() ? 1 : 0) == 1) take_messages();
  rates_.host = [host = host_](auto&&...) { return host; };
  planner::DeviceChoice choice;
  processes.collective([&] { choice = choose_mine(plan); });
  const Streaming streaming = streaming_of_all(choice);
  processes.collective([&] {
    if (streaming.streams && choice.cuda) choice = choose_mine(plan, streaming);
  });
  take(std::move(choice), plan);
  if (plan.on_device && streaming.streams) agree_on_panels(*plan.on_device);
}

/// Panels go through host memory, where each is copied in and out, at most as fast as messages.
void GpusTogether::take_messages() {
  if (!job_.messages || job_.direct || job_.processes.size() == 1) return;
  MessageRates messages;
  job_.processes.apart([&] { messages = job_.messages(); });
  const double copied = 2 * messages.slowest().bytes;
  rates_.link = [link = rates_.link, copied](const planner::RateQuery& asked) {
    std::optional<planner::LinkRates> rates = link(asked);
    if (!rates) rates.emplace();
    rates->copied = copied;
    return rates;
  };
}

planner::DeviceChoice GpusTogether::none_because(const std::string& why) const {
  // The CPU would round sums in another order.
  const bool only_gpus = earlier_ && api::rounded_by_gpus(*earlier_);
  if (named()) {
    throw Error(ErrorKind::usage, why + (only_gpus ? "; give GPUs as much memory as they began with"
                                                   : "; use `device=cpu`"));
  }
  return {std::nullopt, why};
}

planner::DeviceChoice GpusTogether::choose_mine(const planner::Plan& plan,
                                                const Streaming& all) const {
  if (plan.rows()) return {plan.on_device, {}};
  ProcessPlace place = place_of(job_);
  place.streams = place.streams || all.streams;
  planner::DeviceProblem problem = problem_of(plan);
  if (earlier_) problem.tile = api::tile_of(*earlier_);
  if (all.streams) problem.memory = all.memory;
  planner::DeviceChoice choice =
      choose_process_device(problem, device_preference(options_), place, job_.find, rates_);
  if (!choice.cuda || !earlier_ || choice.cuda->tile == problem.tile) return choice;
  return none_because(
      fmt::format("the earlier run has tiles of {}, and these GPUs take {} with their memory",
                  problem.tile, choice.cuda->tile));
}

Streaming GpusTogether::streaming_of_all(const planner::DeviceChoice& choice) const {
  const bool streams = choice.cuda && choice.cuda->streamed;
  const std::int64_t memory = choice.cuda ? choice.cuda->bytes_allowed : INT64_MAX;
  return {job_.processes.least(streams ? 0 : 1) == 0, job_.processes.least(memory)};
}

/// Panels are those of process 0.
void GpusTogether::agree_on_panels(planner::DevicePlan& device) const {
  Processes& all = job_.processes;
  dense::OffloadPlan& panels = device.offload;
  for (std::int64_t* const figure : {&panels.width, &panels.buffers, &panels.strip_rows,
                                     &panels.buffer_values, &panels.device_bytes}) {
    *figure = all.of_first(*figure);
  }
  device.tile = panels.width;
  device.bytes = panels.device_bytes;
}

void GpusTogether::take(planner::DeviceChoice choice, planner::Plan& plan) const {
  Processes& processes = job_.processes;
  const std::int64_t lacking =
      processes.least(choice.cuda ? processes.size() : std::int64_t{processes.rank()});
  if (lacking < processes.size()) {
    plan.why.device =
        choice.cuda ? fmt::format("process {} has no GPU for it", lacking) : std::move(choice.why);
    return;
  }
  plan.on_device = std::move(choice.cuda);
}

}  // namespace apsp::cluster
