// Near pairs, nearest places, accessibility, betweenness of vertices and arcs, eccentricities,
// loads of arcs, and costs of turns.
//
// Distances are those of shortest paths over weights ≥ 0 (> 0 for betweenness). Time and memory of
// near queries grow with their results, not with all pairs. Betweenness takes the time of a row of
// distances for each source, and the memory of a few rows.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
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
    linear,       ///< 1 − distance / limit
    gaussian,     ///< exp(−(distance / scale)² / 2)
    power         ///< distance^−scale, and 1 up to the distance 1
  };
  Kind kind = Kind::none;
  double scale = 1;  ///< of the last two and of exponential decay, > 0
};

/// Returns accessibility (Hansen 1959), [sources, limits, columns]: the sums of quantities,
/// [columns, n], over all vertices within each limit, the source included. Sums of integers without
/// decay are exact; a column whose sums could reach 2^53 is refused. Other sums are rounded
/// in an order that depends only on the algorithm. Throws `Error`: as `within`, and usage
/// (quantities of another length, not finite or too large, no limits).
std::vector<double> access(const Graph& graph, std::span<const double> quantities,
                           std::span<const double> limits, Decay decay = {},
                           const NearOptions& options = {});

/// Returns the graph with every arc reversed and the same vertices: what is near in it is what has
/// a path to a source. An undirected graph is returned as it is. O(n + m).
Graph reversed(const Graph& graph);

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

struct NearCentrality {
  std::vector<double> betweenness;  ///< [limits, n]
  std::vector<Edge> arcs;           ///< as `Betweenness::arcs`
  std::vector<double> of_arcs;      ///< [limits, arcs] betweenness
  std::vector<double> reached;    ///< [limits, sources] vertices within the limit, less the source
  std::vector<double> distances;  ///< [limits, sources] sum of the distances to them
  std::int64_t sources = 0;
};

/// Returns betweenness and closeness by the paths of at most each limit (Borgatti and Everett 2006:
/// bounded-distance betweenness). The closeness of a source is reached / distances. A search ends
/// at the greatest limit, so time depends on what is near. Options, scales and errors are those of
/// `betweenness`; algorithm and device have no effect. Throws also `Error` (usage) for a limit
/// below 0, or no limit.
NearCentrality near_centrality(const Graph& graph, std::span<const double> limits,
                               const BetweennessOptions& options = {});

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

/// The same of the graph of a result. A factor that it keeps gives rows, from the first one on with
/// `Algorithm::nested_dissection`, with `automatic` if they are predicted to be faster than
/// searches. Factors of f32, of negated weights and of weights of both signs are not used.
Eccentricities eccentricity(const Result& result, const EccentricityOptions& options = {});
std::vector<Eccentricities> component_eccentricities(const Result& result,
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
/// A loop makes a vertex its own neighbour; of parallel edges the shortest counts. Takes the sum of
/// k times the number of edges between neighbours, with a logarithm if weighted. Throws `Error`:
/// usage (a directed graph; weighted: a length that is not positive), does_not_fit, interrupted.
std::vector<double> local_efficiency(const Graph& graph,
                                     const LocalEfficiencyOptions& options = {});

// --- loads of arcs: the flows of trips between vertices along shortest paths

/// Trips and their volumes, ≥ 0. Pairs may repeat. A trip from a vertex to itself uses no arc.
struct Demand {
  std::vector<VertexPair> pairs;
  std::vector<double> volumes;  ///< [columns, pairs] row-major
};

struct LoadOptions {
  /// A trip is split over all its shortest paths, by their number, as betweenness counts them.
  /// Otherwise it takes the path of `Result::path`. Needs weights above 0.
  bool split = false;
  /// Arcs whose trips are listed, distinct; not with `split`.
  std::vector<VertexPair> select{};
  int threads = 0;          ///< 0: all
  std::int64_t memory = 0;  ///< bytes of the process; 0: what is free
  Control control{};
};

/// A trip over a selected arc.
struct SelectedTrip {
  std::int64_t arc = 0;   ///< index in `LoadOptions::select`
  std::int64_t pair = 0;  ///< index in `Demand::pairs`

  auto operator<=>(const SelectedTrip&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Loads {
  /// By ascending ends; the lightest of parallel arcs, no loops. Both directions of an edge.
  std::vector<Edge> arcs;
  std::vector<double> volumes;         ///< [columns, arcs]
  std::vector<SelectedTrip> selected;  ///< sorted
  std::vector<double> costs;           ///< [columns] Σ volume · distance of the trips with a path
  std::int64_t without_path = 0;       ///< pairs with a volume that no path connects
  std::vector<double> left_out;        ///< [columns] their volumes
  std::string plan;                    ///< one line: how distances were computed
};

/// Assigns all trips to shortest paths (all-or-nothing). Volumes are the same bits for any number
/// of threads. In a graph of turn states trips and arcs are those of its vertices,
/// and `split` is refused. Takes a row of distances and O(m + n) for each origin. Throws `Error`:
/// usage (a weight below 0, a volume below 0 or not finite, a wrong number of volumes, a selected
/// arc that does not exist or repeats), does_not_fit, interrupted.
Loads loads(const Graph& graph, const Demand& demand, const LoadOptions& options = {});

/// The same with the distances of a result, if it holds those of all pairs as a matrix or a factor;
/// otherwise with its graph. Real weights split over all shortest paths need the graph, too.
Loads loads(const Result& result, const Demand& demand, const LoadOptions& options = {});

// --- costs of turns: what it takes to go from one arc to the next, or that it is forbidden
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

// --- paths of many pairs

/// Best paths of many pairs: the steps of pair i are [first[i], first[i + 1]), none without a path.
struct PathSteps {
  std::vector<std::int64_t> first{0};  ///< [pairs + 1]
  std::vector<Vertex> vertices{};      ///< [steps]
  /// [steps] the number of the edge that leads to the vertex, in the order of `with_weights`; −1
  /// where the path begins. Of parallel edges the best, of these the first. With turn states: the
  /// number of the arc in `Loads::arcs`; −1 also for loops.
  std::vector<std::int64_t> edges{};
  std::vector<double> distances{};  ///< [steps] from the beginning of the path
};

/// Returns the paths of `Result::path`: a row of distances and a tree for each distinct source, by
/// all threads, and 20 bytes for each step. A graph is solved from the distinct sources first,
/// whose rows have to fit in memory. With turn states, `pairs` are those of the graph and steps
/// those of its vertices. Throws `Error`: as `Result::path`, and does_not_fit.
PathSteps path_steps(const Result& result, std::span<const VertexPair> pairs,
                     const PairsOptions& options = {});
PathSteps path_steps(const Graph& graph, std::span<const VertexPair> pairs,
                     const SolveOptions& solving = {});

// --- points on a map

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
