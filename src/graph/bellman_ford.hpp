// Exact potentials by Bellman-Ford: a search in doubles, then exact sums where doubles cannot
// decide.
//
// Rounded sums may make a cycle of weight zero seem negative on every pass. Exact sums (128-bit
// integers, `FixedWeights`) take twenty times as long as doubles. Passes over the recently lowered
// vertices therefore run in doubles and accept only improvements beyond rounding errors. Their
// result is a forest of real paths. The exact lengths of these paths are upper bounds of the exact
// potentials, so exact passes from them give the same result as from zero, and they examine an arc
// only if doubles cannot decide.
//
// The predecessor graph is a forest unless there is a negative cycle, which it then contains
// (Cherkassky and Goldberg, Mathematical Programming 1999); it is checked after passes of at least
// n steps in total. A cycle caused by rounding is cut.
//
// Passes alternate between increasing and decreasing vertices (Yen, Quarterly of Applied
// Mathematics 1970): a path against the order takes two passes, not n. Threads share long
// passes: each relaxes its vertices on its own copy, and the minimum of the copies counts. Exact
// potentials are unique, so the result does not depend on threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/control.hpp"
#include "base/double_double.hpp"
#include "graph/arc_walk.hpp"
#include "graph/negative_cycle.hpp"
#include "system/threads.hpp"

namespace apsp::graph {

// Weights and path lengths as exact 128-bit integers in units of a power of two.
//
// The unit is 2^-93 of a power of two that no weight exceeds: a weight takes 94 bits, and sums over
// paths among 2^32 vertices stay below 2^127. Weights below 2^-40 of the largest are rounded up.
// Integers have the unit 1.
//
// A bias of 2^-k |w| may be added to every weight, so that cycles of weight zero that are negative
// only because decimals were rounded disappear.

__extension__ using Fixed = __int128;

class FixedWeights {
 public:
  /// `largest`: the largest magnitude of a weight. `bias_bits`: k; 0: no bias.
  FixedWeights(double largest, bool integral, int bias_bits)
      : shift_(integral ? 0 : shift_of_reals(largest)), bias_bits_(bias_bits) {}

  /// The weight, rounded up to a unit. Requires: the magnitude is at most the largest.
  Fixed exact(double weight) const {
    constexpr int kMantissaBits = 52, kBias = 1075;
    const auto bits = std::bit_cast<std::uint64_t>(weight);
    const bool negative = bits >> 63 != 0;
    const int field = static_cast<int>(bits >> kMantissaBits & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
    const std::uint64_t mantissa =
        field == 0 ? fraction : fraction | std::uint64_t{1} << kMantissaBits;
    const int left = (field == 0 ? 1 : field) - kBias + shift_;
    if (left >= 0) return negative ? -(Fixed{mantissa} << left) : Fixed{mantissa} << left;
    const int right = -left;
    if (right > kMantissaBits) return negative || mantissa == 0 ? 0 : 1;
    const Fixed whole = mantissa >> right;
    const bool cut = (mantissa & ((std::uint64_t{1} << right) - 1)) != 0;
    return negative ? -whole : whole + (cut ? 1 : 0);
  }
  Fixed biased(double weight) const {
    const Fixed value = exact(weight);
    return bias_bits_ == 0 ? value : value + (magnitude(value) >> bias_bits_);
  }
  static Fixed magnitude(Fixed value) { return value < 0 ? -value : value; }

  double to_double(Fixed value) const { return std::ldexp(static_cast<double>(value), -shift_); }
  base::DoubleDouble to_double_double(Fixed value) const {
    const auto high = static_cast<double>(value);
    const auto low = static_cast<double>(value - static_cast<Fixed>(high));
    return {std::ldexp(high, -shift_), std::ldexp(low, -shift_)};
  }

 private:
  static constexpr int kFractionBits = 93;
  static int shift_of_reals(double largest) {
    int exponent = 0;
    std::frexp(largest, &exponent);
    return kFractionBits - exponent;
  }

  int shift_;
  int bias_bits_;
};

inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

/// The state of a search in doubles. `Level`: the type for sifting arcs, float or double.
template <class Level>
struct Labels {
  /// Relative error of sifting.
  static constexpr double kMargin = sizeof(Level) == 4 ? 0x1p-20 : 0x1p-47;

  explicit Labels(std::size_t n) : h(n, 0.0), upper(n), predecessor(n, kNoVertex), weight(n, 0.0) {
    std::fill(upper.begin(), upper.end(), upper_of(0));
  }

