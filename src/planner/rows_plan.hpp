// Solving row by row, without a matrix of one's own: by nested dissection, by the boundary
// algorithm, by Dijkstra from every vertex, or by breadth-first searches. Whether a graph can be
// solved so, and what that takes.
//
// An order and the symbolic elimination are made here: they count every relaxation and byte before
// any value is touched, and the solve continues with them.
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

#include "elimination/factor.hpp"
#include "elimination/tree.hpp"
#include "elimination/trim.hpp"
#include "planner/problem.hpp"
#include "planner/rates.hpp"
#include "planner/row_uses.hpp"
#include "search/device_search.hpp"
#include "statistics/device_count.hpp"

namespace apsp::planner {

/// How a device sweeps over a factor.
struct SweepsOnDevice {
  std::int64_t lanes = 0;                                  ///< sources at a time
  statistics::CountMethod counting{};                      ///< what is counted of distances there
  kernels::ListedForm form = kernels::ListedForm::values;  ///< of rows there
  /// Where a device is too small for the factor: the part that stays there, and the bytes of the
  /// others, which pass through it for every block of sources.
  elimination::SweepCut cut{};
  std::int64_t passing_bytes = 0;
  /// Its part of the elimination (elimination/device_front.hpp): fronts that it eliminates
  /// whole, rising; supernodes from `closed_from` on are closed there in tiles of `closed_tile`; 0:
  /// none.
  std::vector<elimination::SupernodeId> fronts{};
  std::int64_t closed_from = 0, closed_tile = 0;
  bool eliminates() const { return !fronts.empty() || closed_from > 0; }
};
/// How a device runs Dijkstra's searches (near-far), and breadth-first searches.
struct SearchesOnDevice {
  search::SearchBatches batches{};
  statistics::CountMethod counting{};  ///< what is counted of distances there
};
struct HopsOnDevice {
  std::int64_t lanes = 0;              ///< sources at a time
  statistics::CountMethod counting{};  ///< as above
};

// Data of one engine each; the device part exists only where a device does it.

struct RowsByFactor {
  std::shared_ptr<const elimination::Tree> tree;
  std::shared_ptr<const elimination::Trim> trim{};  ///< where the tree is of the graph's core
  std::optional<SweepsOnDevice> on_device{};
  bool symmetric = false;  ///< distances are the same both ways, and fronts are kept by half
  bool estimated = false;  ///< the tree is one that samples promise; nothing is solved by it
};
/// A search from each source; the algorithm says which.
struct RowsBySearches {
  double levels = 0;  ///< of a search by breadth
  std::optional<SearchesOnDevice> on_device{};
};
/// Searches from many sources at once.
struct RowsByBreadthFirst {
  double levels = 0;       ///< the most that a search has
  double line_levels = 0;  ///< on which a vertex is looked at for a block of sources
  std::optional<HopsOnDevice> on_device{};
};

/// Costs of rows: to make their source, such as a factor, and to compute all of them.
struct RowCosts {
  double making_relaxations = 0, rows_relaxations = 0;  ///< arcs, or entries of the factor
  /// To make the source; of all rows; of all distances where they come vertex by vertex instead.
  double making_seconds = 0, rows_seconds = 0, columns_seconds = 0;
  double front_relaxation = 0;  ///< s of a relaxation of fronts, while all threads work
  double asking_seconds = 0;    ///< of the pairs that are wanted, from the factor, without any row
  /// Pairs a second that statistics take, by all threads: row by row; vertex by vertex where nobody
  /// takes rows; vertex by vertex while others take rows.
  double counted = 0, counted_swept = 0, counted_beside = 0;
  std::string measured{};           ///< when the rates of the seconds were, UTC; empty: assumed
  std::int64_t source_bytes = 0;    ///< of the source: the factor, or arcs in narrow arrays
  std::int64_t ordering_bytes = 0;  ///< before the source is made, of all processes that order
  std::int64_t making_bytes = 0;    ///< in addition to the source, while it is made
  std::int64_t worker_bytes = 0;    ///< in addition to it, of all threads that compute rows
  std::int64_t columns_worker_bytes = 0;  ///< the same where distances come vertex by vertex
  std::int64_t block_bytes = 0;  ///< of the threads' blocks of rows, where no matrix has them
};

struct RowsPlan {
  Algorithm algorithm = Algorithm::nested_dissection;
  std::variant<RowsByFactor, RowsBySearches, RowsByBreadthFirst> by{};
  RowUses uses{};
  RowCosts costs{};

  /// Null where rows do not come from a factor.
  const RowsByFactor* factor() const { return std::get_if<RowsByFactor>(&by); }
  /// Whether rows come from a search each, not from searches together.
  bool searches() const { return std::holds_alternative<RowsBySearches>(by); }
  const elimination::Tree* tree() const { return factor() ? factor()->tree.get() : nullptr; }
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

/// Why the algorithm cannot take the problem, as the end of "johnson …"; empty: it can.
std::string why_not(Algorithm algorithm, const Graph& graph, const SolveOptions& options,
                    const Problem& problem);

/// Whether an arc may make a path better: searches then reduce weights by potentials first.
bool needs_potentials(const Graph& graph, Semiring semiring);

/// The means with which a plan of rows is made.
struct RowsMeans {
  Findings& findings;
  const RateSource& rates;
  const Control& control;         ///< of orders
  bool may_trim = false;          ///< nobody asks for the factor of the whole graph
  std::int64_t pairs_memory = 0;  ///< bytes of labels of the pairs; 0: half of what is free
  double best = std::numeric_limits<double>::infinity();  ///< s, of the best candidate so far
};

/// Requires: why_not is empty. Throws `Error`: does_not_fit, interrupted.
RowsPlan plan_rows_by(Algorithm algorithm, const Graph& graph, const Problem& problem,
                      const RowsMeans& means);

}  // namespace apsp::planner
