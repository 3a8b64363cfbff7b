// Which value type holds every distance of a graph, decided before the run.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <optional>

namespace apsp::planner {

/// Whether a path's edges add up; or else one of them, the bottleneck, decides.
bool is_sum(Semiring semiring);

/// No distance of the graph has a larger magnitude. A simple path leaves a vertex once, so sums are
/// at most Σ over vertices of the largest |weight| that leaves them; a bottleneck is one weight.
double distance_bound(const Graph& graph, Semiring semiring);

/// The narrowest type that surely holds every distance: integers for integer weights, else f32, or
/// f64 where f32 would overflow. With `requested`: that type. Throws `Error`: usage (the type does
/// not go with the semiring or with real weights), does_not_fit (names the narrowest that fits).
ValueType choose_value_type(const Graph& graph, Semiring semiring,
                            std::optional<ValueType> requested);

/// The relative error that one ⊗ may add: 0 where all arithmetic on this graph is exact. For sums
/// of both signs see signed_weights.hpp.
double unit_roundoff(const Graph& graph, Semiring semiring, ValueType type);

}  // namespace apsp::planner
