// Floyd-Warshall inside one tile: D ← D*, by one block of 512 threads for up to 128 × 128 values,
// or 128 or 256 threads for up to 64 × 64. Larger tiles are closed in one launch (whole.cuh) or,
// with intermediate vertices, in tiles of 128 (cuda_device.cpp). Katz 2008, §4.1, phase 1.
//
// D is in registers, 4 × 8 or 4 × 4 values per thread, and is closed in blocks of four pivots:
// their rows R and columns C are copied to shared memory; R ← corner ⊗ R and C ← C ⊗ corner, one
// column or row per thread, which closes their corner before; then D ← D ⊕ C ⊗ R. Two barriers for
// four pivots.
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/thread_group.cuh"

namespace apsp::kernels::cuda {

inline constexpr int kCloseSide = 128;
inline constexpr int kFour = 4;  // pivots of a step, and neighbouring values of a thread

constexpr int close_threads(int side) { return side * side / (2 * kFour * kFour); }

struct CloseArguments {
  void* d;
  std::int64_t stride;
  int side;
  std::int32_t* via;  // null: not tracked
  std::int64_t via_stride;
  Cycles cycles;
  std::int64_t first_pivot;         // vertex number of D's first row
  unsigned long long* found_pivot;  // least vertex number found on a negative cycle
  Negation negation;
};

/// Values and, if tracked, the pivots that improved them last, or kNoPivot.
template <class Value, bool kVia, int kCount>
struct Tracked {
  static constexpr int kNoPivot = -1;
  alignas(16) Value value[kCount];
  int pivot[kVia ? kCount : 1];
};

/// The threads of a `ThreadGroup` call it.
template <class R, bool kVia, int kSide, class Threads = ThreadGroup<close_threads(kSide)>>
struct Closing {
  using S = typename R::S;
  using Value = typename S::Value;
  using Line = Tracked<Value, kVia, kSide>;
  using Four = Tracked<Value, kVia, kFour>;
  struct Buffers {
    Line rows[kFour], cols[kFour];
    Line closed_rows[kFour], closed_cols[kFour];
    int found;  // the first pivot of the four on a negative cycle, or −1
  };
  static constexpr int kHalves = kSide * kSide / (kFour * kFour * Threads::kThreads);
  static constexpr int kHalfSide = kSide / kHalves;
  static constexpr int kAcross = kHalfSide / kFour;
  static constexpr int kWarpAcross = 8, kWarpDown = 4;  // lanes read few places of shared memory
  static_assert(Threads::kThreads == kSide / kFour * kAcross && kAcross % kWarpAcross == 0);
  static_assert((kHalves == 2 || (kHalves == 1 && !kVia)) && Threads::kThreads >= 2 * kSide);

  const CloseArguments& p;
  Buffers& buffers;
  int row, col;
  Four d[kFour][kHalves];

  __device__ Closing(const CloseArguments& arguments, Buffers& shared)
      : p(arguments), buffers(shared) {
    constexpr int kWarpsAcross = kAcross / kWarpAcross;
    const int warp = Threads::thread() / 32, lane = Threads::thread() % 32;
    row = (warp / kWarpsAcross * kWarpDown + lane / kWarpAcross) * kFour;
    col = (warp % kWarpsAcross * kWarpAcross + lane % kWarpAcross) * kFour;
  }

  __device__ int col_of(int half) const { return col + half * kHalfSide; }

  /// Calls f(i, half, v) for value v of d[i][half], unrolled: registers cannot be addressed.
  template <class F>
  __device__ static void for_each_value(F&& f) {
#pragma unroll
    for (int i = 0; i < kFour; ++i) {
#pragma unroll
      for (int half = 0; half < kHalves; ++half) {
#pragma unroll
        for (int v = 0; v < kFour; ++v) f(i, half, v);
      }
    }
  }

