#include "graph/distance_bounds.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "graph/components.hpp"
#include "graph/search.hpp"
#include "graph/whole_weights.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

/// The two largest distances from or to a centre, and the vertex of the first.
struct Farthest {
  Vertex vertex = 0;
  double first = 0, second = 0;

  void add(Vertex v, double distance) {
    if (distance > first) {
      second = first;
      first = distance;
      vertex = v;
    } else {
      second = std::max(second, distance);
    }
  }
};

double longest_way(const Farthest& away, const Farthest& home) {
  if (away.vertex != home.vertex) return away.first + home.first;
  return std::max(away.first + home.second, away.second + home.first);
}

/// Rounds up a bound computed from rounded sums, so that it also bounds the exact sums. Sums of
/// integers below 2^53 are exact.
double rounded_up(double bound, const Graph& graph) {
  const bool exact = graph.weight_facts().integral && bound <= graph::kMostExact;
  const double rounding = exact ? 0 : 0x1p-50;
  return bound * (1 + rounding * static_cast<double>(graph.vertex_count()));
}

/// Whether vertex 0 reaches all n. Faster than computing strong components.
template <class Arcs>
bool reaches_all(const Arcs& arcs, std::int64_t n) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  std::vector<Vertex> waiting = {0};
  seen[0] = true;
  std::int64_t reached = 0;
  while (!waiting.empty()) {
    const Vertex u = waiting.back();
    waiting.pop_back();
    base::poll(static_cast<std::size_t>(++reached));
    arcs.for_each_arc(u, [&](Vertex v, double) {
      if (seen[v]) return;
      seen[v] = true;
      waiting.push_back(v);
    });
  }
  return reached == n;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Centres {
 public:
  Centres(const Graph& graph, const std::optional<graph::ReversedArcs>& reversed,
          const graph::Condensation& condensation, std::span<const double> enough,
          const Control& control)
      : graph_(graph),
        reversed_(reversed),
        condensation_(condensation),
        enough_(enough),
        control_(control),
        away_(graph.vertex_count()),
        home_(graph.symmetric() ? 0 : graph.vertex_count()),
        deepest_(graph.symmetric() ? static_cast<std::size_t>(graph.vertex_count()) : 0),
        start_(condensation.count()) {}

  double by_busiest(std::size_t c) {
    const std::span<const Vertex> vertices = condensation_.vertices(c);
    return through(c, *std::max_element(vertices.begin(), vertices.end(), [&](Vertex u, Vertex v) {
                     return graph_.out_degree(u) < graph_.out_degree(v);
                   }));
  }

  /// A second bound, from the middle of the longest path from the vertex farthest from the first
  /// centre. `inside`: the first bound. Requires: by_busiest(c) was called.
  double by_middle(std::size_t c, double inside) {
    search(away_, graph_, c, start_[c]);
    if (!may_prove(inside)) return kInfinity;
    Vertex behind = away_.reached().back();
    const double length = away_.distance(behind);
    while (away_.distance(away_.parent(behind)) > length / 2) behind = away_.parent(behind);
    const Vertex before = away_.parent(behind);
    const bool nearer = away_.distance(behind) - length / 2 < length / 2 - away_.distance(before);
    return through(c, nearer ? behind : before);
  }

  bool may_prove(double bound) const {
    return std::any_of(enough_.begin(), enough_.end(),
                       [&](double enough) { return longest_ <= enough && enough < bound; });
  }

 private:
  template <class Arcs>
  void search(graph::Search& search, const Arcs& arcs, std::size_t c, Vertex source) {
    constexpr std::int64_t kShown = std::int64_t{1} << 20, kPolled = std::int64_t{1} << 17;
    std::int64_t entered = 0;
    const auto all = std::ssize(condensation_.vertices(c));
    std::optional<base::ProgressTask> progress;
    if (all > kShown) {
      progress.emplace(control_, "bounding distances", static_cast<double>(all), "vertex");
    }
    search.run(arcs, source, [&](Vertex v) {
      if (++entered % kPolled == 0) {
        base::check_cancelled(control_);
        if (progress && entered % kShown == 0 && entered <= all)
          progress->advance(static_cast<double>(kShown));
      }
      return condensation_.of(v) == c;
    });
    longest_ = std::max(longest_, search.distance(search.reached().back()));
  }

  double through(std::size_t c, Vertex centre) {
    search(away_, graph_, c, centre);
    if (!graph_.symmetric()) search(home_, *reversed_, c, centre);
    const graph::Search& home = graph_.symmetric() ? away_ : home_;
    start_[c] = home.reached().back();
    const std::size_t all = condensation_.vertices(c).size();
    if (away_.reached().size() < all || home.reached().size() < all) return kInfinity;
    if (graph_.symmetric()) return diameter_of_tree();
    return longest_way(farthest(away_), farthest(home));
  }

  /// The diameter of the last shortest-path tree, with edges in both directions.
  double diameter_of_tree() {
    double diameter = 0;
    const std::span<const Vertex> reached = away_.reached();
    for (const Vertex v : reached) deepest_[v] = away_.distance(v);
    for (std::size_t i = reached.size() - 1; i > 0; --i) {
      const Vertex v = reached[i], parent = away_.parent(v);
      const double across = deepest_[parent] + deepest_[v] - 2 * away_.distance(parent);
      diameter = std::max(diameter, across);
      deepest_[parent] = std::max(deepest_[parent], deepest_[v]);
    }
    return diameter;
  }

  static Farthest farthest(const graph::Search& search) {
    const std::span<const Vertex> reached = search.reached();
    const Vertex last = reached.back();
    return {last, search.distance(last), search.distance(reached[reached.size() - 2])};
  }

  const Graph& graph_;
  const std::optional<graph::ReversedArcs>& reversed_;
  const graph::Condensation& condensation_;
  std::span<const double> enough_;
  const Control& control_;
  graph::Search away_, home_;
  std::vector<double>
      deepest_;  // [n] largest distance below a vertex of a tree; symmetric graphs only
  std::vector<Vertex> start_;  // [components] the vertex farthest from the last centre
  double longest_ = 0;
};

