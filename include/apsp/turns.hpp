// Costs of turns: what it takes to go from one arc to the next, or that it is forbidden.
//
// A graph with turn costs is solved as a graph of states (Caldwell 1961): arriving at a vertex by
// one arc differs from arriving by another. Only what needs states gets them. Arcs that enter a
// vertex and share all costs of their turns share a state, and those whose turns are free enter the
// vertex itself, as in the graph without turns.
//
// The vertices of the graph come first and keep their numbers and names: paths begin there, without
// a turn. A vertex B with states has an end `->B`, at which paths to it end, and the states `A->B`,
// where A is the first vertex that the state is entered from. So rows of distances are those of
// vertices, and columns are those of `TurnStates::end`. Names tell a graph of states from others,
// so files and results need nothing else.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace apsp {

/// The turn from the arc from → via to the arc via → to. All parallel arcs of an arc count.
struct Turn {
  Vertex from = 0, via = 0, to = 0;
  double cost = 0;  ///< ≥ 0, in the unit of the weights; infinity forbids the turn
};

/// The cost of turns whose change of direction is at least `angle`, in degrees: 0 is straight on,
/// above 0 is to the left, below 0 to the right; at −135, at least 135 to the right.
struct TurnAngle {
  double angle = 0;  ///< not 0, −180 … 180
  double cost = 0;
};

struct TurnRules {
  std::vector<Turn> turns{};  ///< in place of all rules
  /// The cost of turning round, u → v → u. Infinity forbids it, except where no other arc leads on.
  std::optional<double> u_turns{};
  /// The furthest angle that a turn reaches counts. For all turns but u-turns.
  std::vector<TurnAngle> angles{};
  std::optional<Coordinates> positions{};  ///< [n], for `angles`
};

/// Returns the graph of states, with a remark of their number. Weights of parallel arcs are those
/// of the lightest. O(n + m) and one step for each turn of a vertex with states. Throws `Error`:
/// usage (a turn of arcs that do not exist, two costs of one turn, a cost below 0, angles without
/// positions, a graph of states, vertices with names of states), does_not_fit.
Graph with_turns(const Graph& graph, const TurnRules& rules);

/// The vertices of a graph of states.
class TurnStates {
 public:
  /// Empty: `graph` is not a graph of states. O(1) for most graphs, else O(n + m).
  static std::optional<TurnStates> of(const Graph& graph);

  /// Vertices of the graph that has the turns; its vertices are the first ones.
  std::int64_t vertices() const { return std::ssize(ends_); }
  /// Where paths to a vertex end. Requires: v < vertices().
  Vertex end(Vertex v) const { return ends_[v]; }
  const std::vector<Vertex>& ends() const { return ends_; }
  /// The vertex that a state or an end belongs to; a vertex belongs to itself.
  Vertex place(Vertex state) const {
    return state < ends_.size() ? state : places_[state - ends_.size()];
  }
  /// A path as vertices of the graph that has the turns.
  std::vector<Vertex> places(std::span<const Vertex> path) const;

 private:
  std::vector<Vertex> ends_;    // [vertices()]
  std::vector<Vertex> places_;  // [states and ends]
};

}  // namespace apsp
