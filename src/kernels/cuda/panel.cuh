// A strip of a step's row or column panel, by one block of 128 threads: R ← R ⊕ D ⊗ R for 32
// columns of a row of tiles, or C ← C ⊕ C ⊗ D for 32 rows of a column, with D a closed tile of 64 ×
// 64. The result is stored in the matrix and packed (packed.hpp) for products. Strips of the
// diagonal tile itself are packed as "no path", so that products do not change its row and column.
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/shape.cuh"

namespace apsp::kernels::cuda {

inline constexpr int kPanelSide = 64;  // side of the diagonal tile: the pivots of a step
inline constexpr int kStrip = 32;      // columns or rows of a strip
inline constexpr int kPanelThreads = 128;

template <class R>
struct Panel {
  using S = typename R::S;
  using Value = typename S::Value;
  using Operand = typename R::Operand;
  static constexpr int kGroupSide = 4;                  // values per thread, down and across
  static constexpr int kPad = 16 / int{sizeof(Value)};  // aligns rows to 16 bytes
  static constexpr int kSharedBytes =
      kPanelSide * (kPanelSide + kStrip + 2 * kPad) * int{sizeof(Value)};

  const ProductArguments& p;
  std::int64_t first;  // row and column of the diagonal tile
  Value* shared;

  __device__ bool of_the_tile(std::int64_t line) const {
    return line >= first && line < first + kPanelSide;
  }

  /// `kWide` neighbouring values of the matrix, 16 bytes; "no path" beyond the edge.
  static constexpr int kWide = 16 / int{sizeof(Value)};
  struct alignas(16) Wide {
    Value values[kWide];
  };
  __device__ Wide wide_at(std::int64_t r, std::int64_t c) const {
    Wide wide;
    const Value* const from = static_cast<const Value*>(p.c) + r * p.stride + c;
    if (p.wide_access && r < p.rows && c + kWide <= p.cols) {
      wide = *reinterpret_cast<const Wide*>(from);
#pragma unroll
      for (Value& value : wide.values) value = R::negated(value, p.negation);
    } else {
#pragma unroll
      for (int v = 0; v < kWide; ++v) {
        wide.values[v] = r < p.rows && c + v < p.cols ? R::negated(from[v], p.negation) : S::zero();
      }
    }
    return wide;
  }

  /// Loads rows [row, row + kRows) and columns [col, col + kCols) of the matrix.
  template <int kRows, int kCols>
  struct PanelTile {
    static constexpr int kAcross = kCols / kWide;
    static constexpr int kEach = kRows * kAcross / kPanelThreads;
    static_assert(kEach * kPanelThreads * kWide == kRows * kCols);
    Wide wide[kEach];