  static Level upper_of(double value) {
    return static_cast<Level>(value + kMargin * std::abs(value)) +
           std::numeric_limits<Level>::min();
  }
  /// An arc of weight w is a candidate if lower + w < upper[head].
  static Level lower_of(double value) {
    return static_cast<Level>(value - kMargin * std::abs(value));
  }
  void set(Vertex v, double value, Vertex from, double arc) {
    h[v] = value;
    upper[v] = upper_of(value);
    predecessor[v] = from;
    weight[v] = arc;
  }

  std::vector<double> h;
  std::vector<Level> upper;
  std::vector<Vertex> predecessor;  // [n] the tail of the arc that last lowered h, or none
  std::vector<double> weight;
};

/// `Arcs` has: Level; vertex_count(); out_degree(u); integral(); largest(), of all |w|; and
/// `sift(u, lower, upper, f)`, which calls f(v, w) for all arcs of u with lower + w < upper[v] and
/// perhaps for others.
template <class Arcs>
class BellmanFord {
 public:
  BellmanFord(const Arcs& arcs, int bias_bits, int threads, const Control& control)
      : arcs_(arcs),
        bias_bits_(bias_bits),
        fixed_(arcs.largest(), arcs.integral(), bias_bits),
        control_(control),
        threads_(threads),
        n_(static_cast<std::size_t>(arcs.vertex_count())),
        labels_(n_),
        queued_(n_, 0) {}

  /// A cycle of negative biased weight in the order of its arcs, and Σ|w| over it.
  struct FoundCycle {
    Cycle cycle;
    double magnitude = 0;
  };
  std::optional<FoundCycle> run() {
    if (auto found = search_in_doubles()) return found;
    sum_forest();
    return search_exactly();
  }

  std::vector<base::DoubleDouble> potentials() const {
    std::vector<base::DoubleDouble> h(n_);
    for (std::size_t v = 0; v < n_; ++v) h[v] = fixed_.to_double_double(exact_[v]);
    return h;
  }

 private:
  using Level = typename Arcs::Level;
  /// Relative decrease required of a potential: twice the error of the sum, so that rounding seldom
  /// prolongs a search.
  static constexpr double kImprovement = 0x1p-50;
  /// Relative difference at which doubles decide; the bias is 2^-51.
  static constexpr double kDecided = 0x1p-48;
  static constexpr std::size_t kPollEvery = 4096;
  /// Steps of a pass that justify threads and copies of n labels.
  static constexpr std::int64_t kWorthThreads = std::int64_t{1} << 20;

  std::int64_t steps_of(const std::vector<Vertex>& vertices) const {
    auto steps = static_cast<std::int64_t>(vertices.size());
    for (const Vertex u : vertices) steps += arcs_.out_degree(u);
    return steps;
  }

  void arrange(std::vector<Vertex>& vertices, bool down) const {
    if (vertices.size() > n_ / 16) {
      std::vector<std::uint8_t> member(n_, 0);
      for (const Vertex v : vertices) member[v] = 1;
      vertices.clear();
      for (std::size_t v = 0; v < n_; ++v) {
        if (member[v] != 0) vertices.push_back(static_cast<Vertex>(v));
      }
    } else {
      std::sort(vertices.begin(), vertices.end());
    }
    if (down) std::reverse(vertices.begin(), vertices.end());
  }

  std::optional<FoundCycle> search_in_doubles() {
    std::vector<Vertex> current = all_vertices(arcs_.vertex_count()), next;
    std::int64_t steps = 0;
    for (bool down = false; !current.empty(); down = !down) {
      arrange(current, down);
      const std::int64_t work = steps_of(current);
      if (threads_ > 1 && work >= kWorthThreads) {
        pass_in_parallel(current, next);
      } else {
        for (const Vertex u : current) queued_[u] = 1;
        relax_all(current, labels_, queued_, next);
      }
      current.swap(next);
      next.clear();
      if ((steps += work) < static_cast<std::int64_t>(n_)) continue;
      steps = 0;
      bool cut = false;
      while (const auto on_cycle = vertex_on_cycle()) {
        if (auto found = cycle_through(*on_cycle)) return found;
        labels_.predecessor[*on_cycle] = kNoVertex;
        cut = true;
      }
      if (cut) break;
    }
    return std::nullopt;
  }

