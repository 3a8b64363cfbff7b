// Eccentricities over weights ≥ 0, without all distances.
//
// The eccentricity of v is the largest distance from v. Diameter and radius are the largest and the
// smallest eccentricity. All are of one strong component, whose vertices reach each other, and
// equal those of `Statistics`: the radius is `Statistics::radius`; the diameter is
// `ComponentStatistics::diameter` if the graph has several components, else `Statistics::diameter`.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace apsp {

enum class EccentricityGoal {
  diameter,
  radius,
  extremes,  ///< diameter and radius
  all,       ///< every eccentricity; takes many more rows
};

struct EccentricityOptions {
  EccentricityGoal goal = EccentricityGoal::extremes;
  /// Finds all vertices of the centre and the periphery. Takes many more rows if half of a graph
  /// has the same eccentricity, as in social networks.
  bool sets = false;
  /// johnson: searches, breadth-first if all weights are 1. nested_dissection: rows of a factor.
  /// automatic: searches, and a factor once they have taken as long as making one would.
  Algorithm algorithm = Algorithm::automatic;
  int threads = 0;          ///< 0: all
  std::int64_t memory = 0;  ///< limit of the whole process, in bytes; 0: what is free
  Control control{};
};

/// A proven interval of a value; both ends are equal if the value is known.
struct ProvenRange {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();

  bool known() const { return least == most; }
};

struct Eccentricities {
  std::int64_t components = 0;  ///< strong components of the graph
  std::int64_t vertices = 0;    ///< of the component
  ProvenRange diameter, radius;
  VertexPair diameter_pair;  ///< vertices at the distance `diameter.least`
  VertexPair radius_pair;    ///< a vertex of eccentricity `radius.most`, and one at that distance
  /// Vertices known to have the diameter or the radius as eccentricity, ascending; all of them with
  /// `EccentricityOptions::sets` or the goal `all`. Empty for a goal that leaves them out.
  std::vector<Vertex> periphery, centre;
  /// [n] NaN for vertices of other components, and if not known; goal `all` finds all of the
  /// component. Real weights: within `tolerance`.
  std::vector<double> eccentricity;
  double tolerance = 0;   ///< relative error of distances that was allowed for; 0: integers, exact
  std::int64_t rows = 0;  ///< rows of distances that were computed
  bool complete = false;  ///< false: interrupted, and the ranges are what was proven until then
  std::string plan;       ///< one line: how rows were computed
};

/// Returns eccentricities of the largest strong component (`largest_component` in apsp/graph.hpp),
/// exact for integer weights. Bounds from a few rows decide about most vertices (Takes and Kosters
/// 2011; Crescenzi 2013; Borassi 2015). A row takes O(m + n log n); at worst every vertex has one.
/// Real weights compare with an allowance for rounding. A raised `control.cancellation` ends the
/// work with `complete` = false once a row has been computed. Throws `Error`: usage (a negative
/// weight, another algorithm, no vertices), does_not_fit, interrupted (before the first row).
Eccentricities eccentricity(const Graph& graph, const EccentricityOptions& options = {});

/// The same for every strong component, largest first; equal ones by their least vertex. `memory`
/// and `eccentricity` [n] are for each of them. Stops after a component that is not complete.
std::vector<Eccentricities> component_eccentricities(const Graph& graph,
                                                     const EccentricityOptions& options = {});

/// The same of the graph of a result. A factor that it keeps gives rows, from the first one on with
/// `Algorithm::nested_dissection`, with `automatic` if they are predicted to be faster than
/// searches. Factors of f32, of negated weights and of weights of both signs are not used.
Eccentricities eccentricity(const Result& result, const EccentricityOptions& options = {});
std::vector<Eccentricities> component_eccentricities(const Result& result,
                                                     const EccentricityOptions& options = {});

}  // namespace apsp
