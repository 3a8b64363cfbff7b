// Statistics of a distance matrix, gathered in one pass over its rows, and verification of results
// by their properties, without another solve.
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

/// The largest strong component of a graph with several (among equal ones, that with the smallest
/// vertex). Paths between its vertices do not leave it, so the figures are those of its subgraph
/// (`largest_component` in apsp/graph.hpp).
struct ComponentStatistics {
  std::int64_t components = 0;  ///< strong components of the graph
  std::int64_t vertices = 0;    ///< of the largest one
  std::int64_t pairs = 0;       ///< ordered pairs of distinct vertices; all have a path
  std::optional<double> mean;   ///< empty for one vertex, as are those below
  std::optional<double> diameter;
  std::optional<VertexPair> diameter_pair;
};

struct Statistics {
  std::int64_t vertices = 0;
  /// Number of vertices from which and to which distances were counted: all, or
  /// `QuestionOptions::sources` and `targets`. All figures are about these pairs.
  std::int64_t sources = 0, targets = 0;
  std::int64_t pairs = 0;            ///< ordered pairs of distinct vertices; n (n − 1) for all
  std::int64_t reachable_pairs = 0;  ///< pairs with a path
  bool connected = false;            ///< every pair has a path

  std::int64_t unreachable_pairs() const { return pairs - reachable_pairs; }
  /// Whether every pair of vertices was counted.
  bool of_all() const { return sources == vertices && targets == vertices; }

  /// Figures of reachable pairs; empty without any.
  std::optional<double> least;
  std::optional<double> greatest;
  std::optional<double> mean;
  std::optional<double> median;  ///< lower median; exact or within `median_error`
  double median_error = 0;       ///< relative; 0: exact
  std::vector<HistogramBin> histogram;

  /// The fields below are for shortest paths (min-plus), else empty. Eccentricity of v: the largest
  /// finite distance from v. Diameter: the largest eccentricity. Radius: the smallest eccentricity
  /// within the largest strong component.
  std::optional<double> diameter;
  std::optional<VertexPair> diameter_pair;
  std::optional<double> radius;
  std::optional<VertexPair> radius_pair;  ///< a centre, and a vertex at that distance
  /// Set if the graph has several components and all pairs were counted.
  std::optional<ComponentStatistics> component;
  /// Bounds of diameter and radius if not all pairs were counted; the pairs above attain them. The
  /// lower bound is the greatest distance; the upper bound, for all targets, is the least
  /// eccentricity of a source within the largest strong component.
  std::optional<double> diameter_at_least, radius_at_most;
  /// Figures of all pairs under the field's names; docs/statistics.md has definitions, sources and
  /// the meaning of unreachable pairs.
  std::optional<double> characteristic_path_length;
  std::optional<double> global_efficiency;
  std::optional<double> harmonic_mean_distance;
  std::optional<double> wiener_index;
  std::optional<double> effective_diameter;
  std::optional<double> average_eccentricity;
  std::vector<double> eccentricity;  ///< [n], NaN except for sources; empty unless all are targets
  /// Like NetworkX's, from incoming distances; closeness is scaled by the fraction of vertices that
  /// reach v (Wasserman and Faust), and harmonic ignores pairs at distance zero. Empty if a
  /// distance is negative or not all vertices are sources; NaN except for targets.
  std::vector<double> closeness;  ///< [n]
  std::vector<double> harmonic;   ///< [n]
};

/// Returns the k vertices of largest value, best first, ties by vertex number; NaN is skipped.
std::vector<Vertex> top(const std::vector<double>& values, std::size_t k);

struct VerifyOptions {
  std::int64_t sources = 0;  ///< rows to check; 0: all, or as many as 10^10 arc checks allow
  std::uint64_t seed = 1;    ///< selects the rows
  /// Accepted relative error; empty: 0 for exact arithmetic, else from the value type and the
  /// number of vertices (docs/verification.md).
  std::optional<double> tolerance{};
  Control control{};
};

struct VerifyCheck {
  /// "diagonal", "edges", "triangle", "tightness", "reachability"; "predecessors", "via", "hops"
  /// and "statistics" if the result has them; "places" for nearest places.
  std::string name;
  std::int64_t tested = 0;  ///< number of comparisons
  std::int64_t failed = 0;
  std::string first_failure;  ///< a sentence with vertices and values, or empty
};

struct VerifyReport {
  bool passed = false;
  std::vector<VerifyCheck> checks;
  std::int64_t sources_checked = 0;
  std::int64_t sources = 0;
  double tolerance = 0;
  /// "proof", "proof for the sampled sources", "… within tolerance", or "…; via for a sample of
  /// pairs". Given `VerifyOptions::tolerance`: "within the tolerance of 0.01", or "… for the
  /// sampled sources".
  std::string meaning;
};

}  // namespace apsp
