// Solves a graph by its plan; also used for measurements.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/process_group.hpp"
#include "flow/column_sink.hpp"
#include "flow/row_sink.hpp"
#include "planner/plan.hpp"
#include "sparse/factor.hpp"
#include "store/disk_matrix.hpp"
#include "store/store.hpp"

namespace apsp::engine {

struct Solved {
  std::optional<DeviceReport> on_device{};  // empty: the host did it
  std::shared_ptr<const sparse::Factor> factor{};
  double absolute_error = 0;  // of any distance; 0: see the plan's roundoff
  double seconds = 0;         // until the distances were known
  std::int64_t rows_resumed = 0;
  std::vector<std::string> damaged{};  // chunks of that run, computed again
};

/// The rows of a solve, and the processes that share them.
struct RowsToSolve {
  std::span<flow::RowSink* const> sinks{};  // not finished by `solve_rows`
  flow::ColumnSink* columns = nullptr;      // receives all distances if `emits_columns`
  /// Rows of the same plan from an earlier run; one of the sinks completes it.
  store::Store* earlier = nullptr;
  ProcessGroup* group = nullptr;  // null: one process
  /// The bands of an output that this process completes; none: any share of the rows.
  std::optional<std::vector<std::int64_t>> bands{};
};

/// The sources of these bands of the output.
std::vector<Vertex> rows_of_bands(const planner::Plan& plan, std::span<const std::int64_t> bands);

/// Throws `Error`: negative_cycle (names its vertices, before any value overflows), interrupted.
void require_defined(const Graph& graph, const planner::Plan& plan, const Control& control);

/// Fills the planes of distances and intermediate vertices, and pushes the selected rows to all
/// sinks (drive_sinks.hpp). `matrix`: in memory; null if the plan keeps none, so that rows are
/// pushed as computed. `columns`: receives all distances if `emits_columns`. `earlier`: rows of the
/// same plan, without a matrix, from an earlier run; a sink completes it. `on_disk`: the matrix of
/// a plan on disk. Requires: require_defined. Throws `Error`: what `run` throws, defect
/// (graph/bellman_check.hpp); what the sinks throw.
Solved solve_graph(const Graph& graph, const planner::Plan& plan, store::Store* matrix,
                   const Control& control, std::span<flow::RowSink* const> sinks = {},
                   flow::ColumnSink* columns = nullptr, store::Store* earlier = nullptr,
                   store::DiskMatrix* on_disk = nullptr);

/// Pushes the rows of this process, and returns without its seconds. Collective. Requires: a plan
/// by rows that keeps no matrix; require_defined. Throws as `solve_graph`.
Solved solve_rows(const Graph& graph, const planner::Plan& plan, const Control& control,
                  const RowsToSolve& task);

}  // namespace apsp::engine
