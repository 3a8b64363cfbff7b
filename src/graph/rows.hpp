// Arcs in buckets, sorted into compressed sparse rows.
//
// Every bucket of `arc_buckets.hpp` fits the cache; threads claim buckets and sort the rows of each
// there. O(n + m log(largest row)). An arc takes 8 to 16 bytes in its bucket and
// 12 in its row: at most 28 while they are sorted, 12 and 8 a vertex afterwards.
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
  std::vector<std::int64_t> offsets;      // [n + 1]
  std::unique_ptr<Vertex[]> targets;      // [arcs], rising in a row
  std::unique_ptr<double[]> weights;      // [arcs], rising among equal targets of a row
  std::vector<double> largest;            // [n] the largest |w| of each row; of a matrix empty
  bool order_known = false;               // of parallel arcs
  std::vector<ParallelPlace> as_given{};  // as `Graph` holds it
};

/// Whether both ends are vertices below n and the weight is finite.
inline bool is_usable(const Edge& edge, std::size_t n) {
  return edge.from < n && edge.to < n && std::isfinite(edge.weight);
}
/// Throws `Error` (usage) that names what is wrong with an edge that is not usable.
[[noreturn]] void fail_unusable(const Edge& edge, std::size_t n);

/// `first_id`: what vertex 0 is called in the buckets, and the least that occurs. Requires:
/// arcs.greatest() < n + first_id. Throws `Error` (does_not_fit) for 2^32 arcs or more that leave
/// the same few vertices.
CompressedRows sort_into_rows(ArcBuckets&& arcs, std::int64_t n, Vertex first_id = 0);

/// Undirected: every edge becomes two arcs, a loop one. `edges` are given back to the system on the
/// way. `in_order`: as of `ArcBuckets`. Throws `Error` (usage) for the first edge with an end that
/// is no vertex, or a weight that is not finite.
ArcBuckets collect_arcs(std::vector<Edge>&& edges, std::int64_t n, bool directed, int threads,
                        bool in_order);

/// The arcs of a matrix. `offsets`: [n + 1] as `scan_matrix` found them; left empty in the result.
CompressedRows compress_matrix(const WeightMatrix& matrix, const std::vector<std::int64_t>& offsets,
                               int threads);

/// All arcs of the rows together.
struct RowFacts {
  WeightFacts weights;
  std::int64_t loops = 0;
};

/// Of rows that came sorted. offsets: [n + 1], rising from 0. Pages of mapped files are given back
/// on the way. Throws `Error` (usage) for an end that is no vertex, a weight that is not finite and
/// arcs out of order.
RowFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs, int threads);

/// Gives the pages of the first `count` arcs back, where files hold them.
void release_arcs(const ArcArrays& arcs, std::int64_t count);

}  // namespace apsp::graph
