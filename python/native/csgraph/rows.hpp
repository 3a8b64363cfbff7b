// Rows of distances and predecessors for apsp.csgraph: which way, and the way.
//
// Searches (Dijkstra 1959) for what takes less than a plan does, and where a limit ends them early;
// Floyd-Warshall for matrices; all else as `apsp::solve` plans it. Every way gives the same rows up
// to the rounding of sums.
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

/// Throws `Error` (usage) for another name.
Way parse_way(std::string_view name);

/// What is asked for, and where it goes.
struct RowsWanted {
  std::vector<Vertex> sources{};  // in any order, repeated or not
  bool all = false;               // `sources` are all vertices in their order
  double limit = std::numeric_limits<double>::infinity();  // farther is no path
  double* distances = nullptr;                             // [sources, n], row-major
  std::int32_t* predecessors = nullptr;                    // [sources, n], or null

  Row row(std::int64_t i, std::int64_t n) const {
    return {distances + i * n, predecessors == nullptr ? nullptr : predecessors + i * n};
  }
};

/// Whether all of it takes some microseconds, so that neither threads nor plans are worth it.
bool is_brief(const Arcs& arcs, std::int64_t sources);

/// Throws `Error`: negative_cycle, does_not_fit, interrupted.
void solve_rows(const std::shared_ptr<const Arcs>& arcs, const RowsWanted& wanted, Way way,
                int threads, const Control& control);

}  // namespace apsp::python::csgraph