    static __device__ int place(int e) { return static_cast<int>(threadIdx.x) + e * kPanelThreads; }
    __device__ PanelTile(const Panel& panel, std::int64_t row, std::int64_t col) {
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        wide[e] = panel.wide_at(row + place(e) / kAcross, col + place(e) % kAcross * kWide);
      }
    }
    __device__ void write(Value* to) const {
      constexpr int kPitch = kCols + kPad;
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int r = place(e) / kAcross, c = place(e) % kAcross * kWide;
        *reinterpret_cast<Wide*>(to + r * kPitch + c) = wide[e];
      }
    }
    __device__ void write_transposed(Value* to) const {
      constexpr int kPitch = kRows + kPad;
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int r = place(e) / kAcross, c = place(e) % kAcross * kWide;
#pragma unroll
        for (int v = 0; v < kWide; ++v) to[(c + v) * kPitch + r] = wide[e].values[v];
      }
    }
  };

  using Result = Value[kGroupSide][kGroupSide];

  /// c ← c ⊕ A ⊗ B, where A[k] and B[k] are rows of the given pitches.
  __device__ static void relax(Result& c, const Value* a, int a_pitch, const Value* b,
                               int b_pitch) {
#pragma unroll 4
    for (int k = 0; k < kPanelSide; k += 2) {
      Value left[2][kGroupSide], right[2][kGroupSide];
#pragma unroll
      for (int two = 0; two < 2; ++two) {
#pragma unroll
        for (int v = 0; v < kGroupSide; ++v) {
          left[two][v] = a[(k + two) * a_pitch + v];
          right[two][v] = b[(k + two) * b_pitch + v];
        }
      }
#pragma unroll
      for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
        for (int j = 0; j < kGroupSide; ++j) {
          c[i][j] = R::plus(c[i][j], R::times(left[0][i], right[0][j]),
                            R::times(left[1][i], right[1][j]));
        }
      }
    }
  }

  __device__ void store(Result& c, std::int64_t row, std::int64_t col) const {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; ++j) {
        c[i][j] = R::settle(c[i][j]);
        if (row + i >= p.rows || col + j >= p.cols) continue;
        static_cast<Value*>(p.c)[(row + i) * p.stride + col + j] = R::restored(c[i][j], p.negation);
      }
    }
  }

  __device__ Operand* place(const void* panel, std::int64_t word, int pivot, int second) const {
    auto* const operands = static_cast<Operand*>(const_cast<void*>(panel));
    return operands + word / kSliver * p.sliver_words + pivot / 2 * 2 * kSliver +
           place_in_pair<Operand>(static_cast<int>(word % kSliver), second);
  }
  __device__ void pack_left(const Result& c, std::int64_t row, int pivot) const {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; ++j) {
        *place(p.left, row + i, pivot + j, (pivot + j) % 2) = R::left(c[i][j]);
      }
    }
  }
  __device__ void pack_right(const Result& c, int pivot, std::int64_t col) const {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; j += R::kLanes) {
        *place(p.right, (col + j) / R::kLanes, pivot + i, 1 - (pivot + i) % 2) = R::right(&c[i][j]);
      }
    }
  }

  static __device__ void fill_no_path(Result& c) {
#pragma unroll
    for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
      for (int j = 0; j < kGroupSide; ++j) c[i][j] = S::zero();
    }
  }

  /// Updates columns [line, line + 32) of the row of tiles, or rows of the column of tiles. A and B
  /// are the strip and the closed tile, or the reverse; A is transposed.
  template <bool kRow>
  __device__ void update(std::int64_t line) const {
    constexpr int kRows = kRow ? kPanelSide : kStrip, kCols = kRow ? kStrip : kPanelSide;
    constexpr int kLeftPitch = kRows + kPad, kRightPitch = kCols + kPad;
    constexpr int kAcross = kCols / kGroupSide;
    const int m = static_cast<int>(threadIdx.x) / kAcross * kGroupSide;
    const int n = static_cast<int>(threadIdx.x) % kAcross * kGroupSide;
    const std::int64_t row = kRow ? first : line, col = kRow ? line : first;
    Result c;
    fill_no_path(c);
    if (!of_the_tile(line)) {
      Value* const a = shared;
      Value* const b = shared + kPanelSide * kLeftPitch;
      const PanelTile<kRows, kPanelSide> left(*this, row, first);
      const PanelTile<kPanelSide, kCols> right(*this, first, col);
      left.write_transposed(a);
      right.write(b);
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kGroupSide; ++i) {
#pragma unroll
        for (int j = 0; j < kGroupSide; ++j) {
          c[i][j] = kRow ? b[(m + i) * kRightPitch + n + j] : a[(n + j) * kLeftPitch + m + i];
        }
      }
      relax(c, a + m, kLeftPitch, b + n, kRightPitch);
      store(c, row + m, col + n);
      __syncthreads();
    }
    if constexpr (kRow) {
      pack_right(c, m, col + n);
    } else {
      pack_left(c, row + m, n);
    }
  }
};

}  // namespace apsp::kernels::cuda
