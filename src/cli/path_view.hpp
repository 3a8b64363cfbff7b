// One path, hop by hop.
#pragma once

#include <string>
#include <vector>

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

/// Requires: `path` not empty.
std::string path_text(const Result& result, const std::vector<Vertex>& path, const Look& look);
nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path);

}  // namespace apsp::cli
