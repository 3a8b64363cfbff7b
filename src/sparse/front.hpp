// One supernode and its row structure as a dense matrix, while the supernode is eliminated
// (multifrontal elimination: Duff 1983; over a semiring: Sao 2020).
#pragma once

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <span>

#include "kernels/contract.hpp"
#include "sparse/arc_assembly.hpp"
#include "sparse/device_front.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// The loops that fill a front, for one semiring and value type.
struct AssemblyOperations {
  /// Rows ← no path. Requires: the rows are contiguous.
  void (*clear)(kernels::View rows);
  /// The first `width` diagonal values of `front` ← the empty path; then ⊕ the entries. `row_of`:
  /// by position, the row in the front.
  void (*put)(kernels::View front, std::int64_t width, std::span<const Entry> entries,
              const Position* row_of);
  /// to[begin_to + j] ← itself ⊕ from[begin_from + j] for j < count.
  void (*add)(const void* from, std::int64_t begin_from, void* to, std::int64_t begin_to,
              std::int64_t count);
};

AssemblyOperations assembly_operations(Semiring semiring, ValueType type);

struct Front {
  kernels::View matrix;  // [width + upper, width + upper], the supernode's vertices first
  std::int64_t width = 0;
  bool symmetric = false;  // entries above the diagonal are not kept
};

/// The memory of the supernode's distances, as in `Factor`; `down` is `up` if they are symmetric.
struct FrontResult {
  kernels::View closed, up, down;  // `closed` may be the front itself if the row structure is empty
};

struct FrontWork {
  kernels::Cycles cycles = kernels::Cycles::possible;
  int threads = 1;
  DeviceShare share{};
  DeviceFronts* whole = nullptr;  ///< devices that eliminate the front, which has their layout
};

/// Bytes that closing a supernode takes in addition to the front: packed panels that all threads
/// share.
std::int64_t closing_bytes(std::int64_t width, int threads, ValueType type);

/// Closes the supernode, writes its distances to `result`, and relaxes every pair of its row
/// structure through it, in place. Returns −1, or the number of the pivot on a negative cycle; the
/// front is then unspecified. `scratch` grows as needed and can be reused. Throws `Error`:
/// interrupted, device.
std::int64_t eliminate_front(const Front& front, const FrontResult& result,
                             const kernels::TileOperations& operations, const FrontWork& work,
                             const Control& control, system::AlignedMemory& scratch);

}  // namespace apsp::sparse