  /// Relaxes the arcs of `current` in order and appends lowered vertices to `next`. Requires:
  /// queued[u] = 1 for remaining u in `current` and for u in `next`.
  void relax_all(std::span<const Vertex> current, Labels<Level>& labels,
                 std::vector<std::uint8_t>& queued, std::vector<Vertex>& next) const {
    for (std::size_t i = 0; i < current.size(); ++i) {
      if (i % kPollEvery == 0 && base::cancelled(control_)) break;
      const Vertex u = current[i];
      queued[u] = 0;
      const double from = labels.h[u];
      arcs_.sift(u, labels.lower_of(from), labels.upper, [&](Vertex v, double w) {
        const double candidate = from + w;
        const double least_fall = kImprovement * (std::abs(from) + std::abs(candidate)) + kSmallest;
        if (!(candidate < labels.h[v] - least_fall)) return;
        labels.set(v, candidate, u, w);
        if (queued[v] != 0) return;
        queued[v] = 1;
        next.push_back(v);
      });
    }
    base::check_cancelled(control_);
  }

  void pass_in_parallel(const std::vector<Vertex>& current, std::vector<Vertex>& next) {
    std::vector<Labels<Level>> copies(static_cast<std::size_t>(threads_), Labels<Level>(0));
    std::vector<std::vector<Vertex>> lists(copies.size());
    system::parallel_for(threads_, threads_, [&](std::int64_t part) {
      const auto t = static_cast<std::size_t>(part);
      const std::size_t first = current.size() * t / copies.size();
      const std::size_t last = current.size() * (t + 1) / copies.size();
      copies[t] = labels_;
      std::vector<std::uint8_t> queued(n_, 0);
      for (std::size_t i = first; i < last; ++i) queued[current[i]] = 1;
      relax_all(std::span(current).subspan(first, last - first), copies[t], queued, lists[t]);
    });
    std::fill(queued_.begin(), queued_.end(), std::uint8_t{0});
    for (std::size_t t = 0; t < copies.size(); ++t) {
      for (std::size_t v = 0; v < n_; ++v) {
        const auto vertex = static_cast<Vertex>(v);
        if (!(copies[t].h[v] < labels_.h[v])) continue;
        labels_.set(vertex, copies[t].h[v], copies[t].predecessor[v], copies[t].weight[v]);
      }
      for (const Vertex v : lists[t]) queued_[v] = 1;
    }
    for (std::size_t v = 0; v < n_; ++v) {
      if (queued_[v] != 0) next.push_back(static_cast<Vertex>(v));
    }
  }

  /// Sets exact_[v] to the length of v's path in the forest, or to 0 (the empty path) if that is
  /// less.
  void sum_forest() {
    exact_.assign(n_, 0);
    std::vector<std::uint8_t> known(n_, 0);
    std::vector<Vertex> walk;
    for (std::size_t start = 0; start < n_; ++start) {
      auto v = static_cast<Vertex>(start);
      while (v != kNoVertex && known[v] == 0) {
        walk.push_back(v);
        known[v] = 1;
        v = labels_.predecessor[v];
      }
      for (; !walk.empty(); walk.pop_back()) add_to_forest(walk.back());
    }
  }

  void add_to_forest(Vertex v) {
    const Vertex from = labels_.predecessor[v];
    if (from == kNoVertex) return set_exactly(v, 0, kNoVertex, 0);
    const Fixed length = exact_[from] + fixed_.biased(labels_.weight[v]);
    if (length >= 0) return set_exactly(v, 0, kNoVertex, 0);
    set_exactly(v, length, from, labels_.weight[v]);
  }

  void set_exactly(Vertex v, Fixed value, Vertex from, double weight) {
    exact_[v] = value;
    labels_.set(v, fixed_.to_double(value), from, weight);
  }

  /// Calls f(v, w, length) for arcs of u that lower v's exact potential to `length`.
  template <class F>
  void lower_exactly(Vertex u, F&& f) const {
    const double from = labels_.h[u];
    arcs_.sift(u, labels_.lower_of(from), labels_.upper, [&](Vertex v, double w) {
      const double candidate = from + w;
      const double doubt = kDecided * (std::abs(from) + std::abs(w)) + kSmallest;
      if (candidate - doubt > labels_.h[v]) return;
      const Fixed length = exact_[u] + fixed_.biased(w);
      if (length < exact_[v]) f(v, w, length);
    });
  }

  std::vector<Vertex> restless_vertices() {
    std::fill(queued_.begin(), queued_.end(), std::uint8_t{0});
    system::parallel_for(static_cast<std::int64_t>(n_), threads_, [&](std::int64_t vertex) {
      const auto u = static_cast<std::size_t>(vertex);
      if (u % 64 == 0 && base::cancelled(control_)) return;
      lower_exactly(static_cast<Vertex>(u), [&](Vertex, double, Fixed) { queued_[u] = 1; });
    });
    base::check_cancelled(control_);
    std::vector<Vertex> restless;
    for (std::size_t u = 0; u < n_; ++u) {
      if (queued_[u] != 0) restless.push_back(static_cast<Vertex>(u));
    }
    return restless;
  }

