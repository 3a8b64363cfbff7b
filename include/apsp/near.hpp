// Near pairs, nearest places, accessibility, betweenness of vertices and arcs, and eccentricities.
//
// Distances are those of shortest paths over weights ≥ 0 (> 0 for betweenness). Time and memory of
// near queries grow with their results, not with all pairs. Betweenness takes the time of a row of
// distances for each source, and the memory of a few rows.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apsp {

struct NearOptions {
  /// Sources of the distances, distinct; empty: all vertices.
  std::vector<Vertex> sources{};
  /// johnson: a bounded search from each source. nested_dissection: bounded sweeps over a factor.
  /// automatic: predicted from a sample of searches and the plan.
  Algorithm algorithm = Algorithm::automatic;
  /// Only for `within`: a GPU searches from many sources at a time. automatic: a GPU if searches on
  /// the host take seconds and a source reaches hundreds of vertices.
  Device device = Device::automatic;
  std::vector<int> device_ordinals{};  ///< as in `SolveOptions`
  int threads = 0;                     ///< 0: all
  Control control{};
  std::int64_t memory = 0;  ///< limit of the whole process, in bytes; 0: what is free
};

/// Pairs of vertices and their distances, as compressed sparse rows.
struct SparseDistances {
  std::int64_t vertices = 0;                 ///< columns
  std::vector<std::int64_t> row_begin;       ///< [sources + 1] pairs of all earlier sources
  std::vector<Vertex> targets;               ///< [pairs] ascending in a row
  std::vector<double> distances;             ///< [pairs]
  Algorithm algorithm = Algorithm::johnson;  ///< that was used
  bool on_device = false;                    ///< a GPU was used
};

/// Returns all pairs of distinct vertices whose distance is at most `limit`; row i has those of
/// sources[i]. Takes 12 to 32 bytes for each pair. Throws `Error`: usage (a negative weight, a
/// limit that is negative or NaN, an unsupported algorithm), does_not_fit, device, interrupted.
SparseDistances within(const Graph& graph, double limit, const NearOptions& options = {});

/// Checks near pairs by their properties, without a search (docs/verification.md). `sources`: as
/// given to `within`. `options.sources`: number of rows to check, drawn at random. Throws `Error`:
/// usage (a negative weight, a wrong number of rows or vertices), interrupted.
VerifyReport verify(const SparseDistances& pairs, const Graph& graph, double limit,
                    std::span<const Vertex> sources = {}, const VerifyOptions& options = {});

/// Writes pairs for `scipy.sparse.load_npz`. Throws `Error`: input_output, interrupted.
void write_npz(const SparseDistances& pairs, const std::string& path, const Control& control = {});

/// Writes pairs as a sparse matrix in a Zarr group with the encoding of AnnData, with the graph and
/// the sources (docs/stores.md), complete or not at all. `sources`: as given to `within`. Throws
/// `Error`: usage (no .zarr; 2^31 pairs or more), input_output, interrupted.
void write_zarr(const SparseDistances& pairs, const Graph& graph, double limit,
                std::span<const Vertex> sources, const std::string& path,
                const Control& control = {});

/// Weight of a quantity at a distance.
struct Decay {
  enum class Kind {
    none,         ///< 1
    exponential,  ///< exp(−distance / scale)
    linear        ///< 1 − distance / limit
  };
  Kind kind = Kind::none;
  double scale = 1;  ///< of exponential decay, > 0
};

/// Returns accessibility (Hansen 1959), [sources, limits, columns]: the sums of quantities,
/// [columns, n], over all vertices within each limit, the source included. Sums of integers without
/// decay are exact; a column whose sums could reach 2^53 is refused. Other sums are rounded
/// in an order that depends only on the algorithm. Throws `Error`: as `within`, and usage
/// (quantities of another length, not finite or too large, no limits).
std::vector<double> access(const Graph& graph, std::span<const double> quantities,
                           std::span<const double> limits, Decay decay = {},
                           const NearOptions& options = {});

