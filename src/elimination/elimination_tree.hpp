// Parents, postorder and counts of an elimination, position by position.
#pragma once

#include <vector>

#include "elimination/order.hpp"
#include "elimination/pattern.hpp"

namespace apsp::elimination {

/// [n] the parent of each position, −1 for roots (Liu 1990), in nearly linear time.
std::vector<Position> parents_of(const Pattern& pattern, const Order& order);

/// The order renumbered so that each subtree is a run of positions that ends with its root; parents
/// are renumbered with it. The elimination stays the same.
Order postordered(const Order& order, std::vector<Position>& parents);

/// [n] how many later positions the elimination of each joins (Gilbert 1994), in
/// nearly linear time. Requires: a postorder.
std::vector<Position> structure_sizes(const Pattern& pattern, const Order& order,
                                      const std::vector<Position>& parents);

}  // namespace apsp::elimination