class Hops {
 public:
  Hops(const Graph& graph, double enough, int threads)
      : graph_(graph),
        enough_(enough),
        n_(static_cast<std::size_t>(graph.vertex_count())),
        home_(n_, kInfinity) {
    Vertex centre = 0;
    for (Vertex v = 1; v < n_; ++v) {
      if (graph.out_degree(v) > graph.out_degree(centre)) centre = v;
    }
    home_[centre] = 0;
    if (!graph.symmetric()) away_ = home_;
    const auto members = static_cast<std::size_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(n_), 1, std::max(1, threads)));
    for (std::size_t member = 0; member < members; ++member) workers_.emplace_back(graph);
  }

  /// Extends paths by one arc. Returns false if none improved, or if further passes are useless.
  bool pass(const Control& control) {
    std::vector<double> next = home_;
    for (Distances& member : workers_) member.away = away_;
    std::atomic<bool> in_vain{false};
    system::parallel_for(
        static_cast<std::int64_t>(n_), static_cast<int>(workers_.size()),
        [&](std::int64_t i, int member) {
          if (base::cancelled(control)) return;
          const auto u = static_cast<Vertex>(i);
          if (take_arcs(u, workers_[static_cast<std::size_t>(member)], next[u]) > enough_) {
            in_vain = true;
          }
        });
    base::check_cancelled(control);
    bool better = next != home_;
    home_ = std::move(next);
    better = take_ways_from_centre() || better;
    return better && !in_vain;
  }

  double bound() const {
    Farthest home, away;
    for (Vertex v = 0; v < n_; ++v) {
      home.add(v, home_[v]);
      away.add(v, graph_.symmetric() ? home_[v] : away_[v]);
    }
    return longest_way(away, home);
  }

 private:
  struct Distances {
    explicit Distances(const Graph& of) : walk(of, graph::Pages::given_back) {}
    graph::ArcWalk walk;
    std::vector<double> away;  // [n] from the thread's vertices; empty if symmetric
  };

  /// Improves u's path to the centre, and the thread's paths from the centre, by u's arcs. Returns
  /// the least weight of an arc from u to another vertex, a lower bound of distances from u; 0 if
  /// there is none.
  double take_arcs(Vertex u, Distances& member, double& home) const {
    double lightest = kInfinity, best = home;
    const bool symmetric = graph_.symmetric();
    const double way = symmetric ? 0 : away_[u];
    member.walk.for_each_arc(u, [&](Vertex v, double weight) {
      if (v == u) return;
      lightest = std::min(lightest, weight);
      best = std::min(best, weight + home_[v]);
      if (!symmetric) member.away[v] = std::min(member.away[v], way + weight);
    });
    home = best;
    return lightest < kInfinity ? lightest : 0;
  }

  bool take_ways_from_centre() {
    bool better = false;
    for (std::size_t v = 0; v < away_.size(); ++v) {
      for (const Distances& member : workers_) {
        better = better || member.away[v] < away_[v];
        away_[v] = std::min(away_[v], member.away[v]);
      }
    }
    return better;
  }

  const Graph& graph_;
  double enough_;
  std::size_t n_;
  std::vector<double> home_,
      away_;  // [n] paths to and from the centre; symmetric: only the first
  std::vector<Distances> workers_;
};

}  // namespace

