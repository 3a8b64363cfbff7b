// What is near: pairs within a distance, the nearest of some places, what can be reached. And what
// lies between: betweenness of vertices and arcs.
//
// Distances are those of shortest paths over weights ≥ 0; betweenness wants weights > 0. What is
// near costs what is found, not memory or time for all pairs. Betweenness takes the time of a row
// of distances for each source, and memory for a few of them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apsp {

struct NearOptions {
  /// Distances from these vertices, distinct; empty: from all.
  std::vector<Vertex> sources{};
  /// Johnson: a bounded search from each source. Nested dissection: bounded sweeps over a factor.
  /// Automatic: the one that a sample of searches and the plan predict to be faster.
  Algorithm algorithm = Algorithm::automatic;
  /// Of `within`: a GPU searches from many sources at a time. Automatic: where searches would take
  /// the host some seconds, and a source reaches some hundred vertices. `access` takes the CPU.
  Device device = Device::automatic;
  std::vector<int> device_ordinals{};  ///< as in `SolveOptions`
  int threads = 0;                     ///< 0: all
  Control control{};
  std::int64_t memory = 0;  ///< bytes of the whole process; 0: what the machine has free
};

/// Pairs of vertices and their distances, as compressed sparse rows.
struct SparseDistances {
  std::int64_t vertices = 0;                 ///< columns
  std::vector<std::int64_t> row_begin;       ///< [sources + 1] pairs of all sources before each
  std::vector<Vertex> targets;               ///< [pairs] rising in a row
  std::vector<double> distances;             ///< [pairs]
  Algorithm algorithm = Algorithm::johnson;  ///< that found them
  bool on_device = false;                    ///< a GPU did
};

/// All pairs of distinct vertices whose distance is at most `limit`; row i has those from
/// sources[i]. Memory: 12 bytes a pair, up to twice that at the end. Throws `Error`: usage (a
/// negative weight, a limit that is negative or no number, an algorithm that cannot), does_not_fit,
/// device, interrupted.
SparseDistances within(const Graph& graph, double limit, const NearOptions& options = {});

/// Checks near pairs by their properties, without a search for them (docs/verification.md).
/// `sources`: those that `within` was given. `options.sources`: as many rows, drawn at random.
/// Throws `Error`: usage (a negative weight, pairs of another number of rows or vertices),
/// interrupted.
VerifyReport verify(const SparseDistances& pairs, const Graph& graph, double limit,
                    std::span<const Vertex> sources = {}, const VerifyOptions& options = {});

/// Writes pairs as SciPy stores a sparse matrix (`scipy.sparse.load_npz`), complete or not at all.
/// Throws `Error`: input_output, interrupted.
void write_npz(const SparseDistances& pairs, const std::string& path, const Control& control = {});

/// Writes pairs as a sparse matrix in a Zarr group, as AnnData encodes it, with the graph and the
/// list of sources (docs/stores.md); complete or not at all. `sources`: those that `within` was
/// given. Throws `Error`: usage (no .zarr; 2^31 pairs or more), input_output, interrupted.
void write_zarr(const SparseDistances& pairs, const Graph& graph, double limit,
                std::span<const Vertex> sources, const std::string& path,
                const Control& control = {});

/// How much of a quantity counts at a distance.
struct Decay {
  enum class Kind {
    none,         ///< all of it
    exponential,  ///< exp(−distance / scale)
    linear        ///< 1 − distance / limit
  };
  Kind kind = Kind::none;
  double scale = 1;  ///< of exponential decay; > 0
};

/// Accessibility (Hansen 1959): for every source and limit, the sum of a quantity over all vertices
/// at most so far away, the source included. `quantities`: [columns, n] row by row. Returns
/// [sources, limits, columns]. Sums of a column of whole numbers without decay are exact: where
/// they could reach 2^53, which doubles do not hold, the column is refused. Other sums are rounded,
/// in an order that depends on the engine alone. Throws `Error`: as `within`, and usage (quantities
/// of another length, not finite or too large, no limits).
std::vector<double> access(const Graph& graph, std::span<const double> quantities,
                           std::span<const double> limits, Decay decay = {},
                           const NearOptions& options = {});

