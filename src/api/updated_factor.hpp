// A factor of other weights, in the order of one that exists.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "elimination/factor.hpp"

namespace apsp::api {

/// What is known of the factor before.
struct FactorBefore {
  const Graph& graph;
  std::shared_ptr<const elimination::Tree> tree;
  Semiring semiring;
  ValueType type;
  /// Its values, if they are asked for: they may rest in a file.
  std::function<std::shared_ptr<const elimination::Factor>()> factor;
};

struct UpdatedFactor {
  std::shared_ptr<const elimination::Factor> factor;
  Graph graph;  ///< with the numbers of the vertices that the factor has
  UpdateReport report;
};

/// The type of a new result: that of the one before, or a wider one where it does not hold the
/// weights. Throws `Error` where there is none; usage for real weights of both signs.
ValueType type_after(const Graph& graph, Semiring semiring, ValueType before, int threads,
                     const Control& control);

/// How many edges the arcs are, of graphs that are directed or not.
std::int64_t edges_of(const std::vector<VertexPair>& arcs, bool each_way);

/// Throws `Error` (does_not_fit). `held`: bytes of graphs, which count where memory was named.
void require_update_room(std::int64_t needed, std::int64_t held, const UpdateOptions& options);

/// The factor of `graph`. Throws as `Result::update`.
UpdatedFactor updated_factor(const FactorBefore& before, const Graph& graph,
                             const UpdateOptions& options);

}  // namespace apsp::api
