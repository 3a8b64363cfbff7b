// C ← C ⊕ A ⊗ B on a GPU over a user-defined semiring: a header for nvcc, and the kernel that NVRTC
// compiles for expressions chosen at run time. It has no includes, so that both accept it. Host
// compilers see only its sizes.
//
//   struct Safest {
//     using Value = float;
//     static __device__ float plus(float a, float b) { return a > b ? a : b; }
//     static __device__ float times(float a, float b) { return a * b; }
//   };
//   apsp::device::multiply_add<Safest>({m, n, k, c, n, a, k, b, n}, stream);
//
// Value is trivially copyable, of at most 16 bytes. No law is required: ⊕ takes the products of a
// pair in the order of the pivots, in pairs if the semiring has `plus(a, b, c)`, which pays if ⊕ of
// three values is one instruction (a minimum on Hopper).
//
// A block of threads keeps a block of C in registers, 8 × 8 values per thread for 4-byte values, as
// the library's own kernel (src/kernels/cuda/product.cuh). Operands are copied asynchronously into
// shared memory, a stage of pivots at a time, while earlier stages are used; A is transposed there.
// No memory is allocated for packing. Requires compute capability 8.0.
#pragma once

namespace apsp {
namespace device {

typedef long long Index;
typedef unsigned int Word;

/// Row-major; strides count values from one row to the next.
template <class T>
struct Product {
  Index m, n, k;
  T* c;  // [m, n]
  Index c_stride;
  const T* a;  // [m, k]
  Index a_stride;
  const T* b;  // [k, n]
  Index b_stride;
};

/// Sizes of blocks, threads and stages, by the bytes of a value.
template <int kBytes>
struct Shape {
  static constexpr int kRows = 64, kCols = kBytes <= 4 ? 128 : 64;  // of a block of C
  static constexpr int kThreadRows = kBytes <= 8 ? 8 : 4;
  static constexpr int kThreadCols = kBytes <= 4 ? 8 : 4;
  static constexpr int kThreadsDown = kRows / kThreadRows, kThreadsAcross = kCols / kThreadCols;
  static constexpr int kThreads = kThreadsDown * kThreadsAcross;
  static constexpr int kDepth = kBytes <= 4 ? 16 : 8;  // pivots of a stage
  static constexpr int kStages = kBytes <= 8 ? 3 : 2;
  // Blocks that should be resident on a multiprocessor at once.
  static constexpr int kBlocks = kBytes == 4 ? 4 : kBytes <= 8 ? 3 : 2;
  static constexpr int kGroup = 4;  // neighbouring values of a thread
  static constexpr int kPad = 4;    // padding of a pivot's rows of A against bank conflicts
};

#ifndef __CUDACC_RTC__
/// Blocks of threads of a product; each has `Shape::kThreads`.
template <class T>
constexpr Index blocks_of(const Product<T>& p) {
  using Sh = Shape<int{sizeof(T)}>;
  return (p.m + Sh::kRows - 1) / Sh::kRows * ((p.n + Sh::kCols - 1) / Sh::kCols);
}
#endif

#ifdef __CUDACC__

__device__ inline Word shared_address(const void* pointer) {
  return static_cast<Word>(__cvta_generic_to_shared(pointer));
}

/// to ← from, asynchronously if the copy engine supports values of this size.
template <int kBytes, class T>
__device__ inline void begin_copy(T* to, const T* from) {
  if constexpr (kBytes == 4 || kBytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(shared_address(to)), "l"(from),
                 "n"(kBytes));
  } else if constexpr (kBytes == 16 && alignof(T) == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(to)),
                 "l"(from));
  } else {
    *to = *from;
  }
}
__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;\n"); }
template <int kPending>
__device__ inline void await_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending));
}

/// 16 bytes that are copied by one instruction.
struct alignas(16) Quad {
  Word words[4];
};

/// ⊕ of three values, by the semiring's own operation if it has one.
template <class S, class T>
__device__ inline auto plus_of(T c, T first, T second, int) -> decltype(S::plus(c, first, second)) {
  return S::plus(c, first, second);
}
template <class S, class T>
__device__ inline T plus_of(T c, T first, T second, long) {
  return S::plus(S::plus(c, first), second);
}

template <class S>
struct Multiplier {
  using T = typename S::Value;
  using Sh = Shape<int{sizeof(T)}>;
  static constexpr int kLeftPitch = Sh::kRows + Sh::kPad;  // a pivot of A in shared memory
  static constexpr int kLeft = Sh::kDepth * kLeftPitch;
  static constexpr int kStage = kLeft + Sh::kDepth * Sh::kCols;  // values
  static constexpr bool kWide = sizeof(T) * Sh::kGroup % 16 == 0 && Sh::kPad * sizeof(T) % 16 == 0;

