// The graph of a call of apsp.csgraph, as sorted compressed sparse rows.
//
// Python's input may have parallel arcs, loops, unsorted columns, infinities and NaN as holes. Here
// each row ascends strictly by target with the least of parallel arcs, without loops and holes. An
// undirected graph has every edge in both rows, with the least weight of both directions.
#pragma once

#include <apsp/apsp.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace apsp::python::csgraph {

/// The distance of a pair without a path.
inline constexpr double kNone = std::numeric_limits<double>::infinity();

struct Arcs {
  std::int64_t n = 0;
  bool directed = true;
  std::vector<std::int64_t> offsets{0};  // [n + 1]
  std::vector<Vertex> targets;           // [arcs]
  std::vector<double> weights;           // [arcs], finite
  bool negative = false;                 // some weight is below 0
  bool integral = true;                  // integers with exact sums along paths, below 2^53

  std::int64_t count() const { return offsets.back(); }
  /// Calls visit(target, weight) for the arcs of v, by ascending target.
  template <class Visit>
  void for_each(Vertex v, Visit&& visit) const {
    const auto last = static_cast<std::size_t>(offsets[v + std::size_t{1}]);
    for (auto a = static_cast<std::size_t>(offsets[v]); a < last; ++a) {
      visit(targets[a], weights[a]);
    }
  }
};

/// Compressed sparse rows of a caller, in std::int32_t or std::int64_t.
template <class Offset, class Index>
struct SparseRows {
  std::span<const Offset> offsets;  // [n + 1]
  std::span<const Index> targets;   // [stored]
  const double* weights = nullptr;  // [stored]
};

/// Interpretation of the rows.
struct Reading {
  bool directed = true;
  bool unweighted = false;    // all weights are 1
  bool zero_is_hole = false;  // of a matrix: 0 is no arc
  bool to_be_solved = true;   // obvious negative cycles are refused
};

/// Infinities and NaN are no arcs. Throws `Error`: usage (invalid rows), negative_cycle (a negative
/// loop; undirected: a negative edge). O(n + m), for unsorted rows O(m log m).
template <class Offset, class Index>
std::shared_ptr<const Arcs> arcs_of_rows(const SparseRows<Offset, Index>& rows,
                                         const Reading& reading);

/// `values`: [n, n], row-major.
std::shared_ptr<const Arcs> arcs_of_matrix(const double* values, std::int64_t n,
                                           const Reading& reading);

/// The same in place, for Floyd-Warshall: holes become infinity, undirected edges the least of both
/// directions. Returns the number of arcs without loops. Throws `Error` as above.
std::int64_t clean_matrix(double* values, std::int64_t n, const Reading& reading);

/// Returns a graph of the library that shares the memory of the arcs.
Graph graph_of(const std::shared_ptr<const Arcs>& arcs);

}  // namespace apsp::python::csgraph
