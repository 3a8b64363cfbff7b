// A graph and its plan in, distances out: what `solve` does to a matrix, and what is measured.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "elimination/factor.hpp"
#include "flow/column_sink.hpp"
#include "flow/row_sink.hpp"
#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"
#include "store/store.hpp"

namespace apsp::engine {

struct Solved {
  std::optional<DeviceReport> on_device{};              // empty: the host did it
  std::shared_ptr<const elimination::Factor> factor{};  // where the plan leaves one
  double absolute_error = 0;           // of any distance; 0: see the plan's roundoff
  double seconds = 0;                  // until the distances were known
  std::int64_t rows_resumed = 0;       // which were stored by an earlier run
  std::vector<std::string> damaged{};  // of what that had left; computed again
};

/// Distances must be defined before any work begins, so that no value can overflow on the way.
/// Throws `Error`: negative_cycle (names its vertices), interrupted.
void require_defined(const Graph& graph, const planner::Plan& plan, const Control& control);

/// Fills the planes of distances and intermediate vertices, and gives the rows of distances, of
/// those that the plan selects, to all sinks (drive_sinks.hpp). `matrix` rests in memory; null
/// where the plan keeps none: then rows go to the sinks as they are computed, and none are without
/// sinks; bits are solved first, and become rows then. `columns`: takes all distances too, where
/// `emits_columns`. `earlier`: where an earlier run has left rows of this very plan, which keeps no
/// matrix; one of the sinks fills it. `on_disk`: the matrix of a plan that has it on the disk; the
/// output's rows are read from there. Requires: require_defined. Throws `Error`: what `run` throws;
/// defect (engine/run.hpp, graph/bellman_check.hpp); what the sinks throw.
Solved solve_graph(const Graph& graph, const planner::Plan& plan, store::Store* matrix,
                   const Control& control, std::span<flow::RowSink* const> sinks = {},
                   flow::ColumnSink* columns = nullptr, store::Store* earlier = nullptr,
                   store::DiskMatrix* on_disk = nullptr);

}  // namespace apsp::engine
