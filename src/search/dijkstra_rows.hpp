// Rows of distances by one Dijkstra search a source (Dijkstra 1959; Johnson 1977 for negative
// weights).
//
// Sums are f32, f64 or u32, which also holds reduced lengths of i32. Searches for bottlenecks
// (min-max, max-min) compare the ranks of the distinct weights. All rows take O(n (n + m) log m). A
// worker takes some 17 bytes for each of up to 2 n entries of its queue, and 4 n bytes; twice that
// for f64.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <memory>
#include <optional>

#include "flow/row_source.hpp"
#include "graph/negative_cycle.hpp"

namespace apsp::search {

/// Copies `graph` and `potentials`. Integers are exact in all types. Reals are reduced, summed in
/// f64 and restored (base/double_double.hpp).
///
/// Sums of weights of both signs require `potentials(graph)`, longest paths `potentials(graph, -1)`
/// unless no weight is positive. `distance_bound`: a proven bound of all magnitudes; else the sum
/// of the largest weights. Weights beyond an integer type are then on no shortest path.
///
/// Throws `Error`: usage (an unsupported semiring or type, reachability, missing or wrong
/// potentials, a negative cycle, real weights or the value of "no path" in an integer type),
/// does_not_fit (a distance exceeds the type; 2^32 arcs or more).
std::unique_ptr<flow::RowSource> dijkstra_rows(const Graph& graph, Semiring semiring,
                                               ValueType type,
                                               const Potentials* potentials = nullptr,
                                               std::optional<double> distance_bound = {});

/// Throws as `dijkstra_rows`.
void check_dijkstra(const Graph& graph, Semiring semiring, ValueType type,
                    const Potentials* potentials, std::optional<double> distance_bound);

}  // namespace apsp::search
