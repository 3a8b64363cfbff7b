// The graph: compressed sparse rows, or the matrix of weights that was read.
//
// Parallel arcs and self-loops are kept: which of two parallel arcs is better depends on the
// semiring, so the solver folds them with ⊕. An undirected edge {u,v}, u ≠ v, stands as two arcs;
// an undirected loop as one. A graph never changes, so copies share it and cost nothing.
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

/// Facts about all weights of a graph, gathered while it was built.
struct WeightFacts {
  double least = 0;      ///< smallest weight (0 without arcs)
  double greatest = 0;   ///< largest weight (0 without arcs)
  bool integral = true;  ///< every weight is an integer of magnitude ≤ 2^53
  bool unit = true;      ///< every weight is 1
  /// No simple path has a larger Σ|w|: it leaves a vertex at most once, and one vertex never. So
  /// Σ over vertices of the largest |w| that leaves each, less the smallest of them.
  double longest_path = 0;
  /// The least |w| among weights other than 0 that lie below the least normal f32 and are none of
  /// its values: as f32 they would lose more than their last bits, or be 0. 0: there are none.
  double below_f32 = 0;
};

/// A matrix of weights that is a graph: the entry [i, j] is the arc i → j. No arcs are "no path" of
/// the type (infinity; 2^30 − 1 for i32, 2^15 − 1 for u16), and on the diagonal all that is not
/// negative.
struct WeightMatrix {
  ValueType type = ValueType::f32;  ///< f32, f64, i32 or u16
  std::int64_t n = 0;
  bool by_columns = false;            ///< column after column (Fortran's order), else by rows
  const void* data = nullptr;         ///< [n, n], aligned for the type
  std::shared_ptr<const void> owner;  ///< keeps `data` alive
  bool mapped = false;                ///< pages of a file: given back, they are read again
  std::int64_t memory = 0;  ///< bytes of memory that the values take; 0: they rest in a file

  /// The value that is no arc.
  template <class T>
  static constexpr T no_arc() {
    if constexpr (std::numeric_limits<T>::has_infinity) {
      return std::numeric_limits<T>::infinity();
    } else {
      return sizeof(T) == 4 ? T((1 << 30) - 1) : T((1 << 15) - 1);
    }
  }
  /// Calls f.operator()<T>() with the C++ type of the values.
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

/// Compressed sparse rows as they rest, in memory or in files.
struct ArcArrays {
  std::shared_ptr<const Vertex[]> targets;  ///< [arcs], rising in a row
  std::shared_ptr<const double[]> weights;  ///< [arcs], rising among equal targets of a row
  bool mapped = false;                      ///< pages of files: given back, they are read again
  std::int64_t memory = 0;  ///< bytes of memory that both take; 0: they rest in files
};

struct Arc {
  Vertex to = 0;
  double weight = 1;
};

/// The place of an arc among its parallel arcs, as they were given.
struct ParallelPlace {
  std::int64_t arc = 0;     ///< in the compressed sparse rows
  std::uint32_t place = 0;  ///< counted from 0
};

namespace detail {
/// Throws `Error` (usage) that names the vertex and the number of vertices.
[[noreturn]] void refuse_vertex(Vertex v, std::int64_t vertices);
}  // namespace detail

/// Members that take a vertex throw `Error` (usage) for one that the graph does not have.
class Graph {
 public:
  Graph() : storage_(no_vertices()) {}
  Graph(const Graph&) = default;  // and no move: a graph is never without its storage
  Graph& operator=(const Graph&) = default;

  std::int64_t vertex_count() const { return std::ssize(storage_->offsets) - 1; }
  std::int64_t arc_count() const { return storage_->offsets.back(); }
  /// Directed: arcs. Undirected: edges, each counted once.
  std::int64_t edge_count() const;
  std::int64_t loop_count() const { return storage_->loops; }
  bool directed() const { return directed_; }
  /// Undirected, or a directed graph whose arcs come in pairs u → v, v → u of equal weight,
  /// parallel arcs counted: the matrix is symmetric in every semiring, and solved in half the work.
  bool symmetric() const { return symmetric_; }
  /// The undirected graph of such pairs, which shares all arcs. Requires: symmetric().
  Graph as_undirected() const;
  const WeightFacts& weight_facts() const { return storage_->facts; }

