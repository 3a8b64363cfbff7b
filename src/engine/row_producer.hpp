// An engine that computes rows of distances. `planned_rows` chooses one.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "flow/column_sink.hpp"
#include "flow/restored_rows.hpp"
#include "flow/row_sink.hpp"
#include "flow/row_source.hpp"
#include "planner/plan.hpp"
#include "sparse/factor.hpp"

namespace apsp::engine {

using RowSinks = std::span<flow::RowSink* const>;

class RowProducer {
 public:
  virtual ~RowProducer() = default;

  /// [n] a permutation. Close sources cost least in the same block.
  virtual std::span<const Vertex> order() const = 0;
  /// The best number of `sources` in a block if `processes` share them.
  virtual std::int64_t block_rows(std::int64_t sources, int processes) const = 0;

  /// Pushes the row of each of `vertices` (distinct) to every sink; finishes none. Rows come by the
  /// bands that the sinks prefer. `columns`: null, or receives the distances by vertex if
  /// `emits_columns`. Returns the devices' report; empty: the host did all. Throws what a sink
  /// throws, and `Error`: interrupted, does_not_fit, device, defect.
  virtual std::optional<DeviceReport> rows(std::span<const Vertex> vertices, RowSinks sinks,
                                           flow::ColumnSink* columns) = 0;
  /// Pushes distances by vertex, no rows. `block`: sources in a block; 0: best. Returns as `rows`.
  virtual std::optional<DeviceReport> count(std::span<const Vertex> vertices,
                                            flow::ColumnSink& columns, std::int64_t block) = 0;
};

/// Rows of the bands that the sinks prefer; 0: any order.
std::int64_t widest_band(RowSinks sinks);

struct PlannedRows {
  std::shared_ptr<const sparse::Factor> factor{};  // if the plan has one
  std::unique_ptr<flow::RowSource> source{};       // on the host; null: a device searches
  const flow::RestoredRows* restored = nullptr;    // the source, if weights are reduced
  std::unique_ptr<RowProducer> producer{};
  std::optional<DeviceReport> made_on{};
};

/// Makes the engine that the plan of a solve names. Eliminates the graph if rows come from a
/// factor. `graph`, `plan` and `control` must outlive the result. Requires: the plan is by rows.
/// Throws `Error`: negative_cycle, interrupted, does_not_fit.
PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control);

/// Whether the plan's distances come by vertex, with rows or without.
bool emits_columns(const planner::Plan& plan);

/// A single sink's buffer or matrix is filled directly if possible. `count` requires column output.
std::unique_ptr<RowProducer> rows_on_host(const flow::RowSource& source, int threads,
                                          const Control& control);

/// Pushes the distances up to `limit` from `vertices` by vertex, and possibly longer ones.
/// Requires: the source has bounded rows. Throws what the sink throws, and `Error` (interrupted).
void give_within(const flow::RowSource& source, std::span<const Vertex> vertices, double limit,
                 flow::ColumnSink& columns, int threads, const Control& control);

}  // namespace apsp::engine