  /// Four neighbouring values, loaded at once if their size allows.
  struct alignas(kFour * sizeof(Value) < 16 ? kFour * sizeof(Value) : 16) Group {
    Value values[kFour];
  };

  __device__ bool has_groups() const {
    return reinterpret_cast<std::uintptr_t>(p.d) % alignof(Group) == 0 &&
           p.stride * std::int64_t{sizeof(Value)} % std::int64_t{alignof(Group)} == 0;
  }

  /// Calls f(i, half, the group's address in D, whether it is completely inside).
  template <class F>
  __device__ void for_each_group(F&& f) const {
#pragma unroll
    for (int i = 0; i < kFour; ++i) {
#pragma unroll
      for (int half = 0; half < kHalves; ++half) {
        const int r = row + i, c = col_of(half);
        f(i, half, static_cast<Value*>(p.d) + r * p.stride + c, r < p.side && c + kFour <= p.side);
      }
    }
  }

  __device__ void load() {
    const bool groups = has_groups();
    for_each_group([&](int i, int half, const Value* from, bool inside) {
      Four& four = d[i][half];
      if (groups && inside) {
        const Group group = *reinterpret_cast<const Group*>(from);
#pragma unroll
        for (int v = 0; v < kFour; ++v) four.value[v] = R::negated(group.values[v], p.negation);
      } else {
#pragma unroll
        for (int v = 0; v < kFour; ++v) {
          const bool known = row + i < p.side && col_of(half) + v < p.side;
          four.value[v] = known ? R::negated(from[v], p.negation) : S::zero();
        }
      }
      if constexpr (kVia) {
#pragma unroll
        for (int v = 0; v < kFour; ++v) four.pivot[v] = Four::kNoPivot;
      }
    });
  }

  __device__ void settle() {
    for_each_value([&](int i, int half, int v) {
      Value& value = d[i][half].value[v];
      value = R::settle(value);
      // If cycles are excluded, a diagonal value better than the empty path is a rounding error.
      if (p.cycles == Cycles::excluded && row + i == col_of(half) + v) value = S::one();
    });
  }

  __device__ void store() const {
    const bool groups = has_groups();
    for_each_group([&](int i, int half, Value* to, bool inside) {
      const Four& four = d[i][half];
      if (groups && inside) {
        Group group;
#pragma unroll
        for (int v = 0; v < kFour; ++v) group.values[v] = R::restored(four.value[v], p.negation);
        *reinterpret_cast<Group*>(to) = group;
      } else {
#pragma unroll
        for (int v = 0; v < kFour; ++v) {
          if (row + i < p.side && col_of(half) + v < p.side) {
            to[v] = R::restored(four.value[v], p.negation);
          }
        }
      }
    });
    if constexpr (kVia) {
      for_each_value([&](int i, int half, int v) {
        const int r = row + i, c = col_of(half) + v, pivot = d[i][half].pivot[v];
        if (r >= p.side || c >= p.side || pivot == Four::kNoPivot) return;
        p.via[r * p.via_stride + c] = d[i][half].value[v] == S::zero()
                                          ? kNoVia
                                          : static_cast<std::int32_t>(p.first_pivot + pivot);
      });
    }
  }

  static __device__ Four read(const Line& line, int at) {
    Four four;
    const Group group = *reinterpret_cast<const Group*>(&line.value[at]);
#pragma unroll
    for (int v = 0; v < kFour; ++v) {
      four.value[v] = group.values[v];
      if constexpr (kVia) four.pivot[v] = line.pivot[at + v];
    }
    return four;
  }
  static __device__ void write(Line& line, int at, const Four& four) {
    Group group;
#pragma unroll
    for (int v = 0; v < kFour; ++v) {
      group.values[v] = four.value[v];
      if constexpr (kVia) line.pivot[at + v] = four.pivot[v];
    }
    *reinterpret_cast<Group*>(&line.value[at]) = group;
  }

