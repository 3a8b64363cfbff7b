// Edges in any order, sorted into compressed sparse rows.
//
// A plain counting sort writes to a random place in memory for every arc, which is slower than
// parsing the text the arcs came from. So arcs go first to one of a few hundred buckets of
// neighbouring rows, appended at each bucket's end, in the very arrays that will hold the rows; a
// bucket then fits the cache while its rows are sorted (`row_sort.hpp`), by all threads.
// O(n + m log(largest row)), and 2 bytes an arc besides the result.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <vector>

namespace apsp::graph {

struct Rows {
  std::vector<std::int64_t> offsets;  // [n + 1]
  std::vector<Vertex> targets;        // [arcs], rising in a row
  std::vector<double> weights;        // [arcs], rising among equal targets of a row
};

/// Undirected: every edge becomes two arcs, a loop one. `edges` are given back to the system before
/// rows are sorted. Requires: all ends < n. Throws `Error` (does_not_fit) for 2^32 arcs or more
/// that leave the same few vertices.
Rows sort_into_rows(std::size_t n, bool directed, std::vector<Edge>&& edges);

}  // namespace apsp::graph
