#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

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
constexpr double kMostExactInteger = 0x1p53;

}  // namespace

std::int64_t Graph::edge_count() const {
  return directed_ ? arc_count() : (arc_count() + loops_) / 2;
}

std::span<const Vertex> Graph::targets(Vertex v) const {
  return targets().subspan(static_cast<std::size_t>(offsets_[v]),
                           static_cast<std::size_t>(offsets_[v + 1] - offsets_[v]));
}

std::span<const double> Graph::weights(Vertex v) const {
  return weights().subspan(static_cast<std::size_t>(offsets_[v]),
                           static_cast<std::size_t>(offsets_[v + 1] - offsets_[v]));
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

  std::vector<std::int64_t>& offsets = graph.offsets_;
  offsets.assign(n + 1, 0);
  WeightFacts& facts = graph.facts_;
  if (!edges_.empty()) facts.least = facts.greatest = edges_.front().weight;
  for (const Edge& edge : edges_) {
    if (edge.from >= n || edge.to >= n) {
      throw Error(ErrorKind::usage, fmt::format("edge {} → {} in a graph of {} vertices", edge.from,
                                                edge.to, vertex_count_));
    }
    if (!std::isfinite(edge.weight)) {
      throw Error(ErrorKind::usage, fmt::format("edge {} → {} has the weight {}", edge.from,
                                                edge.to, edge.weight));
    }
    facts.least = std::min(facts.least, edge.weight);
    facts.greatest = std::max(facts.greatest, edge.weight);
    facts.unit = facts.unit && edge.weight == 1;
    facts.integral = facts.integral && edge.weight == std::trunc(edge.weight) &&
                     std::abs(edge.weight) <= kMostExactInteger;
    if (edge.from == edge.to) ++graph.loops_;
    ++offsets[edge.from + 1];
    if (!directed_ && edge.from != edge.to) ++offsets[edge.to + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  // Scatter into rows; offsets[v] runs to the end of row v and is shifted back afterwards.
  graph.targets_.resize(static_cast<std::size_t>(offsets[n]));
  graph.weights_.resize(static_cast<std::size_t>(offsets[n]));
  const auto place = [&](Vertex from, Vertex to, double weight) {
    const auto slot = static_cast<std::size_t>(offsets[from]++);
    graph.targets_[slot] = to;
    graph.weights_[slot] = weight + 0.0;  // −0 becomes +0: one zero only
  };
  for (const Edge& edge : edges_) {
    place(edge.from, edge.to, edge.weight);
    if (!directed_ && edge.from != edge.to) place(edge.to, edge.from, edge.weight);
  }
  std::vector<Edge>().swap(edges_);
  std::move_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets[0] = 0;

  std::vector<std::pair<Vertex, double>> row;
  for (std::size_t v = 0; v < n; ++v) {
    const auto first = static_cast<std::size_t>(offsets[v]);
    const auto last = static_cast<std::size_t>(offsets[v + 1]);
    const auto in_order = [&](std::size_t a, std::size_t b) {
      return graph.targets_[a] < graph.targets_[b] ||
             (graph.targets_[a] == graph.targets_[b] && graph.weights_[a] <= graph.weights_[b]);
    };
    bool sorted = true;
    for (std::size_t a = first + 1; a < last && sorted; ++a) sorted = in_order(a - 1, a);
    if (sorted) continue;
    row.clear();
    for (std::size_t a = first; a < last; ++a) row.emplace_back(graph.targets_[a], graph.weights_[a]);
    std::sort(row.begin(), row.end());
    for (std::size_t a = first; a < last; ++a) {
      std::tie(graph.targets_[a], graph.weights_[a]) = row[a - first];
    }
  }

  if (!labels_.empty()) {
    if (labels_.size() != n) {
      throw Error(ErrorKind::usage, fmt::format("{} labels for {} vertices", labels_.size(), n));
    }
    graph.labels_ = std::move(labels_);
    graph.by_label_.resize(n);
    std::iota(graph.by_label_.begin(), graph.by_label_.end(), Vertex{0});
    std::sort(graph.by_label_.begin(), graph.by_label_.end(),
              [&](Vertex a, Vertex b) { return graph.labels_[a] < graph.labels_[b]; });
    for (std::size_t i = 1; i < n; ++i) {
      const std::string& label = graph.labels_[graph.by_label_[i]];
      if (label == graph.labels_[graph.by_label_[i - 1]]) {
        throw Error(ErrorKind::input, fmt::format("two vertices have the label '{}'", label));
      }
    }
  }
  return graph;
}

}  // namespace apsp
