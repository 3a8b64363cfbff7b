// What this machine offers and what this build contains: the substance of `apsp info`.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace apsp::api {

/// Keys: version, cpu, threads, memory_total, memory_available (bytes), instruction_set,
/// instruction_sets[], backends[], semirings[], formats[].
nlohmann::json machine_report();

}  // namespace apsp::api
