// Readers of the rows of an edge list.
//
// `read_numbered_rows` reads plain integers in one pass. If a row is anything else it returns null,
// and `read_named_rows` reads the rows again with names and quotation marks; only this reader
// reports errors.
#pragma once

#include <memory>

#include "graph/arc_buckets.hpp"
#include "io/edge_list_layout.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {

/// Arcs between integers of the file; null if a row is not two integers below 2^32 − 1 and a
/// weight. `mirrored`: every row is two arcs.
std::shared_ptr<graph::ArcBuckets> read_numbered_rows(TextCursor& cursor,
                                                      const EdgeListLayout& layout, bool mirrored,
                                                      EdgeListComments& comments);

/// Arcs between names, numbered by first appearance.
struct NamedRows {
  std::shared_ptr<graph::ArcBuckets> arcs;
  VertexNames names;
};

NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout, bool mirrored,
                          EdgeListComments& comments);

}  // namespace apsp::io
