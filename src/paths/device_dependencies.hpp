// Betweenness on a GPU, or another device that finds rows of distances: dependencies (Brandes 2001)
// are counted where the rows are (kernels/path_shares.hpp), and their sums come back once.
//
// Rows are gathered in the order of the counted vertices into one of two stages. A full stage is
// counted while the device finds the next rows.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dense/device_buffer.hpp"
#include "flow/row_sink.hpp"
#include "kernels/device.hpp"
#include "kernels/row_kernels.hpp"
#include "paths/path_counts.hpp"

namespace apsp::paths {

/// Of a graph whose paths are counted.
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
  /// Memory of a device.
  std::int64_t device_bytes(const SharedSizes& sizes) const;
};

/// What all devices count alike; `K` as of `CountedArcs`.
template <class K>
struct SharedPaths {
  const CountedArcs<K>& arcs;
  const std::vector<Vertex>& columns;    // [counted] vertices of the graph
  const std::vector<double>& stand_for;  // [counted]
  bool ends = false, flows = false;
  double round_high = 0, round_low = 0;  // of slices (base/sum_slices.hpp)
};

template <class K>
class DeviceShares final : public flow::DeviceRowSink {
 public:
  /// A source's number, and the number of sources that it represents.
  struct Source {
    Vertex number;
    double times;
  };
  /// Sums of shares: slices of vertices, [counted], and of arcs, [arcs] or none.
  struct Sums {
    std::span<const double> vertices_high, vertices_low, arcs_high, arcs_low;
  };

  /// Claims memory. What `paths` names and the device outlive it. `source_of` is called for each
  /// row. `take` gets the sums, once. Throws `Error` (does_not_fit).
  DeviceShares(const SharedPaths<K>& paths, const ShareBatches& how, kernels::ComputeDevice& device,
               std::function<Source(Vertex)> source_of, std::function<void(const Sums&)> take);
  ~DeviceShares() override;

  void take(const DeviceRowBlock& block) override;
  /// Throws `Error`: usage (too many paths), defect (rows of another graph).
  void finish() override;

 private:
  static constexpr int kStages = 2;

  struct Stage {
    dense::DeviceBuffer rows;                   // [how.rows, counted]
    dense::DeviceArray<std::uint32_t> sources;  // [how.rows]
    dense::DeviceArray<double> times;           // [how.rows]
    kernels::EventId counted = -1;              // what was staged before
  };

  std::int64_t counted() const { return static_cast<std::int64_t>(paths_.arcs.counted); }
  Stage& stage() { return stages_[static_cast<std::size_t>(stage_)]; }
  /// Queues the count of what is staged.
  void count();
  kernels::CountedArcRows rows_of(bool out) const;
  kernels::SlicedSums sums_of_arcs() const;

  SharedPaths<K> paths_;
  ShareBatches how_;
  kernels::ComputeDevice& device_;
  kernels::ShortestPathKernels& kernels_ = kernels::required(device_.shortest_paths());
  std::function<Source(Vertex)> source_of_;
  std::function<void(const Sums&)> take_;
  dense::DeviceCopy<Vertex> columns_;
  dense::DeviceCopy<double> stand_for_;
  dense::DeviceCopy<std::uint32_t> out_first_, in_first_;
  dense::DeviceCopy<search::KeyedArc<K>> out_, in_;
  dense::DeviceArray<double> vertex_sums_, arc_sums_;  // two planes each
  dense::DeviceArray<std::uint32_t> found_;
  dense::DeviceBuffer scratch_;
  std::vector<Stage> stages_;
  int stage_ = 0;
  std::int64_t staged_ = 0;  // rows
  std::uint32_t most_arcs_;  // of a vertex, in or out
  kernels::QueueId gathers_, counts_;
};

extern template class DeviceShares<std::uint32_t>;
extern template class DeviceShares<double>;

}  // namespace apsp::paths