/// The nearest places of each vertex.
struct NearestPlaces {
  static constexpr std::int64_t kNone = -1;
  std::int64_t count = 0;            ///< k
  std::vector<std::int64_t> places;  ///< [n, k] index into the list of places, nearest first; kNone
  std::vector<double> distances;     ///< [n, k] +infinity where there is no further place
};

enum class Towards {
  places,   ///< along paths from a vertex to a place
  vertices  ///< along paths from a place to a vertex
};

/// For every vertex the k nearest of some places, which are vertices; two places may be the same
/// vertex. Places at the same distance come in the order of the list. O(k m log(k n)) time, O(k n)
/// memory: one search from all places at once, which gives each vertex at most k answers. `memory`:
/// bytes of the whole process; 0: what the machine has free. Throws `Error`: usage (a negative
/// weight, k < 1, no places), does_not_fit, interrupted.
NearestPlaces nearest(const Graph& graph, std::span<const Vertex> places, std::int64_t k = 1,
                      Towards towards = Towards::places, const Control& control = {},
                      std::int64_t memory = 0);

/// Checks nearest places by their properties, without a search for them (docs/verification.md).
/// All of them are checked, in O(k m). Throws `Error`: usage (a negative weight, another number of
/// vertices), interrupted.
VerifyReport verify(const NearestPlaces& found, const Graph& graph, std::span<const Vertex> places,
                    Towards towards = Towards::places, const VerifyOptions& options = {});

/// What sums over pairs of a source and a target become. N: n with endpoints, else n − 1, all
/// vertices that a path may pass through. K: sources.
enum class PairScale {
  /// As for all pairs. All sources: the sum, in an undirected graph half of it, so that each pair
  /// counts once. Some sources: an estimate, the sum times N / K. Without endpoints a source is not
  /// between its own pairs, and its sum is taken times N / (K − 1).
  pairs,
  /// The share of pairs: the sum divided by K (N − 1), or by N (N − 1) for all sources. Of some
  /// sources without endpoints: by (K − 1)(N − 1) for a source.
  normalized,
  sums,  ///< over ordered pairs of a source and any target
};

struct BetweennessOptions {
  /// Paths from these vertices, distinct; empty: from all.
  std::vector<Vertex> sources{};
  PairScale scale = PairScale::pairs;
  bool endpoints = false;  ///< a path counts for its first and last vertex too
  bool arcs = false;       ///< betweenness of arcs too
  /// What finds distances. Real weights take Johnson's: sums rounded along paths from the source.
  Algorithm algorithm = Algorithm::automatic;
  /// A GPU finds distances and counts the paths there. Rows of Floyd-Warshall are counted by the
  /// host. Automatic: a GPU, where that takes less time.
  Device device = Device::automatic;
  std::vector<int> device_ordinals{};  ///< as in `SolveOptions`
  int threads = 0;                     ///< 0: all
  std::int64_t memory = 0;             ///< bytes of the host; 0: what the machine has free
  Control control{};
};

struct Betweenness {
  std::vector<double> vertices;  ///< [n]
  /// Without loops, of parallel arcs the lightest, by rising ends. An undirected edge is listed
  /// once, from its smaller vertex, with the paths of both directions. Empty unless asked for.
  std::vector<Edge> arcs;
  std::vector<double> of_arcs;  ///< [arcs]
  std::int64_t sources = 0;
  std::int64_t rows = 0;  ///< of distances that were computed; trees that hang off need none
  std::string plan;       ///< one line: how they were
};

/// Betweenness (Freeman 1977; Anthonisse 1971) by Brandes 2001: of all shortest paths of a pair,
/// the share that passes through a vertex or arc, summed over pairs. Parallel arcs are one arc, of
/// the least weight, and loops are on no path. Two paths are equally long where their sums are
/// equal: of whole numbers exactly, of real weights as f64 rounds the sums along each path from its
/// source. Scaling of some sources is NetworkX's. Counts of paths are f64. Sums do not depend on
/// threads, in no bit, nor on devices, where a vertex has few arcs on average: they hold at least
/// 50 binary digits below the greatest sum that is possible. O(m + n) a source, and its row of
/// distances. Throws `Error`: usage (a weight that is not positive, more than 10^308 paths of a
/// pair, real weights that f64 loses beside their sums, an algorithm that rounds otherwise),
/// does_not_fit, device, interrupted.
Betweenness betweenness(const Graph& graph, const BetweennessOptions& options = {});

}  // namespace apsp
