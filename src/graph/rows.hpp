// Edges in any order, sorted into compressed sparse rows.
//
// A plain counting sort writes to a random place in memory for every arc, which is slower than
// parsing the text the arcs came from. So arcs go first to one of a few hundred buckets of
// neighbouring rows, appended at each bucket's end, in the very arrays that will hold the rows; a
// bucket then fits the cache while its rows are sorted (`row_sort.hpp`), by all threads.
// O(n + m log(largest row)). An edge takes 16 bytes and an arc 14 while they are sorted; edges are
// given back to the system as the buckets fill, whose memory is touched only then, so that together
// they stay near 16 bytes an arc.
#pragma once

#include <apsp/graph.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace apsp::graph {

struct Rows {
  std::vector<std::int64_t> offsets;  // [n + 1]
  std::unique_ptr<Vertex[]> targets;  // [arcs], rising in a row
  std::unique_ptr<double[]> weights;  // [arcs], rising among equal targets of a row
};

/// Undirected: every edge becomes two arcs, a loop one. `edges` are given back to the system.
/// Requires: all ends < n. Throws `Error` (does_not_fit) for 2^32 arcs or more that leave the same
/// few vertices.
Rows sort_into_rows(std::size_t n, bool directed, std::vector<Edge>&& edges);

/// The arcs of a matrix. `offsets`: [n + 1] as `scan_matrix` found them; left empty in the result.
Rows compress_matrix(const WeightMatrix& matrix, const std::vector<std::int64_t>& offsets,
                     int threads);

}  // namespace apsp::graph
