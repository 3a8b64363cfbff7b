// The graph, as compressed sparse rows or as the matrix of weights that was read.
//
// Parallel arcs and self-loops are kept; the solver combines parallel arcs with ⊕. An undirected
// edge {u, v}, u ≠ v, is stored as two arcs, a loop as one. Graphs are immutable, and copies share
// storage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <apsp/semiring.hpp>

namespace apsp {

namespace graph {
class ArcBuckets;
struct MatrixScan;
}  // namespace graph

using Vertex = std::uint32_t;

struct Edge {
  Vertex from = 0;
  Vertex to = 0;
  double weight = 1;
};

/// Facts about all weights of a graph.
struct WeightFacts {
  double least = 0;      ///< smallest weight; 0 without arcs
  double greatest = 0;   ///< largest weight; 0 without arcs
  bool integral = true;  ///< every weight is an integer of magnitude ≤ 2^53
  bool unit = true;
  /// Upper bound of Σ|w| over all simple paths: the sum over vertices of the largest |w| that
  /// leaves each, less the smallest of these.
  double longest_path = 0;
  /// The least |w| > 0 below the least normal f32 that f32 cannot represent; 0 if there is none.
  double below_f32 = 0;
};

/// A matrix of weights as a graph: the entry [i, j] is the arc i → j. Entries of "no path"
/// (infinity; 2^30 − 1 for i32, 2^15 − 1 for u16) and non-negative entries of the diagonal are no
/// arcs.
struct WeightMatrix {
  ValueType type = ValueType::f32;  ///< f32, f64, i32 or u16
  std::int64_t n = 0;
  bool by_columns = false;            ///< column-major (Fortran's order) instead of row-major
  const void* data = nullptr;         ///< [n, n], aligned for the type
  std::shared_ptr<const void> owner;  ///< keeps `data` alive
  bool mapped = false;      ///< `data` is a mapped file, whose pages can be released and read again
  std::int64_t memory = 0;  ///< bytes that the values take in memory; 0 if they are in a file

  template <class T>
  static constexpr T no_arc() {
    if constexpr (std::numeric_limits<T>::has_infinity) {
      return std::numeric_limits<T>::infinity();
    } else {
      return sizeof(T) == 4 ? T((1 << 30) - 1) : T((1 << 15) - 1);
    }
  }
  /// Calls f.operator()<T>() with T = the C++ type of the values.
  template <class F>
  decltype(auto) with_type(F&& f) const {
    switch (type) {
      case ValueType::f64:
        return f.template operator()<double>();
      case ValueType::i32:
        return f.template operator()<std::int32_t>();
      case ValueType::u16:
        return f.template operator()<std::uint16_t>();
      default:
        return f.template operator()<float>();
    }
  }
};

/// Compressed sparse rows, in memory or in mapped files.
struct ArcArrays {
  std::shared_ptr<const Vertex[]> targets;  ///< [arcs], ascending within a row
  std::shared_ptr<const double[]> weights;  ///< [arcs], ascending among equal targets of a row
  bool mapped = false;                      ///< as in `WeightMatrix`
  std::int64_t memory = 0;  ///< bytes that both take in memory; 0 if they are in files
};

struct Arc {
  Vertex to = 0;
  double weight = 1;
};

/// The position of an arc among its parallel arcs in the order of the input.
struct ParallelPlace {
  std::int64_t arc = 0;  ///< index in the compressed sparse rows
  std::uint32_t place = 0;
};

namespace detail {
/// Throws `Error` (usage).
[[noreturn]] void refuse_vertex(Vertex v, std::int64_t vertices);
}  // namespace detail

/// Members that take a vertex throw `Error` (usage) if the graph does not have it.
class Graph {
 public:
  Graph() : storage_(no_vertices()) {}
  Graph(const Graph&) = default;  // no move: a graph always has storage
  Graph& operator=(const Graph&) = default;

  std::int64_t vertex_count() const { return std::ssize(storage_->offsets) - 1; }
  std::int64_t arc_count() const { return storage_->offsets.back(); }
  /// The number of arcs of a directed graph, or of edges of an undirected graph, each counted once.
  std::int64_t edge_count() const;
  std::int64_t loop_count() const { return storage_->loops; }
  bool directed() const { return directed_; }
  /// True for an undirected graph, and for a directed graph whose arcs form pairs u → v, v → u of
  /// equal weight, parallel arcs included. The matrix is then symmetric, which halves the work.
  bool symmetric() const { return symmetric_; }
  /// Returns the undirected graph of these pairs, which shares all arcs. Requires: symmetric().
  Graph as_undirected() const;
  const WeightFacts& weight_facts() const { return storage_->facts; }

