// Points on a map: their places on the streets of a graph, and distances and paths between these.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/path_steps.hpp>
#include <apsp/progress.hpp>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace apsp {

/// A place of the network that is nearest to a point: a vertex (`from` = `to`), or a place on the
/// street of the arcs between two vertices (`from` < `to`).
struct Place {
  Vertex from = 0, to = 0;
  double share = 0;  ///< of the street, counted from `from`; 0 for a vertex, else in (0, 1)
  double walk = 0;   ///< from the point to this place: metres for degrees, else in the unit of x, y

  bool is_vertex() const { return from == to; }
};

enum class Snap {
  vertex,  ///< to the nearest vertex
  arc      ///< to the nearest place of the streets, which are straight between vertices
};

struct SnapOptions {
  Snap to = Snap::vertex;
  /// The greatest walk.
  double limit = std::numeric_limits<double>::infinity();
  int threads = 0;  ///< 0: all
  Control control{};
};

/// Returns the place nearest to each point; of equally near ones the vertex, or street, of the
/// smallest numbers. Degrees are measured on a sphere with the mean radius of the Earth, where
/// streets are great circles; other coordinates in the plane. Positions that may be degrees are, if
/// the points or they themselves are said to be. `at`: [n]. O(n log n) and O(log n)
/// for a point, by a packed tree of boxes (Kamel 1993). Throws `Error`: input (a
/// point that is farther than the limit, or not finite), usage (coordinates of another number of
/// vertices, points in degrees among other positions, no vertex or no street), interrupted.
std::vector<Place> snap(const Graph& graph, const Coordinates& at, const Coordinates& points,
                        const SnapOptions& options = {});

/// Returns the distances from from[i] to to[i]: over the vertices at the ends of their streets, or
/// along one street, whichever is shorter. `distances` answers pairs of vertices, such as
/// `Result::distances`: at most four for each pair of places, with turn states more. Throws `Error`
/// (usage): lists of other lengths.
std::vector<double> place_distances(
    const Graph& graph, std::span<const Place> from, std::span<const Place> to,
    const std::function<std::vector<double>(std::span<const VertexPair>)>& distances);

/// Returns the paths of these distances. `paths` answers pairs of vertices, such as `path_steps`.
/// Paths begin and end with their places, which are further vertices: `from`, then `to`.
PathSteps place_paths(const Graph& graph, std::span<const Place> from, std::span<const Place> to,
                      const std::function<PathSteps(std::span<const VertexPair>)>& paths);

/// Returns the graph with places as further vertices: `origins`, from which arcs lead along their
/// streets, then `destinations`, to which arcs lead. A part of a street has its share of the least
/// weight in its direction. Distances between vertices do not change, and no path leads through a
/// place. Vertices have no labels. O(n + m), and an arc for each origin and destination of the same
/// street. With turn states, paths to places pay for their turns. Throws `Error`: usage (a negative
/// weight), does_not_fit.
Graph with_places(const Graph& graph, std::span<const Place> origins,
                  std::span<const Place> destinations);

}  // namespace apsp