  __device__ void lay_out(int k) {
    if (row == k) {
#pragma unroll
      for (int i = 0; i < kFour; ++i) {
#pragma unroll
        for (int half = 0; half < kHalves; ++half) write(buffers.rows[i], col_of(half), d[i][half]);
      }
    }
    if (col == k % kHalfSide) {
#pragma unroll
      for (int pivot = 0; pivot < kFour; ++pivot) {
        Four four;
#pragma unroll
        for (int i = 0; i < kFour; ++i) {
          constexpr int kLast = kHalves - 1;
          const bool first = kHalves == 1 || k < kHalfSide;
          four.value[i] = first ? d[i][0].value[pivot] : d[i][kLast].value[pivot];
          if constexpr (kVia) {
            four.pivot[i] = first ? d[i][0].pivot[pivot] : d[i][kLast].pivot[pivot];
          }
        }
        write(buffers.cols[pivot], row, four);
      }
    }
  }

  static __device__ void improve(Four& c, int v, Value through, int pivot) {
    if constexpr (kVia) {
      if (!S::better(through, c.value[v])) return;
      c.value[v] = through;
      c.pivot[v] = pivot;
    } else {
      c.value[v] = plus_of<S>(c.value[v], through);
    }
  }

  /// Closes the corner of four rows and columns. Returns the first pivot on a negative cycle, or
  /// −1.
  __device__ int close_corner(int k, Four (&corner)[kFour]) const {
    int found = -1;
#pragma unroll
    for (int i = 0; i < kFour; ++i) corner[i] = read(buffers.rows[i], k);
#pragma unroll
    for (int pivot = 0; pivot < kFour; ++pivot) {
      Value& diagonal = corner[pivot].value[pivot];
      if (p.cycles == Cycles::excluded) {
        diagonal = S::one();
      } else if (found < 0 && k + pivot < p.side && S::better(diagonal, S::one())) {
        found = k + pivot;
      }
#pragma unroll
      for (int i = 0; i < kFour; ++i) {
        if (i == pivot) continue;
        const Value to_pivot = corner[i].value[pivot];
#pragma unroll
        for (int j = 0; j < kFour; ++j) {
          if (j == pivot) continue;
          improve(corner[i], j, R::times(to_pivot, corner[pivot].value[j]), k + pivot);
        }
      }
    }
    return found;
  }

  /// The corner's own lines are taken from its closure. Multiplying them with the closed corner
  /// again could make paths of cost zero parts of each other, and via would lead in a circle.
  template <bool kRows>
  static __device__ void take_corner(int k, int at, const Four (&corner)[kFour], Four& line) {
#pragma unroll
    for (int own = 0; own < kFour; ++own) {
      if (at != k + own) continue;
#pragma unroll
      for (int v = 0; v < kFour; ++v) {
        line.value[v] = kRows ? corner[v].value[own] : corner[own].value[v];
        line.pivot[v] = kRows ? corner[v].pivot[own] : corner[own].pivot[v];
      }
    }
  }

  /// A thread computes one column of R ← R ⊕ corner ⊗ R, or one row of C ← C ⊕ C ⊗ corner.
  template <bool kRows>
  __device__ void close_line(int k, int at, const Four (&corner)[kFour]) const {
    const Line* const from = kRows ? buffers.rows : buffers.cols;
    Line* const to = kRows ? buffers.closed_rows : buffers.closed_cols;
    Value before[kFour];
    Four line;
#pragma unroll
    for (int v = 0; v < kFour; ++v) {
      const bool no_cycle = at == k + v && p.cycles == Cycles::excluded;
      before[v] = line.value[v] = no_cycle ? S::one() : from[v].value[at];
      if constexpr (kVia) line.pivot[v] = from[v].pivot[at];
    }
#pragma unroll
    for (int v = 0; v < kFour; ++v) {
#pragma unroll
      for (int pivot = 0; pivot < kFour; ++pivot) {
        if (pivot == v) continue;
        const Value step = kRows ? corner[v].value[pivot] : corner[pivot].value[v];
        improve(line, v, R::times(step, before[pivot]), k + pivot);
      }
    }
    if constexpr (kVia) take_corner<kRows>(k, at, corner, line);
#pragma unroll
    for (int v = 0; v < kFour; ++v) {
      to[v].value[at] = line.value[v];
      if constexpr (kVia) to[v].pivot[at] = line.pivot[v];
    }
  }

