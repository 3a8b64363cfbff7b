// The row producer that a plan names, and the one of what is near.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/near.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <optional>
#include <span>

#include "elimination/factor.hpp"
#include "engine/near_on_devices.hpp"
#include "engine/row_producer.hpp"
#include "flow/column_sink.hpp"
#include "flow/row_source.hpp"
#include "planner/devices.hpp"
#include "planner/plan.hpp"
#include "planner/value_type.hpp"

namespace apsp::engine {

struct PlannedRows {
  std::shared_ptr<const elimination::Factor> factor{};  // where there is one
  std::unique_ptr<flow::RowSource> source{};            // of the host; null: a device searches
  std::unique_ptr<RowProducer> producer{};              // which uses what it needs of the two
  std::optional<DeviceReport> made_on{};                // what a device did to make the factor
};

/// The engine that the plan names, the only place where one is chosen. `graph`, `plan` and what
/// `control` has outlive it. Eliminates, where rows come from a factor. Requires: the plan is by
/// rows. Throws `Error`: negative_cycle, interrupted, does_not_fit.
PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control);

/// Whether the plan's distances come vertex by vertex, with their rows or without, so that
/// statistics take them so.
bool emits_columns(const planner::Plan& plan);

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
