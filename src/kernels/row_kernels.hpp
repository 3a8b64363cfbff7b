// Operations of a device on rows of distances: gathered rows of a sparse factor, searches, shortest
// paths and counts. A device has some of them (`ComputeDevice`).
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/distance_count.hpp"
#include "kernels/listed_rows.hpp"
#include "kernels/path_shares.hpp"
#include "kernels/searches.hpp"
#include "kernels/tile_kernels.hpp"

namespace apsp::kernels {

/// Rows that lists name (listed_rows.hpp). GPUs take distances of i32 that may be negative only
/// below 2^28.
class GatheredRowKernels {
 public:
  static constexpr const char* kTitle = "gathered rows";
  virtual ~GatheredRowKernels() = default;

  /// Sets how gathered rows are stored from now on, where they are computed, counted and
  /// transposed. Throws `Error` (device) where this device cannot.
  virtual void keep_listed(ListedForm form) = 0;
  virtual ListedForm listed_form() const = 0;
  virtual void multiply_listed(QueueId queue, const ListedProduct& product) = 0;
  /// Requires: `ListedForm::reduced`.
  virtual void reduce_weights(QueueId queue, const ReducedWeights& weights) = 0;
  /// rows(i, j) ← the empty path where j = columns[i], else no path. `columns`: [rows.rows] in
  /// device memory; −1: none.
  virtual void begin_rows(QueueId queue, View rows, const std::int32_t* columns) = 0;
  virtual void transpose_rows(QueueId queue, const TransposedRows& transposed) = 0;
};

/// Rows by searches, and predecessors from rows of distances (searches.hpp).
class SearchKernels {
 public:
  static constexpr const char* kTitle = "searches";
  virtual ~SearchKernels() = default;

  virtual void search_rows(QueueId queue, const SearchedRows& rows) = 0;
  virtual void search_near(QueueId queue, const NearSearches& searches) = 0;
  virtual void search_predecessors(QueueId queue, const SearchedPredecessors& rows) = 0;
};

/// Hops from many sources at the same time (searches.hpp), and shares of shortest paths
/// (path_shares.hpp). Only devices of min-plus have these.
class ShortestPathKernels {
 public:
  static constexpr const char* kTitle = "shortest paths";
  virtual ~ShortestPathKernels() = default;

  virtual void search_levels(QueueId queue, const SearchedLevels& levels) = 0;
  virtual void gather_distances(QueueId queue, const GatheredDistances& gathered) = 0;
  virtual void share_paths(QueueId queue, const PathShares& shares) = 0;
};

/// Counts of shortest distances. Only devices of min-plus have these.
class CountKernels {
 public:
  static constexpr const char* kTitle = "counts of distances";
  virtual ~CountKernels() = default;

  /// Requires: values of u16 or i32, or whole rows.
  virtual void count_rows(QueueId queue, const RowCount& count) = 0;
  /// Requires: distances from 0 on, in i32, f32, f64 or whole rows.
  virtual void count_distances(QueueId queue, const DistanceCount& count) = 0;
};

}  // namespace apsp::kernels
