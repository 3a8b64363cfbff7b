// What `apsp info` says of the machine and the build.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/look.hpp"

namespace apsp::cli {

/// `machine`: as `measure::machine_report` gives it.
std::string machine_text(const nlohmann::json& machine, const Look& look);

}  // namespace apsp::cli