  __device__ void relax(int k) {
#pragma unroll
    for (int pivot = 0; pivot < kFour; pivot += 2) {
      Four rows[2][kHalves], cols[2];
#pragma unroll
      for (int two = 0; two < 2; ++two) {
        cols[two] = read(buffers.closed_cols[pivot + two], row);
#pragma unroll
        for (int half = 0; half < kHalves; ++half) {
          rows[two][half] = read(buffers.closed_rows[pivot + two], col_of(half));
        }
      }
      for_each_value([&](int i, int half, int v) {
        const Value first = R::times(cols[0].value[i], rows[0][half].value[v]);
        const Value second = R::times(cols[1].value[i], rows[1][half].value[v]);
        if constexpr (kVia) {
          improve(d[i][half], v, first, k + pivot);
          improve(d[i][half], v, second, k + pivot + 1);
        } else {
          Value& value = d[i][half].value[v];
          value = R::plus(value, first, second);
        }
      });
    }
  }

  /// Sets the pivots' own rows and columns from the corner. kHalf: the half that contains k.
  template <int kHalf>
  __device__ void take_closed(int k) {
    if (row == k) {
#pragma unroll
      for (int i = 0; i < kFour; ++i) {
#pragma unroll
        for (int half = 0; half < kHalves; ++half) {
          d[i][half] = read(buffers.closed_rows[i], col_of(half));
        }
      }
    } else if (col == k - kHalf * kHalfSide) {
#pragma unroll
      for (int pivot = 0; pivot < kFour; ++pivot) {
        const Four four = read(buffers.closed_cols[pivot], row);
#pragma unroll
        for (int i = 0; i < kFour; ++i) {
          Four& mine = d[i][kHalf];
          mine.value[pivot] = four.value[i];
          if constexpr (kVia) mine.pivot[pivot] = four.pivot[i];
        }
      }
    }
  }

  /// The first threads close a line each. Returns as `close_corner`, at least in the first thread.
  __device__ int close_lines(int k) const {
    const int thread = Threads::thread();
    if (thread >= 2 * kSide) return -1;
    Four corner[kFour];
    const int found = close_corner(k, corner);
    if (thread < kSide) {
      close_line<true>(k, thread, corner);
    } else {
      close_line<false>(k, thread - kSide, corner);
    }
    if (thread == 0) buffers.found = found;
    return found;
  }

  __device__ void close() {
#pragma unroll 1
    for (int k = 0; k < p.side; k += kFour) {
      lay_out(k);
      Threads::sync();
      int found = close_lines(k);
      Threads::sync();
      if constexpr (Threads::kThreads > 2 * kSide) found = buffers.found;
      if (found >= 0) {
        if (Threads::thread() == 0) {
          atomicMin(p.found_pivot, static_cast<unsigned long long>(p.first_pivot + found));
        }
        break;
      }
      if constexpr (kVia) {
        if (row != k) relax(k);
        if (k < kHalfSide) {
          take_closed<0>(k);
        } else {
          take_closed<1>(k);
        }
      } else {
        relax(k);
      }
    }
    settle();
  }

  __device__ void run() {
    load();
    close();
    store();
  }
};

template <class R, bool kVia>
__global__ void __launch_bounds__(close_threads(kCloseSide))
    close_kernel(const __grid_constant__ CloseArguments p) {
  using C = Closing<R, kVia, kCloseSide>;
  __shared__ typename C::Buffers buffers;
  C(p, buffers).run();
}

}  // namespace apsp::kernels::cuda
