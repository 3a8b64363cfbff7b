// What killed runs left beside an output, for people and for programs.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/session.hpp"
#include "store/leftovers.hpp"

namespace apsp::cli {

/// "removed", "restored", "in use", "unknown"; with `listed`, "to remove" and "to restore".
std::string fate_text(store::Fate fate, bool listed);

nlohmann::json to_json(const store::Leftover& leftover, bool listed);

/// Before a run writes `output`: removes what killed runs left beside it and notes each; what stays
/// is noted with the reason. Never a failure of the run itself. "-" and "" are no outputs.
void clean_beside(const Session& session, const std::string& output);

}  // namespace apsp::cli
