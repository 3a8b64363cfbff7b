#include "planner/value_type.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/distance_bounds.hpp"
#include "graph/whole_weights.hpp"
#include "kernels/listed_rows.hpp"
#include "planner/search_model.hpp"

namespace apsp::planner {
namespace {

/// Reduced lengths d + h(s) − h(t) of signed weights may be three times as long as distances.
double longest_sum(const Graph& graph, Semiring semiring, double bound) {
  const WeightFacts& facts = graph.weight_facts();
  return is_sum(semiring) && facts.least < 0 && facts.greatest > 0 ? 3 * bound : bound;
}

/// Whether every weight keeps its digits, and every distance and every sum of two is representable.
bool fits(const Graph& graph, Semiring semiring, ValueType type, double bound) {
  const WeightFacts& facts = graph.weight_facts();
  if (type == ValueType::boolean) return true;
  if (!is_integer(type)) {
    if (type == ValueType::f32 && facts.below_f32 != 0) return false;
    // Two sums are added, a bottleneck is one weight.
    const double largest = largest_distance(type) / (is_sum(semiring) ? 2 : 1);
    return longest_sum(graph, semiring, bound) <= largest;
  }
  // 0 is u16's "no path" for widest paths, so a weight must not be 0.
  const double least = semiring == Semiring::max_min ? 1 : 0;
  if (type == ValueType::u16 && graph.arc_count() > 0 && facts.least < least) return false;
  return facts.integral && bound <= largest_distance(type);
}

constexpr ValueType kNarrowestFirst[] = {ValueType::u16, ValueType::i32, ValueType::f32,
                                         ValueType::f64};

/// A bound of all distances: by the sum of weights, then by searches if these may prove that a type
/// holds every distance.
class Bound {
 public:
  /// `requested`: the only type that counts; none: any.
  Bound(const Graph& graph, Semiring semiring, std::optional<ValueType> requested, int threads,
        const Control& control, const std::optional<LongestDistance>& samples)
      : graph_(graph),
        semiring_(semiring),
        threads_(threads),
        control_(control),
        samples_(samples) {
    for (const ValueType type : kNarrowestFirst) {
      if (type != requested.value_or(type)) continue;
      if (is_integer(type)) limits_.push_back(largest_distance(type));
      // GPUs sweep faster up to the first (device_sweep_plan.hpp). Sums are exact up to the second.
      if (type == ValueType::f64)
        limits_.insert(limits_.end(), {kernels::kMostWhole, graph::kMostExact});
    }
  }

  ValueChoice choice(ValueType type) const {
    return {type, bound_, searched_ && type != ValueType::f32, estimated_};
  }
  double value() const { return bound_; }

  /// Whether the type is proved to hold every distance, by searches if necessary.
  bool holds(ValueType type) {
    if (fits(graph_, semiring_, type, bound_)) return true;
    if (!is_integer(type) || !graph_.weight_facts().integral) return false;
    return is_lowered(largest_distance(type)) && fits(graph_, semiring_, type, bound_);
  }

  bool may_round_integers() {
    if (!is_sum(semiring_) || bound_ <= graph::kMostExact || !graph::whole_weights(graph_)) {
      return false;
    }
    return !is_lowered(graph::kMostExact) || bound_ > graph::kMostExact;
  }

 private:
  bool is_lowered(double enough) {
    if (semiring_ != Semiring::min_plus || graph_.weight_facts().least < 0) return false;
    const double found = search(enough);
    if (found >= bound_) return false;
    bound_ = found;
    searched_ = true;
    return true;
  }

  /// Infinite if it is not enough.
  std::optional<double> by_samples(double enough) {
    if (!samples_ || by_eccentricities_) return std::nullopt;
    const bool holds = samples_->most <= enough;
    if (!holds && samples_->least <= enough) return std::nullopt;
    estimated_ = true;
    return holds ? samples_->most : std::numeric_limits<double>::infinity();
  }

  /// Searches of every vertex's arcs are cheap compared with the solve if arcs are few.
  double search(double enough) {
    constexpr double kDense = 1.0 / 64, kFewArcs = 1 << 16;
    const auto n = static_cast<double>(graph_.vertex_count());
    const bool dense = static_cast<double>(graph_.arc_count()) > std::max(kFewArcs, kDense * n * n);
    if (const auto bound = by_samples(enough)) return *bound;
    if (dense) return hop_bound(graph_, enough, threads_, control_);
    if (!by_eccentricities_) by_eccentricities_ = eccentricity_bound(graph_, limits_, control_);
    return *by_eccentricities_;
  }

