// A plan in words: one line that fits a terminal, and rows with details.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

/// Columns of "plan: " and the line together.
inline constexpr std::size_t kPlanColumns = 100;

/// The worker (plan.hpp), and ", resident" or ", streamed" for a GPU.
std::string place(const Plan& plan);
/// "exact", "error at most 6.0e-08 an edge of the path, relative".
std::string precision(const Plan& plan);
/// "error 6.0e-08/edge"; empty if exact.
std::string short_precision(const Plan& plan);
/// "4.81 s", "about 5 s" if rates were not measured on this machine.
std::string predicted(const Prediction& prediction);

/// "floyd-warshall min-plus f32 on 2 CPU threads, 256.2 MiB, error 6.0e-08/edge, predicted 4.81 s":
/// the most important parts that fit `kPlanColumns`. `of`: what is predicted, if not the whole
/// work: "distances ".
std::string plan_line(const Plan& plan, const std::string& of = "");

/// Subjects and what was chosen, with reasons.
std::vector<std::pair<std::string, std::string>> plan_rows(const Plan& plan);

PlanReport plan_report(const Plan& plan);

}  // namespace apsp::planner
