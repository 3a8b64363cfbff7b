// What `apsp info` says of the machine and the build.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/look.hpp"

namespace apsp::cli {

/// Characters of a table whose lists of what is built in stay whole.
inline constexpr std::size_t kWidestTable = 200;

/// What predictions go by. `rates`: of `machine` below.
std::string rates_text(const nlohmann::json& rates, const Look& look);

/// `machine`: as `calibration::machine_report` gives it.
std::string machine_text(const nlohmann::json& machine, const Look& look);

}  // namespace apsp::cli
