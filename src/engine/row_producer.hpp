// The interface to what computes rows of distances: a source on the host's threads, sweeps or
// searches on devices. `planned_rows` (row_sources.hpp) chooses one by the plan, and is the only
// place that knows all of them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "elimination/factor.hpp"
#include "flow/column_sink.hpp"
#include "flow/row_sink.hpp"
#include "flow/row_source.hpp"
#include "graph/negative_cycle.hpp"
#include "planner/plan.hpp"

namespace apsp::engine {

using RowSinks = std::span<flow::RowSink* const>;

class RowProducer {
 public:
  virtual ~RowProducer() = default;

  /// [n] every vertex once: sources that are neighbours here cost least at the same time.
  virtual std::span<const Vertex> order() const = 0;
  /// How many of `sources` this computes best at once where `processes` share them.
  virtual std::int64_t block_rows(std::int64_t sources, int processes) const = 0;

  /// Gives the row of each of `vertices`, which are distinct, to every sink; finishes none. Rows
  /// come in the bands of `vertices` that the sinks prefer, and within a band in the order that
  /// costs least. `columns`: null, or takes the same distances vertex by vertex, where the plan
  /// says so (`emits_columns`). Returns what devices did; empty: the host did all. Throws what a
  /// sink throws, and `Error`: interrupted, does_not_fit, device, defect.
  virtual std::optional<DeviceReport> rows(std::span<const Vertex> vertices, RowSinks sinks,
                                           flow::ColumnSink* columns) = 0;
  /// Gives the distances from `vertices` vertex by vertex, and no rows. `block`: sources that come
  /// at once; 0: as many as are best. Returns and throws as `rows`.
  virtual std::optional<DeviceReport> count(std::span<const Vertex> vertices,
                                            flow::ColumnSink& columns, std::int64_t block) = 0;
};

/// The rows of a band that the sinks prefer; 0: any order suits them.
std::int64_t widest_band(RowSinks sinks);

// What makes a producer must outlive it.

/// Rows of a source on the host's threads. They are computed straight into the memory of a single
/// sink that lends it, where the source can do that, and into a matrix in memory. `count` requires:
/// the source gives columns.
std::unique_ptr<RowProducer> rows_on_host(const flow::RowSource& source, int threads,
                                          const Control& control);

/// Gives the distances up to `limit` from `vertices` vertex by vertex, and possibly some longer
/// ones. Requires: the source has bounded rows. Throws what the sink throws, and `Error`:
/// interrupted.
void give_within(const flow::RowSource& source, std::span<const Vertex> vertices, double limit,
                 flow::ColumnSink& columns, int threads, const Control& control);

/// Rows that a plan's devices compute: by sweeps over a factor, by Dijkstra's searches (near-far),
/// or by breadth-first searches. `potentials`: as `search::dijkstra_rows` takes them. Throw
/// `Error`: does_not_fit, usage (not a graph for searches).
std::unique_ptr<RowProducer> rows_by_sweeps(const Graph& graph, const elimination::Factor& factor,
                                            const planner::Plan& plan,
                                            const planner::SweepsOnDevice& how,
                                            const Control& control);
std::unique_ptr<RowProducer> rows_by_near_far(const Graph& graph, const planner::Plan& plan,
                                              const planner::SearchesOnDevice& how,
                                              const Potentials* potentials, const Control& control);
std::unique_ptr<RowProducer> rows_by_hops(const Graph& graph, const planner::Plan& plan,
                                          const planner::HopsOnDevice& how, const Control& control);

}  // namespace apsp::engine
