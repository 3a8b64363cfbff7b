// Floyd-Warshall inside one tile of up to 128 × 128 values: D ← D*, one block of threads.
//
// D lives in registers, 4 × 8 values a thread. Pivots go two at a time: their rows and columns are
// laid out in shared memory, each thread brings those of the second up to date by the first, and
// relaxes its values through both, which asks for half the barriers and lets the second pivot ride
// with the first. The buffers alternate, so one barrier a pair is enough. Larger tiles are closed
// as matrices of such tiles (cuda_device.cpp). Paper 002, §4.1, phase 1.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/contract.hpp"
#include "kernels/cuda/relaxation.cuh"

namespace apsp::kernels::cuda {

inline constexpr int kCloseSide = 128;
inline constexpr int kCloseGroup = 4;  // neighbouring values of a thread, down and across
inline constexpr int kCloseRows = kCloseGroup, kCloseCols = 2 * kCloseGroup;
inline constexpr int kCloseHalf = kCloseSide / 2;  // a thread's columns: a group of each half
inline constexpr int kCloseAcross = kCloseHalf / kCloseGroup;
inline constexpr int kCloseThreads = kCloseSide / kCloseRows * kCloseAcross;

struct CloseArguments {
  void* d;
  std::int64_t stride;
  int side;
  std::int32_t* via;  // none: not tracked
  std::int64_t via_stride;
  Cycles cycles;
  std::int64_t first_pivot;         // vertex number of D's first row
  unsigned long long* found_pivot;  // the least vertex number met on a negative cycle
};

template <class R, bool kVia>
struct Closing {
  using S = typename R::S;
  using Value = typename S::Value;
  struct Buffer {  // rows and columns of two pivots
    alignas(16) Value rows[2][kCloseSide];
    alignas(16) Value cols[2][kCloseSide];
  };

  const CloseArguments& p;
  Buffer* buffers;  // [2], shared
  int row, col;     // the thread's first
  Value value[kCloseRows][kCloseCols];
  std::int32_t via[kCloseRows][kCloseCols];

  __device__ Closing(const CloseArguments& arguments, Buffer* shared)
      : p(arguments),
        buffers(shared),
        row(static_cast<int>(threadIdx.x) / kCloseAcross * kCloseGroup),
        col(static_cast<int>(threadIdx.x) % kCloseAcross * kCloseGroup) {}

  __device__ int col_of(int j) const {
    return col + j / kCloseGroup * kCloseHalf + j % kCloseGroup;
  }
  /// With cycles excluded a diagonal value better than the empty path is rounding.
  __device__ Value put_back(int i, int j, Value v) const {
    return p.cycles == Cycles::excluded && i == j ? S::one() : v;
  }

  __device__ void load() {
    auto* const d = static_cast<const Value*>(p.d);
#pragma unroll
    for (int i = 0; i < kCloseRows; ++i) {
#pragma unroll
      for (int j = 0; j < kCloseCols; ++j) {
        const bool inside = row + i < p.side && col_of(j) < p.side;
        value[i][j] = inside ? d[(row + i) * p.stride + col_of(j)] : S::zero();
        if constexpr (kVia) {
          via[i][j] = inside ? p.via[(row + i) * p.via_stride + col_of(j)] : kNoVia;
        }
      }
    }
  }

  __device__ void store() const {
    auto* const d = static_cast<Value*>(p.d);
#pragma unroll
    for (int i = 0; i < kCloseRows; ++i) {
#pragma unroll
      for (int j = 0; j < kCloseCols; ++j) {
        if (row + i >= p.side || col_of(j) >= p.side) continue;
        const Value settled = R::settle(value[i][j]);
        d[(row + i) * p.stride + col_of(j)] = put_back(row + i, col_of(j), settled);
        if constexpr (kVia) {
          p.via[(row + i) * p.via_stride + col_of(j)] = settled == S::zero() ? kNoVia : via[i][j];
        }
      }
    }
  }

  /// Four neighbouring values, at once where their size allows.
  struct alignas(kCloseGroup * sizeof(Value) < 16 ? kCloseGroup * sizeof(Value) : 16) Group {
    Value values[kCloseGroup];
  };
  static __device__ Group& group_at(Value* values) { return *reinterpret_cast<Group*>(values); }
  static __device__ const Group& group_at(const Value* values) {
    return *reinterpret_cast<const Group*>(values);
  }

  /// Pivots k and k + 1, by the threads that hold them. kHalf and kWithin say where in a thread's
  /// registers, which have no addresses: k = kHalf · 64 + a multiple of 4 + kWithin.
  template <int kHalf, int kWithin>
  __device__ void lay_out(int k) {
    Buffer& buffer = buffers[k / 2 % 2];
    if (row == k / kCloseGroup * kCloseGroup) {
#pragma unroll
      for (int two = 0; two < 2; ++two) {
#pragma unroll
        for (int g = 0; g < kCloseCols; g += kCloseGroup) {
          Group group;
#pragma unroll
          for (int v = 0; v < kCloseGroup; ++v) {
            group.values[v] = put_back(k + two, col_of(g) + v, value[kWithin + two][g + v]);
          }
          group_at(&buffer.rows[two][col_of(g)]) = group;
        }
      }
    }
    if (col == k % kCloseHalf / kCloseGroup * kCloseGroup) {
#pragma unroll
      for (int two = 0; two < 2; ++two) {
        Group group;
#pragma unroll
        for (int i = 0; i < kCloseRows; ++i) {
          group.values[i] =
              put_back(k + two, row + i, value[i][kHalf * kCloseGroup + kWithin + two]);
        }
        group_at(&buffer.cols[two][row]) = group;
      }
    }
  }

