// What killed runs left beside an output, for people and for programs.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/session.hpp"
#include "store/leftovers.hpp"

namespace apsp::cli {

/// "removed", "restored", "in use", "unknown"; with `listed`, "to remove" and "to restore".
std::string fate_text(store::Fate fate, bool listed);

/// Why it stays, or what of it could be resumed; may be empty.
std::string why_text(const store::Leftover& leftover, bool listed);

nlohmann::json to_json(const store::Leftover& leftover, bool listed);

/// Before a run writes `output`: removes what killed runs left beside it and notes each; what stays
/// is noted with the reason; what can be resumed is spared unless told otherwise. Never a failure
/// of the run itself. "-" and "" are no outputs.
void clean_beside(const Session& session, const std::string& output,
                  store::Resumables resumables = store::Resumables::spared);

}  // namespace apsp::cli
