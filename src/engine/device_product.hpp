// C ← C ⊕ A ⊗ B on a device: of matrices that lie there, or of the host's, which pass through it.
//
// Operands are packed in the device's memory, as one piece where they fit, else so many pivots at a
// time: C is then read and written once for each piece. Reachability comes in bytes and is
// multiplied in bits, 32 columns of a word, which the host packs.
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

/// Operands that are packed, so many pivots at a time.
struct PackedOperands {
  std::int64_t depth = 0;            ///< pivots packed at a time
  std::int64_t left = 0, right = 0;  ///< bytes
};

/// An open device for products of one semiring, type and sign. It keeps memory for packed operands
/// between calls, at most `kKeptBytes`. Calls come one at a time.
class ProductDevice {
 public:
  static constexpr std::int64_t kKeptBytes = std::int64_t{512} << 20;

  struct TitledOperand {
    kernels::ConstView matrix;
    const char* title;  ///< "A"
  };
  static constexpr std::int64_t kOperands = 3;

  /// Of a device for this type, whose matrices hold bits where it is `boolean`.
  ProductDevice(std::unique_ptr<kernels::ComputeDevice> device, ValueType type);
  ~ProductDevice() { dense::drain(*device_, queue_); }
  ProductDevice(const ProductDevice&) = delete;
  ProductDevice& operator=(const ProductDevice&) = delete;

  /// What comes next waits for what the caller's queue has to do by now, where the matrices lie.
  /// Throws `Error`: usage (one is not on this device), device.
  void borrow(const MatrixProduct& product, int value_size, std::uintptr_t stream);

  /// What they hold, in their order; the host waits once, only for the check of the values.
  /// `meanwhile`: gives the device more orders before that. Requires: `borrow`; at most
  /// `kOperands`. Throws `Error`: usage (as `look_at_operand`), device.
  std::vector<OperandFacts> look_at_operands(Semiring semiring, ValueType type,
                                             std::initializer_list<TitledOperand> operands,
                                             const std::function<void()>& meanwhile = {});

  /// Orders that the first pivots of matrices on the device, not `boolean`, are packed. `memory`:
  /// bytes for packed operands; 0: no limit. Throws `Error`: does_not_fit, device.
  PackedOperands pack(const MatrixProduct& product, std::int64_t memory);
  /// The product whose operands were packed last. C is complete when it returns. Throws `Error`:
  /// device, interrupted.
  void multiply_add(const MatrixProduct& product, const PackedOperands& packed,
                    const Control& control);
  /// Returns when no operand is read any more. Where no product follows it waits for `pack`.
  void finish();

  /// Of matrices of the host. `memory`: bytes in all; 0: most of what is free. `threads`: which
  /// pack bits. Throws as above.
  void multiply_add_from_host(const MatrixProduct& product, std::int64_t memory, int threads,
                              const Control& control);

  /// To and from matrices on the device. Throws `Error` (device).
  void copy_out(kernels::View host, kernels::ConstView there, int value_size) {
    device_->copy_out(queue_, host, there, value_size);
    device_->synchronize(queue_);
  }
  void copy_in(kernels::View there, kernels::ConstView host, int value_size) {
    device_->copy_in(queue_, there, host, value_size);
    device_->synchronize(queue_);
  }

 private:
  /// How the device has values: the bytes of one, and the columns of a matrix that it holds.
  struct Values {
    explicit Values(ValueType type)
        : size(type == ValueType::boolean ? int{sizeof(std::uint32_t)} : size_of(type)),
          columns(type == ValueType::boolean ? 32 : 1) {}
    int size;
    int columns;
  };
  /// Of C's [rows, cols] and the deepest operands that `memory` and the device have room for; makes
  /// that room.
  PackedOperands room_for(std::int64_t rows, std::int64_t cols, std::int64_t depth,
                          std::int64_t memory);
  std::byte* right_of(const PackedOperands& packed) const { return packed_.data() + packed.left; }
  void pack_pivots(const MatrixProduct& product, const PackedOperands& packed, std::int64_t first);
  void keep_little();
  /// Of the host's matrices in values of the device: A's columns hold as many pivots as B has rows.
  void pass_through(const MatrixProduct& product, std::int64_t memory, const Control& control);
  /// Orders a whole product on the device, a piece of its pivots at a time; the first is packed.
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
  dense::DeviceBuffer found_;  // of operands
  std::vector<kernels::OperandFound> found_here_;
  dense::PinnedMemory pinned_;
};

}  // namespace apsp::engine
