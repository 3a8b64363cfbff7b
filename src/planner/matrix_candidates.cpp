#include "planner/matrix_candidates.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/cpu/bits.hpp"
#include "planner/choose_tile.hpp"
#include "planner/memory.hpp"
#include "planner/prediction.hpp"

namespace apsp::planner {
namespace {

/// Whether a GPU computes rows much faster than the matrix, which takes a second and more from so
/// many vertices on. A search scans an arc in the time of some 600 relaxations. The bound is
/// higher, so that the plan compares both in close cases.
bool matrix_is_hopeless(std::int64_t vertices, std::int64_t arcs) {
  constexpr std::int64_t kVertices = 32768;
  constexpr double kRelaxationsAnArc = 1024;
  const auto n = static_cast<double>(vertices);
  return vertices >= kVertices && static_cast<double>(arcs) * kRelaxationsAnArc < n * n;
}

/// Whether a named GPU computes rows, so that no matrix has to fit it.
bool finds_rows_on_device(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  if (options.consumer.on_device_rows) return true;
  if (options.machine.device != Device::cuda) return false;
  const bool may = options.method.algorithm == Algorithm::automatic &&
                   looks_sparse(problem.n, asked.graph.arc_count());
  if (!names_rows(options) && !may) return false;
  const Algorithm algorithm =
      names_rows(options) ? options.method.algorithm : Algorithm::nested_dissection;
  return why_not(algorithm, asked.graph, options, problem).empty();
}

}  // namespace

void set_host_tile(std::int64_t asked, Plan& plan) {
  plan.method =
      DensePlan{asked > 0 ? asked : choose_tile(plan.n, plan.threads, operations_of(plan))};
  if (!plan.in_bits()) return;
  plan.method = DensePlan{kernels::cpu::BitLine::kColumns};
  plan.shape = dense::Shape::full;
}

Plan matrix_on_host(const PlanRequest& asked, const Problem& problem, std::string why) {
  Plan plan(problem);
  set_host_tile(asked.options.method.tile, plan);
  plan.why.device = std::move(why);
  return plan;
}

Planned matrix_in_memory(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  const bool by_rows = finds_rows_on_device(asked, problem);
  const bool factored = options.machine.device == Device::cuda && problem.leaves_factor();
  const bool hopeless =
      by_rows && (names_rows(options) || matrix_is_hopeless(problem.n, asked.graph.arc_count()));
  Plan plan = matrix_on_host(asked, problem);
  if (!factored && !options.consumer.on_device_rows &&
      !hopeless) {  // a matrix provides no rows on a device
    DeviceChoice choice = try_device({.n = problem.n,
                                      .kernel = problem.kernel(),
                                      .shape = problem.shape,
                                      .distance_bound = problem.distance_bound,
                                      .tile = options.method.tile,
                                      .memory = options.machine.device_memory,
                                      .threads = problem.threads,
                                      .stays_in_bits = plan.stays_in_bits()},
                                     {options.machine.device, options.machine.device_ordinals},
                                     asked.find, asked.rates);
    if (choice.refused) return Refusal{ErrorKind::device, std::move(choice.why)};
    const bool fits = !choice.cuda || choice.cuda->fits();
    if (!fits && !by_rows) {
      return Refusal{ErrorKind::does_not_fit,
                     limits_of_rows_on_device(asked, problem) + choice.cuda->too_small,
                     choice.cuda->bytes};
    }
    plan.why.device = std::move(choice.why);
    plan.why.cpu_seconds = choice.cpu_seconds;
    if (choice.cuda && fits) {
      plan.method = DensePlan{choice.cuda->tile};
      plan.shape = choice.cuda->shape;
      plan.on_device = std::move(choice.cuda);
    }
  }
  plan.bytes = plan_memory(asked.graph, options, plan).peak();
  plan.disk.output = output_bytes(plan, options);
  if (!names_rows(options) && (plan.on_device || options.machine.device != Device::cuda)) {
    plan.predicted = predict(plan, asked.graph.arc_count(), options, asked.rates);
  }
  return plan;
}

std::string limits_of_rows_on_device(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  if (options.machine.device != Device::cuda || options.method.algorithm != Algorithm::automatic ||
      !looks_sparse(problem.n, asked.graph.arc_count())) {
    return {};
  }
  std::string text;
  SolveOptions on_cpu = options;
  on_cpu.machine.device = Device::cpu;
  for (const Algorithm algorithm : {Algorithm::nested_dissection, Algorithm::johnson}) {
    const std::string why = why_not(algorithm, asked.graph, options, problem);
    const bool by_device = !why.empty() && why_not(algorithm, asked.graph, on_cpu, problem).empty();
    if (by_device) text += fmt::format("{} {}. ", name(algorithm), why);
  }
  return text.empty() ? text : text + "As a matrix ";
}

}  // namespace apsp::planner
