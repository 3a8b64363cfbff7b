// The two ways through the rows of an edge list.
//
// Almost all edge lists are columns of plain integers: `read_numbered_rows` takes those in one pass
// without looking anything up. It gives up, silently, on whatever is not as simple as that;
// `read_named_rows` then reads the rows again, takes names and quotes, and is the only one to find
// errors.
#pragma once

#include <memory>

#include "graph/arc_buckets.hpp"
#include "io/edge_list_layout.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {

/// Arcs between the integers of the file, not yet numbered from 0; null if a row is anything but
/// integers below 2^32 − 1 and a weight. `mirrored`: every row is two arcs.
std::shared_ptr<graph::ArcBuckets> read_numbered_rows(TextCursor& cursor,
                                                      const EdgeListLayout& layout, bool mirrored,
                                                      EdgeListComments& comments);

/// Arcs between names by their order of appearance.
struct NamedRows {
  std::shared_ptr<graph::ArcBuckets> arcs;
  VertexNames names;
};

/// Throws `Error` (input).
NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout, bool mirrored,
                          EdgeListComments& comments);

}  // namespace apsp::io
