// How many shortest paths there are from a source, and which share of them passes through each
// vertex and arc: Brandes 2001, from distances that are known.
//
// An arc u → v of weight w is on a shortest path if d(u) + w = d(v). Weights are above 0, so these
// arcs lead from smaller to greater distances: vertices are sorted by distance, counted along that
// order (σ, Brandes' Lemma 3), and shares are added up against it (δ, his Theorem 6):
//
//     σ(v) = Σ σ(u) over arcs u → v,     δ(u) = σ(u) · Σ (ω(v) + δ(v)) / σ(v) over arcs u → v.
//
// ω(v) is how many targets v stands for. Every sum is made by its own vertex over its arcs in their
// order, so its bits depend on the distances alone. A sort by buckets suffices: those of a bucket
// narrower than the least weight have no arc between them. O(n + m) a source for whole numbers of
// usual size, O(n log n + m) at worst. A vertex' sum and its distance share 16 bytes, because both
// are looked up at the ends of every arc.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "search/dijkstra_search.hpp"

namespace apsp::paths {

/// `K`: double, or std::uint32_t for whole distances below 2^30.
template <class K>
struct CountedArcs {
  static constexpr bool kWhole = std::numeric_limits<K>::is_integer;
  /// No path. A weight above all distances is a greater number that adds up to none of them.
  static constexpr K kUnreached = kWhole ? K(1u << 31) : std::numeric_limits<K>::infinity();
  static constexpr double kMostWeight = kWhole ? 1 << 30 : std::numeric_limits<double>::max();

  /// Vertex i is order[i] of the graph. `counted`: the first so many have distances; others are
  /// never looked at. Requires: weights above 0.
  CountedArcs(const Graph& graph, std::span<const Vertex> order, std::int64_t counted);

  std::span<const search::KeyedArc<K>> from(std::size_t v) const { return row(out, v); }
  std::span<const search::KeyedArc<K>> into(std::size_t v) const {
    return row(out.symmetric ? out : in, v);
  }

  search::SearchArcs<K> out;  // of all vertices
  search::SearchArcs<K> in;   // against the arcs; none where the graph is symmetric
  std::size_t counted = 0;
  K least = 1;  // weight

 private:
  static std::span<const search::KeyedArc<K>> row(const search::SearchArcs<K>& arcs,
                                                  std::size_t v) {
    return std::span(arcs.arcs).subspan(arcs.first[v], arcs.first[v + 1] - arcs.first[v]);
  }
};

/// Throw `Error` (usage).
[[noreturn]] void throw_too_many_paths();
[[noreturn]] void throw_lost_weights(double least);

template <class K>
class PathCounts {
 public:
  /// `stands_for`: [counted] ω. `flows`: shares of arcs are wanted. What is given outlives this.
  PathCounts(const CountedArcs<K>& arcs, std::span<const double> stands_for, bool flows);

  /// The distance from the source to a counted vertex; all of them before `count`.
  void set(std::size_t vertex, K distance) { labels_[vertex] = {0, distance}; }
  /// `ends`: paths count for both of their ends too. Throws `Error` (usage): there are more paths
  /// than a double counts, or distances so much greater than a weight that the weight is lost in
  /// their rounding.
  void count(std::size_t source, bool ends);

  // Of the last source; until the next call.

  /// [counted] δ, 0 for the source and where there is no path; and what ends add.
  std::span<const double> shares() const { return shares_; }
  /// [arcs] shares of every arc of `CountedArcs::out`.
  std::span<const double> flows() const { return flows_; }

 private:
  struct Label {
    double value;  // σ; from (ω + δ) / σ on
    K distance;
  };
  struct Keyed {
    std::uint32_t key;
    Vertex vertex;
  };
  static constexpr std::size_t kSoon = 24, kNext = 12;  // vertices ahead
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