  /// Calls visit(to, weight) for every arc that leaves v, by ascending target, then weight. Takes
  /// O(arcs of v), or O(n) for a matrix.
  template <class Visit>
  void for_each_arc(Vertex v, Visit&& visit) const;
  /// Calls visit(from, to, weight) for all arcs, by ascending `from`. Releases pages of mapped
  /// files meanwhile, so that a file of any size takes a few MiB of memory.
  template <class Visit>
  void visit_all(Visit&& visit) const;
  /// Calls visit(weight) for every arc u → v, by ascending weight.
  template <class Visit>
  void for_each_arc_between(Vertex u, Vertex v, Visit&& visit) const;
  /// The weights of all arcs u → v in the order of the input. Requires: `knows_given_order`.
  std::vector<double> weights_as_given(Vertex u, Vertex v) const;
  /// True if the graph was built from edges, or read with `ReadOptions::keep_order`. Stored graphs
  /// have their arcs sorted by weight.
  bool knows_given_order() const { return storage_->order_known || matrix() != nullptr; }
  /// Returns the first arc of v at position `place` or later and sets `place` to the position after
  /// it; returns nothing at the end. Throws `Error` (usage) for a negative place.
  std::optional<Arc> next_arc(Vertex v, std::int64_t& place) const;
  std::int64_t out_degree(Vertex v) const {
    require_vertex(v);
    return offsets()[v + std::size_t{1}] - offsets()[v];
  }
  /// [n + 1] the number of arcs of all vertices before each.
  std::span<const std::int64_t> offsets() const { return storage_->offsets; }

  /// The matrix that holds the arcs; null if compressed sparse rows do.
  const WeightMatrix* matrix() const { return storage_->matrix.get(); }
  /// Compressed sparse rows, sorted by target. Throw `Error` (usage) if a matrix holds the arcs.
  std::span<const Vertex> targets() const;  ///< [arcs]
  std::span<const double> weights() const;  ///< [arcs]
  std::span<const Vertex> targets(Vertex v) const { return row(targets(), v); }
  std::span<const double> weights(Vertex v) const { return row(weights(), v); }

  /// The number of the first vertex in the source file (0 or 1); names vertices without labels.
  Vertex first_id() const { return storage_->first_id; }
  std::span<const std::string> labels() const { return storage_->labels; }  ///< [n], or empty
  std::string name(Vertex v) const;                         ///< label, or first_id + v
  std::optional<Vertex> find(std::string_view name) const;  ///< inverse of `name`

  /// Sentences about assumptions of the reader, such as a row that was skipped. They are not part
  /// of the digest or of stored results.
  std::span<const std::string> remarks() const { return remarks_; }
  Graph with_remark(std::string remark) const;

  /// Releases the pages of mapped files, which are read again when needed. Throws `Error`
  /// (interrupted) if the caller asked for an early end.
  void release_pages() const;
  /// Bytes that the graph takes in memory.
  std::int64_t memory_bytes() const;

  /// Fingerprint of the graph without remarks ("fnv1a64:…"), in any storage. Takes O(n + m) once.
  std::string digest() const;

 private:
  friend class GraphBuilder;
  struct Storage {
    std::vector<std::int64_t> offsets = {0};  // [n + 1]
    ArcArrays arcs;
    std::unique_ptr<const WeightMatrix> matrix;  // instead of arcs
    std::vector<std::string> labels;
    mutable std::once_flag sorted_labels;  // set when a name is looked up first
    mutable std::vector<Vertex> by_label;  // [n] vertices in the order of their labels, or empty
    WeightFacts facts;
    std::int64_t loops = 0;
    Vertex first_id = 0;
    mutable std::once_flag digested[2];  // as undirected, as directed
    mutable std::uint64_t digest[2] = {0, 0};
    bool order_known = false;  // of parallel arcs
    std::vector<ParallelPlace>
        as_given;  // ascending; only groups that are not in the order of their weights
  };

  Graph(std::shared_ptr<const Storage> storage, bool directed)
      : storage_(std::move(storage)), directed_(directed) {}
  void require_vertex(Vertex v) const {
    if (std::int64_t{v} >= vertex_count()) detail::refuse_vertex(v, vertex_count());
  }
  static std::shared_ptr<const Storage> no_vertices();
  static const std::vector<Vertex>& by_label(const Storage& storage);
  template <class T>
  std::span<const T> row(std::span<const T> values, Vertex v) const {
    const auto arcs_of_v = static_cast<std::size_t>(out_degree(v));
    return values.subspan(static_cast<std::size_t>(offsets()[v]), arcs_of_v);
  }
  std::shared_ptr<const Storage> storage_;
  std::vector<std::string> remarks_;
  bool directed_ = true;
  bool symmetric_ = true;
};

/// Builds a `Graph` from edges in any order (O(n + m)), from a matrix, or from sorted rows.
class GraphBuilder {
 public:
  /// Throws `Error` (does_not_fit) if a `Vertex` cannot number the vertices.
  explicit GraphBuilder(std::int64_t vertex_count, bool directed = true);

