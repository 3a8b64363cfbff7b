// The types of value that a semiring takes, and graphs of all of both.
#pragma once

#include <apsp/semiring.hpp>

#include <vector>

#include "support/random_graph.hpp"

namespace apsp {

inline std::vector<ValueType> types_of(Semiring semiring) {
  std::vector<ValueType> types;
  for (const ValueType type : all_value_types()) {
    if (supported(semiring, type)) types.push_back(type);
  }
  return types;
}

/// A semiring and a type that it takes.
struct TypedSemiring {
  Semiring semiring;
  ValueType type;
};
inline std::vector<TypedSemiring> all_kinds() {
  std::vector<TypedSemiring> kinds;
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : types_of(semiring)) kinds.push_back({semiring, type});
  }
  return kinds;
}

/// A graph, and how it is solved.
struct TypedGraph {
  Graph graph;
  Semiring semiring;
  ValueType type;
  std::uint64_t seed;  ///< another one for each graph, from 1 on
};

/// Graphs for every semiring and type, directed and not, of n vertices and n times each of
/// `densities` arcs, with integer weights from 1 to `greatest`. Those of longest paths are acyclic.
inline std::vector<TypedGraph> typed_graphs(const std::vector<std::int64_t>& sizes,
                                            const std::vector<double>& densities, double greatest) {
  std::vector<TypedGraph> all;
  for (const auto [semiring, type] : all_kinds()) {
    const bool longest = semiring == Semiring::max_plus;
    for (const bool directed : {false, true}) {
      if (longest && !directed) continue;
      for (const std::int64_t n : sizes) {
        for (const double density : densities) {
          const std::uint64_t seed = all.size() + 1;
          const auto arcs = static_cast<std::int64_t>(density * static_cast<double>(n));
          all.push_back({random_graph(n, arcs, 1, greatest,
                                      {.directed = directed, .acyclic = longest, .seed = seed}),
                         semiring, type, seed});
        }
      }
    }
  }
  return all;
}

}  // namespace apsp
