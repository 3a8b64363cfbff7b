// The graph: compressed sparse rows, as read.
//
// Parallel arcs and self-loops are kept: which of two parallel arcs is better depends on the
// semiring, so the solver folds them with ⊕. An undirected edge {u,v}, u ≠ v, stands as two arcs;
// an undirected loop as one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsp {

using Vertex = std::uint32_t;

struct Edge {
  Vertex from = 0;
  Vertex to = 0;
  double weight = 1;
};

/// Facts about all weights of a graph, gathered while it was built.
struct WeightFacts {
  double least = 0;      ///< smallest weight (0 without arcs)
  double greatest = 0;   ///< largest weight (0 without arcs)
  bool integral = true;  ///< every weight is an integer of magnitude ≤ 2^53
  bool unit = true;      ///< every weight is 1
};

class Graph {
 public:
  Graph() = default;

  std::int64_t vertex_count() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  std::int64_t arc_count() const { return static_cast<std::int64_t>(targets_.size()); }
  /// Directed: arcs. Undirected: edges, each counted once.
  std::int64_t edge_count() const;
  std::int64_t loop_count() const { return loops_; }
  bool directed() const { return directed_; }
  /// Undirected, or a directed graph whose arcs come in pairs u → v, v → u of equal weight, parallel
  /// arcs counted: the matrix is symmetric in every semiring, and solved in half the work.
  bool symmetric() const { return symmetric_; }
  const WeightFacts& weight_facts() const { return facts_; }

  std::span<const std::int64_t> offsets() const { return offsets_; }  ///< [n + 1]
  std::span<const Vertex> targets() const { return targets_; }        ///< [arcs], sorted in a row
  std::span<const double> weights() const { return weights_; }        ///< [arcs]
  std::span<const Vertex> targets(Vertex v) const { return row(targets(), v); }
  std::span<const double> weights(Vertex v) const { return row(weights(), v); }

  /// The number the source file gives its first vertex (0 or 1); used when there are no labels.
  Vertex first_id() const { return first_id_; }
  std::span<const std::string> labels() const { return labels_; }  ///< [n], or empty
  std::string name(Vertex v) const;                                ///< label, or first_id + v
  std::optional<Vertex> find(std::string_view name) const;         ///< inverse of `name`

  /// Fingerprint of everything above ("fnv1a64:…"): two graphs of one digest are the same.
  std::string digest() const;

 private:
  friend class GraphBuilder;
  template <class T>
  std::span<const T> row(std::span<const T> values, Vertex v) const {
    return values.subspan(static_cast<std::size_t>(offsets_[v]),
                          static_cast<std::size_t>(offsets_[v + 1] - offsets_[v]));
  }
  std::vector<std::int64_t> offsets_ = {0};
  std::vector<Vertex> targets_;
  std::vector<double> weights_;
  std::vector<std::string> labels_;
  std::vector<Vertex> by_label_;  // [n] vertices in order of their labels, or empty
  WeightFacts facts_;
  std::int64_t loops_ = 0;
  Vertex first_id_ = 0;
  bool directed_ = true;
  bool symmetric_ = true;
};

/// Collects edges in any order and sorts them into a `Graph` (counting sort, O(n + m) and each
/// row by target, then weight).
class GraphBuilder {
 public:
  /// Throws `Error` (does_not_fit) if there are more vertices than a `Vertex` can number.
  explicit GraphBuilder(std::int64_t vertex_count, bool directed = true);

  void reserve(std::int64_t edges) { edges_.reserve(static_cast<std::size_t>(edges)); }
  /// Requires: both ends < vertex_count; weight finite.
  void add_edge(Vertex from, Vertex to, double weight = 1) { edges_.push_back({from, to, weight}); }
  void add_edges(std::vector<Edge>&& edges);
  void set_first_id(Vertex id) { first_id_ = id; }
  /// One distinct label a vertex. Throws `Error` (input) if two are the same.
  void set_labels(std::vector<std::string> labels) { labels_ = std::move(labels); }

  /// Throws `Error` (usage) for an end out of range or a weight that is not finite.
  Graph build() &&;

 private:
  std::int64_t vertex_count_;
  bool directed_;
  Vertex first_id_ = 0;
  std::vector<Edge> edges_;
  std::vector<std::string> labels_;
};

}  // namespace apsp
