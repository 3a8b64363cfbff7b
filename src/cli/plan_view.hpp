// The whole plan of a solve as a small table, for --verbose.
#pragma once

#include <apsp/solve.hpp>
#include <string>

#include "cli/look.hpp"

namespace apsp::cli {

/// A row a subject, without the last line's end.
std::string plan_text(const PlanReport& plan, const Look& look);

}  // namespace apsp::cli
