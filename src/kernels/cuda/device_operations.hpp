// One semiring and value type on a CUDA device, as plain functions that launch kernels: above this
// line nothing is compiled per type. Arguments as those of `ComputeDevice`.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/configuration.hpp"
#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

struct LaunchSite {
  cudaStream_t stream = nullptr;
  int multiprocessors = 0;
};

struct DeviceOperations {
  int value_size = 0;        // bytes
  std::int64_t granule = 0;  // vertices
  int columns_per_value = 1;
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
  /// Null but for the distances of listed_rows.hpp.
  void (*multiply_listed)(cudaStream_t stream, const ListedProduct& product) = nullptr;
  void (*begin_rows)(cudaStream_t stream, View rows, const std::int32_t* columns) = nullptr;
  void (*search_rows)(const LaunchSite& site, const SearchedRows& rows) = nullptr;
  /// Null unless shortest paths are looked for.
  void (*search_levels)(const LaunchSite& site, const SearchedLevels& levels) = nullptr;
  bool counts_rows = false;  // distances are whole numbers from 0 on
  /// The product's loop alone on the whole device, operands in shared memory, so many stages of it.
  /// Returns the relaxations that were ordered. `out`: 8 bytes for each thread that the device can
  /// hold. Null where `apsp bench` asks for none.
  double (*peak)(const LaunchSite& site, int stages, void* out) = nullptr;
};

/// Throws `Error` (usage) for a pair that is not supported.
DeviceOperations device_operations(Semiring semiring, ValueType type, Sign sign);

}  // namespace apsp::kernels::cuda
