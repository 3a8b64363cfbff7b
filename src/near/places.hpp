// Distances from and to places on streets, by the distances of the vertices at their ends.
#pragma once

#include <apsp/snap.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "graph/vertex_states.hpp"

namespace apsp::near {

/// A part of an arc: the way between a place and a vertex at the end of its street, or between two
/// places of a street. `from` = `to`: no arc, because the place is the vertex.
struct PartOfArc {
  Vertex vertex = 0;  ///< at the end of the part
  Vertex from = 0, to = 0;
  double share = 0;
  double weight = std::numeric_limits<double>::infinity();  ///< of the part; infinity: no arc
};

/// The arcs along the streets of a graph. In a graph of turn states, an arc leads to the state in
/// which it arrives, and it is entered from each state of its first vertex, at the cost of the
/// turn.
class Streets {
 public:
  /// `graph` must outlive this.
  explicit Streets(const Graph& graph);

  /// The ways from a place to vertices, and from vertices to a place; none if no arc leads along
  /// the street.
  std::vector<PartOfArc> exits_of(const Place& place) const;
  std::vector<PartOfArc> entries_of(const Place& place) const;
  /// The way along one street. Its weight is infinity if the places are on different streets, or no
  /// arc leads from one to the other.
  PartOfArc direct_part(const Place& from, const Place& to) const;

 private:
  /// The lightest arc; to the state in which it arrives. Its weight is infinity if there is none.
  Arc arc(Vertex from, Vertex to) const;
  PartOfArc part(Vertex from, Vertex to, double share) const;
  void add_entries(Vertex from, Vertex to, double share, std::vector<PartOfArc>& entries) const;

  const Graph& graph_;
  graph::VertexStates states_;
  std::vector<Vertex> numbers_;  // of the states, by ascending place
};

/// Pairs of places as pairs of vertices: one for each way out of a place and into the other.
class PlacePairs {
 public:
  struct Way {
    PartOfArc exit, entry;
  };
  struct Best {
    double distance = std::numeric_limits<double>::infinity();
    std::optional<std::size_t> way{};  ///< index in `vertices`; empty: along one street, or none
  };

  PlacePairs(const Graph& graph, std::span<const Place> from, std::span<const Place> to);

  std::span<const VertexPair> vertices() const { return vertices_; }
  const Way& way(std::size_t i) const { return ways_[i]; }
  /// Along the street of both places.
  const PartOfArc& direct(std::size_t pair) const { return direct_[pair]; }
  /// The shortest way. `between(i)`: the distance of vertices()[i].
  template <class Between>
  Best best(std::size_t pair, const Between& between) const {
    Best least{direct_[pair].weight};
    for (std::size_t i = pair == 0 ? 0 : ends_[pair - 1]; i < ends_[pair]; ++i) {
      const double found = ways_[i].exit.weight + ways_[i].entry.weight + between(i);
      if (found < least.distance) least = {found, i};
    }
    return least;
  }

 private:
  std::vector<VertexPair> vertices_;
  std::vector<Way> ways_;          // [vertices_]
  std::vector<std::size_t> ends_;  // [pairs] of the ways of each
  std::vector<PartOfArc> direct_;  // [pairs]
};

}  // namespace apsp::near
