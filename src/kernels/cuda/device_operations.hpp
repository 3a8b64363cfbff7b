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
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
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
  /// scratch memory that it needs. `alone`: nothing else runs on the device.
  std::int64_t whole_side = 0;  // 0: there is no `whole`
  std::int64_t (*whole_bytes)(std::int64_t side) = nullptr;
  void (*whole)(const LaunchSite& site, View d, Cycles cycles, std::int64_t first_pivot,
                unsigned long long* found_pivot, std::byte* scratch, bool alone) = nullptr;
  /// Operations of listed_rows.hpp; null where values are bits.
  ListedForm listed_form = ListedForm::values;
  bool keeps_whole = false;    ///< or may keep whole rows
  bool keeps_reduced = false;  ///< or reduced ones
  void (*multiply_listed)(cudaStream_t stream, const ListedProduct& product) = nullptr;
  void (*begin_rows)(cudaStream_t stream, View rows, const std::int32_t* columns) = nullptr;
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

}  // namespace apsp::kernels::cuda
