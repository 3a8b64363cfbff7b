// Near pairs, nearest places and accessibility.
//
// Distances are those of shortest paths over weights ≥ 0. Time and memory of these queries grow
// with their results, not with all pairs.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>
// Subjects that have headers of their own, for programs that include only this one.
#include <apsp/betweenness.hpp>
#include <apsp/eccentricity.hpp>
#include <apsp/loads.hpp>
#include <apsp/local_efficiency.hpp>
#include <apsp/path_counts.hpp>
#include <apsp/path_steps.hpp>
#include <apsp/snap.hpp>
#include <apsp/turns.hpp>

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

}  // namespace apsp
