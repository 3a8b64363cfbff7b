// Rows of distances up to a limit, by the fastest engine.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/near.hpp>
#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <memory>
#include <span>

#include "engine/row_producer.hpp"
#include "flow/column_sink.hpp"
#include "planner/devices.hpp"
#include "planner/value_type.hpp"

namespace apsp::engine {

class NearOnDevices;

class NearRows {
 public:
  /// Samples searches; if all would take long, considers GPUs and nested dissection. `graph` and
  /// `options.control` outlive this. Throws `Error`: usage, does_not_fit, device, interrupted.
  NearRows(const planner::FindDevices& find, const Graph& graph, double limit,
           const NearOptions& options);
  ~NearRows();

  Algorithm algorithm() const { return algorithm_; }
  bool on_device() const { return on_devices_ != nullptr; }
  ValueType type() const { return rows_.source->type(); }
  /// Vertices that a source reaches on average: the mean of the sampled ones and two standard
  /// errors, so memory that is planned by it is seldom exceeded.
  double reached() const { return reached_; }
  /// Pushes distances up to the limit, or longer. Throws the sink's errors, and `Error`
  /// (interrupted).
  void give(std::span<const Vertex> sources, flow::ColumnSink& columns);

 private:
  void choose(const planner::FindDevices& find, const Graph& graph,
              const planner::ValueChoice& values, const NearOptions& options);
  /// Returns whether GPUs search. `seconds`: estimate for the host.
  bool take_devices(const planner::FindDevices& find, const Graph& graph, double seconds,
                    const NearOptions& options);

  double limit_;
  int threads_;
  const Control& control_;
  Algorithm algorithm_;
  double reached_ = 0;
  PlannedRows rows_;
  std::unique_ptr<NearOnDevices> on_devices_;
};

}  // namespace apsp::engine
