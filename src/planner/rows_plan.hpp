// Plans of rows without a matrix: nested dissection, the boundary algorithm, Dijkstra from every
// vertex, breadth-first searches. Orders and symbolic eliminations are made here; they count
// relaxations and bytes exactly, and the solve uses them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/problem.hpp"
#include "planner/rates.hpp"
#include "planner/row_uses.hpp"
#include "search/device_search.hpp"
#include "sparse/factor.hpp"
#include "sparse/tree.hpp"
#include "sparse/trim.hpp"
#include "statistics/device_count.hpp"

namespace apsp::planner {

struct SweepsOnDevice {
  std::int64_t lanes = 0;  ///< sources at a time
  statistics::CountMethod counting{};
  kernels::ListedForm form = kernels::ListedForm::values;
  /// How the factor is divided if it does not fit the device: the resident part, and the bytes of
  /// the others, which every block of sources copies.
  sparse::SweepCut cut{};
  std::int64_t passing_bytes = 0;
  /// The device's part of the elimination (sparse/device_front.hpp): fronts that it eliminates
  /// completely, ascending; supernodes from `closed_from` on are closed there in tiles of
  /// `closed_tile`; 0: none.
  std::vector<sparse::SupernodeId> fronts{};
  std::int64_t closed_from = 0, closed_tile = 0;
  bool eliminates() const { return !fronts.empty() || closed_from > 0; }
};
struct SearchesOnDevice {
  search::SearchBatches batches{};
  statistics::CountMethod counting{};
};
struct HopsOnDevice {
  std::int64_t lanes = 0;  ///< sources at a time
  statistics::CountMethod counting{};
};

// The data of each engine; the device part exists only on a device.

struct RowsByFactor {
  std::shared_ptr<const sparse::Tree> tree;
  std::shared_ptr<const sparse::Trim> trim{};  ///< if the tree is of the graph's core
  std::optional<SweepsOnDevice> on_device{};
  bool symmetric = false;  ///< distances are the same both ways, and half of each front is kept
  bool estimated = false;  ///< the tree is estimated and cannot be solved
};
/// A search from each source, by the plan's algorithm.
struct RowsBySearches {
  double levels = 0;
  std::optional<SearchesOnDevice> on_device{};
};
/// Searches from many sources at once.
struct RowsByBreadthFirst {
  double levels = 0;
  double line_levels = 0;  ///< levels on which a vertex is visited for a block of sources
  std::optional<HopsOnDevice> on_device{};
};

/// Costs of making the source of rows, such as a factor, and of computing all rows.
struct RowCosts {
  double making_relaxations = 0, rows_relaxations = 0;  ///< arcs, or entries of the factor
  /// To make the source; for all rows; for all distances by column instead.
  double making_seconds = 0, rows_seconds = 0, columns_seconds = 0;
  double front_relaxation = 0;  ///< s of a relaxation of fronts, while all threads work
  double asking_seconds = 0;    ///< for the wanted pairs, from the factor, without rows
  /// Pairs a second in statistics, all threads: by row; by column without consumers of rows; by
  /// column with them.
  double counted = 0, counted_swept = 0, counted_beside = 0;
  std::string measured{};           ///< when rates were measured, UTC; empty: assumed
  std::int64_t source_bytes = 0;    ///< of the source: the factor, or arcs in narrow arrays
  std::int64_t ordering_bytes = 0;  ///< before the source is made, of all processes that order
  std::int64_t making_bytes = 0;    ///< in addition to the source, while it is made
  std::int64_t worker_bytes = 0;    ///< in addition to it, of all threads that compute rows
  std::int64_t columns_worker_bytes = 0;  ///< the same for distances by column
  std::int64_t block_bytes = 0;           ///< of the threads' blocks of rows, without a matrix
};

struct RowsPlan {
  Algorithm algorithm = Algorithm::nested_dissection;
  std::variant<RowsByFactor, RowsBySearches, RowsByBreadthFirst> by{};
  RowUses uses{};
  RowCosts costs{};

  /// Null if rows do not come from a factor.
  const RowsByFactor* factor() const { return std::get_if<RowsByFactor>(&by); }
  /// Whether each row is a search of its own.
  bool searches() const { return std::holds_alternative<RowsBySearches>(by); }
  const sparse::Tree* tree() const { return factor() ? factor()->tree.get() : nullptr; }
  bool on_device() const {
    return std::visit([](const auto& engine) { return engine.on_device.has_value(); }, by);
  }
  double relaxations() const {
    return costs.making_relaxations + (uses.computes_rows ? costs.rows_relaxations : 0);
  }
  double seconds() const {
    const double rows = uses.gives_columns ? costs.columns_seconds : costs.rows_seconds;
    return costs.making_seconds + (uses.computes_rows ? rows : costs.asking_seconds);
  }
  std::int64_t solving_bytes() const;
};

/// Returns why the algorithm cannot solve the problem, as the end of "johnson …"; empty: it can.
std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem);

/// Whether an arc may improve a path: searches then reduce weights by potentials first.
bool needs_potentials(const Graph& graph, Semiring semiring);

struct RowsMeans {
  Findings& findings;
  const RateSource& rates;
  const Control& control;
  bool may_trim = false;          ///< the factor of the whole graph is not needed
  std::int64_t pairs_memory = 0;  ///< bytes of labels of the pairs; 0: half of what is free
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best candidate so far
};

/// Requires: why_not is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const Problem& problem,
                      const RowsMeans& means);

}  // namespace apsp::planner