double eccentricity_bound(const Graph& graph, std::span<const double> enough,
                          const Control& control) {
  if (graph.weight_facts().least < 0) return kInfinity;
  std::optional<graph::ReversedArcs> reversed;
  if (!graph.symmetric()) reversed.emplace(graph);
  const bool whole = graph.vertex_count() > 0 && reaches_all(graph, graph.vertex_count()) &&
                     (!reversed || reaches_all(*reversed, graph.vertex_count()));
  const graph::Condensation condensation(graph, whole);
  Centres centres(graph, reversed, condensation, enough, control);
  std::vector<double> inside(condensation.count(), 0);
  const auto for_each_component = [&](auto&& visit) {
    for (std::size_t c = 0; c < inside.size(); ++c) {
      base::check_cancelled(control);
      if (condensation.vertices(c).size() > 1) visit(c);
    }
  };
  for_each_component([&](std::size_t c) { inside[c] = centres.by_busiest(c); });
  double bound = condensation.longest_path(inside);
  if (centres.may_prove(bound)) {
    for_each_component([&](std::size_t c) {
      const bool matters = centres.may_prove(graph.symmetric() ? inside[c] : bound);
      if (matters) inside[c] = std::min(inside[c], centres.by_middle(c, inside[c]));
    });
    bound = condensation.longest_path(inside);
  }
  return rounded_up(bound, graph);
}

double hop_bound(const Graph& graph, double enough, int threads, const Control& control) {
  if (graph.weight_facts().least < 0) return kInfinity;
  if (graph.vertex_count() == 0) return 0;
  if (graph.matrix() != nullptr && graph.matrix()->by_columns) return kInfinity;
  Hops hops(graph, enough, threads);
  double bound = hops.bound();
  bool goes_on = true;
  for (int hop = 0; hop < kMostHops && bound > enough && goes_on; ++hop) {
    goes_on = hops.pass(control);
    bound = hops.bound();
  }
  return rounded_up(bound, graph);
}

namespace {

constexpr double kNotReached = std::numeric_limits<double>::infinity();

struct Lengths {
  BestPaths paths;
  double operator()(Vertex u, Vertex v, double weight) const {
    const double length = paths.sign * weight;
    if (paths.potentials.empty()) return length;
    return std::max(0.0, length + (paths.potentials[u].high - paths.potentials[v].high));
  }
};

/// All vertices once, in an order that scatters neighbouring numbers.
class ScatteredVertices {
 public:
  explicit ScatteredVertices(std::int64_t n)
      : n_(static_cast<std::uint64_t>(n)), step_(1 + n_ * 5 / 8) {
    while (std::gcd(step_, n_) != 1) ++step_;
  }
  Vertex operator[](std::int64_t i) const {
    return static_cast<Vertex>(static_cast<std::uint64_t>(i) * step_ % n_);
  }

 private:
  std::uint64_t n_, step_;
};

class CountedArcs {
 public:
  CountedArcs(const Graph& graph, const BestPaths& paths, std::int64_t enough,
              const Control& control)
      : graph_(graph),
        lengths_{paths},
        enough_(enough),
        control_(control),
        edges_(static_cast<std::size_t>(graph.vertex_count())),
        search_(graph.vertex_count()) {}

  Vertex search_from(Vertex source) {
    deepest_ = source_ = source;
    edges_[source] = 0;
    search_.run(*this, source, [](Vertex) { return true; });
    most_ = std::max(most_, edges_[deepest_]);
    return deepest_;
  }

  template <class Visit>
  void for_each_arc(Vertex u, Visit&& visit) {
    constexpr std::int64_t kVerticesAPoll = 1 << 12;
    if (u != source_) edges_[u] = edges_[search_.parent(u)] + 1;
    if (edges_[u] > edges_[deepest_]) deepest_ = u;
    if (edges_[deepest_] > enough_) return;
    work_ += 1 + graph_.out_degree(u);
    if (++settled_ % kVerticesAPoll == 0) base::check_cancelled(control_);
    graph_.for_each_arc(u, [&](Vertex v, double weight) { visit(v, lengths_(u, v, weight)); });
  }

