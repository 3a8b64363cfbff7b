// Counts shortest paths from a source, and their shares of vertices and arcs (Brandes 2001).
//
// An arc u → v of weight w is on a shortest path if d(u) + w = d(v). Weights are above 0, so
// vertices sorted by distance are in topological order: paths are counted forward (σ, Lemma 3),
// dependencies backward (δ, Theorem 6), over u → v:
//
//     σ(v) = Σ σ(u)     δ(u) = σ(u) · Σ (ω(v) + δ(v)) / σ(v)     ω(v): targets that v represents
//
// Each vertex sums over its arcs in order, so bits depend only on distances. No arc is inside a
// bucket narrower than the least weight. Usually O(n + m) a source, O(n log n + m) at worst.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/dijkstra_search.hpp"

namespace apsp::paths {

/// `K`: double, or std::uint32_t for integral distances below 2^30.
template <class K>
struct CountedArcs {
  static constexpr bool kWhole = std::numeric_limits<K>::is_integer;
  /// No path. Weights are capped at `kMostWeight`: no sum with such a weight equals a distance.
  static constexpr K kUnreached = kWhole ? K(1u << 31) : std::numeric_limits<K>::infinity();
  static constexpr double kMostWeight = kWhole ? 1 << 30 : std::numeric_limits<double>::max();

  /// Vertex i is order[i]; the first `counted` have distances. Requires: weights above 0.
  CountedArcs(const Graph& graph, std::span<const Vertex> order, std::int64_t counted);

  std::span<const search::KeyedArc<K>> from(std::size_t v) const { return row(out, v); }
  std::span<const search::KeyedArc<K>> into(std::size_t v) const {
    return row(out.symmetric ? out : in, v);
  }

  search::SearchArcs<K> out;
  search::SearchArcs<K> in;  // reversed arcs; empty if the graph is symmetric
  std::size_t counted = 0;
  K least = 1;

 private:
  static std::span<const search::KeyedArc<K>> row(const search::SearchArcs<K>& arcs,
                                                  std::size_t v) {
    return std::span(arcs.arcs).subspan(arcs.first[v], arcs.first[v + 1] - arcs.first[v]);
  }
};

// Throw `Error` (usage).
[[noreturn]] void throw_too_many_paths();
[[noreturn]] void throw_lost_weights(double least);

template <class K>
class PathCounts {
 public:
  /// `stands_for`: [counted] ω. `flows`: compute shares of arcs. The arguments must outlive this.
  PathCounts(const CountedArcs<K>& arcs, std::span<const double> stands_for, bool flows);

  /// Sets the distance of a counted vertex from the source; all of them before `count`.
  void set(std::size_t vertex, K distance) { labels_[vertex] = {0, distance}; }
  /// `ends`: paths count for their ends. Throws `Error` (usage): too many paths, or a lost weight.
  void count(std::size_t source, bool ends);

  // Results for the last source, valid until the next call.

  /// [counted] δ and the contribution of ends; 0 without a path.
  std::span<const double> shares() const { return shares_; }
  /// [arcs] of `CountedArcs::out`.
  std::span<const double> flows() const { return flows_; }

 private:
  struct Label {
    double value;  // σ; later (ω + δ) / σ
    K distance;
  };
  struct Keyed {
    std::uint32_t key;
    Vertex vertex;
  };
  static constexpr std::size_t kSoon = 24, kNext = 12;  // prefetch distances, in vertices
  template <class ArcsOf>
  void fetch(std::size_t soon, std::size_t next, ArcsOf&& arcs_of) const;
  void sort(std::size_t source);
  void sort_by_keys(std::uint32_t greatest);
  void add_up_paths();
  bool add_up_paths(std::size_t first, std::size_t last);
  template <bool kFlows>
  void add_up_shares(double of_end);
  template <bool kFlows>
  void add_up_shares(double of_end, std::size_t first, std::size_t last);

  const CountedArcs<K>& arcs_;
  std::span<const double> stands_for_;
  std::vector<Label> labels_;   // [n]
  std::vector<double> shares_;  // [counted]
  std::vector<double> flows_;   // [arcs], or empty
  std::vector<Vertex> reached_;
  std::vector<Keyed> keyed_, other_;
};

}  // namespace apsp::paths
