// Any cycle, for the semirings that allow none.
#include <algorithm>

#include "graph/negative_cycle.hpp"

namespace apsp {
namespace {

/// Depth-first search that keeps its path; an arc back into the path closes a cycle.
class CycleSearch {
 public:
  explicit CycleSearch(const Graph& graph)
      : graph_(graph),
        place_(static_cast<std::size_t>(graph.vertex_count()), 0),
        followed_(place_.size(), 0.0),
        state_(place_.size(), State::unseen) {}

  std::optional<Cycle> run() {
    for (Vertex v = 0; v < state_.size(); ++v) {
      if (state_[v] != State::unseen) continue;
      if (std::optional<Cycle> cycle = search_from(v)) return cycle;
    }
    return std::nullopt;
  }

 private:
  enum class State : std::uint8_t { unseen, on_path, done };

  std::optional<Cycle> search_from(Vertex root) {
    enter(root);
    while (!path_.empty()) {
      const Vertex v = path_.back();
      const std::optional<Arc> arc = graph_.next_arc(v, place_[v]);
      if (!arc) {
        state_[v] = State::done;
        path_.pop_back();
        continue;
      }
      followed_[v] = arc->weight;
      if (state_[arc->to] == State::on_path) return closed_by(arc->to);
      if (state_[arc->to] == State::unseen) enter(arc->to);
    }
    return std::nullopt;
  }

  void enter(Vertex v) {
    state_[v] = State::on_path;
    path_.push_back(v);
  }

  /// The path from `first` on; the arc that each of its vertices followed last is the cycle's.
  Cycle closed_by(Vertex first) const {
    Cycle cycle;
    cycle.vertices.assign(std::find(path_.begin(), path_.end(), first), path_.end());
    for (const Vertex v : cycle.vertices) cycle.weight += followed_[v];
    return cycle;
  }

  const Graph& graph_;
  std::vector<std::int64_t> place_;  // [n] of the first arc not yet followed
  std::vector<double> followed_;     // [n] weight of the arc that was followed last
  std::vector<State> state_;         // [n]
  std::vector<Vertex> path_;
};

}  // namespace

std::optional<Cycle> find_cycle(const Graph& graph) { return CycleSearch(graph).run(); }

}  // namespace apsp
