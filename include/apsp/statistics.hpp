// What a distance matrix says of its graph, gathered in one pass over its rows; and whether it is
// right, checked by its properties, without solving again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

namespace apsp {

struct VertexPair {
  Vertex from = 0;
  Vertex to = 0;
};

/// One bar: pairs with low ≤ distance < high (the last bar includes its high end).
struct HistogramBin {
  double low = 0;
  double high = 0;
  std::int64_t pairs = 0;
};

/// The largest strong component of a graph that has several: the one with the most vertices; of
/// equal ones the one with the smallest vertex. Paths between its vertices do not leave it, so its
/// figures are those of its subgraph (`largest_component` in apsp/graph.hpp).
struct ComponentStatistics {
  std::int64_t components = 0;  ///< strong components of the graph
  std::int64_t vertices = 0;    ///< of the largest one
  std::int64_t pairs = 0;       ///< ordered pairs of distinct ones: all have a path
  std::optional<double> mean;   ///< empty for a component of one vertex, as are those below
  std::optional<double> diameter;
  std::optional<VertexPair> diameter_pair;
};

struct Statistics {
  std::int64_t vertices = 0;
  /// From how many vertices distances were counted, and to how many: all, or those that
  /// `SolveOptions::sources` and `targets` chose. What follows is about these pairs.
  std::int64_t sources = 0, targets = 0;
  std::int64_t pairs = 0;            ///< ordered pairs of distinct vertices; of all, n (n − 1)
  std::int64_t reachable_pairs = 0;  ///< of them, those with a path
  bool connected = false;            ///< every pair has a path

  /// Pairs without a path.
  std::int64_t unreachable_pairs() const { return pairs - reachable_pairs; }
  /// Whether every pair of vertices was counted.
  bool of_all() const { return sources == vertices && targets == vertices; }

  /// Over reachable pairs of distinct vertices; empty without any.
  std::optional<double> least;
  std::optional<double> greatest;
  std::optional<double> mean;
  std::optional<double> median;  ///< lower median; exact, or within `median_error`
  double median_error = 0;       ///< relative; 0 where the median is exact
  std::vector<HistogramBin> histogram;

  /// Shortest paths (min-plus) only, from here on; empty otherwise.
  /// Eccentricity of v: the largest finite distance from v. Diameter: the largest of them. Radius:
  /// the smallest eccentricity within the largest strong component, which is the whole graph where
  /// every pair has a path.
  std::optional<double> diameter;
  std::optional<VertexPair> diameter_pair;
  std::optional<double> radius;
  std::optional<VertexPair> radius_pair;  ///< a centre, and a vertex at that distance from it
  /// The component of radius and centre, if the graph has several and all pairs were counted.
  std::optional<ComponentStatistics> component;
  /// Where not all pairs were counted, diameter and radius are empty, and these bound them: the
  /// greatest distance, and to all targets the least eccentricity of a source within the largest
  /// strong component. The pairs above attain them.
  std::optional<double> diameter_at_least, radius_at_most;
  std::vector<double> eccentricity;  ///< [n], NaN but for sources; empty but to all targets
  /// As in NetworkX: over incoming distances, closeness scaled by the part that reaches v
  /// (Wasserman and Faust); pairs at distance zero add nothing to harmonic. Empty where a distance
  /// is negative, and but from all sources; NaN but for targets.
  std::vector<double> closeness;  ///< [n]
  std::vector<double> harmonic;   ///< [n]
};

/// The k vertices of largest value, best first; ties by vertex number. NaN is no value.
std::vector<Vertex> top(const std::vector<double>& values, std::size_t k);

struct VerifyOptions {
  std::int64_t sources = 0;  ///< rows to check; 0: all, or as many as 10^10 arc checks allow
  std::uint64_t seed = 1;    ///< which rows, when not all
  /// Relative error that is let pass; empty: 0 where arithmetic is exact, else from the value type
  /// and the number of vertices (docs/verification.md).
  std::optional<double> tolerance{};
  Control control{};
};

struct VerifyCheck {
  /// "diagonal", "edges", "triangle", "tightness", "reachability"; for results that hold them also
  /// "predecessors", "via", "hops", "statistics". Nearest places: "places".
  std::string name;
  std::int64_t tested = 0;  ///< how many single comparisons
  std::int64_t failed = 0;
  std::string first_failure;  ///< empty, or a sentence with vertices and values
};

struct VerifyReport {
  bool passed = false;
  std::vector<VerifyCheck> checks;
  std::int64_t sources_checked = 0;
  std::int64_t sources = 0;
  double tolerance = 0;
  /// What a pass means here: "proof", or "proof for the sampled sources", or "… within tolerance",
  /// or "…; via for a sample of pairs". Never a proof where `VerifyOptions::tolerance` is named:
  /// "within the tolerance of 0.01", or "… for the sampled sources".
  std::string meaning;
};

}  // namespace apsp
