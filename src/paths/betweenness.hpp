// Betweenness of vertices and arcs (Freeman 1977) from rows of distances (Brandes 2001).
//
// Rows are counted independently (path_counts.hpp) and their dependencies added up exactly enough
// (column_sums.hpp) that neither the order of rows nor the number of threads changes a bit. Rows in
// the memory of a device are counted there (kernels/path_shares.hpp), and their sums come back
// once.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/row_sink.hpp"

namespace apsp::paths {

class PendantTrees;

/// Sizes of a graph whose paths are counted.
struct SharedSizes {
  std::int64_t vertices = 0, counted = 0, arcs = 0;  ///< `counted` of the vertices have rows
  bool symmetric = false, whole = true;              ///< distances are std::uint32_t, else double
};

/// Rows that a device stages, and searches over them at a time.
struct ShareBatches {
  std::int64_t rows = 0, searches = 0;

  /// As many as fill a device and fit into so many bytes, for `all` rows; rows = 0: not even one
  /// fits.
  static ShareBatches fitting(std::int64_t bytes, std::int64_t all, const SharedSizes& sizes);
  /// Bytes of device memory.
  std::int64_t device_bytes(const SharedSizes& sizes) const;
};

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
