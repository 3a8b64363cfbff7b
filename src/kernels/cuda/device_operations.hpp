// One semiring and value type on a CUDA device, as plain functions that launch kernels: above this
// line nothing is compiled per type. Arguments as those of `ComputeDevice`.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>

#include "kernels/caller_matrices.hpp"
#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/packed.hpp"
#include "kernels/row_kernels.hpp"
#include "kernels/tile_kernels.hpp"

namespace apsp::kernels::cuda {

struct LaunchSite {
  cudaStream_t stream = nullptr;
  int multiprocessors = 0;
};

struct DeviceOperations {
  int value_size = 0;        // bytes
  std::int64_t granule = 0;  // vertices
  int columns_per_value = 1;
  /// Rows of a product's block of threads, where all have one shape; 0: they have not.
  std::int64_t product_rows = 0;
  std::int64_t close_side = 0;  // `close` takes tiles up to this side
  std::int64_t (*left_bytes)(std::int64_t rows, std::int64_t depth) = nullptr;
  std::int64_t (*right_bytes)(std::int64_t cols, std::int64_t depth) = nullptr;
  void (*pack)(cudaStream_t stream, bool left, ConstView tile, bool transposed,
               void* out) = nullptr;
  void (*multiply_add)(const LaunchSite& site, const Update& update) = nullptr;
  /// The configuration that `multiply_add` takes, in words; null where there is one only.
  Configuration (*configuration)(const LaunchSite& site, const Update& update) = nullptr;
  void (*close)(cudaStream_t stream, View d, View via, Cycles cycles, std::int64_t first_pivot,
                unsigned long long* found_pivot) = nullptr;
  /// `whole` closes distances of up to `whole_side` vertices in one launch; `whole_bytes` is the
  /// scratch memory that it needs.
  std::int64_t whole_side = 0;  // 0: there is no `whole`
  std::int64_t (*whole_bytes)(std::int64_t side) = nullptr;
  void (*whole)(const LaunchSite& site, View d, Cycles cycles, std::int64_t first_pivot,
                unsigned long long* found_pivot, std::byte* scratch) = nullptr;
  /// Operations of listed_rows.hpp; null where values are bits.
  ListedForm listed_form = ListedForm::values;
  bool keeps_whole = false;  ///< or may keep whole rows
  void (*multiply_listed)(cudaStream_t stream, const ListedProduct& product) = nullptr;
  void (*begin_rows)(cudaStream_t stream, View rows, const std::int32_t* columns) = nullptr;
  void (*transpose_rows)(cudaStream_t stream, const TransposedRows& transposed) = nullptr;
  void (*search_rows)(const LaunchSite& site, const SearchedRows& rows) = nullptr;
  bool searches_reduced = false;  // weights, by potentials
  /// Null unless shortest paths are looked for.
  void (*search_levels)(const LaunchSite& site, const SearchedLevels& levels) = nullptr;
  /// Null where values are bits.
  void (*predecessors)(const LaunchSite& site, const SearchedPredecessors& rows) = nullptr;
  /// Null unless shortest paths are looked for.
  void (*gather_distances)(cudaStream_t stream, const GatheredDistances& gathered) = nullptr;
  bool counts_rows = false;  // distances are whole numbers from 0 on
  /// Null but for shortest paths whose values have 4 bytes or more.
  void (*count_distances)(const LaunchSite& site, const DistanceCount& count) = nullptr;
  /// Only the product's loop, on the whole device, operands in shared memory, so many stages of it.
  /// Returns the relaxations that were ordered. `out`: 8 bytes for each thread that the device can
  /// hold. Null where `apsp bench` asks for none.
  double (*peak)(const LaunchSite& site, int stages, void* out) = nullptr;
};

/// Throws `Error` (usage) for a pair that is not supported.
DeviceOperations device_operations(Semiring semiring, ValueType type, Sign sign);

/// Sizes of operands in a GPU's memory, for planning or as part of a device.
template <class Base>
class Sized : public Base {
 public:
  explicit Sized(const DeviceOperations& operations) : operations_(operations) {}

  std::int64_t granule() const override { return operations_.granule; }
  std::int64_t product_rows() const override {
    return std::max(operations_.product_rows, operations_.granule);
  }
  std::int64_t stride(std::int64_t cols) const override {
    // Rows begin on 128 bytes and are spread over the memory channels.
    return rounded_up(cols, 128 / operations_.value_size);
  }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
    return operations_.left_bytes(rows, depth);
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
    return operations_.right_bytes(cols, depth);
  }
  std::int64_t close_bytes(std::int64_t side) const override {
    const std::int64_t step = operations_.close_side;
    return side <= step
               ? 0
               : 2 * (this->left_bytes(side, step) + this->right_bytes(values_of(side), step));
  }
  std::int64_t whole_side() const override { return operations_.whole_side; }
  std::int64_t whole_bytes(std::int64_t side) const override {
    const std::int64_t bytes = close_bytes(side);
    if (operations_.whole == nullptr) return bytes;
    return std::max(bytes, operations_.whole_bytes(side));
  }

