// A factor of other weights, in the order of one that exists.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <functional>
#include <memory>

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

/// The factor of `graph`. Throws as `Result::update`.
UpdatedFactor updated_factor(const FactorBefore& before, const Graph& graph,
                             const UpdateOptions& options);

}  // namespace apsp::api