  std::optional<FoundCycle> search_exactly() {
    std::vector<Vertex> current = restless_vertices(), next;
    std::int64_t steps = static_cast<std::int64_t>(n_);
    for (bool down = false; !current.empty(); down = !down) {
      arrange(current, down);
      steps += steps_of(current);
      for (std::size_t i = 0; i < current.size(); ++i) {
        if (i % kPollEvery == 0) base::check_cancelled(control_);
        const Vertex u = current[i];
        queued_[u] = 0;
        lower_exactly(u, [&](Vertex v, double w, Fixed length) {
          set_exactly(v, length, u, w);
          if (queued_[v] != 0) return;
          queued_[v] = 1;
          next.push_back(v);
        });
      }
      current.swap(next);
      next.clear();
      if (steps < static_cast<std::int64_t>(n_)) continue;
      steps = 0;
      if (const auto on_cycle = vertex_on_cycle()) return cycle_through(*on_cycle);
    }
    return std::nullopt;
  }

  /// A vertex on a cycle of the predecessor graph. Follows predecessors from every vertex up to
  /// earlier walks. O(n).
  std::optional<Vertex> vertex_on_cycle() const {
    std::vector<Vertex> walk(n_, kNoVertex);
    for (std::size_t start = 0; start < n_; ++start) {
      auto v = static_cast<Vertex>(start);
      while (v != kNoVertex && walk[v] == kNoVertex) {
        walk[v] = static_cast<Vertex>(start);
        v = labels_.predecessor[v];
      }
      if (v != kNoVertex && walk[v] == start) return v;
    }
    return std::nullopt;
  }

  struct CycleSums {
    Fixed weights = 0, biased = 0, magnitudes = 0;
  };
  static CycleSums sums_of(const std::vector<double>& weights, const FixedWeights& fixed) {
    CycleSums sums;
    for (const double weight : weights) {
      const Fixed exact = fixed.exact(weight);
      sums.weights += exact;
      sums.biased += fixed.biased(weight);
      sums.magnitudes += FixedWeights::magnitude(exact);
    }
    return sums;
  }

  /// The cycle of the predecessor graph through this vertex, or nothing if it is not negative. The
  /// weights are also summed in their own unit, because they may be tiny compared with other
  /// weights.
  std::optional<FoundCycle> cycle_through(Vertex on_cycle) const {
    FoundCycle found;
    std::vector<Vertex>& vertices = found.cycle.vertices;
    std::vector<double> weights;
    double largest = 0;
    Vertex v = on_cycle;
    do {
      vertices.push_back(v);
      weights.push_back(labels_.weight[v]);
      largest = std::max(largest, std::abs(weights.back()));
      v = labels_.predecessor[v];
    } while (v != on_cycle);
    const FixedWeights own(largest, arcs_.integral(), bias_bits_);
    const CycleSums sums = sums_of(weights, own);
    if (sums.biased >= 0 && sums_of(weights, fixed_).biased >= 0) return std::nullopt;
    std::reverse(vertices.begin(), vertices.end());
    std::rotate(vertices.begin(), std::min_element(vertices.begin(), vertices.end()),
                vertices.end());
    found.cycle.weight = own.to_double(sums.weights);
    found.magnitude = own.to_double(sums.magnitudes);
    return found;
  }

  static constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

  const Arcs& arcs_;
  int bias_bits_;
  FixedWeights fixed_;
  const Control& control_;
  int threads_;
  std::size_t n_;
  Labels<Level> labels_;
  std::vector<Fixed> exact_;
  std::vector<std::uint8_t> queued_;  // [n] waits in `current` or `next`
};

/// Tries no bias first, so that sums of short decimals are exact; then a bias that covers the
/// rounding of every weight, and reports cycles that remain.
template <class Arcs>
Potentials exact_potentials(const Arcs& arcs, int threads, const Control& control) {
  for (const int bias_bits : {0, 53, 51}) {
    BellmanFord<Arcs> search(arcs, bias_bits, threads, control);
    const double bias = bias_bits == 0 ? 0 : std::ldexp(1.0, -bias_bits);
    auto found = search.run();
    if (!found) return {search.potentials(), bias, std::nullopt};
    const bool forgiven = !arcs.integral() && found->cycle.weight >= -0x1p-51 * found->magnitude;
    if (!forgiven || bias_bits == 51) return {{}, bias, std::move(found->cycle)};
  }
  return {};
}

}  // namespace apsp::graph
