// An engine that computes rows of distances. `planned_rows` (row_sources.hpp) chooses one.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "flow/column_sink.hpp"
#include "flow/row_sink.hpp"

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

}  // namespace apsp::engine
