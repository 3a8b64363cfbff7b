// The machine, the build and the measured rates, as `apsp info` shows them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

/// The rates that predictions use. `rates`: from `machine` below.
std::string rates_text(const nlohmann::json& rates, const TerminalStyle& look);

/// `machine`: from `rates::machine_report`.
std::string machine_text(const nlohmann::json& machine, const TerminalStyle& look);

}  // namespace apsp::cli
