// The sizes of strict devices.
#pragma once

#include <cstdint>

#include "support/strict/strict_memory.hpp"
#include "support/strict/strict_operations.hpp"

namespace apsp::kernels::strict {

/// The sizes, for planning or as part of kernels.
template <class Base>
class Sized : public Base {
 public:
  explicit Sized(const Operations& operations) : operations_(operations) {}

  std::int64_t granule() const override { return kSliver * operations_.columns_per_value; }
  /// More than is needed, so that code that takes the stride for the number of columns fails.
  std::int64_t stride(std::int64_t cols) const override {
    return rounded_up(cols, kSliver) + kSliver;
  }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
    return packed_bytes(rows, operations_.packed_depth(depth), operations_.value_size);
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
    return packed_bytes(cols, operations_.packed_depth(depth), operations_.value_size);
  }
  std::int64_t close_bytes(std::int64_t side) const override {
    return side * operations_.value_size;
  }

 protected:
  Operations operations_;
};

}  // namespace apsp::kernels::strict
