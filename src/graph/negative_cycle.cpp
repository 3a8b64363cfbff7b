// Bellman-Ford by passes over the vertices whose potential changed in the last pass, in exact
// arithmetic.
//
// With rounded sums, a cycle of weight zero may seem to pay at every turn, and the search goes on
// for n passes and then reports a cycle that is none. Here sums are 128-bit integers, in units of
// 2^-93 of the largest weight: no path sum overflows or rounds (weights below 2^-40 of the largest
// lose their last bits, upwards). In exact arithmetic the predecessor graph is a forest until there
// is a negative cycle, and then holds one (Cherkassky and Goldberg 1999), so the forest is checked
// after every pass that did at least n steps, and a cycle ends the search early.
#include "graph/negative_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/control.hpp"

namespace apsp {
namespace {

__extension__ using Fixed = __int128;

constexpr Vertex kNone = std::numeric_limits<Vertex>::max();
constexpr int kFractionBits = 93;          // 2^32 vertices: sums stay below 2^127
constexpr std::int64_t kPollEvery = 4096;  // vertices between two looks at the cancellation flag

/// Weights as integers of one unit. Integral weights: the unit is 1 and nothing is biased.
class FixedWeights {
 public:
  FixedWeights(const WeightFacts& facts, double sign) : sign_(sign), integral_(facts.integral) {
    if (integral_) return;
    int exponent = 0;
    std::frexp(std::max(std::abs(facts.least), std::abs(facts.greatest)), &exponent);
    shift_ = kFractionBits - exponent;
  }

  /// The weight itself, rounded up to a unit.
  Fixed exact(double weight) const {
    if (integral_) return static_cast<std::int64_t>(sign_ * weight);
    return static_cast<Fixed>(std::ceil(std::ldexp(sign_ * weight, shift_)));
  }
  /// With 2^-51 of its magnitude added.
  Fixed biased(double weight) const {
    const Fixed value = exact(weight);
    return integral_ ? value : value + ((value < 0 ? -value : value) >> 51);
  }
  double to_double(Fixed value) const { return std::ldexp(static_cast<double>(value), -shift_); }

 private:
  double sign_;
  bool integral_;
  int shift_ = 0;
};

class BellmanFord {
 public:
  BellmanFord(const Graph& graph, double sign, const Control& control)
      : graph_(graph),
        weight_(graph.weight_facts(), sign),
        sign_(sign),
        control_(control),
        n_(static_cast<std::size_t>(graph.vertex_count())),
        h_(n_, 0),
        predecessor_(n_, kNone),
        waiting_(n_, 1) {}

  Potentials run() {
    std::vector<Vertex> current(n_);
    for (Vertex v = 0; v < n_; ++v) current[v] = v;
    std::vector<Vertex> next;
    std::int64_t steps = 0;  // since the forest was last checked
    while (!current.empty()) {
      steps += pass(current, next);
      current.swap(next);
      next.clear();
      if (steps < static_cast<std::int64_t>(n_)) continue;
      steps = 0;
      if (const Vertex on_cycle = vertex_on_cycle(); on_cycle != kNone) {
        return {{}, collect_cycle(on_cycle)};
      }
    }
    Potentials result;
    result.h.reserve(n_);
    for (const Fixed value : h_) result.h.push_back(weight_.to_double(value));
    return result;
  }

 private:
  /// Relaxes the arcs out of `current`; vertices that must be looked at again go to `next`. Returns
  /// the number of steps done.
  std::int64_t pass(const std::vector<Vertex>& current, std::vector<Vertex>& next) {
    auto steps = static_cast<std::int64_t>(current.size());
    for (std::size_t i = 0; i < current.size(); ++i) {
      if (i % kPollEvery == 0) base::check_cancelled(control_);
      const Vertex u = current[i];
      waiting_[u] = 0;
      steps += graph_.out_degree(u);
      graph_.for_each_arc(u, [&](Vertex v, double weight) {
        const Fixed candidate = h_[u] + weight_.biased(weight);
        if (candidate >= h_[v]) return;
        h_[v] = candidate;
        predecessor_[v] = u;
        if (waiting_[v] != 0) return;
        waiting_[v] = 1;
        next.push_back(v);
      });
    }
    return steps;
  }

  /// A vertex on a cycle of the predecessor graph, or kNone. Walks up from every vertex, stopping
  /// where an earlier walk was. O(n).
  Vertex vertex_on_cycle() const {
    std::vector<Vertex> walk(n_, kNone);  // [n] the walk that came by
    for (Vertex start = 0; start < n_; ++start) {
      Vertex v = start;
      while (v != kNone && walk[v] == kNone) {
        walk[v] = start;
        v = predecessor_[v];
      }
      if (v != kNone && walk[v] == start) return v;
    }
    return kNone;
  }

  Cycle collect_cycle(Vertex on_cycle) const {
    Cycle cycle;
    Vertex v = on_cycle;
    do {
      cycle.vertices.push_back(v);
      v = predecessor_[v];
    } while (v != on_cycle);
    std::reverse(cycle.vertices.begin(), cycle.vertices.end());
    const auto least = std::min_element(cycle.vertices.begin(), cycle.vertices.end());
    std::rotate(cycle.vertices.begin(), least, cycle.vertices.end());
    Fixed sum = 0;
    for (std::size_t i = 0; i < cycle.vertices.size(); ++i) {
      sum += weight_.exact(
          best_weight(cycle.vertices[i], cycle.vertices[(i + 1) % cycle.vertices.size()]));
    }
    cycle.weight = weight_.to_double(sum);
    return cycle;
  }

  /// The best of the parallel arcs u → v. Requires: there is one.
  double best_weight(Vertex u, Vertex v) const {
    std::optional<double> best;  // parallel arcs come by rising weight
    graph_.for_each_arc_between(u, v, [&](double weight) {
      if (!best || sign_ < 0) best = weight;
    });
    return *best;
  }

  const Graph& graph_;
  FixedWeights weight_;
  double sign_;
  const Control& control_;
  std::size_t n_;
  std::vector<Fixed> h_;               // [n] in units of weight_
  std::vector<Vertex> predecessor_;    // [n] the vertex that last lowered h, or kNone
  std::vector<std::uint8_t> waiting_;  // [n] in `current`, not yet looked at, or in `next`
};

}  // namespace

Potentials potentials(const Graph& graph, double sign, const Control& control) {
  const WeightFacts& facts = graph.weight_facts();
  if ((sign > 0 ? facts.least : -facts.greatest) >= 0) {
    return {std::vector<double>(static_cast<std::size_t>(graph.vertex_count()), 0.0), {}};
  }
  return BellmanFord(graph, sign, control).run();
}

}  // namespace apsp
