// The value type that holds every distance of a graph, chosen before the run.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <optional>
#include <string>

#include "kernels/contract.hpp"

namespace apsp::planner {

bool is_integer(ValueType type);

/// Whether a path's edges add up; otherwise one edge, the bottleneck, decides.
bool is_sum(Semiring semiring);

/// Returns the magnitude that distances on a GPU must not reach: 2^28 for sums of i32 of any sign,
/// whose kernels tell paths from "no path" only below that (kernels/cuda/relaxation.cuh); else
/// infinity.
double device_sum_limit(Semiring semiring, ValueType type, kernels::Sign sign);

/// Returns an upper bound of |distance|. A simple path leaves a vertex once, so sums are at most Σ
/// over vertices of the largest |weight| that leaves them; a bottleneck is one weight.
double distance_bound(const Graph& graph, Semiring semiring);

/// Returns a lower bound of shortest distances other than 0, before rounding. 0: not known, because
/// of a negative weight, or weights of 0 in a large dense graph.
double least_distance(const Graph& graph);

/// Bounds of the longest distance from samples.
struct LongestDistance {
  double least = 0, most = 0;
};

struct ValueChoice {
  ValueType type = ValueType::f32;
  double distance_bound = 0;
  bool searched = false;   // by searches (graph/distance_bounds.hpp)
  bool estimated = false;  // by samples instead
};

/// Returns the narrowest type that surely holds every distance: integers for integer weights, else
/// f32, or f64 if f32 would overflow. With `requested`: that type. If the sum of the largest
/// weights is too large for integers of shortest paths, a few searches may still prove that no
/// distance is; in small graphs only on request. `samples` replace searches if both of their bounds
/// agree. Throws `Error`: usage (the type does not go with the semiring or with real weights),
/// does_not_fit (names the narrowest that fits; or integers add up to more than f64 holds exactly,
/// and f64 is not requested), interrupted.
///
/// During the solve, sums of detours may exceed the type's limit. Two values up to "no path" do not
/// wrap when they are added (semiring/semirings.hpp), and the sum loses against any stored value.
/// Every part of a shortest path is within the limit.
ValueChoice choose_value_type(const Graph& graph, Semiring semiring,
                              std::optional<ValueType> requested, int threads = 1,
                              const Control& control = {},
                              const std::optional<LongestDistance>& samples = {});

/// Whether f64 may round distances of integer weights: no proof was found that all are exact
/// (graph/whole_weights.hpp). Throws `Error` (interrupted).
bool integers_may_round(const Graph& graph, Semiring semiring, int threads,
                        const Control& control = {});
/// Throws `Error`: does_not_fit (they may), interrupted.
void require_exact_integers(const Graph& graph, Semiring semiring, int threads,
                            const Control& control = {});

/// The relative error that one ⊗ may add: 0 if all arithmetic on this graph is exact. `bound`: of
/// all distances; empty: `distance_bound`. For sums of both signs see signed_weights.hpp.
double unit_roundoff(const Graph& graph, Semiring semiring, ValueType type,
                     std::optional<double> bound = {});

/// Returns why the values of a plan have this type. `asked`: it was named.
std::string why_value_type(const WeightFacts& weights, bool asked, ValueType type);

}  // namespace apsp::planner
