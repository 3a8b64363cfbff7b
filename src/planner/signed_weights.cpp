#include "planner/signed_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/control.hpp"
#include "base/random.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/distance_bounds.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double largest_weight(const Graph& graph) {
  return std::max(std::abs(graph.weight_facts().least), std::abs(graph.weight_facts().greatest));
}

double reduced(const SignedWeights& weights, Vertex u, Vertex v, double weight) {
  const auto& h = weights.potentials.h;
  return std::max(0.0, weights.sign * weight + h[u].high - h[v].high);
}

/// Reduced lengths of some path from `hub` to every vertex: breadth first, over the first arc that
/// reaches it.
std::vector<double> lengths_from(const Graph& graph, const SignedWeights& weights, Vertex hub) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> from(n, kInfinity);
  std::vector<Vertex> queue = {hub};
  from[hub] = 0;
  for (std::size_t head = 0; head < queue.size() && queue.size() < n; ++head) {
    const Vertex u = queue[head];
    base::poll(head);
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (from[v] < kInfinity) return;
      from[v] = from[u] + reduced(weights, u, v, weight);
      queue.push_back(v);
    });
  }
  return from;
}

/// The same from every vertex to `hub`. Arcs are stored by their tails, so each pass visits every
/// vertex without a path yet. A graph that needs more passes gets no such bound.
std::vector<double> lengths_to(const Graph& graph, const SignedWeights& weights, Vertex hub) {
  constexpr int kMostPasses = 16;
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> to(n, kInfinity);
  to[hub] = 0;
  const auto way_to_hub = [&](Vertex u) {
    double best = kInfinity;
    graph.for_each_arc_between(
        u, hub, [&](double weight) { best = std::min(best, reduced(weights, u, hub, weight)); });
    if (best < kInfinity) return best;
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (to[v] < kInfinity) best = std::min(best, reduced(weights, u, v, weight) + to[v]);
    });
    return best;
  };
  bool changed = true;
  for (int pass = 0; pass < kMostPasses && changed; ++pass) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      const auto u = static_cast<Vertex>(pass % 2 == 0 ? i : n - 1 - i);
      base::poll(i);
      if (to[u] < kInfinity) continue;
      to[u] = way_to_hub(u);
      changed = changed || to[u] < kInfinity;
    }
  }
  return to;
}

/// No reduced distance exceeds the longest path to the vertex of most arcs plus the longest path
/// from it; infinite if some vertex has none.
double longest_over_hub(const Graph& graph, const SignedWeights& weights) {
  Vertex hub = 0;
  for (Vertex v = 1; v < graph.vertex_count(); ++v) {
    if (graph.out_degree(v) > graph.out_degree(hub)) hub = v;
  }
  const std::vector<double> from = lengths_from(graph, weights, hub);
  const std::vector<double> to = lengths_to(graph, weights, hub);
  return (*std::max_element(from.begin(), from.end()) + *std::max_element(to.begin(), to.end())) *
         (1 + 0x1p-20);
}

std::int64_t allowed_edges(double tolerance) {
  constexpr double kRounding = 0x1p-24, kAny = 0x1p62;
  return static_cast<std::int64_t>(std::min(kAny, std::floor(tolerance / kRounding)));
}

/// A bottleneck is one weight, which is rounded once.
std::int64_t edges_found(const Graph& graph, Semiring semiring, const SignedWeights* weights,
                         std::int64_t enough, const Control& control) {
  if (!is_sum(semiring)) return 1;
  BestPaths paths{.sign = semiring == Semiring::max_plus ? -1.0 : 1.0};
  if (weights != nullptr) paths.potentials = weights->potentials.h;
  return path_edges(graph, paths, enough, control);
}

}  // namespace

double ErrorBound::of(double reduced, double distance) const {
  const double rounding = edges * unit_roundoff;
  const double sums = rounding < 0.5 ? rounding / (1 - rounding) : kInfinity;
  return (1 + 0x1p-20) *
         ((reduced > 0 ? sums * reduced : 0) + unit_roundoff * distance + edges * an_edge);
}

