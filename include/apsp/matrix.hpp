// Floyd-Warshall and products in place on dense matrices of the caller, in host or GPU memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>

namespace apsp {

enum class Device { automatic, cpu, cuda };
std::string_view name(Device device);
std::optional<Device> parse_device(std::string_view text);

/// A dense row-major matrix of the caller.
template <class T>
struct MatrixView {
  T* data = nullptr;  // [rows, cols], row-major
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;  ///< values from one row to the next; 0: cols

  MatrixView(T* data_, std::int64_t rows_, std::int64_t cols_, std::int64_t stride_ = 0)
      : data(data_), rows(rows_), cols(cols_), stride(stride_ == 0 ? cols_ : stride_) {}
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride};
  }
};

struct FloydWarshallOptions {
  int threads = 0;        ///< 0: all
  std::int64_t tile = 0;  ///< 0: chosen
  Device device = Device::cpu;
  std::vector<int> device_ordinals{};  ///< as in `SolveOptions`
  std::int64_t device_memory = 0;      ///< bytes; 0: what is free
  Control control{};
};

namespace detail {
void floyd_warshall(Semiring semiring, ValueType type, void* data, std::int64_t n,
                    std::int64_t stride, const FloydWarshallOptions& options);
void floyd_warshall(const OwnKernels& kernels, void* data, std::int64_t n, std::int64_t stride,
                    const FloydWarshallOptions& options);
template <class T>
struct ValueTypeOf;
template <>
struct ValueTypeOf<float> : std::integral_constant<ValueType, ValueType::f32> {};
template <>
struct ValueTypeOf<double> : std::integral_constant<ValueType, ValueType::f64> {};
template <>
struct ValueTypeOf<std::int32_t> : std::integral_constant<ValueType, ValueType::i32> {};
template <>
struct ValueTypeOf<std::uint16_t> : std::integral_constant<ValueType, ValueType::u16> {};
template <>
struct ValueTypeOf<std::uint8_t> : std::integral_constant<ValueType, ValueType::boolean> {};
void require_square(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t stride);
}  // namespace detail

/// Blocked Floyd-Warshall in place (Sao 2021, Algorithm 2). Input: edge weights, or `no_path`;
/// the diagonal is combined with the empty path first. Output: distances. A symmetric matrix
/// without negative values takes half the work. Values are unspecified after an error during the
/// solve. Throws `Error`: usage (no data, not square, unsupported pair), negative_cycle (names a
/// vertex on one), does_not_fit, device, interrupted.
template <class SemiringTag, class T>
requires(!OwnSemiring<SemiringTag>) void floyd_warshall(MatrixView<T> matrix,
                                                        const FloydWarshallOptions& options = {}) {
  detail::require_square(matrix.data, matrix.rows, matrix.cols, matrix.stride);
  detail::floyd_warshall(SemiringTag::kind, detail::ValueTypeOf<T>::value, matrix.data, matrix.rows,
                         matrix.stride, options);
}

/// The same over a user-defined semiring, on the CPU; on entry `S::zero()` where there is no edge.
/// Symmetric matrices take the full work, because ⊗ may not be commutative. Exceptions of
/// operations end the call, with the matrix unspecified. Throws `Error`: usage (not square; a GPU
/// requested), negative_cycle (a vertex with a cycle that violates one ⊕ a = one), does_not_fit,
/// interrupted.
template <OwnSemiring S>
void floyd_warshall(MatrixView<typename S::Value> matrix,
                    const FloydWarshallOptions& options = {}) {
  detail::require_square(matrix.data, matrix.rows, matrix.cols, matrix.stride);
  detail::floyd_warshall(detail::own_kernels<S>(), matrix.data, matrix.rows, matrix.stride,
                         options);
}

/// Square matrices of one side at equal distances: many small graphs.
template <class T>
struct BatchView {
  T* data = nullptr;  // [count, n, n], each row-major
  std::int64_t count = 0;
  std::int64_t n = 0;
  std::int64_t stride = 0;         ///< values from one row to the next; 0: n
  std::int64_t matrix_stride = 0;  ///< values from one matrix to the next; 0: n · stride
};

struct BatchOptions {
  int threads = 0;  ///< 0: all
  /// One matrix [n, n] for each graph, which receives `Result::via` of every pair: an intermediate
  /// vertex of a best path; −1 for an edge, for s = t and without a path. Empty: not computed.
  std::span<const MatrixView<std::int32_t>> via{};
  Control control{};
};

namespace detail {
/// A matrix [n, n] of a batch.
struct BatchItem {
  void* data = nullptr;
  std::int64_t n = 0;
  std::int64_t stride = 0;
};
void solve_batch(Semiring semiring, ValueType type, std::span<const BatchItem> graphs,
                 const BatchOptions& options);
}  // namespace detail

