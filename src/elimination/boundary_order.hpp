// The order of the boundary algorithm: parts of the graph one after another, and last all vertices
// that have a neighbour in another part (Xia 2021, §III-C, after Djidjev 2014).
//
// Its elimination tree has two levels. What a part has inside is one supernode, whose upper
// vertices are the part's own boundary; all boundaries are the root. Closing the parts and the root
// are the paper's steps 2 and 3; a sweep from the vertices of a part to those of another is its two
// products. METIS cuts the parts so that few arcs cross (Karypis 1998).
#pragma once

#include <cstdint>
#include <vector>

#include "elimination/order.hpp"
#include "elimination/pattern.hpp"

namespace apsp::elimination {

struct BoundaryOrder {
  /// The boundary of a part stands together too. Parts that do not touch theirs come first.
  Order order;
  std::vector<Position> first;  // where each supernode begins, rising
};

/// At most so many parts; one that is all boundary has no supernode. The same graph gives the same
/// order. Throws `Error`: does_not_fit; defect unless parts ≥ 1.
BoundaryOrder boundary_order(const Pattern& pattern, std::int64_t parts);

}  // namespace apsp::elimination
