#include <fmt/format.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "graph/edge_facts.hpp"
#include "graph/rows.hpp"

namespace apsp {
namespace {

/// FNV-1a over 64-bit words; strings count byte by byte.
class Fnv1a64 {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001B3u;
    state_ ^= state_ >> 32;  // a word is wider than FNV's byte: fold the high half back
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325u;
};

constexpr std::int64_t kMostVertices = std::numeric_limits<Vertex>::max();
/// Vertices in order of their labels. Most comparisons end at the first eight bytes, which stand
/// beside the vertex as one integer. Throws `Error` (input) if two labels are the same.
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
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
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

}  // namespace

std::int64_t Graph::edge_count() const {
  return directed_ ? arc_count() : (arc_count() + loops_) / 2;
}

std::string Graph::name(Vertex v) const {
  return labels_.empty() ? std::to_string(std::uint64_t{v} + first_id_) : labels_[v];
}

std::optional<Vertex> Graph::find(std::string_view name) const {
  if (!labels_.empty()) {
    const auto before = [this](Vertex v, std::string_view text) { return labels_[v] < text; };
    const auto at = std::lower_bound(by_label_.begin(), by_label_.end(), name, before);
    if (at == by_label_.end() || labels_[*at] != name) return std::nullopt;
    return *at;
  }
  std::uint64_t id = 0;
  const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (failure != std::errc() || end != name.data() + name.size() || id < first_id_) {
    return std::nullopt;
  }
  id -= first_id_;
  if (id >= static_cast<std::uint64_t>(vertex_count())) return std::nullopt;
  return static_cast<Vertex>(id);
}

std::string Graph::digest() const {
  Fnv1a64 hash;
  hash.add(directed_ ? 1u : 0u);
  hash.add(first_id_);
  for (const std::int64_t offset : offsets_) hash.add(static_cast<std::uint64_t>(offset));
  for (const Vertex target : targets_) hash.add(target);
  for (const double weight : weights_) hash.add(std::bit_cast<std::uint64_t>(weight + 0.0));
  for (const std::string& label : labels_) hash.add(label);
  return fmt::format("fnv1a64:{:016x}", hash.value());
}

GraphBuilder::GraphBuilder(std::int64_t vertex_count, bool directed)
    : vertex_count_(vertex_count), directed_(directed) {
  if (vertex_count < 0 || vertex_count > kMostVertices) {
    throw Error(ErrorKind::does_not_fit, fmt::format("{} vertices; a graph here has at most {}",
                                                     vertex_count, kMostVertices));
  }
}

void GraphBuilder::add_edges(std::vector<Edge>&& edges) {
  if (edges_.empty()) {
    edges_ = std::move(edges);
  } else {
    edges_.insert(edges_.end(), edges.begin(), edges.end());
  }
}

Graph GraphBuilder::build() && {
  Graph graph;
  graph.directed_ = directed_;
  graph.first_id_ = first_id_;
  const auto n = static_cast<std::size_t>(vertex_count_);
  if (!labels_.empty() && labels_.size() != n) {
    throw Error(ErrorKind::usage, fmt::format("{} labels for {} vertices", labels_.size(), n));
  }
  const graph::EdgeFacts facts = graph::edge_facts(edges_, n);
  graph.facts_ = facts.weights;
  graph.loops_ = facts.loops;
  graph::Rows rows = graph::sort_into_rows(n, directed_, std::move(edges_));
  graph.offsets_ = std::move(rows.offsets);
  graph.targets_ = std::move(rows.targets);
  graph.weights_ = std::move(rows.weights);
  if (!labels_.empty()) {
    graph.by_label_ = sort_by_label(labels_);
    graph.labels_ = std::move(labels_);
  }
  return graph;
}

}  // namespace apsp
