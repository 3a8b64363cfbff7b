// The factor of a graph, as one thread finds it.
#pragma once

#include <memory>

#include "elimination/eliminate.hpp"
#include "elimination/order.hpp"

namespace apsp::elimination {

/// By nested dissection; weights of any sign.
inline Factor factor_of(const Graph& graph, Semiring semiring, ValueType type) {
  const Pattern pattern = pattern_of(graph);
  return eliminate(graph, std::make_shared<const Tree>(pattern, nested_dissection(pattern)),
                   {semiring, type, kernels::Sign::any, kernels::Cycles::possible, 1, {}});
}

}  // namespace apsp::elimination
