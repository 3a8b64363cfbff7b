#include "api/solve_report.hpp"

#include "planner/plan_line.hpp"

namespace apsp::api {

SolveReport report_of(const planner::Plan& plan) {
  SolveReport report;
  report.plan = planner::plan_line(plan);
  report.seconds_predicted = plan.predicted.seconds;
  report.prediction_rough = plan.predicted.rough;
  report.algorithm = plan.algorithm;
  report.device = plan.device;
  report.value_type = plan.type;
  report.semiring = plan.semiring;
  report.threads = plan.threads;
  report.tile = plan.tile;
  report.relaxations = plan.relaxations();
  report.bytes_planned = plan.bytes;
  report.sources = plan.sources();
  report.targets = plan.targets();
  report.bytes_matrix = plan.sources() * plan.targets() * size_of(plan.type);
  report.unit_roundoff = plan.unit_roundoff;
  return report;
}

}  // namespace apsp::api
