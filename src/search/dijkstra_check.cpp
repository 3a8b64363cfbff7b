#include "search/dijkstra_check.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/numbers.hpp"

namespace apsp::search {
namespace {

[[noreturn]] void fail(ErrorKind kind, const std::string& message) { throw Error(kind, message); }

bool is_sum(Semiring semiring) {
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus;
}

void check_pair(Semiring semiring, ValueType type) {
  if (semiring == Semiring::or_and) {
    fail(ErrorKind::usage,
         "Dijkstra's algorithm compares weights; reachability has rows of its own");
  }
  if (supported(semiring, type)) return;
  fail(ErrorKind::usage,
       fmt::format("the semiring {} has no values of type {}", name(semiring), name(type)));
}

void check_signs(const Graph& graph, Semiring semiring, const Potentials* potentials) {
  const bool longest = semiring == Semiring::max_plus;
  if (potentials == nullptr) {
    const WeightFacts& facts = graph.weight_facts();
    if (longest ? facts.greatest <= 0 : facts.least >= 0) return;
    fail(ErrorKind::usage,
         longest
             ? fmt::format("longest paths over positive weights (up to {}) need the potentials "
                           "of the negated weights, potentials(graph, -1)",
                           facts.greatest)
             : fmt::format("Dijkstra's algorithm takes no negative weights (down to {}) without "
                           "potentials; give it potentials(graph)",
                           facts.least));
  }
  if (potentials->cycle) {
    fail(ErrorKind::usage,
         "there is a negative cycle, so no potentials; say so instead of solving");
  }
  if (std::ssize(potentials->h) == graph.vertex_count()) return;
  fail(ErrorKind::usage,
       fmt::format("potentials of {} vertices for a graph of {}; give it those of the same graph",
                   potentials->h.size(), graph.vertex_count()));
}

/// Integer types hold integers alone, and no weight that means "no path" or the like.
void check_integers(const Graph& graph, Semiring semiring, ValueType type) {
  const WeightFacts& facts = graph.weight_facts();
  if (type != ValueType::i32 && type != ValueType::u16) return;
  if (!facts.integral) {
    fail(ErrorKind::usage,
         fmt::format("the graph has real weights, which {} would cut; use f32 or f64", name(type)));
  }
  if (type != ValueType::u16 || graph.arc_count() == 0) return;
  const double least = semiring == Semiring::max_min ? 1 : 0;
  if (facts.least >= least) return;
  fail(ErrorKind::usage, fmt::format("u16 holds no weight below {} of {}, and there is {}; use i32",
                                     least, name(semiring), facts.least));
}

void check_range(const Graph& graph, Semiring semiring, ValueType type, bool reduced,
                 std::optional<double> distance_bound) {
  const WeightFacts& facts = graph.weight_facts();
  double longest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  if (is_sum(semiring) && graph.vertex_count() > 1) longest = facts.longest_path;
  longest = std::min(longest, distance_bound.value_or(longest));
  double bound = largest_distance(type);
  // Reduced lengths may be three times as long; 32 bits without a sign hold those of i32.
  if (reduced && (type == ValueType::f32 || type == ValueType::f64)) bound /= 3;
  if (longest <= bound) return;
  fail(ErrorKind::does_not_fit,
       fmt::format("distances of this graph may reach {}, which {} does not hold; take a wider "
                   "type or scale the weights",
                   base::format_bound(longest), name(type)));
}

}  // namespace

void check_dijkstra(const Graph& graph, Semiring semiring, ValueType type,
                    const Potentials* potentials, std::optional<double> distance_bound) {
  check_pair(semiring, type);
  if (is_sum(semiring)) check_signs(graph, semiring, potentials);
  check_integers(graph, semiring, type);
  check_range(graph, semiring, type, potentials != nullptr, distance_bound);
}

}  // namespace apsp::search
