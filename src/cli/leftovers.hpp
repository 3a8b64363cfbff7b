// Files that killed runs left next to an output: `apsp clean`, and what every run does before it
// writes.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "store/leftovers.hpp"

namespace apsp::cli {

/// Before a run writes `output`: removes what killed runs left next to it, and notes each. Files
/// that are kept are noted with the reason. Never a failure of the run itself. "-" and "" are not
/// outputs.
void clean_beside(const Context& context, const std::string& output,
                  store::Resumables resumables = store::Resumables::spared);

}  // namespace apsp::cli
