#include "query/tight_tree.hpp"

#include <algorithm>

namespace apsp::query {

TightTree::TightTree(const Graph& graph, Semiring semiring, ValueType type, graph::Pages pages)
    : graph_(graph),
      walk_(graph, pages),
      semiring_(semiring),
      round_weights_(type == ValueType::f32),
      no_path_(no_path(semiring, semiring == Semiring::or_and ? type : ValueType::f64)),
      level_(static_cast<std::size_t>(graph.vertex_count())) {}

template <class Times>
void TightTree::search(Vertex source, std::span<const double> distance,
                       std::span<std::int64_t> predecessor, Times times) {
  level_[source] = 0;
  queue_.assign(1, source);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const Vertex u = queue_[next];
    walk_.for_each_arc(u, [&](Vertex v, double exact) {
      const bool first = level_[v] < 0;
      const bool again = level_[v] == level_[u] + 1 && u < predecessor[v];
      if (!first && !again) return;
      const double weight = round_weights_ ? static_cast<double>(static_cast<float>(exact)) : exact;
      if (distance[v] == no_path_ || times(distance[u], weight) != distance[v]) return;
      predecessor[v] = u;
      if (!first) return;
      level_[v] = level_[u] + 1;
      queue_.push_back(v);
    });
  }
}

bool TightTree::grow(Vertex source, std::span<const double> distance,
                     std::span<std::int64_t> predecessor) {
  std::fill(level_.begin(), level_.end(), -1);
  std::fill(predecessor.begin(), predecessor.end(), -1);
  switch (semiring_) {
    case Semiring::max_min:
      search(source, distance, predecessor, [](double d, double w) { return std::min(d, w); });
      break;
    case Semiring::min_max:
      search(source, distance, predecessor, [](double d, double w) { return std::max(d, w); });
      break;
    case Semiring::or_and:
      search(source, distance, predecessor, [](double d, double) { return d; });
      break;
    default:
      search(source, distance, predecessor, [](double d, double w) { return d + w; });
  }
  const auto unreached = std::count(distance.begin(), distance.end(), no_path_);
  return std::ssize(queue_) + unreached == std::ssize(distance);
}

}  // namespace apsp::query