  const Graph& graph_;
  Semiring semiring_;
  int threads_;
  const Control& control_;
  const std::optional<LongestDistance>& samples_;
  double bound_ = distance_bound(graph_, semiring_);
  bool searched_ = false, estimated_ = false;
  std::vector<double> limits_;
  std::optional<double> by_eccentricities_{};  // one search for all of them
};

[[noreturn]] void fail_rounded_integers(double bound, std::string_view way_out) {
  constexpr double kAllDigits = 1e18;
  const std::string reach =
      bound < kAllDigits ? fmt::format("{:.0f}", bound) : fmt::format("{:.3g}", bound);
  throw Error(ErrorKind::does_not_fit,
              fmt::format("the weights are integers, distances may reach {}, and f64 holds every "
                          "integer only below 2^53 (9007199254740992): divide the weights by a "
                          "common factor{}",
                          reach, way_out));
}

/// The narrowest type that holds every distance by the current bound, or with `searching` by
/// searches.
ValueChoice narrowest(const Graph& graph, Semiring semiring, Bound& bound, bool searching) {
  if (semiring == Semiring::or_and) return bound.choice(ValueType::boolean);
  for (const ValueType type : kNarrowestFirst) {
    if (!supported(semiring, type)) continue;
    if (searching ? !bound.holds(type) : !fits(graph, semiring, type, bound.value())) continue;
    // Integers beyond i32 stay exact in f64 for longer than in f32.
    if (type == ValueType::f32 && graph::whole_weights(graph)) continue;
    if (type == ValueType::f64 && bound.may_round_integers()) {
      fail_rounded_integers(bound.value(),
                            ", or name f64 (`value_type=f64`), which rounds such sums");
    }
    return bound.choice(type);
  }
  throw Error(ErrorKind::does_not_fit,
              fmt::format("the weights of a path may add up to {}, too much for the widest type, "
                          "f64; scale the weights",
                          base::format_bound(bound.value())));
}

void require_weights_held(const WeightFacts& facts, ValueType type) {
  if (type != ValueType::f32 || facts.below_f32 == 0) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("a weight of {:.3g} would lose digits in f32, or become 0, as the least "
                          "normal value of f32 is {:.3g}; use f64",
                          facts.below_f32, std::numeric_limits<float>::min()));
}

}  // namespace

bool is_integer(ValueType type) { return type == ValueType::i32 || type == ValueType::u16; }

bool is_sum(Semiring semiring) {
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus;
}

double device_sum_limit(Semiring semiring, ValueType type, kernels::Sign sign) {
  const bool any_sign = sign == kernels::Sign::any || semiring == Semiring::max_plus;
  return type == ValueType::i32 && is_sum(semiring) && any_sign
             ? 1 << 28
             : std::numeric_limits<double>::infinity();
}

double distance_bound(const Graph& graph, Semiring semiring) {
  if (semiring == Semiring::or_and) return 1;
  const WeightFacts& facts = graph.weight_facts();
  const double largest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  if (!is_sum(semiring)) return largest;
  return facts.longest_path;
}

double least_distance(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  if (facts.least != 0) return std::max(0.0, facts.least);
  if (facts.integral) return 1;
  const std::int64_t n = graph.vertex_count();
  if (n >= kLeastVertices && !looks_sparse(n, graph.arc_count())) return 0;
  double least = std::numeric_limits<double>::infinity();
  graph.visit_all([&](Vertex, Vertex, double weight) {
    if (weight > 0) least = std::min(least, weight);
  });
  return std::isinf(least) ? 0 : least;
}

ValueChoice choose_value_type(const Graph& graph, Semiring semiring,
                              std::optional<ValueType> requested, int threads,
                              const Control& control,
                              const std::optional<LongestDistance>& samples) {
  Bound bound(graph, semiring, requested, threads, control, samples);
  if (!requested) {
    return narrowest(graph, semiring, bound, graph.vertex_count() >= kLeastVertices);
  }
  refuse_if(!supported(semiring, *requested), "the semiring {} has no values of type {}",
            name(semiring), name(*requested));
  refuse_if(is_integer(*requested) && !graph::whole_weights(graph),
            "the graph has real weights, which {} would cut; use f32 or f64", name(*requested));
  require_weights_held(graph.weight_facts(), *requested);
  if (!bound.holds(*requested)) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("distances of this graph may reach {}{}, which {} does not hold; "
                            "{} does",
                            base::format_bound(bound.value()),
                            graph.weight_facts().least < 0 ? " and be negative" : "",
                            name(*requested), name(narrowest(graph, semiring, bound, false).type)));
  }
  return bound.choice(*requested);
}

bool integers_may_round(const Graph& graph, Semiring semiring, int threads,
                        const Control& control) {
  return Bound(graph, semiring, ValueType::f64, threads, control, {}).may_round_integers();
}

void require_exact_integers(const Graph& graph, Semiring semiring, int threads,
                            const Control& control) {
  Bound bound(graph, semiring, ValueType::f64, threads, control, {});
  if (bound.may_round_integers()) fail_rounded_integers(bound.value(), "");
}

double unit_roundoff(const Graph& graph, Semiring semiring, ValueType type,
                     std::optional<double> bound) {
  if (type != ValueType::f32 && type != ValueType::f64) return 0;
  const double exact_integers = type == ValueType::f32 ? 0x1p24 : graph::kMostExact;
  if (graph.weight_facts().integral &&
      bound.value_or(distance_bound(graph, semiring)) <= exact_integers) {
    return 0;
  }
  if (type == ValueType::f64 && !is_sum(semiring)) return 0;
  return type == ValueType::f32 ? 0x1p-24 : 0x1p-53;
}

std::string why_value_type(const WeightFacts& weights, bool asked, ValueType type) {
  if (asked) return "asked for";
  if (type == ValueType::boolean) return "reachability";
  if (type == ValueType::f32) return "real weights";
  if (is_integer(type)) return "integer weights, the narrowest that holds every distance";
  if (weights.integral) return "integers beyond i32";
  return weights.below_f32 > 0 ? fmt::format("f32 would cut a weight of {:.3g}", weights.below_f32)
                               : "f32 is too narrow for these weights";
}

}  // namespace apsp::planner