/// The vertices within a limit of each source, kept so that sums of other quantities need no
/// search.
class Reach {
 public:
  /// Takes some bits for each pair of a source and a vertex that it reaches. `distances`: keeps
  /// their distances, too, in 2 to 8 bytes each. Throws `Error`: as `within`, and usage for an
  /// infinite limit.
  Reach(const Graph& graph, double limit, bool distances = true, const NearOptions& options = {});
  ~Reach();
  Reach(Reach&& other) noexcept;
  Reach& operator=(Reach&& other) noexcept;

  std::int64_t pairs() const;  ///< each source with itself included
  std::int64_t bytes() const;  ///< that are kept
  /// As `access` with the sources of this. `limits`: at most that of this, which is the default.
  /// Smaller limits and decays need the distances. Throws `Error`: as `access`.
  std::vector<double> sums(std::span<const double> quantities, std::span<const double> limits = {},
                           Decay decay = {}, const Control& control = {}) const;

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

/// The nearest places of each vertex.
struct NearestPlaces {
  static constexpr std::int64_t kNone = -1;
  std::int64_t count = 0;  ///< k
  /// [n, k] index into the list of places, nearest first, or kNone
  std::vector<std::int64_t> places;
  std::vector<double> distances;  ///< [n, k] +infinity for kNone
};

enum class Towards {
  places,   ///< along paths from a vertex to a place
  vertices  ///< along paths from a place to a vertex
};

/// Returns the k nearest of some places for every vertex. Places are vertices, repeats allowed;
/// those at equal distance come in the order of the list. One search from all places gives each
/// vertex at most k answers: O(k m log(k n)) time, O(k n) memory. `memory`: limit of the process in
/// bytes; 0: what is free. Throws `Error`: usage (a negative weight, k < 1, no places),
/// does_not_fit, interrupted.
NearestPlaces nearest(const Graph& graph, std::span<const Vertex> places, std::int64_t k = 1,
                      Towards towards = Towards::places, const Control& control = {},
                      std::int64_t memory = 0);

/// Checks all nearest places by their properties, without a search, in O(k m)
/// (docs/verification.md). Throws `Error`: usage (a negative weight, a wrong number of vertices),
/// interrupted.
VerifyReport verify(const NearestPlaces& found, const Graph& graph, std::span<const Vertex> places,
                    Towards towards = Towards::places, const VerifyOptions& options = {});

/// Scaling of sums over pairs of a source and a target. N: number of vertices that a path may pass
/// through, n with endpoints, else n − 1. K: number of sources.
enum class PairScale {
  /// All sources: the sum, halved for an undirected graph so that each pair counts once. Some
  /// sources: an estimate, the sum times N / K; without endpoints, a source is never between its
  /// own pairs, and its sum is taken times N / (K − 1).
  pairs,
  /// The fraction of pairs: the sum divided by N (N − 1), or by K (N − 1) for some sources; without
  /// endpoints, by (K − 1)(N − 1) for a source.
  normalized,
  sums,  ///< over ordered pairs of a source and a target
};

struct BetweennessOptions {
  /// Sources of the paths, distinct; empty: all vertices.
  std::vector<Vertex> sources{};
  PairScale scale = PairScale::pairs;
  bool endpoints = false;  ///< a path also counts for its first and last vertex
  bool arcs = false;       ///< also compute the betweenness of arcs
  /// Real weights use johnson, whose sums are rounded along paths from the source.
  Algorithm algorithm = Algorithm::automatic;
  /// A GPU computes distances and counts paths; rows of Floyd-Warshall are counted by the host.
  /// automatic: a GPU if it is faster.
  Device device = Device::automatic;
  std::vector<int> device_ordinals{};  ///< as in `SolveOptions`
  int threads = 0;                     ///< 0: all
  std::int64_t memory = 0;             ///< bytes of the host; 0: what is free
  Control control{};
};

struct Betweenness {
  std::vector<double> vertices;  ///< [n]
  /// The lightest of parallel arcs, no loops, by ascending ends. An undirected edge is listed once,
  /// from its smaller vertex, with the paths of both directions. Empty unless requested.
  std::vector<Edge> arcs;
  std::vector<double> of_arcs;  ///< [arcs]
  std::int64_t sources = 0;
  std::int64_t rows = 0;  ///< rows of distances that were computed; pendant trees need none
  std::string plan;       ///< one line: how they were computed
};

/// Returns betweenness (Freeman 1977; Anthonisse 1971) by the algorithm of Brandes 2001: the
/// fraction of the shortest paths of a pair that pass through a vertex or arc, summed over pairs.
/// Parallel arcs count as one arc of the least weight; loops are on no path. Lengths are compared
/// exactly for integers; for real weights as f64 rounds sums along each path from its source. Some
/// sources are scaled as in NetworkX. Sums do not depend on the number of threads, nor on the
/// device if vertices have few arcs on average; they keep at least 50 binary digits below the
/// greatest possible sum. Takes O(m + n) and a row of distances for each source. Throws `Error`:
/// usage (a weight that is not positive, more than 10^308 paths of a pair, real weights that f64
/// loses in sums, an algorithm that rounds otherwise), does_not_fit, device, interrupted.
Betweenness betweenness(const Graph& graph, const BetweennessOptions& options = {});

// Eccentricity of v: the largest distance from v. Diameter and radius: the largest and the smallest
// eccentricity. All are of one strong component, whose vertices reach each other, and equal those
// of `Statistics`: the radius is `Statistics::radius`; the diameter is
// `ComponentStatistics::diameter` if the graph has several components, else `Statistics::diameter`.

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

struct PathCountOptions {
  std::vector<Vertex> sources{}, targets{};  ///< distinct; empty: all
  int threads = 0;                           ///< 0: all
  std::int64_t memory = 0;                   ///< bytes; 0: what is free
  Control control{};
};

/// Returns [sources, targets] the number of shortest paths of every pair: 1 from a vertex to
/// itself, 0 without a path. Paths are sequences of vertices: parallel arcs count as one, loops are
/// on no path. Lengths are compared as `betweenness` compares them. O(n + m) and a row of distances
/// for each source. Throws `Error`: usage (infinitely many walks, because a cycle of length 0
/// is on the way; a number beyond 64 bits; a weight below 0), does_not_fit, interrupted.
std::vector<std::uint64_t> path_counts(const Graph& graph, const PathCountOptions& options = {});

/// The predecessors of v on shortest paths from a source: the vertices [first[v], first[v + 1]),
/// ascending. The source and vertices without a path have none.
struct AllPredecessors {
  std::vector<std::int64_t> first;  ///< [n + 1]
  std::vector<Vertex> vertices;
};

/// Returns for each of `options.sources` every u with d(source, u) + w(u, v) = d(source, v), for
/// all v other than the source. `options.targets` has no effect. Predecessors may form cycles of
/// length 0. Throws `Error`: usage (a weight below 0), does_not_fit, interrupted.
std::vector<AllPredecessors> all_predecessors(const Graph& graph, const PathCountOptions& options);

struct LocalEfficiencyOptions {
  bool weighted = false;    ///< by lengths; else every edge counts as 1
  int threads = 0;          ///< 0: all
  std::int64_t memory = 0;  ///< bytes; 0: what is free
  Control control{};
};

/// Returns [n] the local efficiency of every vertex of an undirected graph; their mean is the
/// graph's. Of a vertex with k neighbours, it is the mean of 1 / d over the k (k − 1) pairs of
/// neighbours, where d is their distance in the subgraph of the neighbours (Latora and Marchiori
/// 2001); 0 for k < 2. Weighted (Wang 2017, with 1 / length as weight): d adds up cube roots of
/// lengths, and 1 / d is divided by those of the edges to both neighbours. The same if all are 1.
/// Parallel edges count as the shortest, loops not at all. Takes the sum of k times the number of
/// edges between neighbours, with a logarithm if weighted. Throws `Error`: usage (a directed graph;
/// weighted: a length that is not positive), does_not_fit, interrupted.
std::vector<double> local_efficiency(const Graph& graph,
                                     const LocalEfficiencyOptions& options = {});

}  // namespace apsp
