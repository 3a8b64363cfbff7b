// C ← C ⊕ A ⊗ B on a device, for matrices in its memory, or in the host's memory, from which they
// pass through it.
//
// Operands are packed in the device's memory: as a whole if they fit, else some pivots at a time.
// Then C is read and written once for each piece. Reachability arrives in bytes. The host packs 32
// columns into a word of bits, and the device multiplies words.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include "dense/device_buffer.hpp"
#include "engine/product.hpp"
#include "kernels/caller_matrices.hpp"
#include "kernels/device.hpp"

namespace apsp::engine {

/// Packed operands of `depth` pivots.
struct PackedOperands {
  std::int64_t depth = 0;            ///< pivots packed at a time
  std::int64_t left = 0, right = 0;  ///< bytes
};

/// An open device for products of one semiring, type and sign. It keeps at most `kKeptBytes` of
/// memory for packed operands between calls. Not thread-safe.
class ProductDevice {
 public:
  static constexpr std::int64_t kKeptBytes = std::int64_t{512} << 20;

  struct TitledOperand {
    kernels::ConstView matrix;
    const char* title;  ///< "A"
  };
  static constexpr std::int64_t kOperands = 3;

  /// Requires: `device` was opened for `type`. If that is `boolean`, its matrices hold bits.
  ProductDevice(std::unique_ptr<kernels::ComputeDevice> device, ValueType type);
  ~ProductDevice() { dense::drain(*device_, queue_); }
  ProductDevice(const ProductDevice&) = delete;
  ProductDevice& operator=(const ProductDevice&) = delete;

  /// Makes later work wait for the present work of the caller's queue `stream` (a cudaStream_t),
  /// which may still write the matrices. Throws `Error`: usage (a matrix is not on this device),
  /// device.
  void borrow(const MatrixProduct& product, int value_size, std::uintptr_t stream);

  /// Returns facts of the operands, in their order. The host waits once, for the check of the
  /// values. `meanwhile`: queues more work before that wait. Requires: `borrow`; at most
  /// `kOperands`. Throws `Error`: usage (as `look_at_operand`), device.
  std::vector<OperandFacts> look_at_operands(Semiring semiring, ValueType type,
                                             std::initializer_list<TitledOperand> operands,
                                             const std::function<void()>& meanwhile = {});

  /// Queues the packing of the first pivots. `memory`: bytes for packed operands; 0: no limit.
  /// Requires: the matrices are on the device and not `boolean`. Throws `Error`: does_not_fit,
  /// device.
  PackedOperands pack(const MatrixProduct& product, std::int64_t memory);
  /// Computes the product whose first pivots `pack` packed last. C is complete when it returns.
  /// Throws `Error`: device, interrupted.
  void multiply_add(const MatrixProduct& product, const PackedOperands& packed,
                    const Control& control);
  /// Returns when no operand is read any more: it waits for a `pack` that no product follows.
  void finish();

  /// Computes a product of matrices in the host's memory. `memory`: bytes of device memory in
  /// total; 0: most of what is free. `threads`: of the host, which pack bits. Throws `Error`:
  /// does_not_fit, device, interrupted.
  void multiply_add_from_host(const MatrixProduct& product, std::int64_t memory, int threads,
                              const Control& control);

  /// Copy a matrix from and to the device, and return when it is complete. Throw `Error` (device).
  void copy_out(kernels::View host, kernels::ConstView there, int value_size) {
    device_->copy_out(queue_, host, there, value_size);
    device_->synchronize(queue_);
  }
  void copy_in(kernels::View there, kernels::ConstView host, int value_size) {
    device_->copy_in(queue_, there, host, value_size);
    device_->synchronize(queue_);
  }

 private:
  /// A value on the device: its bytes, and the number of columns that it holds.
  struct Values {
    explicit Values(ValueType type)
        : size(type == ValueType::boolean ? int{sizeof(std::uint32_t)} : size_of(type)),
          columns(type == ValueType::boolean ? 32 : 1) {}
    int size;
    int columns;
  };
  /// Allocates memory for packed operands of C's [rows, cols], as deep as `memory` and the device
  /// allow, at most `depth` pivots.
  PackedOperands room_for(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                          std::int64_t memory);
  std::byte* right_of(const PackedOperands& packed) const { return packed_.data() + packed.left; }
  void pack_pivots(const MatrixProduct& product, const PackedOperands& packed, std::int64_t first);
  void keep_little();
  /// Computes a product of the host's matrices, whose values are those of the device: the columns
  /// of A hold as many pivots as B has rows.
  void pass_through(const MatrixProduct& product, std::int64_t memory, const Control& control);
  /// Queues a whole product on the device, some pivots at a time. The first ones are packed.
  void order(const MatrixProduct& product, const PackedOperands& packed, const Control& control);
  kernels::View part_of(kernels::View matrix, std::int64_t row, std::int64_t col, std::int64_t rows,
                        std::int64_t cols) const {
    return kernels::part(matrix, values_.size, row, col, rows, cols);
  }
  kernels::ConstView part_of(kernels::ConstView matrix, std::int64_t row, std::int64_t col,
                             std::int64_t rows, std::int64_t cols) const {
    return kernels::part(matrix, values_.size, row, col, rows, cols);
  }
  std::int64_t columns_of(std::int64_t pivots) const {
    return (pivots + values_.columns - 1) / values_.columns;
  }

  std::unique_ptr<kernels::ComputeDevice> device_;
  kernels::TileKernels& tiles_ = device_->tiles();
  Values values_;
  kernels::QueueId queue_;
  dense::DeviceBuffer packed_;
  std::int64_t packed_bytes_ = 0;
  dense::DeviceBuffer found_;  // facts of operands
  std::vector<kernels::OperandFound> found_here_;
  dense::PinnedMemory pinned_;
};

}  // namespace apsp::engine
