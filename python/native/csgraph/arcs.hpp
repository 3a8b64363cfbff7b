// The graph of a call of apsp.csgraph: arcs in compressed sparse rows, as the solvers below want
// them.
//
// What comes from Python may hold anything: parallel arcs, loops, columns out of order, infinities
// and NaN as holes. Here each row rises strictly by target, the least of parallel arcs stays, loops
// and holes are gone. An undirected graph holds every edge in both rows, the least of both ways.
#pragma once

#include <apsp/apsp.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace apsp::python::csgraph {

struct Arcs {
  std::int64_t n = 0;
  bool directed = true;
  std::vector<std::int64_t> offsets{0};  // [n + 1]
  std::vector<Vertex> targets;           // [arcs]
  std::vector<double> weights;           // [arcs], finite
  bool negative = false;                 // some weight is below 0
  bool integral = true;                  // sums along paths are exact: integers below 2^53

  std::int64_t count() const { return offsets.back(); }
  /// Calls visit(target, weight) for the arcs of v, by rising target.
  template <class Visit>
  void for_each(Vertex v, Visit&& visit) const {
    const auto last = static_cast<std::size_t>(offsets[v + std::size_t{1}]);
    for (auto a = static_cast<std::size_t>(offsets[v]); a < last; ++a) {
      visit(targets[a], weights[a]);
    }
  }
};

/// Compressed sparse rows of a caller. Both are std::int32_t or std::int64_t.
template <class Offset, class Index>
struct SparseRows {
  std::span<const Offset> offsets;  // [n + 1]
  std::span<const Index> targets;   // [stored]
  const double* weights = nullptr;  // [stored]
};

/// How the rows are to be read.
struct Reading {
  bool directed = true;
  bool unweighted = false;    // every arc has weight 1
  bool zero_is_hole = false;  // of a matrix: 0 is no arc
  bool to_be_solved = true;   // what is a negative cycle at a glance is refused
};

/// Infinities and NaN are no arcs. Throws `Error`: usage (rows that are no rows), negative_cycle (a
/// negative loop; undirected: a negative edge). O(n + m), unsorted rows O(m log m).
template <class Offset, class Index>
std::shared_ptr<const Arcs> arcs_of_rows(const SparseRows<Offset, Index>& rows,
                                         const Reading& reading);

/// `values`: [n, n], row-major.
std::shared_ptr<const Arcs> arcs_of_matrix(const double* values, std::int64_t n,
                                           const Reading& reading);

/// The same in place, for Floyd-Warshall: no arc becomes infinity, an undirected edge the least of
/// both ways. Returns the number of arcs, loops left out. Throws `Error` as above.
std::int64_t clean_matrix(double* values, std::int64_t n, const Reading& reading);

/// The same arcs for the library, which shares their memory.
Graph graph_of(const std::shared_ptr<const Arcs>& arcs);

}  // namespace apsp::python::csgraph