  /// Calls visit(to, weight) for every arc that leaves v, by rising target, parallel ones by rising
  /// weight. O(arcs of v); of a matrix O(n).
  template <class Visit>
  void for_each_arc(Vertex v, Visit&& visit) const;
  /// Calls visit(from, to, weight) for all arcs, vertex by vertex. Pages of a mapped file are given
  /// back on the way, so that a file of any size takes a few MiB of memory.
  template <class Visit>
  void visit_all(Visit&& visit) const;
  /// Calls visit(weight) for every arc u → v, by rising weight.
  template <class Visit>
  void for_each_arc_between(Vertex u, Vertex v, Visit&& visit) const;
  /// The weights of all arcs u → v in the order in which they were added or read. Requires:
  /// `knows_given_order`.
  std::vector<double> weights_as_given(Vertex u, Vertex v) const;
  /// Whether the graph knows in which order parallel arcs were given. It does if it was built from
  /// edges, or read with `ReadOptions::keep_order`. The arcs of a stored graph are sorted by
  /// weight.
  bool knows_given_order() const { return storage_->order_known || matrix() != nullptr; }
  /// For walks that stop and go on: the arc of v at `place` or the next one, and `place` behind it.
  /// Starts at place 0; empty at the end. Throws `Error` (usage) for a negative place.
  std::optional<Arc> next_arc(Vertex v, std::int64_t& place) const;
  std::int64_t out_degree(Vertex v) const {
    require_vertex(v);
    return offsets()[v + std::size_t{1}] - offsets()[v];
  }
  /// [n + 1] arcs of all vertices before each.
  std::span<const std::int64_t> offsets() const { return storage_->offsets; }

  /// The matrix that holds the arcs; nullptr: compressed sparse rows do.
  const WeightMatrix* matrix() const { return storage_->matrix.get(); }
  /// Compressed sparse rows, sorted by target. Throws `Error` (usage) where a matrix holds the
  /// arcs.
  std::span<const Vertex> targets() const;  ///< [arcs]
  std::span<const double> weights() const;  ///< [arcs]
  std::span<const Vertex> targets(Vertex v) const { return row(targets(), v); }
  std::span<const double> weights(Vertex v) const { return row(weights(), v); }

  /// The number the source file gives its first vertex (0 or 1); used when there are no labels.
  Vertex first_id() const { return storage_->first_id; }
  std::span<const std::string> labels() const { return storage_->labels; }  ///< [n], or empty
  std::string name(Vertex v) const;                         ///< label, or first_id + v
  std::optional<Vertex> find(std::string_view name) const;  ///< inverse of `name`

  /// What its reader did that its user may not expect, in sentences: a row that it skipped, entries
  /// that are no edges. No part of the graph: not in its digest, and not in a stored result.
  std::span<const std::string> remarks() const { return remarks_; }
  /// The same graph with one more.
  Graph with_remark(std::string remark) const;

  /// Gives the pages of mapped files back to the system: they are read again where they are needed.
  /// Long walks call it, so it throws `Error` (interrupted) where the caller asked for an early
  /// end.
  void release_pages() const;
  /// Bytes of memory that the graph takes.
  std::int64_t memory_bytes() const;

  /// Fingerprint of everything above ("fnv1a64:…"): two graphs of one digest are the same, however
  /// they are held. O(n + m), once a graph.
  std::string digest() const;

 private:
  friend class GraphBuilder;
  struct Storage {
    std::vector<std::int64_t> offsets = {0};  // [n + 1]
    ArcArrays arcs;
    std::unique_ptr<const WeightMatrix> matrix;  // instead of arcs
    std::vector<std::string> labels;
    mutable std::once_flag sorted_labels;  // once a name is looked for
    mutable std::vector<Vertex> by_label;  // [n] vertices in order of their labels, or empty
    WeightFacts facts;
    std::int64_t loops = 0;
    Vertex first_id = 0;
    mutable std::once_flag digested[2];  // undirected, directed
    mutable std::uint64_t digest[2] = {0, 0};
    bool order_known = false;  // of parallel arcs
    std::vector<ParallelPlace>
        as_given;  // rising; groups whose given order their weights do not show
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
  std::vector<std::string> remarks_;  // few, mostly none
  bool directed_ = true;
  bool symmetric_ = true;
};

/// Collects edges in any order and sorts them into a `Graph` (counting sort, O(n + m) and each
/// row by target, then weight), or takes a matrix or sorted rows as they are.
class GraphBuilder {
 public:
  /// Throws `Error` (does_not_fit) if there are more vertices than a `Vertex` can number.
  explicit GraphBuilder(std::int64_t vertex_count, bool directed = true);

