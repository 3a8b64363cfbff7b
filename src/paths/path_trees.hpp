// Trees of best paths from a source, given the distances of all vertices from it.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/arc_walk.hpp"
#include "graph/negative_cycle.hpp"
#include "paths/essential_arcs.hpp"

namespace apsp::paths {

/// The arcs that trees may use: all of a graph, or the essential ones.
class TreeArcs {
 public:
  /// `graph` and `essential` must outlive this; `essential` may be null or empty.
  TreeArcs(const Graph& graph, graph::Pages pages, const EssentialArcs* essential)
      : walk_(graph, pages),
        essential_(essential != nullptr && !essential->empty() ? essential : nullptr),
        count_(essential_ != nullptr ? essential_->count() : graph.arc_count()) {}

  bool are_essential() const { return essential_ != nullptr; }
  std::int64_t count() const { return count_; }
  graph::ArcWalk& walk() { return walk_; }  ///< all arcs of the graph
  /// Calls visit(to, weight) for the arcs of u; leaves out essential ones of more than `most`.
  template <class Visit>
  void for_each(Vertex u, double most, Visit&& visit) {
    if (essential_ != nullptr) return essential_->for_each_arc(u, most, visit);
    walk_.for_each_arc(u, visit);
  }

 private:
  graph::ArcWalk walk_;
  const EssentialArcs* essential_;
  std::int64_t count_;
};

/// Trees of best paths where arithmetic is exact: breadth-first search over tight arcs.
///
/// An arc (u, v) of weight w is tight if d(u) ⊗ w = d(v). All paths of tight arcs from the source
/// are best paths, and they reach every vertex that has a path. Breadth-first levels give the
/// fewest edges and are not trapped by tight cycles. The search ends with the last vertex. O(n + m)
/// a source.
///
/// Bottlenecks: a path of fewer edges whose prefix is not best is not found.
class TightTree {
 public:
  TightTree(const Graph& graph, TreeArcs arcs, Semiring semiring, ValueType type);

  /// `distance`: [n], no path as `no_path(semiring, f64)`, the source as `empty_path`.
  /// `predecessor`: [n] the smallest on the previous level; −1 for the source and without a path.
  /// Returns false if a vertex with a distance is not reached.
  bool grow(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor);

 private:
  template <class Times>
  bool search_sorted(Vertex source, std::span<const double> distance,
                     std::span<std::int64_t> predecessor, Times times);
  template <class Times>
  bool search(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor,
              Times times);

  TreeArcs arcs_;
  Semiring semiring_;
  bool round_weights_;  // to f32, as the solver does
  bool sorts_;          // levels, which takes less time than the arcs of many vertices
  double no_path_;
  std::vector<std::int32_t> level_;  // [n] edges from the source; −1: not reached
  std::vector<double> open_;         // [n] distances where levels are sorted; reached: infinity
  std::vector<Vertex> queue_;        // [n]
  std::vector<std::uint64_t> now_, next_;  // sorted levels, a bit a vertex
};

/// Trees of shortest paths where arithmetic rounds (real weights): least total slack.
///
/// The slacks w + d(u) − d(v) along a path to t sum to its true length − d(t), so the path of least
/// total slack is shortest, although no arc need be exactly tight. Steps for a source:
///
/// 1. Dijkstra on max(slack, 0), or one pass by distance if arcs are in its order; ties: fewer
///    edges, then the smaller predecessor.
/// 2. Lengths along the tree. Label correcting (Moore 1959) where an arc shortens one by more than
///    rounding and closes no cycle.
/// 3. Lengths must match the distances within the solver's rounding; with weights of both signs,
///    reduced lengths must (graph/reduced_matrix.hpp).
///
/// Guarantee: a path is simple and exceeds the shortest length by at most 8 · e · 2^-53 · S (e:
/// edges, S: length of the shortest path; signed weights: the largest Σ|w| in the tree). O(m + n
/// log n) a source in practice; step 2 is O(n·m) at worst. Max-plus: shortest paths of −w.
class SlackTree {
 public:
  /// Requires: min-plus or max-plus, f32 or f64. `graph` must outlive this.
  SlackTree(const Graph& graph, TreeArcs arcs, Semiring semiring, ValueType type);

  /// The slack that rounding gives an arc of a shortest path, if no distance is beyond `largest`.
  static double most_slack(const Graph& graph, ValueType type, double largest);

  /// Same as `TightTree::grow`, but also false if a path's length differs from its distance.
  bool grow(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor);

 private:
  struct Key {
    double slack;
    std::int64_t edges;
    Vertex vertex;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
  };
  struct Label {
    double slack = 0;
    std::int64_t edges = 0, parent = -1;
    double weight = 0;
    double length = 0;
    double magnitude = 0;  // Σ|w| from the source
    bool reached = false, settled = false;
    bool queued = false;
  };

  bool settle_by_distance(Vertex source, double tolerance);
  void sort_by_distance(Vertex source);
  bool settle_all(Vertex source, double tolerance);
  bool settled_all() const;
  void settle(Vertex u, double tolerance);
  template <class Improved>
  void relax(Vertex u, double tolerance, Improved&& improved);
  void measure();
  template <class Visit>
  void for_each_shortcut(Vertex u, Visit&& visit);
  void shorten();
  bool is_ancestor(Vertex ancestor, Vertex v) const;
  bool agrees() const;
  bool agrees_when_reduced(Vertex source);

  const Graph& graph_;
  TreeArcs arcs_;
  double sign_;
  ValueType type_;
  double unit_roundoff_;
  double furthest_ = 0;        // the greatest distance
  double smallest_;            // absolute loss below the type's normal values
  std::vector<Label> labels_;  // [n]
  std::vector<Key> heap_;
  std::vector<Vertex> order_;
  std::vector<std::uint32_t> ends_;  // [n + 1] of the buckets of `sort_by_distance`
  std::vector<double> distance_;     // [n] times sign, no path as +infinity
  std::optional<Potentials> potentials_;
};

/// Predecessors from distances. Each thread needs its own instance.
class PredecessorTree {
 public:
  /// `graph` and `essential`, the arcs that suffice, must outlive this.
  PredecessorTree(const Graph& graph, Semiring semiring, ValueType type,
                  graph::Pages pages = graph::Pages::kept,
                  const EssentialArcs* essential = nullptr);

  /// [n] valid until the next call; −1: none. `distances`: [n]. Throws `Error` (input).
  std::span<const std::int64_t> of(Vertex source, const void* distances);
  /// `row`: [n], no path as ±infinity (or-and: 0); row[source] is set to the empty path.
  void grow(Vertex source, std::span<double> row, std::span<std::int64_t> predecessor);

 private:
  const Graph& graph_;
  Semiring semiring_;
  ValueType type_;
  TightTree tight_;
  std::optional<SlackTree> slack_;
  std::vector<double> row_;
  std::vector<std::int64_t> predecessor_;
};

}  // namespace apsp::paths
