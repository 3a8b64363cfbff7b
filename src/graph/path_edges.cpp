#include "graph/distance_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/control.hpp"
#include "graph/search.hpp"

namespace apsp {
namespace {

constexpr double kNotReached = std::numeric_limits<double>::infinity();

/// w + h(u) − h(v), or `sign` · w, none of which is negative.
struct Lengths {
  BestPaths paths;
  double operator()(Vertex u, Vertex v, double weight) const {
    const double length = paths.sign * weight;
    if (paths.potentials.empty()) return length;
    return std::max(0.0, length + (paths.potentials[u].high - paths.potentials[v].high));
  }
};

/// All vertices, each once, those of neighbouring numbers far from each other.
class ScatteredVertices {
 public:
  /// Requires: n > 0.
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

/// A graph as searches see it: counts the edges of their paths, and ends where there are enough.
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

  /// Returns the last vertex of the path of most edges from the source.
  Vertex search_from(Vertex source) {
    deepest_ = source_ = source;
    edges_[source] = 0;
    search_.run(*this, source, [](Vertex) { return true; });
    most_ = std::max(most_, edges_[deepest_]);
    return deepest_;
  }

  /// Of a vertex that has just been settled.
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
  std::int64_t work() const { return work_; }  ///< vertices and arcs that were met
  std::span<const Vertex> reached() const { return search_.reached(); }

 private:
  const Graph& graph_;
  Lengths lengths_;
  std::int64_t enough_;
  const Control& control_;
  std::vector<std::int64_t> edges_;  // [n] of the path to a settled vertex
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
    // Where paths are short by far, the longest one is not looked for.
    constexpr std::int64_t kFar = 4;
    if (arcs.most() > before && arcs.most() <= enough && kFar * arcs.most() > enough) {
      arcs.search_from(end);
    }
  }
  return arcs.most();
}

/// The nearest vertices of one, row by row of a dense graph. A matrix by columns is read by
/// columns: its paths are those of the reversed arcs, of as many edges.
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

  /// Until so many are settled. False if no more can be reached.
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
  /// Of the paths to those that are settled.
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
  std::vector<double> length_, open_;  // [n]; open: met and not settled
  std::vector<std::int64_t> edges_;    // [n]
  std::int64_t settled_ = 0, most_ = 0, all_edges_ = 0;
};

/// A search of `count` of n vertices looks at that share of a matrix's values, some 2 ns each, and
/// a solve relaxes n times as many, at 17 T/s on a fast GPU: this share of them takes a hundredth
/// of its time.
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
    if (!all) continue;  // few can be reached from there
    const double growth =
        std::log(nearest.mean() / begun) / std::log(static_cast<double>(kQuarter));
    // From the middle of a path a search finds half of it.
    const double vertices_left = 2 * static_cast<double>(n) / static_cast<double>(count);
    const double grown =
        static_cast<double>(nearest.most()) * std::pow(vertices_left, std::clamp(growth, 0.0, 1.0));
    return std::min(enough + 1, static_cast<std::int64_t>(grown));
  }
  return most;
}

/// The most edges of any path of a sparse graph without cycles; with cycles, or of a dense graph,
/// which nobody wants to count, those of a path through all vertices.
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
