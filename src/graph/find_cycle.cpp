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
        next_arc_(graph.offsets().begin(), graph.offsets().end() - 1),
        state_(next_arc_.size(), State::unseen) {}

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
      if (next_arc_[v] == graph_.offsets()[v + 1]) {
        state_[v] = State::done;
        path_.pop_back();
        continue;
      }
      const Vertex to = graph_.targets()[static_cast<std::size_t>(next_arc_[v]++)];
      if (state_[to] == State::on_path) return closed_by(to);
      if (state_[to] == State::unseen) enter(to);
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
    for (const Vertex v : cycle.vertices) {
      cycle.weight += graph_.weights()[static_cast<std::size_t>(next_arc_[v] - 1)];
    }
    return cycle;
  }

  const Graph& graph_;
  std::vector<std::int64_t> next_arc_;  // [n] first arc not yet followed
  std::vector<State> state_;            // [n]
  std::vector<Vertex> path_;
};

}  // namespace

std::optional<Cycle> find_cycle(const Graph& graph) { return CycleSearch(graph).run(); }

}  // namespace apsp
