#include "paths/backward_paths.hpp"

#include <algorithm>

#include "semiring/dispatch.hpp"

namespace apsp::paths {

BackwardPaths::BackwardPaths(const CountedArcs<double>& arcs, ValueType type)
    : arcs_(arcs), type_(type), before_(arcs.counted, -1), edges_(arcs.counted, kUnseen) {}

void BackwardPaths::begin(Vertex source, const void* row) {
  for (const Vertex v : grown_) {
    before_[v] = -1;
    edges_[v] = kUnseen;
  }
  row_ = row;
  edges_[source] = 0;
  grown_.assign(1, source);
}

void BackwardPaths::reach(Vertex end) {
  semiring::dispatch(Semiring::min_plus, type_, [&]<class S>() {
    if constexpr (S::kKind == Semiring::min_plus) grow<typename S::Value>(end);
  });
}

template <class T>
void BackwardPaths::grow(Vertex end) {
  if (edges_[end] != kUnseen || static_cast<const T*>(row_)[end] == semiring::MinPlus<T>::zero()) {
    return;
  }
  if (arcs_.least == arcs_.out.greatest) return walk<T>(end);
  steps_.push_back({end, 0, kUnseen});
  while (!steps_.empty()) {
    if (look_back<T>(steps_.back())) steps_.pop_back();
  }
}

/// Edges of one weight: all shortest paths to a vertex have as many, so the first predecessor is
/// best.
template <class T>
void BackwardPaths::walk(Vertex end) {
  const T* const row = static_cast<const T*>(row_);
  for (Vertex v = end; edges_[v] == kUnseen; v = static_cast<Vertex>(before_[v])) {
    edges_[v] = 0;  // not needed
    grown_.push_back(v);
    const auto into = arcs_.into(v);
    const auto first = std::ranges::find_if(into, [&](const auto& arc) {
      return static_cast<double>(row[arc.to]) + arc.weight == static_cast<double>(row[v]);
    });
    before_[v] = first->to;
  }
}

/// Returns whether all predecessors were looked at; else another step was added. Arcs of shortest
/// paths form no cycle.
template <class T>
bool BackwardPaths::look_back(Step& step) {
  const T* const row = static_cast<const T*>(row_);
  const Vertex v = step.vertex;
  const auto into = arcs_.into(v);
  const auto distance = static_cast<double>(row[v]);
  for (; step.next < into.size(); ++step.next) {
    const auto& [u, weight] = into[step.next];
    if (row[u] == semiring::MinPlus<T>::zero()) continue;
    if (static_cast<double>(row[u]) + weight != distance) continue;
    if (edges_[u] == kUnseen) {
      steps_.push_back({u, 0, kUnseen});  // `step` is no longer valid
      return false;
    }
    if (edges_[u] < step.edges) {
      step.edges = edges_[u];
      before_[v] = u;
    }
  }
  edges_[v] = step.edges + 1;
  grown_.push_back(v);
  return true;
}

}  // namespace apsp::paths
