// Rows of distances up to a limit, by the engine that is faster at them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/near.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <optional>
#include <span>

#include "engine/near_on_devices.hpp"
#include "engine/row_sources.hpp"
#include "flow/column_sink.hpp"
#include "planner/devices.hpp"
#include "planner/value_type.hpp"

namespace apsp::engine {

/// Rows of which only the distances up to a limit are found, by the engine that is faster at it.
class NearRows {
 public:
  /// Searches from a few sources show how much is near. Where searches from all would take long,
  /// nested dissection is planned too, and the faster one is taken; or a GPU searches. `graph` and
  /// what `options.control` has outlive this. Throws `Error`: usage, does_not_fit, device,
  /// interrupted.
  NearRows(const planner::FindDevices& find, const Graph& graph, double limit,
           const NearOptions& options);

  Algorithm algorithm() const { return algorithm_; }
  bool on_device() const { return on_devices_.has_value(); }
  ValueType type() const { return rows_.source->type(); }
  /// Vertices that a source reaches, as the sample shows.
  double reached() const { return reached_; }
  /// The distances up to the limit from all `sources`, and possibly some longer ones. Throws
  /// `Error`: interrupted; what the sink throws.
  void give(std::span<const Vertex> sources, flow::ColumnSink& columns);

 private:
  void choose(const planner::FindDevices& find, const Graph& graph,
              const planner::ValueChoice& values, const NearOptions& options);
  /// Whether GPUs take searches that take the host so many seconds.
  bool take_devices(const planner::FindDevices& find, const Graph& graph, double seconds,
                    const NearOptions& options);

  double limit_;
  int threads_;
  const Control& control_;
  Algorithm algorithm_;
  double reached_ = 0;
  PlannedRows rows_;
  std::optional<NearOnDevices> on_devices_;
};

}  // namespace apsp::engine
