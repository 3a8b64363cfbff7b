// One path, hop by hop.
#pragma once

#include <string>
#include <vector>

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>

#include "cli/look.hpp"

namespace apsp::cli {

struct Hop {
  Vertex from = 0;
  Vertex to = 0;
  double weight = 0;  ///< of the best edge from `from` to `to`
  double so_far = 0;  ///< value of the path up to `to`
};

/// The hops of a path along `result.graph()`. O(edges of the path · log degree).
std::vector<Hop> hops(const Result& result, const std::vector<Vertex>& path);

/// Requires: `path` not empty.
std::string path_text(const Result& result, const std::vector<Vertex>& path, const Look& look);
nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path);

}  // namespace apsp::cli
