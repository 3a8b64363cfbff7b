#include "searches.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace apsp::python::csgraph {
namespace {

constexpr std::uint32_t kNoRank = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void Searches::push(Key key) {
  heap_.push_back(key);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

Searches::Key Searches::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
  const Key key = heap_.back();
  heap_.pop_back();
  return key;
}

void Searches::clear(const Row& row) const {
  std::fill_n(row.distances, arcs_.n, kNone);
  if (row.predecessors != nullptr) std::fill_n(row.predecessors, arcs_.n, kNoPredecessor);
}

void Searches::search(Vertex source, double limit, const Row& row) {
  clear(row);
  row.distances[source] = 0;
  heap_.assign(1, {0, 0, source});
  while (!heap_.empty()) {
    const auto [distance, rank, u] = pop();
    if (distance > row.distances[u]) continue;
    arcs_.for_each(u, [&, from = distance, tail = u](Vertex v, double weight) {
      const double through = from + weight;
      if (!(through < row.distances[v]) || through > limit) return;
      row.distances[v] = through;
      if (row.predecessors != nullptr) row.predecessors[v] = static_cast<std::int32_t>(tail);
      push({through, 0, v});
    });
  }
}

void Searches::search_nearest(std::span<const Vertex> sources, double limit, const Row& row,
                              std::int32_t* nearest) {
  clear(row);
  rank_.assign(static_cast<std::size_t>(arcs_.n), kNoRank);
  heap_.clear();
  for (std::size_t rank = 0; rank < sources.size(); ++rank) {
    const Vertex v = sources[rank];
    if (rank_[v] != kNoRank) continue;  // a repeated source
    row.distances[v] = 0;
    rank_[v] = static_cast<std::uint32_t>(rank);
    push({0, rank_[v], v});
  }
  while (!heap_.empty()) {
    const auto [distance, rank, u] = pop();
    if (distance > row.distances[u] || rank != rank_[u]) continue;
    arcs_.for_each(u, [&, from = distance, mine = rank, tail = u](Vertex v, double weight) {
      const double through = from + weight;
      if (through > limit || through > row.distances[v]) return;
      if (through == row.distances[v] && mine >= rank_[v]) return;
      row.distances[v] = through;
      rank_[v] = mine;
      if (row.predecessors != nullptr) row.predecessors[v] = static_cast<std::int32_t>(tail);
      push({through, mine, v});
    });
  }
  for (std::size_t v = 0; v < rank_.size(); ++v) {
    nearest[v] =
        rank_[v] == kNoRank ? kNoPredecessor : static_cast<std::int32_t>(sources[rank_[v]]);
  }
}

}  // namespace apsp::python::csgraph