 protected:
  /// That hold so many columns.
  std::int64_t values_of(std::int64_t columns) const {
    return (columns + operations_.columns_per_value - 1) / operations_.columns_per_value;
  }

  DeviceOperations operations_;
};

// Launches of the operations that are not products of tiles; each is a file (NAME.cu).

/// count_rows.cu, as `ComputeDevice`; values are u16 or i32, of min-plus, or whole rows.
void launch_count_rows(const LaunchSite& site, const RowCount& count, int value_size,
                       ListedForm form);

/// As `ComputeDevice`: count_whole.cu, and count_distances.cu for real distances. Null but for
/// shortest paths in i32, f32 and f64.
using LaunchDistances = void (*)(const LaunchSite& site, const DistanceCount& count);
LaunchDistances count_distances(Semiring semiring, ValueType type);
LaunchDistances count_whole_distances();
LaunchDistances count_whole_rows();

/// count_within.cu: the part of a count that concerns `within`; T: as the rows are stored.
template <class T>
void launch_count_within(const LaunchSite& site, ConstView x, const std::uint32_t* row_labels,
                         const std::uint32_t* column_labels, const RowsWithin& within);

/// mirror.cu: matrix(i, j) ← matrix(j, i) where i / tile < j / tile. Requires: tile is a multiple
/// of 32.
void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile);
/// to [n, m] ← from [m, n]ᵗ. Requires: no overlap.
void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size);
/// Listed rows transposed into values of the semiring.
using LaunchTransposedRows = void (*)(cudaStream_t stream, const TransposedRows& transposed);
LaunchTransposedRows transposed_rows(Semiring semiring, ValueType type);
/// Whole rows transposed into values of f64.
LaunchTransposedRows transposed_whole_rows();

/// narrow_copy.cu queues the copy of a tile of short rows to pinned host memory. It returns true
/// where the copy is one for this kernel: many short rows, at most 128 KiB apart, all words whole.
/// Else it does nothing.
bool launch_narrow_copy(cudaStream_t stream, View host, ConstView device, int value_size);

/// survey.cu: a look at a matrix on the device.
void launch_survey(cudaStream_t stream, const Survey& survey);
/// The same of an operand of a product.
void launch_operand_survey(cudaStream_t stream, const OperandSurvey& survey);

/// near_far.cu: rows of distances by searches. Null where values are bits.
using LaunchSearch = void (*)(const LaunchSite& site, const SearchedRows& rows);
LaunchSearch near_far(Semiring semiring, ValueType type);

/// search_levels.cu: breadth-first searches from many sources. Null unless shortest paths are
/// searched.
using LaunchLevels = void (*)(const LaunchSite& site, const SearchedLevels& levels);
LaunchLevels search_levels(Semiring semiring, ValueType type);

/// predecessors.cu: predecessors from rows of distances. Null where values are bits.
using LaunchPredecessors = void (*)(const LaunchSite& site, const SearchedPredecessors& rows);
LaunchPredecessors predecessors(Semiring semiring, ValueType type);

/// near_searches.cu, as `ComputeDevice`.
void launch_near_searches(const LaunchSite& site, const NearSearches& searches);

/// path_shares.cu, as `ComputeDevice`; the first is null but for min-plus.
using LaunchGather = void (*)(cudaStream_t stream, const GatheredDistances& gathered);
LaunchGather gather_distances(Semiring semiring, ValueType type);
void launch_path_shares(const LaunchSite& site, const PathShares& shares);

/// listed_rows.cu sets the operations on listed rows, where values are not bits. Of i32 that may be
/// negative, and of max-plus, every distance is below 2^28 in magnitude.
void set_listed_rows(Semiring semiring, ValueType type, Sign sign, DeviceOperations& operations);
/// listed_rows.cu: listed rows are whole from now on. Requires: operations of min-plus in f64.
void set_whole_rows(DeviceOperations& operations);
/// listed_bottlenecks.cu sets those of min-max and max-min.
void set_listed_bottlenecks(ValueType type, DeviceOperations& operations);

}  // namespace apsp::kernels::cuda