bool sums_may_cancel(const Graph& graph, Semiring semiring, ValueType type) {
  const WeightFacts& facts = graph.weight_facts();
  return is_sum(semiring) && facts.least < 0 && facts.greatest > 0 &&
         unit_roundoff(graph, semiring, type) > 0;
}

std::shared_ptr<SignedWeights> reduce_weights(const Graph& graph, Semiring semiring, int threads,
                                              const Control& control) {
  auto weights = std::make_shared<SignedWeights>();
  weights->sign = semiring == Semiring::max_plus ? -1 : 1;
  weights->potentials = potentials(graph, weights->sign, control, threads);
  if (weights->potentials.cycle) return weights;
  for (const base::DoubleDouble& h : weights->potentials.h) {
    weights->largest_potential = std::max(weights->largest_potential, std::abs(h.high));
  }
  if (graph.matrix() == nullptr) {
    weights->reduced = graph::with_reduced_weights(graph, weights->potentials.h, weights->sign);
  }
  const double bound = distance_bound(graph, semiring);
  // d' = d + h(s) − h(t), and potentials are not positive.
  const double spread = weights->largest_potential;
  weights->longest_reduced = std::min(longest_over_hub(graph, *weights), bound + spread);
  weights->longest_distance = std::min(bound, weights->longest_reduced + spread);
  return weights;
}

void set_bound(const Graph& graph, ValueType type, SignedWeights& weights) {
  const bool wide = type == ValueType::f64;
  ErrorBound& bound = weights.bound;
  bound.unit_roundoff = wide ? 0x1p-53 : 0x1p-24;
  bound.edges = std::max(0.0, static_cast<double>(graph.vertex_count() - 1));
  const double least = wide ? std::numeric_limits<double>::denorm_min()
                            : static_cast<double>(std::numeric_limits<float>::denorm_min());
  bound.an_edge = lacking_an_edge(graph, weights.potentials) + least;
}

bool too_coarse_in_f32(const Graph& graph, const SignedWeights& weights) {
  constexpr int kSamples = 2000;
  std::vector<double> sums;
  base::SplitMix64 random(1);
  const auto n = static_cast<std::uint64_t>(graph.vertex_count());
  const auto arc_of = [&](Vertex u) {
    const auto places = graph.matrix() == nullptr ? graph.out_degree(u) : graph.vertex_count();
    auto place = static_cast<std::int64_t>(
        random.below(static_cast<std::uint64_t>(std::max<std::int64_t>(1, places))));
    return graph.next_arc(u, place);
  };
  for (int i = 0; i < kSamples; ++i) {
    const auto u = static_cast<Vertex>(random.below(n));
    const std::optional<Arc> first = arc_of(u);
    if (!first) continue;
    sums.push_back(std::abs(first->weight));
    const std::optional<Arc> second = arc_of(first->to);
    if (second && second->to != u) sums.push_back(std::abs(first->weight + second->weight));
  }
  if (sums.empty()) return false;
  const auto tenth = sums.begin() + std::ssize(sums) / 10;
  std::nth_element(sums.begin(), tenth, sums.end());
  const double rounding = 0x1p-24 * (2 * weights.largest_potential + largest_weight(graph));
  return rounding > 0x1p-10 * *tenth;
}

std::string why_f32_is_too_coarse(const Graph& graph, Semiring semiring,
                                  const SignedWeights* weights, double tolerance,
                                  const Control& control) {
  const std::int64_t allowed = allowed_edges(tolerance);
  if (edges_found(graph, semiring, weights, allowed, control) <= allowed) return {};
  return fmt::format("paths may have more than {} {}, over which f32 may err by more than {:g}",
                     allowed, allowed == 1 ? "edge" : "edges", tolerance);
}

}  // namespace apsp::planner
