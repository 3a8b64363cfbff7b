#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <charconv>
#include <limits>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/arc_walk.hpp"
#include "graph/digest.hpp"
#include "graph/label_twins.hpp"
#include "graph/matrix_scan.hpp"
#include "graph/mirrored.hpp"
#include "graph/rows.hpp"
#include "graph/symmetric_matrix.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace apsp {
namespace {

constexpr std::int64_t kBytesAnArc = sizeof(Vertex) + sizeof(double);
constexpr std::int64_t kMostVertices = std::numeric_limits<Vertex>::max();
/// Sorts vertices by label; the first eight bytes of a label, stored next to the vertex as one
/// integer, decide most comparisons. Throws `Error` (input) if two labels are equal.
std::vector<Vertex> sort_by_label(std::span<const std::string> labels) {
  struct Key {
    std::uint64_t head;
    Vertex vertex;
  };
  std::vector<Key> keys;
  keys.reserve(labels.size());
  for (std::size_t v = 0; v < labels.size(); ++v) {
    std::uint64_t head = 0;
    for (std::size_t i = 0; i < sizeof(head); ++i) {
      head = head << 8 | (i < labels[v].size() ? static_cast<unsigned char>(labels[v][i]) : 0u);
    }
    keys.push_back({head, static_cast<Vertex>(v)});
  }
  std::size_t compared = 0;
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    base::poll(++compared);
    return a.head < b.head || (a.head == b.head && labels[a.vertex] < labels[b.vertex]);
  });
  std::vector<Vertex> order;
  order.reserve(keys.size());
  for (const Key& key : keys) {
    if (!order.empty() && labels[order.back()] == labels[key.vertex]) {
      throw Error(ErrorKind::input,
                  fmt::format("two vertices have the label '{}'", labels[key.vertex]));
    }
    order.push_back(key.vertex);
  }
  return order;
}

constexpr std::int64_t kWorthCompressing = 10;

ArcArrays in_memory(graph::CompressedRows rows, std::int64_t arcs) {
  return {std::move(rows.targets), std::move(rows.weights), false, arcs * kBytesAnArc};
}

bool worth_compressing(const WeightMatrix& matrix, std::int64_t arcs) {
  return arcs * kBytesAnArc * kWorthCompressing <= matrix.n * matrix.n * size_of(matrix.type);
}

}  // namespace

std::shared_ptr<const Graph::Storage> Graph::no_vertices() {
  static const auto storage = std::make_shared<const Storage>();
  return storage;
}

const std::vector<Vertex>& Graph::by_label(const Storage& storage) {
  std::call_once(storage.sorted_labels, [&] { storage.by_label = sort_by_label(storage.labels); });
  return storage.by_label;
}

std::int64_t Graph::edge_count() const {
  return directed() ? arc_count() : (arc_count() + loop_count()) / 2;
}

Graph Graph::as_undirected() const {
  Graph graph = *this;
  graph.directed_ = false;
  return graph;
}

Graph Graph::with_remark(std::string remark) const {
  Graph graph = *this;
  if (std::ranges::find(remarks_, remark) == remarks_.end()) {
    graph.remarks_.push_back(std::move(remark));
  }
  return graph;
}

std::span<const Vertex> Graph::targets() const {
  if (matrix() != nullptr) throw Error(ErrorKind::usage, "a matrix holds the arcs of this graph");
  return {storage_->arcs.targets.get(), static_cast<std::size_t>(arc_count())};
}

std::span<const double> Graph::weights() const {
  if (matrix() != nullptr) throw Error(ErrorKind::usage, "a matrix holds the arcs of this graph");
  return {storage_->arcs.weights.get(), static_cast<std::size_t>(arc_count())};
}

std::optional<Arc> Graph::next_arc(Vertex v, std::int64_t& place) const {
  require_vertex(v);
  if (place < 0) throw usage_error("{} is no place among the arcs of a vertex", place);
  const WeightMatrix* const held = matrix();
  if (held == nullptr) {
    const std::int64_t first = offsets()[v];
    if (place >= offsets()[v + std::size_t{1}] - first) return std::nullopt;
    const auto a = static_cast<std::size_t>(first + place++);
    return Arc{storage_->arcs.targets[a], storage_->arcs.weights[a]};
  }
  return held->with_type([&]<class T>() -> std::optional<Arc> {
    const T* const data = static_cast<const T*>(held->data);
    while (place < held->n) {
      const std::int64_t to = place++;
      const T value = held->by_columns ? data[to * held->n + v] : data[v * held->n + to];
      if (value == WeightMatrix::no_arc<T>() || (to == v && !(value < T(0)))) continue;
      return Arc{static_cast<Vertex>(to), static_cast<double>(value) + 0.0};
    }
    return std::nullopt;
  });
}