  const Product<T>& p;
  T* shared;
  Index first_row, first_col;  // of the block
  int row, col;                // of the thread's first value in the block

  /// Blocks that run at the same time share operands in the cache.
  __device__ Multiplier(const Product<T>& product, T* memory) : p(product), shared(memory) {
    constexpr Index kTall = 16;
    const Index down = (p.m + Sh::kRows - 1) / Sh::kRows,
                across = (p.n + Sh::kCols - 1) / Sh::kCols;
    const Index id = blockIdx.x, band = id / (kTall * across), within = id % (kTall * across);
    const Index height = down - band * kTall < kTall ? down - band * kTall : kTall;
    first_row = (band * kTall + within % height) * Sh::kRows;
    first_col = within / height * Sh::kCols;
    constexpr int kWarpAcross = Sh::kThreadsAcross < 8 ? Sh::kThreadsAcross : 8;
    constexpr int kWarpDown = 32 / kWarpAcross, kWarpsAcross = Sh::kThreadsAcross / kWarpAcross;
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    row = (warp / kWarpsAcross * kWarpDown + lane / kWarpAcross) * Sh::kGroup;
    col = (warp % kWarpsAcross * kWarpAcross + lane % kWarpAcross) * Sh::kGroup;
  }

  // The groups of a thread are one width of all its neighbours apart.
  static __device__ constexpr int row_of(int i) {
    return i / Sh::kGroup * (Sh::kThreadsDown * Sh::kGroup) + i % Sh::kGroup;
  }
  static __device__ constexpr int col_of(int j) {
    return j / Sh::kGroup * (Sh::kThreadsAcross * Sh::kGroup) + j % Sh::kGroup;
  }

  __device__ T* stage(Index step) const { return shared + step % Sh::kStages * kStage; }

