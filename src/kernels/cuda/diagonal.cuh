// The next diagonal tile, from the last one closed, by one block of 128 threads: with D the closed
// tile k, X and Y the tiles beside and below it, Z the tile k + 1,
//
//   X ← X ⊕ D ⊗ X,  Y ← Y ⊕ Y ⊗ D,  Z ← (Z ⊕ Y ⊗ X)*
//
// Operands lie in shared memory and Z in registers, as closing has it (close.cuh), so that nothing
// of this waits for the panels of the step: those who make them write X and Y to the matrix.
#pragma once

#include <cstdint>

#include "kernels/cuda/close.cuh"
#include "kernels/cuda/panel.cuh"

namespace apsp::kernels::cuda {

template <class R>
struct Diagonal {
  using S = typename R::S;
  using Value = typename S::Value;
  using Close = Closing<R, false, kPanelSide>;
  using Group = typename Close::Group;
  using Tile = typename Close::Four[kFour][2];  // what a thread holds of one
  static constexpr int kPitch = kPanelSide + Panel<R>::kPad;
  static constexpr int kTileValues = kPanelSide * kPitch;
  static constexpr int kSharedBytes = 3 * kTileValues * int{sizeof(Value)};
  static_assert(close_threads(kPanelSide) == kPanelThreads);

  const ProductArguments& p;  // of the matrix
  Value *closed, *beside, *below;

  __device__ Diagonal(const ProductArguments& arguments, Value* shared)
      : p(arguments),
        closed(shared),
        beside(shared + kTileValues),
        below(shared + 2 * kTileValues) {}

  static __device__ void write(const Close& c, Value* to, const Tile& tile) {
#pragma unroll
    for (int i = 0; i < kFour; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        Group group;
#pragma unroll
        for (int v = 0; v < kFour; ++v) group.values[v] = R::settle(tile[i][half].value[v]);
        *reinterpret_cast<Group*>(to + (c.row + i) * kPitch + c.col_of(half)) = group;
      }
    }
  }

  static __device__ void read(const Close& c, const Value* from, Tile& tile) {
#pragma unroll
    for (int i = 0; i < kFour; ++i) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const Group group =
            *reinterpret_cast<const Group*>(from + (c.row + i) * kPitch + c.col_of(half));
#pragma unroll
        for (int v = 0; v < kFour; ++v) tile[i][half].value[v] = group.values[v];
      }
    }
  }

  /// Of two pivots: columns of the left operand, rows of the right one.
  struct Operands {
    Value left[kFour][2];
    Group right[2][2];

    __device__ void read(const Close& c, const Value* from_left, const Value* from_right, int k) {
      struct alignas(2 * sizeof(Value)) Two {
        Value values[2];
      };
#pragma unroll
      for (int i = 0; i < kFour; ++i) {
        const Two two = *reinterpret_cast<const Two*>(from_left + (c.row + i) * kPitch + k);
        left[i][0] = two.values[0];
        left[i][1] = two.values[1];
      }
#pragma unroll
      for (int pivot = 0; pivot < 2; ++pivot) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          right[pivot][half] =
              *reinterpret_cast<const Group*>(from_right + (k + pivot) * kPitch + c.col_of(half));
        }
      }
    }
    __device__ void relax(Tile& tile) const {
      Close::for_each_value([&](int i, int half, int v) {
        Value& value = tile[i][half].value[v];
        value = R::plus(value, R::times(left[i][0], right[0][half].values[v]),
                        R::times(left[i][1], right[1][half].values[v]));
      });
    }
  };

  /// tile ← tile ⊕ left ⊗ right. Operands are read two pivots ahead: one block alone on its
  /// multiprocessor has no other threads that work while it waits for them.
  static __device__ void relax(const Close& c, Tile& tile, const Value* left, const Value* right) {
    Operands now, next;
    now.read(c, left, right, 0);
#pragma unroll 1
    for (int k = 2; k < kPanelSide; k += 4) {
      next.read(c, left, right, k);
      now.relax(tile);
      now.read(c, left, right, (k + 2) % kPanelSide);
      next.relax(tile);
    }
  }

  /// Lays the closed tile k out and reads X and Y; `next()` makes Z the tile of `c`. Behind the
  /// next barrier of the block all of it may be used.
  template <class F>
  __device__ void begin(Close& c, int k, F&& next) const {
    write(c, closed, c.d);
    const std::int64_t at = std::int64_t{k} * kPanelSide;
    const Panel<R> matrix{p, at, nullptr};
    using Piece = typename Panel<R>::template Piece<kPanelSide, kPanelSide>;
    const Piece x(matrix, at, at + kPanelSide), y(matrix, at + kPanelSide, at);
    next();
    c.load();
    x.write(beside);
    y.write(below);
  }

  /// The tile of `c`, Z, becomes Z ⊕ Y ⊗ X, X and Y by way of the closed tile.
  __device__ void update(Close& c) const {
    Tile panel;
    read(c, beside, panel);
    relax(c, panel, closed, beside);
    __syncthreads();
    write(c, beside, panel);
    read(c, below, panel);
    relax(c, panel, below, closed);
    __syncthreads();
    write(c, below, panel);
    __syncthreads();
    relax(c, c.d, below, beside);
    Close::for_each_value(
        [&](int i, int half, int v) { c.d[i][half].value[v] = R::settle(c.d[i][half].value[v]); });
  }

  /// Writes X and Y of step k to the matrix.
  __device__ void store_panels(int k) const {
    const std::int64_t at = std::int64_t{k} * kPanelSide, next = at + kPanelSide;
    const int beyond = static_cast<int>(min(p.rows - next, std::int64_t{kPanelSide}));
    store(beside, at, next, kPanelSide, beyond);
    store(below, next, at, beyond, kPanelSide);
  }

  __device__ void store(const Value* from, std::int64_t row, std::int64_t col, int rows,
                        int cols) const {
    constexpr int kWide = Panel<R>::kWide, kAcross = kPanelSide / kWide;
    using Wide = typename Panel<R>::Wide;
#pragma unroll 1
    for (int e = static_cast<int>(threadIdx.x); e < rows * kAcross; e += kPanelThreads) {
      const int r = e / kAcross, c = e % kAcross * kWide;
      const Wide wide = *reinterpret_cast<const Wide*>(from + r * kPitch + c);
      Value* const to = static_cast<Value*>(p.c) + (row + r) * p.stride + col + c;
      if (p.wide_access && c + kWide <= cols) {
        *reinterpret_cast<Wide*>(to) = wide;
      } else {
        for (int v = 0; v < kWide && c + v < cols; ++v) to[v] = wide.values[v];
      }
    }
  }
};

}  // namespace apsp::kernels::cuda
