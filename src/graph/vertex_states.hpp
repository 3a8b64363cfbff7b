// The vertices of a graph that may have turns (apsp/turns.hpp). A graph without turns answers, too:
// each number is a vertex, at which paths to it end.
#pragma once

#include <apsp/turns.hpp>
#include <cstdint>
#include <optional>

namespace apsp::graph {

class VertexStates {
 public:
  explicit VertexStates(const Graph& graph)
      : states_(TurnStates::of(graph)),
        vertices_(states_ ? states_->vertices() : graph.vertex_count()) {}

  bool has_turns() const { return states_.has_value(); }
  /// Of the graph without turns.
  std::int64_t vertices() const { return vertices_; }
  /// The vertex that a state or an end belongs to.
  Vertex vertex_of(Vertex state) const { return states_ ? states_->place(state) : state; }
  /// Where paths to a vertex end; a state is its own end.
  Vertex end(Vertex v) const { return states_ && v < vertices_ ? states_->end(v) : v; }
  bool is_end(Vertex v) const { return v >= vertices_ && end(vertex_of(v)) == v; }

  /// Calls take(head, weight) for each arc from `u` to `v` or to a state of `v`. Requires: `graph`
  /// is that of the constructor.
  template <class Take>
  void for_each_arc_between(const Graph& graph, Vertex u, Vertex v, const Take& take) const {
    if (!states_) return graph.for_each_arc_between(u, v, [&](double w) { take(v, w); });
    graph.for_each_arc(u, [&](Vertex head, double weight) {
      if (vertex_of(head) == v) take(head, weight);
    });
  }

 private:
  std::optional<TurnStates> states_;
  std::int64_t vertices_;
};

}  // namespace apsp::graph
