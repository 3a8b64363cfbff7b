// Launches of the operations that are no products of tiles; each kernel is a file (NAME.cu).
#pragma once

#include <cuda_runtime_api.h>

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/listed_rows.hpp"
#include "kernels/searched_levels.hpp"
#include "kernels/searched_rows.hpp"

namespace apsp::kernels::cuda {

/// count_rows.cu, as `ComputeDevice`; values are u16 or i32, of min-plus.
void launch_count_rows(const LaunchSite& site, const RowCount& count, int value_size);
void launch_transpose_rows(cudaStream_t stream, const TransposedRows& transposed, int value_size);

/// mirror.cu: matrix(i, j) ← matrix(j, i) where i / tile < j / tile. Requires: tile is a multiple
/// of 32.
void launch_mirror(cudaStream_t stream, View matrix, int value_size, std::int64_t tile);
/// to [n, m] ← from [m, n]ᵗ. Requires: no overlap.
void launch_transpose(cudaStream_t stream, View to, ConstView from, int value_size);

/// narrow_copy.cu queues the copy of a tile of short rows to pinned host memory. It returns true
/// where the copy is one for this kernel: many short rows, at most 128 KiB apart, all words whole.
/// Else it does nothing.
bool launch_narrow_copy(cudaStream_t stream, View host, ConstView device, int value_size);

/// survey.cu: a look at a matrix on the device.
void launch_survey(cudaStream_t stream, const Survey& survey);

/// near_far.cu: rows of distances by searches. Null where values are bits.
using LaunchSearch = void (*)(const LaunchSite& site, const SearchedRows& rows);
LaunchSearch near_far(Semiring semiring, ValueType type);

/// search_levels.cu: breadth-first searches from many sources. Null unless shortest paths are
/// searched.
using LaunchLevels = void (*)(const LaunchSite& site, const SearchedLevels& levels);
LaunchLevels search_levels(Semiring semiring, ValueType type);

/// listed_rows.cu sets `multiply_listed` and `begin_rows`. They are null but for min-plus over u16
/// and i32; of i32, no weight is negative.
void set_listed_rows(Semiring semiring, ValueType type, DeviceOperations& operations);

}  // namespace apsp::kernels::cuda
