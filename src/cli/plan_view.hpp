// The plan of a solve as tables: the whole of it for --verbose, and the ways it was chosen among.
#pragma once

#include <apsp/solve.hpp>
#include <string>

#include "cli/look.hpp"

namespace apsp::cli {

/// A row a subject, without the last line's end.
std::string plan_text(const PlanReport& plan, const Look& look);

/// Every way to solve: algorithm, place, where distances are, seconds, memory, and why it is not
/// taken.
std::string candidates_text(const PlanReport& plan, const Look& look);

/// Where the seconds come from: "figures of this machine, measured 2026-11-22; …".
std::string figures_text(const PlanReport& plan);

}  // namespace apsp::cli
