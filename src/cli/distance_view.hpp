// Distances of pairs as text and as JSON.
#pragma once

#include <apsp/solve.hpp>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace apsp::cli {

struct PairDistance {
  VertexPair pair;
  double distance;
};

bool is_reachable(Semiring semiring, const PairDistance& of);

/// In the shortest form that reads back as the same value: "120", "0.1", "inf".
std::string distance_text(ValueType type, double distance);

/// Lines "from,to,distance", names in quotes where CSV asks for them; no titles.
std::string distance_lines(const Graph& graph, ValueType type, std::span<const PairDistance> pairs);

nlohmann::json distances_json(const Graph& graph, Semiring semiring,
                              std::span<const PairDistance> pairs);

}  // namespace apsp::cli