  void reserve(std::int64_t edges) { edges_.reserve(static_cast<std::size_t>(edges)); }
  /// Requires: both ends < vertex_count; weight finite.
  void add_edge(Vertex from, Vertex to, double weight = 1) { edges_.push_back({from, to, weight}); }
  void add_edges(std::vector<Edge>&& edges);
  /// Declares that the order of the edges is not that of the input (`Graph::weights_as_given`).
  void forget_order() { in_order_ = false; }
  /// Takes a matrix instead of edges, without a copy; it is replaced by compressed rows if these
  /// take less than a tenth of its memory. `build` of an undirected graph throws `Error` (usage)
  /// if the matrix is not symmetric.
  void set_matrix(WeightMatrix matrix) { matrix_ = std::move(matrix); }
  /// The same for a matrix that has been scanned already.
  void set_matrix(WeightMatrix matrix, std::shared_ptr<const graph::MatrixScan> scan) {
    matrix_ = std::move(matrix);
    scan_ = std::move(scan);
  }
  /// Takes compressed sparse rows instead of edges, without a copy. Both rows of an undirected edge
  /// contain it. offsets: [vertex_count + 1], ascending from 0.
  void set_rows(std::vector<std::int64_t> offsets, ArcArrays arcs) {
    offsets_ = std::move(offsets);
    rows_ = std::move(arcs);
  }
  /// Takes arcs in buckets instead of edges (readers of files). Ends are between `first_id` and
  /// `first_id` + vertex_count − 1; undirected edges are present in both directions.
  void set_arcs(std::shared_ptr<graph::ArcBuckets> arcs, Vertex first_id = 0) {
    arcs_ = std::move(arcs);
    first_arc_id_ = first_id;
  }
  /// Limits the threads of `build`; 0: all that this process may use.
  void set_threads(int threads) { threads_ = threads; }
  void set_first_id(Vertex id) { first_id_ = id; }
  /// One label for each vertex. `build` throws `Error` (input) if two are equal.
  void set_labels(std::vector<std::string> labels) { labels_ = std::move(labels); }
  /// The same for labels that are known to be distinct.
  void set_distinct_labels(std::vector<std::string> labels) {
    labels_ = std::move(labels);
    labels_distinct_ = true;
  }

  /// Throws `Error` (usage): an end out of range, an infinite weight or NaN, arcs out of order.
  Graph build() &&;

 private:
  void sort_arcs(Graph::Storage& storage);
  void take_matrix(Graph::Storage& storage);
  void take_rows(Graph::Storage& storage);

