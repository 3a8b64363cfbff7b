#include "planner/value_type.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsp::planner {
namespace {

bool is_integer(ValueType type) { return type == ValueType::i32 || type == ValueType::u16; }

/// Reduced lengths d + h(s) − h(t) of signed weights may be three times as long as distances.
double longest_sum(const Graph& graph, Semiring semiring, double bound) {
  const WeightFacts& facts = graph.weight_facts();
  return is_sum(semiring) && facts.least < 0 && facts.greatest > 0 ? 3 * bound : bound;
}

/// Whether every distance, and every sum of two met on the way, is representable.
bool fits(const Graph& graph, Semiring semiring, ValueType type, double bound) {
  const WeightFacts& facts = graph.weight_facts();
  switch (type) {
    case ValueType::boolean:
      return true;
    case ValueType::f64:
      return longest_sum(graph, semiring, bound) <= std::numeric_limits<double>::max() / 2;
    case ValueType::f32:
      return longest_sum(graph, semiring, bound) <=
             static_cast<double>(std::numeric_limits<float>::max()) / 2;
    case ValueType::u16: {
      // 0 is u16's "no path" for widest paths, so a weight must not be 0.
      const double least = semiring == Semiring::max_min ? 1 : 0;
      if (graph.arc_count() > 0 && facts.least < least) return false;
      break;
    }
    default:
      break;
  }
  return facts.integral && bound <= largest_distance(type);
}

constexpr ValueType kNarrowestFirst[] = {ValueType::u16, ValueType::i32, ValueType::f32,
                                         ValueType::f64};

ValueType narrowest(const Graph& graph, Semiring semiring, double bound) {
  if (semiring == Semiring::or_and) return ValueType::boolean;
  for (const ValueType type : kNarrowestFirst) {
    if (!supported(semiring, type) || !fits(graph, semiring, type, bound)) continue;
    // Integers beyond i32 stay exact in f64 for longer than in f32.
    if (type == ValueType::f32 && graph.weight_facts().integral) continue;
    return type;
  }
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("distances up to {:.3g} overflow every value type; scale the weights", bound));
}

}  // namespace

bool is_sum(Semiring semiring) {
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus;
}

double distance_bound(const Graph& graph, Semiring semiring) {
  if (semiring == Semiring::or_and) return 1;
  const WeightFacts& facts = graph.weight_facts();
  const double largest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  if (!is_sum(semiring)) return largest;
  return facts.longest_path;
}

ValueType choose_value_type(const Graph& graph, Semiring semiring,
                            std::optional<ValueType> requested) {
  const double bound = distance_bound(graph, semiring);
  if (!requested) return narrowest(graph, semiring, bound);
  if (!supported(semiring, *requested)) {
    throw Error(ErrorKind::usage, fmt::format("the semiring {} has no values of type {}",
                                              name(semiring), name(*requested)));
  }
  if (is_integer(*requested) && !graph.weight_facts().integral) {
    throw Error(ErrorKind::usage,
                fmt::format("the graph has real weights, which {} would cut; use f32 or f64",
                            name(*requested)));
  }
  if (!fits(graph, semiring, *requested, bound)) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("distances of this graph may reach {:.15g}{}, which {} does not hold; "
                            "{} does",
                            bound, graph.weight_facts().least < 0 ? " and be negative" : "",
                            name(*requested), name(narrowest(graph, semiring, bound))));
  }
  return *requested;
}

double unit_roundoff(const Graph& graph, Semiring semiring, ValueType type) {
  if (type != ValueType::f32 && type != ValueType::f64) return 0;
  const double exact_integers = type == ValueType::f32 ? 0x1p24 : 0x1p53;
  if (graph.weight_facts().integral && distance_bound(graph, semiring) <= exact_integers) return 0;
  if (type == ValueType::f64 && !is_sum(semiring)) return 0;
  return type == ValueType::f32 ? 0x1p-24 : 0x1p-53;
}

}  // namespace apsp::planner