  template <int kCount>
  static __device__ void read(const Value* from, int first, int apart, Value (&out)[kCount]) {
#pragma unroll
    for (int g = 0; g < kCount / kCloseGroup; ++g) {
      const Group group = group_at(from + first + g * apart);
#pragma unroll
      for (int v = 0; v < kCloseGroup; ++v) out[g * kCloseGroup + v] = group.values[v];
    }
  }

  /// True if a pivot lies on a negative cycle; all threads see the same values.
  __device__ bool found_cycle(int k, const Buffer& buffer) const {
    if (p.cycles == Cycles::excluded) return false;
    const Value first = buffer.rows[0][k];
    int found = -1;
    if (S::better(first, S::one())) {
      found = k;
    } else if (k + 1 < p.side) {
      const Value around = R::times(buffer.rows[1][k], buffer.rows[0][k + 1]);
      if (S::better(plus_of<S>(buffer.rows[1][k + 1], around), S::one())) found = k + 1;
    }
    if (found >= 0 && threadIdx.x == 0) {
      atomicMin(p.found_pivot, static_cast<unsigned long long>(p.first_pivot + found));
    }
    return found >= 0;
  }

  __device__ void improve(int i, int j, Value first, Value second, int pivot) {
    if constexpr (kVia) {
#pragma unroll
      for (int two = 0; two < 2; ++two) {
        const Value through = two == 0 ? first : second;
        if (S::better(through, value[i][j])) {
          value[i][j] = through;
          via[i][j] = static_cast<std::int32_t>(p.first_pivot + pivot + two);
        }
      }
    } else {
      value[i][j] = R::plus(value[i][j], first, second);
    }
  }

  template <int kCols>
  __device__ void relax(int k, const Buffer& buffer) {
    Value rows[2][kCols], cols[2][kCloseRows];
#pragma unroll
    for (int two = 0; two < 2; ++two) {
      read(buffer.rows[two], col, kCloseHalf, rows[two]);
      read(buffer.cols[two], row, 0, cols[two]);
    }
    // The second pivot's row and column, by the first.
    const Value down = buffer.rows[1][k], across = buffer.rows[0][k + 1];
#pragma unroll
    for (int j = 0; j < kCols; ++j) {
      rows[1][j] = plus_of<S>(rows[1][j], R::times(down, rows[0][j]));
    }
#pragma unroll
    for (int i = 0; i < kCloseRows; ++i) {
      cols[1][i] = plus_of<S>(cols[1][i], R::times(cols[0][i], across));
    }
#pragma unroll
    for (int i = 0; i < kCloseRows; ++i) {
#pragma unroll
      for (int j = 0; j < kCols; ++j) {
        improve(i, j, R::times(cols[0][i], rows[0][j]), R::times(cols[1][i], rows[1][j]), k);
      }
    }
  }

  /// One pair of pivots; false where the tile or its distances end.
  template <int kHalf, int kWithin>
  __device__ bool step(int k) {
    if (k >= p.side) return false;
    const Buffer& buffer = buffers[k / 2 % 2];
    if (found_cycle(k, buffer)) return false;
    if (row < p.side) {
      if (p.side > kCloseHalf) {
        relax<kCloseCols>(k, buffer);
      } else {
        relax<kCloseGroup>(k, buffer);
      }
    }
    if (k + 2 < p.side) {
      if (kWithin + 2 < kCloseGroup) {
        lay_out<kHalf, (kWithin + 2) % kCloseGroup>(k + 2);
      } else if ((k + 2) % kCloseHalf != 0) {
        lay_out<kHalf, 0>(k + 2);
      } else {
        lay_out<1, 0>(k + 2);
      }
    }
    __syncthreads();
    return true;
  }

  template <int kHalf>
  __device__ bool half() {
    for (int k = kHalf * kCloseHalf; k < (kHalf + 1) * kCloseHalf; k += kCloseGroup) {
      if (!step<kHalf, 0>(k) || !step<kHalf, 2>(k + 2)) return false;
    }
    return true;
  }
};

template <class R, bool kVia>
__global__ void __launch_bounds__(kCloseThreads)
    close_kernel(const __grid_constant__ CloseArguments p) {
  using C = Closing<R, kVia>;
  __shared__ typename C::Buffer buffers[2];
  C mine(p, buffers);
  mine.load();
  mine.template lay_out<0, 0>(0);
  __syncthreads();
  if (mine.template half<0>()) mine.template half<1>();
  mine.store();
}

}  // namespace apsp::kernels::cuda
