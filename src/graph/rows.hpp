// Sorts buckets of arcs (`arc_buckets.hpp`) into compressed sparse rows.
//
// Each bucket fits the cache; threads take buckets and sort their rows. O(n + m log(largest row)).
// At most 28 bytes per arc during the sort; afterwards 12 per arc and 8 per vertex.
#pragma once

#include <apsp/graph.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/arc_buckets.hpp"

namespace apsp::graph {

struct CompressedRows {
  std::vector<std::int64_t> offsets;  // [n + 1]
  std::unique_ptr<Vertex[]> targets;  // [arcs], increasing in a row
  std::unique_ptr<double[]> weights;  // [arcs], increasing among equal targets of a row
  std::vector<double> largest;        // [n] the largest |w| of each row; empty for a matrix
  bool order_known = false;
  std::vector<ParallelPlace> as_given{};
};

/// Whether both ends are vertices below n and the weight is finite.
inline bool is_usable(const Edge& edge, std::size_t n) {
  return edge.from < n && edge.to < n && std::isfinite(edge.weight);
}
/// Throws `Error` (usage) that explains why the edge is not usable.
[[noreturn]] void fail_unusable(const Edge& edge, std::size_t n);

/// `first_id`: the name of vertex 0 in the buckets, and the least that occurs. Requires:
/// arcs.greatest() < n + first_id. Throws `Error` (does_not_fit) if 2^32 arcs or more leave the
/// same few vertices.
CompressedRows sort_into_rows(ArcBuckets&& arcs, std::int64_t n, Vertex first_id = 0);

/// Undirected: every edge becomes two arcs, a loop one. Frees `edges` progressively. `in_order`: as
/// for `ArcBuckets`. Throws `Error` (usage) for the first edge with an unknown vertex or a weight
/// that is not finite.
ArcBuckets collect_arcs(std::vector<Edge>&& edges, std::int64_t n, bool directed, int threads,
                        bool in_order);

/// The arcs of a matrix. `offsets`: [n + 1] from `scan_matrix`; left empty in the result.
CompressedRows compress_matrix(const WeightMatrix& matrix, const std::vector<std::int64_t>& offsets,
                               int threads);

struct RowFacts {
  WeightFacts weights;
  std::int64_t loops = 0;
};

/// Facts of sorted rows. offsets: [n + 1], increasing from 0. Releases pages of mapped files
/// progressively. Throws `Error` (usage) for an unknown vertex, a weight that is not finite, and
/// arcs out of order.
RowFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs, int threads);

/// Releases the pages of the first `count` arcs of mapped files.
void release_arcs(const ArcArrays& arcs, std::int64_t count);

}  // namespace apsp::graph
