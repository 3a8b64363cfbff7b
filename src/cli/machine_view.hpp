// The machine, the build and the measured rates, as `apsp info` shows them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/terminal_style.hpp"

namespace apsp::cli {

/// Rates that predictions use. `rates`: of `machine` below.
std::string rates_text(const nlohmann::json& rates, const TerminalStyle& look);

/// `machine`: as `calibration::machine_report` gives it.
std::string machine_text(const nlohmann::json& machine, const TerminalStyle& look);

}  // namespace apsp::cli
