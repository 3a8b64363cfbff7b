#include "planner/find_plan.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/seconds_since.hpp"
#include "planner/advice.hpp"
#include "planner/choice.hpp"
#include "planner/dense_candidates.hpp"
#include "planner/findings.hpp"
#include "planner/problem.hpp"

namespace apsp::planner {
namespace {

/// Seconds of work before a solve that an estimate did not do.
double seconds_put_off(const Plan& plan) {
  constexpr double kBounding = 0.3e-6;  // s a vertex
  if (!plan.estimates) return 0;
  double seconds = plan.estimated_type ? kBounding * static_cast<double>(plan.n) : 0;
  if (plan.rows() && plan.rows()->factor()) {
    seconds += estimate_ordering(plan.estimates->trees, plan.threads).seconds;
  }
  return seconds;
}

/// Adds the time of planning to the prediction, as a caller waits for it. The first solve of a
/// process also starts threads and touches pages of code.
void add_planning(double seconds, Plan& plan) {
  constexpr double kFirst = 1.2e-3;  // s
  // A driver has started by now; its assumed time no longer counts.
  const double least = plan.on_device ? -plan.predicted.start : 0;
  const double more = std::max(least, seconds + kFirst - plan.predicted.start);
  plan.predicted.start += more;
  plan.predicted.seconds += more;
  add_to_all(more, plan);
}

}  // namespace

Plan plan_for(const PlanRequest& asked) {
  const auto began = std::chrono::steady_clock::now();
  Planned planned = choose_method(asked, describe_problem(asked));
  if (const Refusal* const refusal = std::get_if<Refusal>(&planned)) {
    throw refused(asked, *refusal);
  }
  Plan plan = std::get<Plan>(std::move(planned));
  add_planning(base::seconds_since(began) + seconds_put_off(plan), plan);
  return plan;
}

Plan find_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates, std::int64_t estimated_from) {
  return plan_for({graph, options, find, rates, estimated_from});
}

Plan make_plan(const Graph& graph, const SolveOptions& options, const FindDevices& find,
               const RateSource& rates) {
  const PlanRequest asked{graph, options, find, rates};
  Plan plan = plan_for(asked);
  if (!plan.fits()) throw does_not_fit(asked, plan);
  return plan;
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
  DeviceChoice choice = try_device(problem, preference, find, rates);
  if (choice.refused) throw RefusedSolve(ErrorKind::device, choice.why, {});
  if (choice.cuda && !choice.cuda->fits()) {
    throw does_not_fit(problem, preference, *choice.cuda, find);
  }
  if (choice.cuda) {
    plan.method = DensePlan{choice.cuda->tile};
    plan.shape = choice.cuda->shape;
  } else {
    set_host_tile(problem.tile, plan);
  }
  plan.why.device = std::move(choice.why);
  plan.why.cpu_seconds = choice.cpu_seconds;
  plan.on_device = std::move(choice.cuda);
  return plan;
}

}  // namespace apsp::planner
