// Potentials of real weights of both signs, and a bound of rounding errors.
//
// Rounded sums of both signs may cancel, so no share of a distance bounds its error, and a barely
// positive cycle may turn negative. Reduced weights (base/double_double.hpp) avoid both. With e
// edges, reduced length d' and unit roundoff u:
//
//   |error| ≤ e · u · d' + u · |d| + e · bias · max |w|    (up to terms of the second order)
//
// from e − 1 sums and the rounding of every reduced weight; the rounding of the distance; and what
// was added to every weight if a cycle is negative only by rounded weights.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <memory>
#include <string>

#include "graph/negative_cycle.hpp"

namespace apsp::planner {

struct ErrorBound {
  double unit_roundoff = 0;  // u, of the value type
  double edges = 0;
  double an_edge = 0;  // absolute, an edge: bias, potentials' last bits, least value

  double of(double reduced, double distance) const;
};

struct SignedWeights {
  Potentials potentials;  // if they hold a negative cycle, nothing below is valid
  double sign = 1;        // −1: longest paths, which are shortest ones of −w
  Graph reduced{};        // the arcs with weights ≥ 0, for rows; empty for a matrix
  double largest_potential = 0;
  ErrorBound bound;
  double longest_reduced = 0;
  double longest_distance = 0;

  /// Known before the solve.
  double absolute_error() const { return bound.of(longest_reduced, longest_distance); }
};

/// Whether sums of weights of both signs are rounded.
bool sums_may_cancel(const Graph& graph, Semiring semiring, ValueType type);

/// Requires: sums_may_cancel. Throws `Error` (interrupted).
std::shared_ptr<SignedWeights> reduce_weights(const Graph& graph, Semiring semiring, int threads,
                                              const Control& control);

void set_bound(const Graph& graph, ValueType type, SignedWeights& weights);

/// Whether one rounding of f32 is visible in the graph's weights: it exceeds 2^-10 of all but a
/// tenth of the weights and sums of two consecutive arcs, over a sample.
bool too_coarse_in_f32(const Graph& graph, const SignedWeights& weights);

/// Returns why f32 may err by more than `tolerance`, relative to the distance; empty: searches show
/// that it does not (graph/distance_bounds.hpp). A path of e edges is rounded e times. `weights`:
/// those of both signs, else null; the error is then relative to the reduced length. Throws `Error`
/// (interrupted).
std::string why_f32_is_too_coarse(const Graph& graph, Semiring semiring,
                                  const SignedWeights* weights, double tolerance,
                                  const Control& control);

}  // namespace apsp::planner
