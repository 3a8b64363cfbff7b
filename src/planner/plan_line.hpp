// A plan for people: one line that fits a terminal, and rows for those who ask for more.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

/// Columns that "plan: " and the line may take together.
inline constexpr std::size_t kPlanColumns = 100;

/// The worker (plan.hpp), and ", resident" or ", streamed" for a GPU.
std::string place(const Plan& plan);
/// How far off a distance may be: "exact", "error at most 6.0e-08 an edge of the path, relative".
std::string precision(const Plan& plan);
/// The same in a few words for the line: "error 6.0e-08/edge"; empty where all is exact.
std::string short_precision(const Plan& plan);
/// "4.81 s", "about 5 s" where the figures behind it were not measured on this machine.
std::string predicted(const Prediction& prediction);

/// "floyd-warshall min-plus f32 on 2 CPU threads, 256.2 MiB, error 6.0e-08/edge, predicted 4.81 s":
/// what matters most, and of the rest what fits; with "plan: " before it at most `kPlanColumns`.
/// `of`: what the prediction is of, where that is not the whole work: "distances ".
std::string plan_line(const Plan& plan, const std::string& of = "");

/// The whole plan, a subject and what was chosen, with the reason where there is one.
std::vector<std::pair<std::string, std::string>> plan_rows(const Plan& plan);

/// The same as plain values.
PlanReport plan_report(const Plan& plan);

}  // namespace apsp::planner
