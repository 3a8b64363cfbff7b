// Rows of distances by one Dijkstra a source (Dijkstra 1959; Johnson 1977 for all pairs and for
// negative weights).
//
// Sums are taken of f32, f64 or unsigned integers of 32 bits, which also hold the reduced lengths
// of i32. Bottlenecks (min-max, max-min) are weights of the graph, so searches compare ranks among
// the distinct weights and values are looked up at the end: one search serves all types.
//
// All rows take O(n (n + m) log m). A worker takes some 17 bytes an entry of its queue, at most two
// a vertex, and 4 a vertex, twice that for f64.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <memory>
#include <optional>

#include "flow/row_source.hpp"
#include "graph/negative_cycle.hpp"

namespace apsp::search {

/// For min-plus, max-plus, min-max and max-min. The arcs are copied; `graph` and `potentials` may
/// go.
///
/// Sums of weights of both signs need `potentials(graph)`, longest paths `potentials(graph, -1)`
/// unless no weight is positive. Integers, and floats that hold integers, come out exactly. Reals
/// are reduced and restored as a matrix is (base/double_double.hpp), their reduced lengths summed
/// in f64.
///
/// `distance_bound`: no distance has a larger magnitude, as the caller has proved; else the sum of
/// the largest weights tells. Weights beyond an integer type are then on no path that counts.
///
/// Throws `Error`: usage (a pair of semiring and type that is not supported, reachability, negative
/// weights without potentials, potentials of another graph, of another sign or with a negative
/// cycle, real weights or a weight that means "no path" in an integer type), does_not_fit (the type
/// holds not every distance; 2^32 arcs or more).
std::unique_ptr<flow::RowSource> dijkstra_rows(const Graph& graph, Semiring semiring,
                                               ValueType type,
                                               const Potentials* potentials = nullptr,
                                               std::optional<double> distance_bound = {});

/// Throws `Error` as `dijkstra_rows` does.
void check_dijkstra(const Graph& graph, Semiring semiring, ValueType type,
                    const Potentials* potentials, std::optional<double> distance_bound);

}  // namespace apsp::search
