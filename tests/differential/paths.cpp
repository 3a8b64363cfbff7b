// Paths, predecessors, intermediate vertices, betweenness.
#include <apsp/near.hpp>
#include <cmath>
#include <map>

#include "api/betweenness.hpp"
#include "differential/case.hpp"

namespace apsp::campaign {
namespace {

/// The best of the arcs u → v, by the semiring; empty: there is none.
std::optional<double> arc(const Case& c, Vertex u, Vertex v) {
  const bool least =
      c.problem.semiring == Semiring::min_plus || c.problem.semiring == Semiring::min_max;
  std::optional<double> best;
  c.graph.for_each_arc_between(u, v, [&](double weight) {
    if (c.problem.semiring == Semiring::or_and) weight = 1;
    if (!best || (least ? weight < *best : weight > *best)) best = weight;
  });
  return best;
}

/// A walk of whole weights attains the distance.
void check_path(Case& c, Vertex s, Vertex t, const std::vector<Vertex>& path) {
  require(path.empty() == !c.truth().reachable(s, t), "a path from {} to {} is there or not", s, t);
  if (path.empty()) return;
  require(path.front() == s && path.back() == t, "the path from {} to {} has other ends", s, t);
  if (s == t)
    return require(path.size() == 1, "the path from {} to itself has {} vertices", s, path.size());
  require(path.size() <= c.n(), "the path from {} to {} meets a vertex twice", s, t);
  double sum = 0, low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto weight = arc(c, path[i], path[i + 1]);
    require(weight.has_value(), "the path from {} to {} takes no arc at {}", s, t, path[i]);
    sum += *weight;
    low = std::min(low, *weight);
    high = std::max(high, *weight);
  }
  const Semiring semiring = c.problem.semiring;
  const double length = semiring == Semiring::max_min || semiring == Semiring::or_and ? low
                        : semiring == Semiring::min_max                               ? high
                                                                                      : sum;
  const double best = semiring == Semiring::or_and ? 1 : static_cast<double>(c.truth().value(s, t));
  require(length == best, "the path from {} to {} is {}, not {}", s, t, length, best);
}

/// [n, n] the fewest edges of a shortest path, by rounds over all arcs.
std::vector<std::int64_t> fewest_edges(Case& c) {
  const std::size_t n = c.n();
  std::vector<std::int64_t> fewest(n * n, -1);
  for (Vertex s = 0; s < n; ++s) {
    fewest[s * n + s] = 0;
    std::vector<std::optional<long double>> now(n);
    now[s] = 0.0L;
    for (std::size_t edges = 1; edges < n; ++edges) {
      std::vector<std::optional<long double>> next(n);
      c.graph.visit_all([&](Vertex u, Vertex v, double weight) {
        if (!now[u]) return;
        const long double sum = *now[u] + weight;
        if (!next[v] || sum < *next[v]) next[v] = sum;
      });
      now = std::move(next);
      for (Vertex v = 0; v < n; ++v) {
        if (now[v] && fewest[s * n + v] < 0 && *now[v] == c.truth().value(s, v)) {
          fewest[s * n + v] = static_cast<std::int64_t>(edges);
        }
      }
    }
  }
  return fewest;
}

template <class Each>
void some_pairs(Case& c, Each&& each) {
  const std::uint64_t all = std::uint64_t{c.n()} * c.n();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(all, 120); ++i) {
    const std::uint64_t pair = all <= 120 ? i : c.random.below(all);
    each(static_cast<Vertex>(pair / c.n()), static_cast<Vertex>(pair % c.n()));
  }
}

}  // namespace

void ask_paths(Case& c) {
  SolveOptions options = c.options();
  options.storage.keep = c.problem.keep;
  const Result result = c.solve(options);
  const bool exact = result.report().unit_roundoff == 0 && result.report().absolute_error == 0;
  if (!exact) return;  // paths of rounded distances may be longer
  std::vector<std::int64_t> fewest;
  if (options.question.semiring == Semiring::min_plus) fewest = fewest_edges(c);
  some_pairs(c, [&](Vertex s, Vertex t) {
    const std::vector<Vertex> path = result.path(s, t);
    check_path(c, s, t, path);
    if (fewest.empty() || path.empty()) return;
    const std::int64_t least = fewest[std::size_t{s} * c.n() + t];
    require(std::ssize(path) - 1 == least, "the path from {} to {} has {} edges, not {}", s, t,
            path.size() - 1, least);
  });
  for (Vertex s = 0; s < c.n(); s += 4) {
    const std::vector<std::int64_t> before = result.predecessors(s);
    for (Vertex v = 0; v < c.n(); ++v) {
      const std::vector<Vertex> path = result.path(s, v);
      const std::int64_t expected = path.size() > 1 ? std::int64_t{path[path.size() - 2]} : -1;
      require(before[v] == expected, "before {} on the way from {} is {}, not {}", v, s, before[v],
              expected);
    }
  }
}

