// Trees of best paths from one source after another, from the distances of all vertices from it.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/arc_walk.hpp"
#include "graph/negative_cycle.hpp"

namespace apsp::paths {

/// Trees of best paths where arithmetic is exact: breadth-first search over tight arcs.
///
/// An arc (u, v) of weight w is tight for a source if d(u) ⊗ w = d(v). Every path of tight arcs
/// from the source is a best path, and some best path to each vertex consists of them: Dijkstra's
/// tree does. Breadth-first levels give the fewest edges and are not trapped by tight cycles (of
/// zero weight, or of one bottleneck), which walking back from the target would be. O(n + m) a
/// source.
///
/// For the bottleneck semirings a best path may begin with a part that is not best itself and so
/// need fewer edges; such paths are not in any tree of best paths and are not looked for.
class TightTree {
 public:
  /// `graph` must outlive this.
  TightTree(const Graph& graph, Semiring semiring, ValueType type,
            graph::Pages pages = graph::Pages::kept);

  /// `distance`: [n], no path as `no_path(semiring, f64)`, the source as `empty_path`. Fills
  /// `predecessor` [n]: the smallest one on the level before, −1 for the source and where there is
  /// no path. False if some vertex with a distance is not reached over tight arcs.
  bool grow(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor);

 private:
  template <class Times>
  void search(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor,
              Times times);

  const Graph& graph_;
  graph::ArcWalk walk_;
  Semiring semiring_;
  bool round_weights_;  // to f32, as the solver did
  double no_path_;
  std::vector<std::int32_t> level_;  // [n] edges from the source, −1: not reached
  std::vector<Vertex> queue_;        // reached vertices in order
};

/// Trees of shortest paths where arithmetic rounds (real weights): least total slack.
///
/// With rounded distances d from a source no arc need be exactly tight. Its slack w + d(u) − d(v)
/// telescopes: along a path to t the slacks sum to the path's true length − d(t), so the path of
/// least total slack is the truly shortest one. Three steps a source:
///
/// 1. Dijkstra on slacks, negative ones (rounding) taken as zero; of equal sums fewer edges win, of
///    these the smaller predecessor. Keys grow along every arc, so cycles of zero or slightly
///    negative weight do no harm. Only arcs of small slack are tried first: nearly linear.
/// 2. Lengths along the tree in double precision. Where an arc still shortens a path by more than
///    their rounding, its head changes over (label correcting, first in first out; Moore 1959),
///    unless that would close a cycle. Errors of the given distances thus leave no trace.
/// 3. Lengths must agree with the distances within the rounding that the solver may have had;
///    otherwise the matrix is not this graph's. Weights of both signs are solved on reduced ones
///    (kernels/potential.hpp), whose rounding may be large beside a distance: where lengths
///    disagree by more than that of their own sums, potentials are found and reduced lengths
///    decide.
///
/// Guarantee: a path is simple, made of arcs of the graph, and longer than the truly shortest one
/// by at most 8 · e · 2^-53 · S, where e is that one's number of edges and S its length (signed
/// weights: the largest Σ|w| along a path of the tree). O(m + n log n) a source in practice; step 2
/// is O(n·m) at worst. Longest paths (max-plus) are shortest ones of −w.
class SlackTree {
 public:
  /// Requires: min-plus or max-plus, f32 or f64. `graph` must outlive this.
  SlackTree(const Graph& graph, Semiring semiring, ValueType type,
            graph::Pages pages = graph::Pages::kept);

  /// As `TightTree::grow`. False if a vertex with a distance is not reached, or over a path of
  /// another length.
  bool grow(Vertex source, std::span<const double> distance, std::span<std::int64_t> predecessor);

 private:
  /// Orders vertices in step 1.
  struct Key {
    double slack;
    std::int64_t edges;
    Vertex vertex;
    auto operator<=>(const Key&) const = default;  // NOLINT(modernize-use-nullptr): false alarm
  };
  /// The path to a vertex, as the tree has it.
  struct Label {
    double slack = 0;
    std::int64_t edges = 0, parent = -1;
    double weight = 0;     // of the arc from the parent
    double length = 0;     // from the source
    double magnitude = 0;  // Σ|w| from the source
    bool reached = false, settled = false;
    bool queued = false;
  };

  bool settle_all(Vertex source, double tolerance);
  void settle(Vertex u, double tolerance);
  void measure();
  void shorten();
  bool is_ancestor(Vertex ancestor, Vertex v) const;
  bool agrees() const;
  bool agrees_when_reduced(Vertex source);

  const Graph& graph_;
  graph::ArcWalk walk_;
  double sign_;
  double unit_roundoff_;       // of the value type
  double smallest_;            // what may be lost below its normal values
  std::vector<Label> labels_;  // [n]
  std::vector<Key> heap_;
  std::vector<Vertex> order_;             // vertices as they were settled
  std::vector<double> distance_;          // [n] times sign, no path as +infinity
  std::optional<Potentials> potentials_;  // once they were needed
};

/// Rows of predecessors from rows of distances, one after another with the same memory. One a
/// thread.
class PredecessorTree {
 public:
  /// Of distances of this semiring and type. `graph` outlives this.
  PredecessorTree(const Graph& graph, Semiring semiring, ValueType type,
                  graph::Pages pages = graph::Pages::kept);

  /// [n] the predecessors, −1: none, until the next call. `distances`: [n]. Throws `Error` (input).
  std::span<const std::int64_t> of(Vertex source, const void* distances);
  /// `row`: [n], no path as ±infinity (or-and: 0); the source's value is set to the empty path.
  void grow(Vertex source, std::span<double> row, std::span<std::int64_t> predecessor);

 private:
  const Graph& graph_;
  Semiring semiring_;
  ValueType type_;
  TightTree tight_;
  std::optional<SlackTree> slack_;
  std::vector<double> row_;                // [n], once `of` needs it
  std::vector<std::int64_t> predecessor_;  // the same
};

}  // namespace apsp::paths
