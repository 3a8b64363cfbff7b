// What operands take in a GPU's memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/packed.hpp"
#include "kernels/device.hpp"

namespace apsp::kernels::cuda {

/// The sizes, alone or as part of a device.
template <class Base>
class Sized : public Base {
 public:
  explicit Sized(const DeviceOperations& operations) : operations_(operations) {}

  std::int64_t granule() const override { return operations_.granule; }
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
    return side <= step ? 0 : 2 * (this->left_bytes(side, step) + this->right_bytes(side, step));
  }
  std::int64_t whole_side() const override { return operations_.whole_side; }
  std::int64_t whole_bytes(std::int64_t side) const override {
    const std::int64_t bytes = close_bytes(side);
    if (operations_.whole == nullptr) return bytes;
    return std::max(bytes, operations_.whole_bytes(side));
  }

 protected:
  DeviceOperations operations_;
};

}  // namespace apsp::kernels::cuda
