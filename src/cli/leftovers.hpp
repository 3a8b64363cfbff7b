// Files that killed runs left next to an output: `apsp clean`, and the clean-up before every write.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "store/leftovers.hpp"

namespace apsp::cli {

/// Removes leftovers of killed runs next to `output` and notes each; notes files that stay, with
/// the reason. Never fails. "-" and "" are not outputs.
void clean_beside(const Context& context, const std::string& output,
                  store::Resumables resumables = store::Resumables::spared);

}  // namespace apsp::cli