void detail::refuse_vertex(Vertex v, std::int64_t vertices) {
  throw usage_error("vertex number {} is outside a graph of {}", v,
                    base::counted(vertices, "vertex", "vertices"));
}

std::vector<double> Graph::weights_as_given(Vertex u, Vertex v) const {
  std::vector<double> rising;
  for_each_arc_between(u, v, [&](double weight) { rising.push_back(weight); });
  if (matrix() != nullptr || storage_->as_given.empty()) return rising;
  const std::span<const Vertex> heads = targets(u);
  const std::int64_t first =
      offsets()[u] + (std::lower_bound(heads.begin(), heads.end(), v) - heads.begin());
  const auto at = std::lower_bound(
      storage_->as_given.begin(), storage_->as_given.end(), first,
      [](const ParallelPlace& place, std::int64_t arc) { return place.arc < arc; });
  if (at == storage_->as_given.end() || at->arc != first) return rising;
  std::vector<double> given(rising.size());
  for (std::size_t i = 0; i < rising.size(); ++i) {
    given[at[static_cast<std::ptrdiff_t>(i)].place] = rising[i];
  }
  return given;
}

std::string Graph::name(Vertex v) const {
  require_vertex(v);
  return labels().empty() ? std::to_string(std::uint64_t{v} + first_id()) : labels()[v];
}

std::optional<Vertex> Graph::find(std::string_view name) const {
  if (!labels().empty()) {
    const std::vector<Vertex>& order = by_label(*storage_);
    const auto before = [this](Vertex v, std::string_view text) { return labels()[v] < text; };
    const auto at = std::lower_bound(order.begin(), order.end(), name, before);
    if (at == order.end() || labels()[*at] != name) return std::nullopt;
    return *at;
  }
  return vertex_numbered(name, first_id(), vertex_count());
}

std::optional<Vertex> vertex_numbered(std::string_view text, Vertex first_id,
                                      std::int64_t vertices) {
  std::uint64_t id = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (failure != std::errc() || end != text.data() + text.size() || id < first_id) {
    return std::nullopt;
  }
  id -= first_id;
  if (id >= static_cast<std::uint64_t>(vertices)) return std::nullopt;
  return static_cast<Vertex>(id);
}

void Graph::release_pages() const {
  base::check_cancelled();
  const WeightMatrix* const held = matrix();
  if (held != nullptr && held->mapped) {
    system::release_mapped(held->data, 0, held->n * held->n * size_of(held->type));
  }
  graph::release_arcs(storage_->arcs, arc_count());
}

std::int64_t Graph::memory_bytes() const {
  std::int64_t bytes = std::ssize(offsets()) * std::int64_t{sizeof(std::int64_t)};
  bytes += matrix() != nullptr ? matrix()->memory : storage_->arcs.memory;
  bytes += std::ssize(storage_->as_given) * std::int64_t{sizeof(ParallelPlace)};
  for (const std::string& label : labels()) {
    constexpr std::int64_t kBlock = 32;
    const auto held = static_cast<std::int64_t>(label.capacity());
    bytes += std::int64_t{sizeof(std::string) + sizeof(Vertex)} + (held > 15 ? held + kBlock : 0);
  }
  return bytes;
}

std::string Graph::digest() const {
  std::uint64_t& held = storage_->digest[directed() ? 1 : 0];
  std::call_once(storage_->digested[directed() ? 1 : 0], [&] {
    graph::Digest digest(directed(), first_id());
    for (const std::int64_t offset : offsets()) digest.add_offset(offset);
    graph::ArcWalk walk(*this, graph::Pages::given_back);
    const auto visit = [&](const auto& add) {
      for (Vertex v = 0; v < vertex_count(); ++v) walk.for_each_arc(v, add);
      release_pages();
    };
    visit([&](Vertex to, double) { digest.add_target(to); });
    visit([&](Vertex, double weight) { digest.add_weight(weight); });
    for (const std::string& label : labels()) digest.add_label(label);
    held = digest.value();
  });
  return graph::Digest::text(held);
}

GraphBuilder::GraphBuilder(std::int64_t vertex_count, bool directed)
    : vertex_count_(vertex_count), directed_(directed) {
  if (vertex_count < 0 || vertex_count > kMostVertices) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("{} vertices are too many: a graph has at most {}", vertex_count,
                            kMostVertices));
  }
}

void GraphBuilder::add_edges(std::vector<Edge>&& edges) {
  if (edges_.empty()) {
    edges_ = std::move(edges);
  } else {
    edges_.insert(edges_.end(), edges.begin(), edges.end());
  }
}