  std::int64_t most() const { return most_; }
  std::int64_t work() const { return work_; }
  std::span<const Vertex> reached() const { return search_.reached(); }

 private:
  const Graph& graph_;
  Lengths lengths_;
  std::int64_t enough_;
  const Control& control_;
  std::vector<std::int64_t> edges_;
  graph::Search search_;
  Vertex source_ = 0, deepest_ = 0;
  std::int64_t most_ = 0, work_ = 0, settled_ = 0;
};

std::int64_t edges_by_searches(const Graph& graph, const BestPaths& paths, std::int64_t enough,
                               const Control& control) {
  constexpr std::int64_t kPasses = 4;
  const std::int64_t n = graph.vertex_count();
  const std::int64_t most_work = kPasses * (n + graph.arc_count());
  CountedArcs arcs(graph, paths, enough, control);
  std::vector<bool> met(static_cast<std::size_t>(n));
  const ScatteredVertices vertices(n);
  for (std::int64_t i = 0; i < n && arcs.most() <= enough && arcs.work() < most_work; ++i) {
    const Vertex source = vertices[i];
    if (met[source]) continue;
    const std::int64_t before = arcs.most();
    const Vertex end = arcs.search_from(source);
    for (const Vertex v : arcs.reached()) met[v] = true;
    // If paths are much shorter than `enough`, the longest one is not searched for.
    constexpr std::int64_t kFar = 4;
    if (arcs.most() > before && arcs.most() <= enough && kFar * arcs.most() > enough) {
      arcs.search_from(end);
    }
  }
  return arcs.most();
}

/// Finds the nearest vertices of one in a dense graph, row by row. Column-major matrices are read
/// by columns: paths of the reversed graph have as many edges.
class NearestVertices {
 public:
  NearestVertices(const Graph& graph, const BestPaths& paths)
      : graph_(graph),
        lengths_{paths},
        length_(static_cast<std::size_t>(graph.vertex_count()), kNotReached),
        open_(length_),
        edges_(length_.size()) {}

  void begin(Vertex source) {
    std::fill(length_.begin(), length_.end(), kNotReached);
    std::fill(open_.begin(), open_.end(), kNotReached);
    settled_ = most_ = all_edges_ = 0;
    length_[source] = open_[source] = 0;
    edges_[source] = 0;
  }

  /// Settles vertices up to `count`. Returns false if no more are reachable.
  bool settle(std::int64_t count, const Control& control) {
    for (; settled_ < count; ++settled_) {
      base::check_cancelled(control);
      const auto nearest = std::min_element(open_.begin(), open_.end());
      if (*nearest == kNotReached) return false;
      const auto u = static_cast<Vertex>(nearest - open_.begin());
      *nearest = kNotReached;
      most_ = std::max(most_, edges_[u]);
      all_edges_ += edges_[u];
      take_arcs(u);
      if (settled_ % kRowsKept == kRowsKept - 1) graph_.release_pages();
    }
    return true;
  }

  std::int64_t most() const { return most_; }
  std::int64_t settled() const { return settled_; }
  double mean() const {
    return static_cast<double>(all_edges_) /
           static_cast<double>(std::max<std::int64_t>(1, settled_));
  }

 private:
  void take_arcs(Vertex u) {
    const WeightMatrix* const matrix = graph_.matrix();
    if (matrix == nullptr) {
      return graph_.for_each_arc(
          u, [&](Vertex v, double weight) { offer(u, v, lengths_(u, v, weight)); });
    }
    matrix->with_type([&]<class T>() {
      const T* const line = static_cast<const T*>(matrix->data) + std::int64_t{u} * matrix->n;
      for (Vertex v = 0; v < matrix->n; ++v) {
        if (line[v] == WeightMatrix::no_arc<T>() || v == u) continue;
        const auto weight = static_cast<double>(line[v]);
        offer(u, v, matrix->by_columns ? lengths_(v, u, weight) : lengths_(u, v, weight));
      }
    });
  }

  void offer(Vertex u, Vertex v, double arc) {
    const double length = length_[u] + arc;
    if (length >= length_[v]) return;
    length_[v] = open_[v] = length;
    edges_[v] = edges_[u] + 1;
  }

