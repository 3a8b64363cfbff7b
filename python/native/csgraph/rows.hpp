// Rows of distances and predecessors for apsp.csgraph, and the choice of the method.
//
// Searches (Dijkstra 1959) if they take less time than a plan, and for limits; Floyd-Warshall for
// matrices; otherwise `apsp::solve`. All methods give the same rows up to the rounding of sums.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "arcs.hpp"
#include "searches.hpp"

namespace apsp::python::csgraph {

enum class Way { automatic, searches, floyd_warshall, library };

/// Throws `Error` (usage) for an unknown name.
Way parse_way(std::string_view name);

/// The request, and memory for its result.
struct RowsWanted {
  std::vector<Vertex> sources{};                           // in any order, repeats allowed
  bool all = false;                                        // `sources` are all vertices in order
  double limit = std::numeric_limits<double>::infinity();  // vertices beyond it are infinite
  double* distances = nullptr;                             // [sources, n], row-major
  std::int32_t* predecessors = nullptr;                    // [sources, n], or null

  Row row(std::int64_t i, std::int64_t n) const {
    return {distances + i * n, predecessors == nullptr ? nullptr : predecessors + i * n};
  }
};

/// Whether the work takes microseconds, so that neither threads nor plans pay.
bool is_brief(const Arcs& arcs, std::int64_t sources);

/// Throws `Error`: negative_cycle, does_not_fit, interrupted.
void solve_rows(const std::shared_ptr<const Arcs>& arcs, const RowsWanted& wanted, Way way,
                int threads, const Control& control);

}  // namespace apsp::python::csgraph