void ask_via(Case& c) {
  SolveOptions options = c.options();
  options.question.via = true;
  options.question.hops = c.random.below(2) == 0;
  const Result result = c.solve(options);
  const bool exact = result.report().unit_roundoff == 0 && result.report().absolute_error == 0;
  if (!exact) return;
  const WeightFacts& facts = c.graph.weight_facts();
  const bool positive = facts.least > 0 && options.question.semiring == Semiring::min_plus;
  some_pairs(c, [&](Vertex s, Vertex t) {
    check_path(c, s, t, result.path_by_via(s, t));
    c.judge(s, t, result.distance(s, t), result.report());
    const auto middle = result.via(s, t);
    if (middle) {
      require(*middle != s && *middle != t, "via({}, {}) is an end", s, t);
      require(c.truth().reachable(s, *middle) && c.truth().reachable(*middle, t),
              "via({}, {}) is on no path", s, t);
    }
    if (!result.has_hops()) return;
    const auto edges = result.hops(s, t);
    require(edges.has_value() == c.truth().reachable(s, t), "hops({}, {}) is there or not", s, t);
    if (!edges) return;
    const std::int64_t walk = std::ssize(result.path_by_via(s, t)) - 1;
    require(positive ? *edges == walk : *edges >= walk, "hops({}, {}) is {} of {}", s, t, *edges,
            walk);
  });
}

void ask_betweenness(Case& c) {
  BetweennessOptions options;
  options.sources = c.problem.sources;
  options.scale = PairScale::sums;
  options.endpoints = c.random.below(2) == 0;
  options.arcs = true;
  options.algorithm = c.problem.algorithm;
  options.device = c.problem.gpus > 0 ? Device::cuda : Device::cpu;
  options.threads = c.problem.threads;
  options.memory = c.problem.memory;
  const Betweenness found = api::betweenness_among(c.devices(), c.graph, options);
  const std::size_t n = c.n();
  const auto d = [&](Vertex u, Vertex v) { return c.truth().value(u, v); };
  // [n, n] shortest paths: those that end in an arc from a nearer vertex, nearest first.
  std::vector<double> paths(n * n, 0);
  for (Vertex s = 0; s < n; ++s) {
    std::vector<Vertex> order;
    for (Vertex v = 0; v < n; ++v) {
      if (c.truth().reachable(s, v)) order.push_back(v);
    }
    std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return d(s, a) < d(s, b); });
    paths[s * n + s] = 1;
    for (const Vertex v : order) {
      for (const Vertex u : order) {
        const auto weight = u == v ? std::nullopt : arc(c, u, v);
        if (weight && d(s, u) + *weight == d(s, v)) paths[s * n + v] += paths[s * n + u];
      }
    }
  }
  std::vector<double> expected(n, 0);
  const auto counts = [&](Vertex s) {
    return options.sources.empty() || std::count(options.sources.begin(), options.sources.end(), s);
  };
  for (Vertex s = 0; s < n; ++s) {
    if (!counts(s)) continue;
    for (Vertex t = 0; t < n; ++t) {
      if (s == t || !c.truth().reachable(s, t)) continue;
      if (options.endpoints) ++expected[s], ++expected[t];
      const double all = paths[s * n + t];
      for (Vertex v = 0; v < n; ++v) {
        if (!c.truth().reachable(s, v) || !c.truth().reachable(v, t)) continue;
        if (v != s && v != t && d(s, v) + d(v, t) == d(s, t)) {
          expected[v] += paths[s * n + v] * paths[v * n + t] / all;
        }
      }
    }
  }
  for (Vertex v = 0; v < n; ++v) {
    require(std::abs(found.vertices[v] - expected[v]) <= 1e-9 * std::max(1.0, expected[v]),
            "betweenness of {} is {}, not {}", v, found.vertices[v], expected[v]);
  }
  for (std::size_t i = 0; i < found.arcs.size(); ++i) {
    double share = 0;
    for (const bool back : {false, true}) {
      if (back && c.graph.directed()) continue;
      const Vertex from = back ? found.arcs[i].to : found.arcs[i].from;
      const Vertex to = back ? found.arcs[i].from : found.arcs[i].to;
      for (Vertex s = 0; s < n; ++s) {
        if (!counts(s) || !c.truth().reachable(s, from)) continue;
        for (Vertex t = 0; t < n; ++t) {
          if (s == t || !c.truth().reachable(to, t)) continue;
          if (d(s, from) + found.arcs[i].weight + d(to, t) != d(s, t)) continue;
          share += paths[s * n + from] * paths[to * n + t] / paths[s * n + t];
        }
      }
    }
    require(std::abs(found.of_arcs[i] - share) <= 1e-9 * std::max(1.0, share),
            "betweenness of the arc {} to {} is {}, not {}", found.arcs[i].from, found.arcs[i].to,
            found.of_arcs[i], share);
  }
}

}  // namespace apsp::campaign
