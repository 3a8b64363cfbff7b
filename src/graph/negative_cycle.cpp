// Potentials of a graph; bellman_ford.hpp describes the algorithm.
#include "graph/negative_cycle.hpp"

#include <algorithm>
#include <cmath>

#include "graph/bellman_ford.hpp"
#include "graph/matrix_arcs.hpp"

namespace apsp {
namespace {

double largest_weight(const Graph& graph) {
  return std::max(std::abs(graph.weight_facts().least), std::abs(graph.weight_facts().greatest));
}

class GraphArcs {
 public:
  using Level = double;

  GraphArcs(const Graph& graph, double sign) : graph_(graph), sign_(sign) {}

  std::int64_t vertex_count() const { return graph_.vertex_count(); }
  std::int64_t out_degree(Vertex u) const { return graph_.out_degree(u); }
  bool integral() const { return graph_.weight_facts().integral; }
  double largest() const { return largest_weight(graph_); }

  template <class F>
  void sift(Vertex u, double lower, const std::vector<double>& upper, F&& f) const {
    graph_.for_each_arc(u, [&](Vertex v, double weight) {
      const double w = sign_ * weight;
      if (lower + w < upper[v]) f(v, w);
    });
  }

 private:
  const Graph& graph_;
  double sign_;
};

template <class T>
Potentials of_matrix(const Graph& graph, const Control& control, int threads) {
  const graph::MatrixArcs<T, 1> arcs(static_cast<const T*>(graph.matrix()->data),
                                     graph.vertex_count(), graph.vertex_count(),
                                     largest_weight(graph), graph.weight_facts().integral);
  return graph::exact_potentials(arcs, threads, control);
}

void turn_round(Potentials& potentials) {
  for (base::DoubleDouble& h : potentials.h) h = {-h.high, -h.low};
  if (!potentials.cycle) return;
  std::vector<Vertex>& vertices = potentials.cycle->vertices;
  std::reverse(vertices.begin() + 1, vertices.end());
}

/// Depth-first search; an arc to a vertex of the current path closes a cycle.
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

  /// The cycle along the path from `first`, with the last followed arc of each vertex.
  Cycle closed_by(Vertex first) const {
    Cycle cycle;
    cycle.vertices.assign(std::find(path_.begin(), path_.end(), first), path_.end());
    for (const Vertex v : cycle.vertices) cycle.weight += followed_[v];
    return cycle;
  }

  const Graph& graph_;
  std::vector<std::int64_t> place_;
  std::vector<double> followed_;  // [n] weight of the arc last followed
  std::vector<State> state_;
  std::vector<Vertex> path_;
};

}  // namespace

double lacking_an_edge(const Graph& graph, const Potentials& potentials) {
  const double largest = largest_weight(graph);
  double highest = 0;
  for (const base::DoubleDouble& h : potentials.h) highest = std::max(highest, std::abs(h.high));
  return potentials.bias * largest + 0x1p-92 * largest + 0x1p-102 * (largest + 2 * highest);
}

Potentials potentials(const Graph& graph, double sign, const Control& control, int threads) {
  const WeightFacts& facts = graph.weight_facts();
  if ((sign > 0 ? facts.least : -facts.greatest) >= 0) {
    return {std::vector<base::DoubleDouble>(static_cast<std::size_t>(graph.vertex_count())), 0, {}};
  }
  const WeightMatrix* const matrix = graph.matrix();
  // Only sums of the original values ignore infinities (no arc) and positive diagonals (no loop)
  // for free.
  const bool floats = sign > 0 && matrix != nullptr &&
                      (matrix->type == ValueType::f32 || matrix->type == ValueType::f64);
  if (!floats) return graph::exact_potentials(GraphArcs(graph, sign), threads, control);
  Potentials found = matrix->type == ValueType::f64 ? of_matrix<double>(graph, control, threads)
                                                    : of_matrix<float>(graph, control, threads);
  if (matrix->by_columns) turn_round(found);
  return found;
}

std::optional<Cycle> find_cycle(const Graph& graph) { return CycleSearch(graph).run(); }

}  // namespace apsp