  std::int64_t vertex_count_;
  bool directed_;
  Vertex first_id_ = 0;
  std::vector<Edge> edges_;
  std::shared_ptr<graph::ArcBuckets> arcs_;
  Vertex first_arc_id_ = 0;
  int threads_ = 0;
  bool in_order_ = true;
  std::optional<WeightMatrix> matrix_;
  std::shared_ptr<const graph::MatrixScan> scan_;
  std::vector<std::int64_t> offsets_;
  std::optional<ArcArrays> rows_;
  std::vector<std::string> labels_;
  bool labels_distinct_ = false;
};

template <class Visit>
void Graph::for_each_arc(Vertex v, Visit&& visit) const {
  require_vertex(v);
  const Storage& held = *storage_;
  if (held.matrix == nullptr) {
    const Vertex* const heads = held.arcs.targets.get();
    const double* const weights_of = held.arcs.weights.get();
    const auto last = static_cast<std::size_t>(held.offsets[v + std::size_t{1}]);
    for (auto a = static_cast<std::size_t>(held.offsets[v]); a < last; ++a) {
      visit(heads[a], weights_of[a]);
    }
    return;
  }
  const WeightMatrix& matrix = *held.matrix;
  matrix.with_type([&]<class T>() {
    const auto n = static_cast<std::size_t>(matrix.n);
    const T* const first = static_cast<const T*>(matrix.data) + (matrix.by_columns ? v : v * n);
    const std::size_t step = matrix.by_columns ? n : 1;
    for (std::size_t to = 0; to < n; ++to) {
      const T value = first[to * step];
      if (value == WeightMatrix::no_arc<T>() || (to == v && !(value < T(0)))) continue;
      visit(static_cast<Vertex>(to), static_cast<double>(value) + 0.0);  // + 0.0 turns −0 into 0
    }
  });
}

template <class Visit>
void Graph::visit_all(Visit&& visit) const {
  constexpr std::int64_t kArcsAtOnce = std::int64_t{1} << 20;
  std::int64_t release_at = kArcsAtOnce;
  for (Vertex v = 0; v < vertex_count(); ++v) {
    for_each_arc(v, [&](Vertex to, double weight) { visit(v, to, weight); });
    if (offsets()[v + std::size_t{1}] < release_at) continue;
    release_at = offsets()[v + std::size_t{1}] + kArcsAtOnce;
    release_pages();
  }
  release_pages();
}

template <class Visit>
void Graph::for_each_arc_between(Vertex u, Vertex v, Visit&& visit) const {
  require_vertex(v);
  if (matrix() == nullptr) {
    const std::span<const Vertex> heads = targets(u);
    const auto [first, last] = std::equal_range(heads.begin(), heads.end(), v);
    const auto begin = static_cast<std::size_t>(first - heads.begin());
    const auto end = static_cast<std::size_t>(last - heads.begin());
    for (std::size_t a = begin; a < end; ++a) visit(weights(u)[a]);
    return;
  }
  std::int64_t place = v;
  const std::optional<Arc> arc = next_arc(u, place);
  if (arc && arc->to == v) visit(arc->weight);
}

/// Returns the vertex with this number in a graph without labels, or nothing.
std::optional<Vertex> vertex_numbered(std::string_view text, Vertex first_id,
                                      std::int64_t vertices);

// --- components

/// Returns the subgraph of the largest strong component (among equal ones, of that with the
/// smallest vertex). Vertices keep their order and names, distances do not change, and a remark
/// gives the number of vertices. O(n + m).
Graph largest_component(const Graph& graph);

// --- other weights

/// Returns the same edges with other weights: [edge_count()], in the order of `visit_all`, an
/// undirected edge at its lesser end. An infinite weight removes its edge. O(n + m). Throws `Error`
/// (usage): a wrong number of weights, or a NaN.
Graph with_weights(const Graph& graph, std::span<const double> weights);

struct WeightChange {
  Vertex from = 0;
  Vertex to = 0;
  double weight = 1;            ///< infinity removes the arc
  std::optional<double> old{};  ///< the present weight, which selects one of several parallel arcs
};

/// Returns the graph with changed weights, in both directions if it is undirected. A change of an
/// arc that does not exist adds it. The last of several changes of an arc without `old` counts.
/// Parallel arcs need `old`; several changes of equal `old` change different arcs. O(n + m). Throws
/// `Error` (usage): an end out of range, a removed arc that does not exist, a NaN, parallel arcs
/// without `old`, or more changes of an old weight than arcs that have it.
Graph with_changes(const Graph& graph, std::span<const WeightChange> changes);
Graph with_changes(const Graph& graph, std::span<const Edge> changes);

// --- test graphs, equal on every machine for equal options

enum class GraphKind {
  dense,      ///< every ordered pair (Sao 2021, §5.1)
  gnp,        ///< Erdős–Rényi G(n, p)
  rmat,       ///< recursive matrix (Xia 2021, §V-B)
  grid,       ///< 2-D grid, 4 neighbours
  geometric,  ///< random points in the unit square joined within a radius; planar-like
  path,
  cycle,
  complete,
  star,
  roads,  ///< a percolated grid with chains, dead ends and arterial roads; mean degree 2.5
};

struct GenerateOptions {
  GraphKind kind = GraphKind::gnp;
  std::int64_t vertices = 1000;  ///< rounded for grid to rows × columns, as square as divides
  std::int64_t edges = 0;        ///< rmat only; 0: 16 per vertex
  double probability = 0.01;     ///< gnp only
  double radius = 0;             ///< geometric only; 0: mean degree 6
  double rmat[4] = {0.45, 0.22, 0.22, 0.11};
  double least_weight = 1;
  double greatest_weight = 100;
  bool real_weights = false;  ///< false: integers in [least_weight, greatest_weight]
  /// Undirected: each pair once. Directed: dense and complete have both arcs of a pair; grid, roads
  /// and geometric an arc each way; path, cycle and star point away from vertex 0.
  bool directed = true;
  /// Directed graphs only: adds a vertex potential to every weight, w + h(u) − h(v). Arcs become
  /// negative, but no cycle.
  bool negative = false;
  std::uint64_t seed = 1;
};

/// Throws `Error` (usage), which names the parameter that is out of range.
Graph generate(const GenerateOptions& options);

std::string_view name(GraphKind kind);
std::optional<GraphKind> parse_graph_kind(std::string_view text);

}  // namespace apsp
