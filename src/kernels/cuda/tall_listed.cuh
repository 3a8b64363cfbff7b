// Items with many listed rows of 8-byte values (kernels/listed_rows.hpp). Shared memory would hold
// only half as many as of 4-byte values, so nothing is gathered: each warp keeps eight rows of the
// item in registers and reads the listed rows itself, after its neighbours have brought them into
// the cache. Arithmetic of this width hides the latency.
#pragma once

#include <cstdint>

#include "kernels/cuda/listed.cuh"
#include "kernels/cuda/words.cuh"

namespace apsp::kernels::cuda {

/// Rows [first, first + kListedRows) of an item, and one line of columns per thread.
template <class R>
class TallRows {
  using Value = typename R::Value;
  static_assert(R::kLanes == 1 && sizeof(Value) == 8);
  static constexpr int kValues = kListedBytes / static_cast<int>(sizeof(Value));
  using Line = Words<kListedBytes>;

 public:
  static constexpr int kColumns = 32 * kValues;

  __device__ TallRows(const ListedArguments& p, const ListedItem& item, int strip, int first)
      : p_(p),
        item_(item),
        column_(strip * kColumns + static_cast<int>(threadIdx.x) % 32 * kValues),
        first_(first) {}

  __device__ void run() {
    begin();
    const std::int32_t* const list = p_.lists + item_.list;
    const std::int64_t width = listed_width(item_.rows);
    const Value* const weights = static_cast<const Value*>(p_.weights) + item_.weights + first_;
    // Threads beyond the last column repeat it and store nothing.
    const int column = min(column_, p_.cols - kValues);
    const auto* const from =
        reinterpret_cast<const char*>(static_cast<const Value*>(p_.x) + column);
    const auto picked = [&](int k) {
      return item_.weights_from < 0 ? k : list[k] - item_.weights_from;
    };
    for (int k = 0; k < item_.depth; k += 2) {
      const int next = min(k + 1, item_.depth - 1);
      Line x0, x1;
      x0.load(from + std::int64_t{list[k]} * p_.x_bytes);
      x1.load(from + std::int64_t{list[next]} * p_.x_bytes);
      relax(weights + picked(k) * width, x0, weights + picked(next) * width, x1);
    }
    store();
  }

 private:
  __device__ Value* row(int r) const {
    const std::int64_t row = item_.rows_are_listed != 0 ? p_.lists[item_.first_row + first_ + r]
                                                        : item_.first_row + first_ + r;
    return static_cast<Value*>(p_.c) + row * p_.c_stride + column_;
  }
  __device__ bool has(int r) const { return first_ + r < item_.rows && column_ < p_.cols; }

  __device__ void begin() {
    const std::int32_t top =
        item_.rows_are_listed != 0 ? p_.lists[item_.first_row] : item_.first_row;
    const bool begun = p_.adds || (p_.begun != nullptr && p_.begun[top] != 0);
#pragma unroll
    for (int r = 0; r < kListedRows; ++r) {
      Line line;
      if (begun && has(r)) line.load(row(r));
#pragma unroll
      for (int v = 0; v < kValues; ++v) {
        sums_[r][v] = begun && has(r) ? line.template value<Value>(v) : R::S::zero();
      }
    }
  }

  __device__ void relax(const Value* a0, const Line& x0, const Value* a1, const Line& x1) {
#pragma unroll
    for (int r = 0; r < kListedRows; ++r) {
#pragma unroll
      for (int v = 0; v < kValues; ++v) {
        R::relax(r * kValues + v, p_.one, sums_[r][v], a0[r], x0.template value<Value>(v), a1[r],
                 x1.template value<Value>(v));
      }
    }
  }

  __device__ void store() const {
#pragma unroll
    for (int r = 0; r < kListedRows; ++r) {
      if (!has(r)) continue;
      Line line;
#pragma unroll
      for (int v = 0; v < kValues; ++v) line.set(v, sums_[r][v]);
      line.store(row(r));
    }
  }

  const ListedArguments& p_;
  const ListedItem& item_;
  int column_, first_;
  typename R::Sum sums_[kListedRows][kValues];
};

template <class R, int kWarps>
__device__ void relax_tall_item(const ListedArguments& p, const ListedItem& item, int strip,
                                ListedWaits& waits) {
  waits.await_far();
  waits.await_near();
  for (int first = static_cast<int>(threadIdx.x) / 32 * kListedRows; first < item.rows;
       first += kWarps * kListedRows) {
    TallRows<R>(p, item, strip, first).run();
  }
}

}  // namespace apsp::kernels::cuda