void GraphBuilder::sort_arcs(Graph::Storage& storage) {
  if (arcs_ == nullptr) {
    const int threads = system::thread_count(threads_);
    arcs_ = std::make_shared<graph::ArcBuckets>(
        graph::collect_arcs(std::move(edges_), vertex_count_, directed_, threads, in_order_));
  } else if (!edges_.empty()) {
    throw Error(ErrorKind::usage, "edges are given, and buckets of arcs too");
  }
  const graph::EdgeTally tally = arcs_->tally();
  storage.facts = tally.weight_facts();
  storage.loops = tally.loops;
  graph::CompressedRows rows =
      graph::sort_into_rows(std::move(*arcs_), vertex_count_, first_arc_id_);
  arcs_.reset();
  storage.facts.longest_path = graph::longest_path(rows.largest);
  storage.offsets = std::move(rows.offsets);
  storage.order_known = rows.order_known;
  storage.as_given = std::move(rows.as_given);
  storage.arcs = in_memory(std::move(rows), storage.offsets.back());
}

void GraphBuilder::take_rows(Graph::Storage& storage) {
  if (!edges_.empty() || std::ssize(offsets_) != vertex_count_ + 1) {
    throw Error(ErrorKind::usage, "the number of rows is wrong, or edges are given too");
  }
  const graph::RowFacts facts = graph::row_facts(offsets_, *rows_, system::thread_count(threads_));
  storage.facts = facts.weights;
  storage.loops = facts.loops;
  storage.offsets = std::move(offsets_);
  storage.arcs = std::move(*rows_);
}

void GraphBuilder::take_matrix(Graph::Storage& storage) {
  if (!edges_.empty() || arcs_ != nullptr || matrix_->n != vertex_count_) {
    throw Error(ErrorKind::usage, "the matrix has another size, or edges are given too");
  }
  if (matrix_->data == nullptr && vertex_count_ > 0) {
    throw Error(ErrorKind::usage, "the matrix of a graph has no data: its pointer is null");
  }
  graph::MatrixScan scan =
      scan_ ? *scan_ : graph::scan_matrix(*matrix_, system::thread_count(threads_));
  storage.facts = scan.facts;
  storage.loops = scan.loops;
  storage.offsets = std::move(scan.offsets);
  if (worth_compressing(*matrix_, storage.offsets.back())) {
    graph::CompressedRows rows =
        graph::compress_matrix(*matrix_, storage.offsets, system::thread_count(threads_));
    storage.arcs = in_memory(std::move(rows), storage.offsets.back());
  } else {
    storage.matrix = std::make_unique<const WeightMatrix>(std::move(*matrix_));
  }
  matrix_.reset();
}

Graph GraphBuilder::build() && {
  auto storage = std::make_shared<Graph::Storage>();
  storage->first_id = first_id_;
  if (!labels_.empty() && std::ssize(labels_) != vertex_count_) {
    throw Error(ErrorKind::usage,
                fmt::format("{} for {}", base::counted(std::ssize(labels_), "label", "labels"),
                            base::counted(vertex_count_, "vertex", "vertices")));
  }
  const bool of_matrix = matrix_.has_value();
  of_matrix ? take_matrix(*storage) : rows_ ? take_rows(*storage) : sort_arcs(*storage);
  if (!labels_.empty()) {
    storage->labels = std::move(labels_);
    if (!labels_distinct_) Graph::by_label(*storage);
  }
  Graph graph(std::move(storage), directed_);
  const WeightMatrix* const matrix = graph.matrix();
  const bool is_known = !directed_ && !rows_ && !of_matrix;
  if (scan_ && scan_->symmetric) {
    graph.symmetric_ = *scan_->symmetric;
  } else {
    const bool asymmetric =
        directed_ && matrix != nullptr &&
        graph::begins_asymmetric({matrix->data, matrix->n, matrix->n, matrix->type});
    graph.symmetric_ = is_known || (!asymmetric && !find_unmirrored(graph, threads_));
  }
  if (!directed_ && !graph.symmetric_) {
    throw Error(ErrorKind::usage,
                of_matrix
                    ? "the matrix of an undirected graph must be symmetric, and this one is not"
                    : "an undirected edge is in only one row");
  }
  if (rows_) graph.release_pages();
  const auto twins = graph::find_label_twins(graph.labels());
  if (!twins) return graph;
  return graph.with_remark(
      fmt::format("the names '{}' and '{}' look alike, and are two vertices: one of them has "
                  "combining marks (Unicode normal form D)",
                  graph.name(twins->first), graph.name(twins->second)));
}

}  // namespace apsp
