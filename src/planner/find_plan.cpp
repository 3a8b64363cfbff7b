#include "planner/find_plan.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "planner/advice.hpp"
#include "planner/choice.hpp"
#include "planner/dense_candidates.hpp"
#include "planner/describe_problem.hpp"

namespace apsp::planner {
namespace {

/// Begins all predictions with the seconds of planning, as a caller waits for them, and those of a
/// bound that samples replaced. The first solve of a process also starts threads and touches pages
/// of code; the driver of a GPU has started by now.
void add_planning(double seconds, Plan& plan) {
  constexpr double kFirst = 1.2e-3;     // s
  constexpr double kBounding = 0.3e-6;  // s a vertex
  seconds += kFirst;
  if (plan.estimated_type) seconds += kBounding * static_cast<double>(plan.n);
  plan.begin_after(plan.on_device ? seconds : std::max(seconds, plan.predicted.start));
}

}  // namespace

Plan find_plan(const PlanRequest& asked) {
  const auto began = std::chrono::steady_clock::now();
  Planned planned = choose_method(asked, describe_problem(asked));
  if (const Refusal* const refusal = std::get_if<Refusal>(&planned)) {
    throw refused(asked, *refusal);
  }
  Plan plan = std::get<Plan>(std::move(planned));
  add_planning(base::seconds_since(began), plan);
  return plan;
}

Plan find_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates) {
  return find_plan({graph, options, find, rates});
}

Plan make_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates) {
  const PlanRequest asked{graph, options, find, rates};
  Plan plan = find_plan(asked);
  if (!plan.fits()) throw does_not_fit(asked, plan);
  return plan;
}

void require_searches_or_factor(Algorithm named) {
  refuse_if(named != Algorithm::automatic && named != Algorithm::johnson &&
                named != Algorithm::nested_dissection,
            "{} finds all distances; choose johnson or nested-dissection", name(named));
}

SolveOptions factor_options(ValueType type, int threads, std::int64_t memory,
                            const Control& control) {
  SolveOptions options;
  options.method = {.algorithm = Algorithm::nested_dissection, .value_type = type};
  options.machine = {.device = Device::cpu, .threads = threads, .memory = memory};
  options.storage.keep = Keep::factor;
  options.control = control;
  return options;
}

Plan plan_matrix(const DeviceProblem& problem, const DevicePreference& preference,
                 const FindDevices& find, const RateSource& rates) {
  Plan plan;
  plan.semiring = problem.kernel.semiring;
  plan.type = problem.kernel.type;
  plan.sign = problem.kernel.sign;
  plan.with_via = problem.kernel.tracks_via;
  plan.shape = problem.shape;
  plan.n = problem.n;
  plan.threads = problem.threads;
  plan.distance_bound = problem.distance_bound;
  const FoundDevices gpus(find);
  DeviceChoice choice = try_device(problem, preference, gpus, rates);
  if (choice.refused) throw RefusedSolve(ErrorKind::device, choice.why, {});
  if (choice.cuda && !choice.cuda->fits()) {
    throw does_not_fit(problem, preference, *choice.cuda, gpus);
  }
  if (!choice.cuda) set_host_tile(problem.tile, plan);
  put_matrix(std::move(choice), plan);
  return plan;
}

}  // namespace apsp::planner
