// Betweenness of vertices and arcs (Freeman 1977) from rows of distances (Brandes 2001).
//
// Rows are counted independently (path_counts.hpp) and their dependencies added up exactly enough
// (column_sums.hpp) that neither the order of rows nor the number of threads changes a bit.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/row_sink.hpp"
#include "paths/device_dependencies.hpp"

namespace apsp::paths {

class PendantTrees;

struct BetweennessQuestion {
  bool endpoints = false;  ///< paths also count for their ends
  bool arcs = false;
};

/// The betweenness of an arc: the lightest of parallel arcs, never a loop.
struct ArcShare {
  Vertex from = 0, to = 0;
  double weight = 0, share = 0;
};

class BetweennessRows final : public flow::RowSink {
 public:
  /// Consumes rows of exact distances of `type` from `trees.row_sources()`. `graph` and `trees`
  /// must outlive this. `on_device.rows`: 0 if the host counts all rows. Requires: weights above 0.
  BetweennessRows(const Graph& graph, const PendantTrees& trees, ValueType type,
                  BetweennessQuestion question, const ShareBatches& on_device = {});
  ~BetweennessRows() override;

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"counting paths"}; }
  bool on_device() const override { return on_device_.rows > 0; }
  std::unique_ptr<flow::DeviceRowSink> part_on(kernels::ComputeDevice& device) override;

  // Sums over ordered pairs of a source and a target. Requires: `finish` was called.

  /// [n]
  std::vector<double> of_vertices() const;
  /// Sorted by `from`, `to`. An undirected edge appears once, from
  /// its smaller vertex, with the sum of both directions.
  std::vector<ArcShare> of_arcs() const;

  /// Bytes of memory for so many threads, at most.
  static std::int64_t bytes(const Graph& graph, const PendantTrees& trees,
                            const BetweennessQuestion& question, int threads);

  class Counter;

 private:
  void accept(const RowBlock& block) override;
  void complete() override;

  const Graph& graph_;
  const PendantTrees& trees_;
  BetweennessQuestion question_;
  ShareBatches on_device_;
  std::unique_ptr<Counter> counter_;
};

}  // namespace apsp::paths
