// Text about a solve: plan, candidates, costs, verification.
#pragma once

#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <string>
#include <string_view>

#include "cli/context.hpp"

namespace apsp::cli {

/// One row per subject, without a final line end.
std::string plan_text(const PlanReport& plan, const TerminalStyle& look);

/// Notes the plan's line before the solve, or all of it with --verbose, unless this is a job.
void note_plan(const Context& context, const PlanReport& plan);

/// All candidates: algorithm, place, residence of the distances, seconds, memory, and the reason
/// for a refusal.
std::string candidates_text(const PlanReport& plan, const TerminalStyle& look);

/// The origin of the predictions: "figures of this machine, measured 2026-11-22; …".
std::string figures_text(const PlanReport& plan);

/// "done in 1.32 s: read 0.10 s, prepare …, solve … (3.2 G relaxations/s on 2 threads), store …";
/// after a GPU "solve 3.1 s (2.5 s in NVIDIA H200, predicted 2.4 s, 14.1 T relaxations/s on
/// cuda:0)".
std::string timing_line(const SolveReport& report, double seconds_read);
/// The bandwidth that several processes reached. Requires: `report.bandwidth` is not 0.
std::string bandwidth_line(const SolveReport& report);

/// The checks as a table. `read_back`: the file that was written and read again; may be empty.
std::string verify_text(const VerifyReport& report, const TerminalStyle& look,
                        std::string_view read_back = {});

}  // namespace apsp::cli