/// Solves many small matrices in place on the CPU; sides may differ, and matrices share no value.
/// Every matrix gets the bits that `floyd_warshall` with the same number of threads computes. Each
/// is solved by one thread, in its caches; fewer matrices than threads are solved one by one, each
/// by all threads. Progress counts graphs. Throws `Error` as `floyd_warshall`; the message begins
/// with the number of the first failing graph, from 0. After an error all values are unspecified.
template <class SemiringTag, class T>
requires(!OwnSemiring<SemiringTag>) void solve_batch(std::span<const MatrixView<T>> matrices,
                                                     const BatchOptions& options = {}) {
  std::vector<detail::BatchItem> graphs;
  graphs.reserve(matrices.size());
  for (const MatrixView<T>& matrix : matrices) {
    detail::require_square(matrix.data, matrix.rows, matrix.cols, matrix.stride);
    graphs.push_back({matrix.data, matrix.rows, matrix.stride});
  }
  detail::solve_batch(SemiringTag::kind, detail::ValueTypeOf<T>::value, graphs, options);
}

/// The same for matrices at equal distances.
template <class SemiringTag, class T>
requires(!OwnSemiring<SemiringTag>) void solve_batch(const BatchView<T>& batch,
                                                     const BatchOptions& options = {}) {
  const std::int64_t stride = batch.stride == 0 ? batch.n : batch.stride;
  const std::int64_t step = batch.matrix_stride == 0 ? batch.n * stride : batch.matrix_stride;
  std::vector<MatrixView<T>> matrices;
  for (std::int64_t i = 0; i < batch.count; ++i) {
    matrices.emplace_back(batch.data + i * step, batch.n, batch.n, stride);
  }
  solve_batch<SemiringTag, T>(std::span<const MatrixView<T>>(matrices), options);
}

/// A dense row-major matrix in the memory of a GPU.
struct DeviceMatrix {
  void* data = nullptr;  // [n, n] of `type`, row-major
  std::int64_t n = 0;
  std::int64_t stride = 0;  ///< values from one row to the next; 0: n
  ValueType type = ValueType::f32;
  int ordinal = 0;            ///< cuda:ordinal
  std::uintptr_t stream = 0;  ///< a cudaStream_t of that GPU; 0: its default stream
};

/// Solves a matrix in place in GPU memory, in the order of its stream. Returns when it is solved;
/// no other stream waits. Rows that are not aligned to 16 bytes cost one percent of the time. Reals
/// of both signs and reachability (`boolean`) are solved on the host. `device` and
/// `device_ordinals` have no effect. Throws `Error` as above, usage if the matrix is not on that
/// GPU, device if this build or machine has none.
void floyd_warshall_on_device(Semiring semiring, const DeviceMatrix& matrix,
                              const FloydWarshallOptions& options = {});

/// Square matrices of one side in the memory of a GPU, at equal distances.
struct DeviceBatch {
  void* data = nullptr;  // [count, n, n] of `type`, each row-major
  std::int64_t count = 0;
  std::int64_t n = 0;
  std::int64_t stride = 0;         ///< values from one row to the next; 0: n
  std::int64_t matrix_stride = 0;  ///< values from one matrix to the next; 0: n · stride
  ValueType type = ValueType::f32;
  std::int32_t* via = nullptr;  ///< [count, n, n] on that GPU, as `BatchOptions::via`; null: none
  int ordinal = 0;              ///< cuda:ordinal
  std::uintptr_t stream = 0;    ///< a cudaStream_t of that GPU; 0: its default stream
};

/// Solves many small matrices in place in GPU memory, in the order of the stream, and returns when
/// they are solved. Matrices of up to 512 vertices (192 before compute capability 9.0, 128 with
/// via) take one launch, and get the bits of Floyd-Warshall with pivots in order; larger ones are
/// solved one by one. So are, on the host, matrices of reals of both signs, and those that are
/// refused. `options.via` must be empty. Throws `Error` as `solve_batch`, usage if memory is not on
/// that GPU, device if this build or machine has none.
void solve_batch_on_device(Semiring semiring, const DeviceBatch& batch,
                           const BatchOptions& options = {});

struct MultiplyAddOptions {
  int threads = 0;                     ///< 0: all
  Device device = Device::cpu;         ///< for matrices in host memory; automatic: the CPU
  std::vector<int> device_ordinals{};  ///< the first is used; empty: cuda:0
  std::int64_t device_memory = 0;      ///< bytes in addition to matrices on a GPU; 0: what is free
  Control control{};
};

