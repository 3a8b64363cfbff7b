// A solve as text: its plan, the ways it was chosen among, what it cost, and its verification.
#pragma once

#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <string>
#include <string_view>

#include "cli/context.hpp"

namespace apsp::cli {

/// A row for each subject, without the last line's end.
std::string plan_text(const PlanReport& plan, const TerminalStyle& look);

/// Notes the plan's line before the work begins, and with --verbose all of it, unless it is a
/// job's.
void note_plan(const Context& context, const PlanReport& plan);

/// Every way to solve: algorithm, place, where distances are, seconds, memory, and why it is not
/// taken.
std::string candidates_text(const PlanReport& plan, const TerminalStyle& look);

/// Where the seconds come from: "figures of this machine, measured 2026-11-22; …".
std::string figures_text(const PlanReport& plan);

/// "done in 1.32 s: read 0.10 s, prepare …, solve … (3.2 G relaxations/s on 2 threads), store …";
/// after a GPU "solve 3.1 s (2.5 s in NVIDIA H200, predicted 2.4 s, 14.1 T relaxations/s on
/// cuda:0)".
std::string timing_line(const SolveReport& report, double seconds_read);
/// What several processes reached on a matrix. Requires: `report.bandwidth` is not 0.
std::string bandwidth_line(const SolveReport& report);

/// The checks as a table. `read_back`: the file that was just written and read again, if there is
/// one.
std::string verify_text(const VerifyReport& report, const TerminalStyle& look,
                        std::string_view read_back = {});

}  // namespace apsp::cli
