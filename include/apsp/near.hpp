// What is near: pairs within a distance, the nearest of some places, what can be reached.
//
// Distances are those of shortest paths over weights ≥ 0. All three cost what they find: none needs
// memory or time for all pairs.
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
  int threads = 0;  ///< 0: all
  Control control{};
};

/// Pairs of vertices and their distances, as compressed sparse rows.
struct SparseDistances {
  std::int64_t vertices = 0;                 ///< columns
  std::vector<std::int64_t> row_begin;       ///< [sources + 1] pairs of all sources before each
  std::vector<Vertex> targets;               ///< [pairs] rising in a row
  std::vector<double> distances;             ///< [pairs]
  Algorithm algorithm = Algorithm::johnson;  ///< that found them
};

/// All pairs of distinct vertices whose distance is at most `limit`; row i has those from
/// sources[i]. Memory: 12 bytes a pair, up to twice that at the end. Throws `Error`: usage (a
/// negative weight, a limit that is negative or no number, an algorithm that cannot), does_not_fit,
/// interrupted.
SparseDistances within(const Graph& graph, double limit, const NearOptions& options = {});

/// Writes pairs as SciPy stores a sparse matrix (`scipy.sparse.load_npz`), complete or not at all.
/// Throws `Error`: input_output, interrupted.
void write_npz(const SparseDistances& pairs, const std::string& path, const Control& control = {});

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
/// [sources, limits, columns]. Sums of whole numbers below 2^53 without decay are exact; others are
/// rounded, in an order that depends on the engine alone. Throws `Error`: as `within`, and usage
/// (quantities of another length or not finite, no limits).
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
/// memory: one search from all places at once, which gives each vertex at most k answers. Throws
/// `Error`: usage (a negative weight, k < 1, no places), does_not_fit, interrupted.
NearestPlaces nearest(const Graph& graph, std::span<const Vertex> places, std::int64_t k = 1,
                      Towards towards = Towards::places, const Control& control = {});

}  // namespace apsp