  /// Starts the copies of a stage. Values beyond the edges of A and B are not set: they only reach
  /// values of C that do not exist, and pivots that are not used.
  __device__ void fill(Index step) const {
    const Index pivot = step * Sh::kDepth;
    if (pivot < p.k) {
      T* const left = stage(step);
      T* const right = left + kLeft;
      const bool inside =
          first_row + Sh::kRows <= p.m && first_col + Sh::kCols <= p.n && pivot + Sh::kDepth <= p.k;
      if (inside) {
        copy_left<true>(left, pivot);
        copy_right<true>(right, pivot);
      } else {
        copy_left<false>(left, pivot);
        copy_right<false>(right, pivot);
      }
    }
    commit_copies();
  }
  template <bool kInside>
  __device__ void copy_left(T* left, Index pivot) const {
    constexpr int kEach = Sh::kDepth * Sh::kRows / Sh::kThreads;
    static_assert(Sh::kThreads % Sh::kDepth == 0, "threads copy whole rows");
    const int k = static_cast<int>(threadIdx.x) % Sh::kDepth;
    const int top = static_cast<int>(threadIdx.x) / Sh::kDepth;
    const T* const from = p.a + (first_row + top) * p.a_stride + pivot + k;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int down = i * (Sh::kThreads / Sh::kDepth);
      if (!kInside && (first_row + top + down >= p.m || pivot + k >= p.k)) continue;
      begin_copy<int{sizeof(T)}>(left + k * kLeftPitch + top + down, from + down * p.a_stride);
    }
  }
  template <bool kInside>
  __device__ void copy_right(T* right, Index pivot) const {
    constexpr int kEach = Sh::kDepth * Sh::kCols / Sh::kThreads;
    static_assert(Sh::kThreads % Sh::kCols == 0, "threads copy whole columns");
    const int j = static_cast<int>(threadIdx.x) % Sh::kCols;
    const int top = static_cast<int>(threadIdx.x) / Sh::kCols;
    const T* const from = p.b + (pivot + top) * p.b_stride + first_col + j;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int k = i * (Sh::kThreads / Sh::kCols);
      if (!kInside && (first_col + j >= p.n || pivot + top + k >= p.k)) continue;
      begin_copy<int{sizeof(T)}>(right + (top + k) * Sh::kCols + j, from + k * p.b_stride);
    }
  }

  static __device__ void read(const T* from, T* to) {
    if constexpr (kWide) {
      constexpr int kQuads = int{sizeof(T)} * Sh::kGroup / 16;
#pragma unroll
      for (int q = 0; q < kQuads; ++q) {
        reinterpret_cast<Quad*>(to)[q] = reinterpret_cast<const Quad*>(from)[q];
      }
    } else {
#pragma unroll
      for (int v = 0; v < Sh::kGroup; ++v) to[v] = from[v];
    }
  }
  __device__ void read_pivot(const T* operands, int k, T* a, T* b) const {
#pragma unroll
    for (int i = 0; i < Sh::kThreadRows; i += Sh::kGroup) {
      read(operands + k * kLeftPitch + row + row_of(i), a + i);
    }
#pragma unroll
    for (int j = 0; j < Sh::kThreadCols; j += Sh::kGroup) {
      read(operands + kLeft + k * Sh::kCols + col + col_of(j), b + j);
    }
  }

  using Sums = T[Sh::kThreadRows][Sh::kThreadCols];

  /// Takes two pivots at a time for `plus` of three values.
  __device__ void relax_stage(const T* operands, Sums& sum) const {
#pragma unroll
    for (int k = 0; k < Sh::kDepth; k += 2) {
      alignas(16) T a[2][Sh::kThreadRows];
      alignas(16) T b[2][Sh::kThreadCols];
      read_pivot(operands, k, a[0], b[0]);
      read_pivot(operands, k + 1, a[1], b[1]);
#pragma unroll
      for (int i = 0; i < Sh::kThreadRows; ++i) {
#pragma unroll
        for (int j = 0; j < Sh::kThreadCols; ++j) {
          sum[i][j] =
              plus_of<S, T>(sum[i][j], S::times(a[0][i], b[0][j]), S::times(a[1][i], b[1][j]), 0);
        }
      }
    }
  }
  __device__ void relax_some(const T* operands, int pivots, Sums& sum) const {
#pragma unroll 1
    for (int k = 0; k < pivots; ++k) {
      alignas(16) T a[Sh::kThreadRows];
      alignas(16) T b[Sh::kThreadCols];
      read_pivot(operands, k, a, b);
#pragma unroll
      for (int i = 0; i < Sh::kThreadRows; ++i) {
#pragma unroll
        for (int j = 0; j < Sh::kThreadCols; ++j) {
          sum[i][j] = S::plus(sum[i][j], S::times(a[i], b[j]));
        }
      }
    }
  }

  template <class F>
  __device__ void for_each_value(F&& f) const {
#pragma unroll
    for (int i = 0; i < Sh::kThreadRows; ++i) {
      const Index r = first_row + row + row_of(i);
      if (r >= p.m) continue;
#pragma unroll
      for (int j = 0; j < Sh::kThreadCols; ++j) {
        const Index c = first_col + col + col_of(j);
        if (c < p.n) f(p.c + r * p.c_stride + c, i, j);
      }
    }
  }

  __device__ void run() const {
#pragma unroll
    for (int s = 0; s < Sh::kStages - 1; ++s) fill(s);
    Sums sum;
    for_each_value([&](const T* c, int i, int j) { sum[i][j] = *c; });
    const Index steps = p.k / Sh::kDepth;
    const int rest = static_cast<int>(p.k % Sh::kDepth);
    for (Index step = 0; step < steps; ++step) {
      await_copies<Sh::kStages - 2>();
      __syncthreads();
      fill(step + Sh::kStages - 1);
      relax_stage(stage(step), sum);
    }
    if (rest > 0) {
      await_copies<Sh::kStages - 2>();
      __syncthreads();
      relax_some(stage(steps), rest, sum);
    }
    for_each_value([&](T* c, int i, int j) { *c = sum[i][j]; });
  }
};

/// The work of one block of `Shape::kThreads` threads.
template <class S>
__device__ inline void multiply_add_block(const Product<typename S::Value>& product) {
  using M = Multiplier<S>;
  __shared__ alignas(16) unsigned char memory[M::Sh::kStages * M::kStage * sizeof(typename M::T)];
  M(product, reinterpret_cast<typename M::T*>(memory)).run();
}

#ifndef __CUDACC_RTC__
template <class S>
__global__ void __launch_bounds__(Shape<int{sizeof(typename S::Value)}>::kThreads,
                                  Shape<int{sizeof(typename S::Value)}>::kBlocks)
    multiply_add_kernel(const __grid_constant__ Product<typename S::Value> product) {
  multiply_add_block<S>(product);
}

/// Queues the product on a stream. Requires: C shares no value with A and B, the shapes match, and
/// C has fewer than 2^31 blocks. Returns the error of the launch.
template <class S>
cudaError_t multiply_add(const Product<typename S::Value>& product, cudaStream_t stream = nullptr) {
  if (product.m <= 0 || product.n <= 0 || product.k <= 0) return cudaSuccess;
  constexpr unsigned kThreads = Shape<int{sizeof(typename S::Value)}>::kThreads;
  multiply_add_kernel<S>
      <<<static_cast<unsigned>(blocks_of(product)), kThreads, 0, stream>>>(product);
  return cudaGetLastError();
}
#endif  // __CUDACC_RTC__
#endif  // __CUDACC__

}  // namespace device
}  // namespace apsp