  void reserve(std::int64_t edges) { edges_.reserve(static_cast<std::size_t>(edges)); }
  /// Requires: both ends < vertex_count; weight finite.
  void add_edge(Vertex from, Vertex to, double weight = 1) { edges_.push_back({from, to, weight}); }
  void add_edges(std::vector<Edge>&& edges);
  /// The order of the edges is not that in which parallel ones were given (`Graph::
  /// weights_as_given`).
  void forget_order() { in_order_ = false; }
  /// Instead of edges. Undirected: the matrix has to be symmetric, or `build` throws `Error`
  /// (usage). Nothing is copied, unless arcs
  /// are so few that compressed rows take less than a tenth of the matrix: then it is let go.
  void set_matrix(WeightMatrix matrix) { matrix_ = std::move(matrix); }
  /// The same of a matrix that has been looked at, by parts: nothing is looked at again.
  void set_matrix(WeightMatrix matrix, std::shared_ptr<const graph::MatrixScan> scan) {
    matrix_ = std::move(matrix);
    scan_ = std::move(scan);
  }
  /// Instead of edges; undirected: every edge stands in both rows. Nothing is copied.
  /// offsets: [vertex_count + 1], rising from 0.
  void set_rows(std::vector<std::int64_t> offsets, ArcArrays arcs) {
    offsets_ = std::move(offsets);
    rows_ = std::move(arcs);
  }
  /// Instead of edges, for readers of files: arcs in buckets, all ends between `first_id` and
  /// `first_id` + vertex_count − 1. Undirected: every edge must be there both ways.
  void set_arcs(std::shared_ptr<graph::ArcBuckets> arcs, Vertex first_id = 0) {
    arcs_ = std::move(arcs);
    first_arc_id_ = first_id;
  }
  /// At most so many threads build the graph; 0: as many as this process may use.
  void set_threads(int threads) { threads_ = threads; }
  void set_first_id(Vertex id) { first_id_ = id; }
  /// One distinct label a vertex. Throws `Error` (input) if two are the same.
  void set_labels(std::vector<std::string> labels) { labels_ = std::move(labels); }
  /// The same for labels that are known to be distinct, which are sorted only if one is looked for.
  void set_distinct_labels(std::vector<std::string> labels) {
    labels_ = std::move(labels);
    labels_distinct_ = true;
  }

  /// Throws `Error` (usage) for an end out of range, a weight that is not finite, arcs out of
  /// order.
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
  std::shared_ptr<const graph::MatrixScan> scan_;  // of `matrix_`
  std::vector<std::int64_t> offsets_;              // of `rows_`
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
      visit(static_cast<Vertex>(to), static_cast<double>(value) + 0.0);  // one zero only
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

/// The vertex that a number names where vertices have no labels; empty: no number, or of no vertex.
std::optional<Vertex> vertex_numbered(std::string_view text, Vertex first_id,
                                      std::int64_t vertices);

// --- parts of a graph

/// The subgraph of the largest strong component: of equal ones of that with the smallest vertex.
/// Vertices keep their order and their names, and a remark says how many are left. Its distances
/// are those of the graph. The graph itself, if every vertex reaches every other one. O(n + m).
Graph largest_component(const Graph& graph);

// --- the same graph with other weights

/// The same edges with other weights: [edge_count()], in the order in which `visit_all` meets them,
/// an undirected edge from its lesser end. An infinite weight removes its edge. O(n + m). Throws
/// `Error` (usage): another number of weights, one that is no number.
Graph with_weights(const Graph& graph, std::span<const double> weights);

/// A new weight of one arc.
struct WeightChange {
  Vertex from = 0;
  Vertex to = 0;
  double weight = 1;            ///< infinity removes the arc
  std::optional<double> old{};  ///< the weight that it has; names one of several parallel arcs
};

/// The graph with the new weights, of an undirected graph both ways. A change of an arc that is not
/// there adds it. Of several changes of an arc without `old` the last counts. Parallel arcs need
/// `old`; of arcs of one weight each change takes another one. O(n + m). Throws `Error` (usage): an
/// end out of range, an arc to remove that is not there, a weight that is no number, parallel arcs
/// of which no change says which one is meant, more changes of an old weight than arcs that have
/// it.
Graph with_changes(const Graph& graph, std::span<const WeightChange> changes);
/// The same of changes without `old`.
Graph with_changes(const Graph& graph, std::span<const Edge> changes);

// --- test graphs: the same kind, parameters and seed give the same graph on every machine

enum class GraphKind {
  dense,      ///< every ordered pair (Sao 2021, §5.1)
  gnp,        ///< Erdős-Rényi G(n, p)
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
  std::int64_t vertices = 1000;  ///< for grid: rows × columns, as near a square as divides
  std::int64_t edges = 0;        ///< rmat alone (0: 16 a vertex)
  double probability = 0.01;     ///< gnp
  double radius = 0;             ///< geometric alone; 0: mean degree 6
  double rmat[4] = {0.45, 0.22, 0.22, 0.11};
  double least_weight = 1;
  double greatest_weight = 100;
  bool real_weights = false;  ///< false: integers, both ends of the range included
  /// Undirected: each pair once. Directed: dense and complete have both arcs of a pair, grid, roads
  /// and geometric an arc each way, path, cycle and star point away from vertex 0.
  bool directed = true;
  /// Shift every weight by a vertex potential, w + h(u) − h(v): negative arcs, no negative cycle.
  /// Directed graphs only.
  bool negative = false;
  std::uint64_t seed = 1;
};

/// Throws `Error` (usage) for parameters out of range, naming the parameter.
Graph generate(const GenerateOptions& options);

std::string_view name(GraphKind kind);
std::optional<GraphKind> parse_graph_kind(std::string_view text);

}  // namespace apsp