  /// The system may map 2 MiB of a file around each row (graph/arc_walk.hpp).
  static constexpr std::int64_t kRowsKept = 8;

  const Graph& graph_;
  Lengths lengths_;
  std::vector<double> length_, open_;  // [n]; open: seen but not settled
  std::vector<std::int64_t> edges_;
  std::int64_t settled_ = 0, most_ = 0, all_edges_ = 0;
};

/// A search of `count` of n vertices reads that share of the matrix at about 2 ns per value, and a
/// solve relaxes n times as many values at 17 T/s on a fast GPU, so this share costs a hundredth of
/// the solve.
std::int64_t edges_nearby(const Graph& graph, const BestPaths& paths, std::int64_t enough,
                          const Control& control) {
  constexpr double kShare = 3e-7;
  constexpr std::int64_t kLeast = 32, kMost = 512, kQuarter = 4, kStarts = 3;
  const std::int64_t n = graph.vertex_count();
  const auto affordable =
      static_cast<std::int64_t>(kShare * static_cast<double>(n) * static_cast<double>(n));
  const std::int64_t count = std::min(n, std::clamp(affordable, kLeast, kMost));
  NearestVertices nearest(graph, paths);
  const ScatteredVertices vertices(n);
  std::int64_t most = 0, settled = 0;
  for (std::int64_t i = 0; i < n && settled < kStarts * count;
       ++i, settled += 1 + nearest.settled()) {
    nearest.begin(vertices[i]);
    const bool first = nearest.settle(count / kQuarter, control);
    const double begun = nearest.mean();
    const bool all = first && nearest.settle(count, control);
    most = std::max(most, nearest.most());
    if (!all) continue;
    const double growth =
        std::log(nearest.mean() / begun) / std::log(static_cast<double>(kQuarter));
    // A search from the middle of a path finds half of it.
    const double vertices_left = 2 * static_cast<double>(n) / static_cast<double>(count);
    const double grown =
        static_cast<double>(nearest.most()) * std::pow(vertices_left, std::clamp(growth, 0.0, 1.0));
    return std::min(enough + 1, static_cast<std::int64_t>(grown));
  }
  return most;
}

/// The most edges of any path of a sparse acyclic graph; for cyclic or dense graphs the edges of a
/// path through all vertices.
std::int64_t edges_without_cycles(const Graph& graph, bool dense) {
  const std::int64_t n = graph.vertex_count();
  if (dense) return n - 1;
  std::vector<std::int64_t> entering(static_cast<std::size_t>(n)), edges(entering);
  graph.visit_all([&](Vertex, Vertex to, double) { ++entering[to]; });
  std::vector<Vertex> order;
  order.reserve(static_cast<std::size_t>(n));
  for (Vertex v = 0; v < n; ++v) {
    if (entering[v] == 0) order.push_back(v);
  }
  std::int64_t most = 0;
  for (std::size_t next = 0; next < order.size(); ++next) {
    const Vertex u = order[next];
    base::poll(next);
    most = std::max(most, edges[u]);
    graph.for_each_arc(u, [&](Vertex v, double) {
      edges[v] = std::max(edges[v], edges[u] + 1);
      if (--entering[v] == 0) order.push_back(v);
    });
  }
  return std::ssize(order) < n ? n - 1 : most;
}

}  // namespace

std::int64_t path_edges(const Graph& graph, const BestPaths& paths, std::int64_t enough,
                        const Control& control) {
  const std::int64_t n = graph.vertex_count();
  if (n - 1 <= enough) return std::max<std::int64_t>(0, n - 1);
  constexpr double kDense = 1.0 / 64, kFewArcs = 1 << 16;
  const double pairs = static_cast<double>(n) * static_cast<double>(n);
  const bool dense = graph.matrix() != nullptr ||
                     static_cast<double>(graph.arc_count()) > std::max(kFewArcs, kDense * pairs);
  const WeightFacts& facts = graph.weight_facts();
  const double least = paths.sign > 0 ? facts.least : -facts.greatest;
  if (least < 0 && paths.potentials.empty()) return edges_without_cycles(graph, dense);
  const std::int64_t found = dense ? edges_nearby(graph, paths, enough, control)
                                   : edges_by_searches(graph, paths, enough, control);
  return std::max<std::int64_t>(found, graph.arc_count() > 0 ? 1 : 0);
}

}  // namespace apsp
