// The interface of an engine that computes rows of distances: a row source on the host's threads,
// or sweeps and searches on devices. `planned_rows` (row_sources.hpp) chooses one by the plan; no
// other file knows all of them.
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

}  // namespace apsp::engine