/// A matrix of a product. `multiply_add` writes only to C.
struct Operand {
  const void* data = nullptr;  // [rows, cols], row-major
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;  ///< values from one row to the next; 0: cols
};

struct Operands {
  Operand c, a, b;  // [m, n], [m, k], [k, n]
};

namespace detail {
template <class T>
Operand operand(const MatrixView<T>& matrix) {
  return {matrix.data, matrix.rows, matrix.cols, matrix.stride};
}
void multiply_add(Semiring semiring, ValueType type, const Operands& operands,
                  const MultiplyAddOptions& options);
void multiply_add(const OwnKernels& kernels, const Operands& operands,
                  const MultiplyAddOptions& options);
}  // namespace detail

/// C ← C ⊕ A ⊗ B: C(i,j) becomes C(i,j) ⊕ A(i,0) ⊗ B(0,j) ⊕ … ⊕ A(i,k−1) ⊗ B(k−1,j). C is [m, n], A
/// is [m, k], B is [k, n], all of one type. A and B may be the same matrix; C must not share a
/// value with them.
///
/// A sum that reaches "no path" of an integer type is "no path". A and B are checked first: no NaN,
/// nothing beyond "no path", no −∞ for min-plus or +∞ for max-plus, only 0 and 1 for or-and. C must
/// satisfy the same, unchecked.
///
/// Packing and loops: Goto and van de Geijn 2008, §4; the product of Sao 2021, Algorithm 2, line
/// 11.
///
/// Throws `Error`: usage (shapes, strides, no data, overlap, an unsupported pair, an invalid value
/// of A or B with its place), does_not_fit, device, interrupted. C may be partly changed after the
/// last three.
template <class SemiringTag, class T>
requires(!OwnSemiring<SemiringTag>) void multiply_add(MatrixView<T> c,
                                                      MatrixView<const std::type_identity_t<T>> a,
                                                      MatrixView<const std::type_identity_t<T>> b,
                                                      const MultiplyAddOptions& options = {}) {
  detail::multiply_add(SemiringTag::kind, detail::ValueTypeOf<T>::value,
                       {detail::operand(c), detail::operand(a), detail::operand(b)}, options);
}

/// The same over a user-defined semiring, on the CPU. Only requires that zero is neutral for ⊕ and
/// absorbs in ⊗. Exceptions of operations end the call.
template <OwnSemiring S>
void multiply_add(MatrixView<typename S::Value> c, MatrixView<const typename S::Value> a,
                  MatrixView<const typename S::Value> b, const MultiplyAddOptions& options = {}) {
  detail::multiply_add(detail::own_kernels<S>(),
                       {detail::operand(c), detail::operand(a), detail::operand(b)}, options);
}

/// The matrices of a product in GPU memory.
struct DeviceOperands {
  Operands operands;  // of `type`
  ValueType type = ValueType::f32;
  int ordinal = 0;            ///< cuda:ordinal
  std::uintptr_t stream = 0;  ///< a cudaStream_t of that GPU; 0: its default stream
};

/// Multiplies matrices in GPU memory, in the order of the stream. Returns when C is complete; the
/// current GPU of the calling thread does not change. The GPU keeps memory for packed operands for
/// the next call, up to 512 MiB for each semiring, type and sign. Signed sums of int32 must stay
/// below 2^28 in magnitude. Reachability (`boolean`) is computed on the host. Throws `Error` as
/// above, usage if a matrix is not on that GPU, does_not_fit if int32 sums may be too large.
void multiply_add_on_device(Semiring semiring, const DeviceOperands& operands,
                            const MultiplyAddOptions& options = {});

/// ⊕ and ⊗ by name, for all types that have them. `plus`: "min", "max", "+", "or". `times`: "+",
/// "-", "*", "min", "max", "and". "or" and "and" are bitwise, for integers and `boolean`. ⊕ is
/// applied to the products in any order.
struct SemiringExpressions {
  std::string_view plus = "min";
  std::string_view times = "+";
};

/// C ← C ⊕ A ⊗ B over ⊕ and ⊗ by name, as `multiply_add_on_device`. NVRTC compiles the kernel at
/// the first call for a pair and type, in about a second; the process keeps it. Values are not
/// checked, and integers wrap. `apsp/device_product.cuh` for nvcc takes any struct as the
/// semiring. Throws `Error`: usage (shapes, strides, overlap; an unknown name, or one that the type
/// lacks; a matrix is not on that GPU), device (no GPU; no NVRTC, with the libraries tried).
void multiply_add_on_device(const SemiringExpressions& semiring, const DeviceOperands& operands,
                            const MultiplyAddOptions& options = {});

}  // namespace apsp
