// Betweenness of vertices and arcs (Freeman 1977) from rows of distances, by Brandes' shares.
//
// Each row is counted by itself (path_counts.hpp). The shares of all rows are added up with every
// digit that is kept (column_sums.hpp), so that neither the order of the rows nor the number of
// threads changes a bit. Rows that a device finds may be counted there. Trees that hang from a
// symmetric graph are counted without rows (hanging_trees.hpp).
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
  bool endpoints = false;  ///< paths count for their ends too
  bool arcs = false;       ///< betweenness of arcs is wanted
};

/// An arc, of parallel ones the lightest and no loop, and its shares.
struct ArcShare {
  Vertex from = 0, to = 0;
  double weight = 0, share = 0;
};

class BetweennessRows final : public flow::RowSink {
 public:
  /// Takes rows of exact distances from `trees.row_sources()`, of `type`. `graph` and `trees`
  /// outlive this. `on_device`: how devices count the rows that they find; no rows: the host
  /// counts. Requires: weights above 0.
  BetweennessRows(const Graph& graph, const PendantTrees& trees, ValueType type,
                  BetweennessQuestion question, const ShareBatches& on_device = {});
  ~BetweennessRows() override;

  flow::RowPreference preference() const override { return {.rows = 16}; }
  flow::RowTask task() const override { return {"counting paths"}; }
  bool on_device() const override { return on_device_.rows > 0; }
  std::unique_ptr<DevicePart> part_on(kernels::ComputeDevice& device) override;

  // Sums over ordered pairs of a source and a target. Requires: every row has come.

  /// [n]
  std::vector<double> of_vertices() const;
  /// Vertex by vertex, by rising target. An undirected edge is listed once, from its smaller
  /// vertex, with the shares of both directions.
  std::vector<ArcShare> of_arcs() const;

  /// Bytes that this takes with so many threads; of distances of 8 bytes.
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
