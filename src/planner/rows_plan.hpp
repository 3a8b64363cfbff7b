// Solving row by row, without a matrix of one's own: by nested dissection, by the boundary
// algorithm, by Dijkstra from every vertex, or by breadth-first searches. Whether a graph can be
// solved so, and what that takes.
//
// An order and the symbolic elimination are made here: they count every relaxation and byte before
// any value is touched, and the solve goes on with them.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "elimination/sweep_cut.hpp"
#include "elimination/tree.hpp"
#include "elimination/trim.hpp"
#include "planner/rates.hpp"
#include "planner/sampled_searches.hpp"
#include "search/device_search.hpp"

namespace apsp::planner {

struct RowsPlan {
  Algorithm algorithm = Algorithm::nested_dissection;
  std::shared_ptr<const elimination::Tree> tree{};  ///< where rows come from a factor
  std::shared_ptr<const elimination::Trim> trim{};  ///< where the tree is of its core alone
  // Relaxations, each an arc or an entry of the factor: to make the source of rows, and of all
  // rows.
  double making_relaxations = 0, rows_relaxations = 0;
  double levels = 0;       ///< of a breadth-first search
  double line_levels = 0;  ///< on which a vertex is looked at for a block of sources
  // To make the source; of all rows; of all distances where they come vertex by vertex instead.
  double making_seconds = 0, rows_seconds = 0, columns_seconds = 0;
  double asking_seconds = 0;  ///< of the pairs that are wanted, from the factor, where no row is
  // Pairs a second that statistics take, by all threads: row by row; vertex by vertex where nobody
  // takes rows; vertex by vertex beside rows that others take.
  double counted = 0, counted_swept = 0, counted_beside = 0;
  std::string measured{};         ///< when the rates behind the seconds were, UTC; empty: assumed
  std::int64_t source_bytes = 0;  ///< of the source: the factor, or arcs in narrow arrays
  std::int64_t making_bytes = 0;  ///< besides the source, while it is made
  std::int64_t worker_bytes = 0;  ///< besides the source, of all threads that compute rows
  std::int64_t columns_worker_bytes = 0;  ///< the same where distances come vertex by vertex
  std::int64_t block_bytes = 0;  ///< of the threads' blocks of rows, where no matrix has them
  bool keeps_matrix = true;      ///< or rows are passed on as they come
  bool computes_rows = true;     ///< now; or the source answers questions afterwards
  bool gives_columns = false;    ///< distances come vertex by vertex, to statistics alone
  bool counts_columns = false;   ///< they do, and others take the same distances as rows
  /// Sources that a device sweeps, or searches by breadth, at a time; 0: it does not.
  std::int64_t lanes = 0;
  /// Where a device is too small for the factor: the part that stays there, and the bytes of the
  /// others, which pass through it for every block of sources.
  elimination::SweepCut cut{};
  std::int64_t passing_bytes = 0;
  std::optional<search::SearchBatches> batches{};  ///< of a device that searches
  std::int64_t count_limit = 0;                    ///< a device counts distances below this
  /// From this width on, supernodes are closed on that device in tiles of `closed_tile`; 0: none.
  std::int64_t closed_on_device = 0, closed_tile = 0;
  bool fills_rooms = false;  ///< rows are written straight into the memory that keeps them

  /// Whether a device searches in the graph itself.
  bool searched_on_device() const { return batches || (lanes > 0 && tree == nullptr); }
  double relaxations() const { return making_relaxations + (computes_rows ? rows_relaxations : 0); }
  double seconds() const {
    const double rows = gives_columns ? columns_seconds : rows_seconds;
    return making_seconds + (computes_rows ? rows : asking_seconds);
  }
  std::int64_t solving_bytes() const {
    if (!computes_rows) return source_bytes + making_bytes;
    const std::int64_t workers = gives_columns ? columns_worker_bytes : worker_bytes;
    const std::int64_t blocks = keeps_matrix || gives_columns || fills_rooms ? 0 : block_bytes;
    return source_bytes + std::max(making_bytes, workers + blocks);
  }
};

/// What these algorithms must know of a problem.
struct RowsProblem {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  bool of_both_signs = false;  ///< rounded sums of weights of both signs
  int threads = 1;
  kernels::Sign sign = kernels::Sign::non_negative;  ///< of the weights
  double distance_bound = 0;
  std::int64_t sources = 0, targets = 0;  ///< rows and columns; 0: all
  std::span<const Vertex> wanted{};       ///< the columns' vertices; none: all. Outlives this
  bool may_trim = false;                  ///< nobody asks for the factor of the whole graph
  std::int64_t pairs = 0;                 ///< are all that is wanted; 0: rows are, whole
  SampledSearches found{};                          ///< by searches from a few vertices
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best plan so far
};

/// Why the algorithm cannot take the problem, as the end of "johnson …"; empty: it can.
std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const RowsProblem& problem);

/// Whether an arc may make a path better: searches then reduce weights by potentials first.
bool needs_potentials(const Graph& graph, Semiring semiring);

/// Graphs of fewer vertices are solved in no time by any algorithm.
inline constexpr std::int64_t kLeastVertices = 256;

/// Few enough arcs that rows may cost less than a matrix.
bool looks_sparse(std::int64_t vertices, std::int64_t arcs);

/// Requires: why_not is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const RowsProblem& problem,
                      const RateSource& rates = {});

}  // namespace apsp::planner
