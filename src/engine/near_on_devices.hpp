// Bounded distances by searches on GPUs (near/device_near.hpp), pushed to a sink by row.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <span>
#include <vector>

#include "flow/column_sink.hpp"
#include "near/device_near.hpp"
#include "planner/device_plan.hpp"

namespace apsp::engine {

class NearOnDevices {
 public:
  /// `reached`: average number of vertices near a source. Throws `Error` (does_not_fit).
  NearOnDevices(const Graph& graph, ValueType type, double limit, planner::NamedDevice devices,
                std::int64_t sources, double reached, int threads);

  /// Pushes rows to `columns`. Returns the sources that reach too many vertices for a device; their
  /// rows are not pushed. Throws `Error`: interrupted, device; what the sink throws.
  std::vector<Vertex> give(std::span<const Vertex> sources, flow::ColumnSink& columns,
                           const Control& control) const;

 private:
  planner::NamedDevice devices_;
  int threads_;
  near::NearGraph graph_;
  std::int64_t bytes_;  // allowed on each device
  near::NearBatches how_;
};

}  // namespace apsp::engine
