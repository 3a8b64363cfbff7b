// Floyd-Warshall and products on dense matrices of the caller, where they lie: on the host or on a
// GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>

namespace apsp {

enum class Device { automatic, cpu, cuda };
std::string_view name(Device device);
std::optional<Device> parse_device(std::string_view text);

/// A dense row-major matrix that the caller owns. `stride`: values from one row to the next.
template <class T>
struct MatrixView {
  T* data = nullptr;  // [rows, cols], row-major
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;  ///< 0: cols

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

/// Blocked Floyd-Warshall in place (Sao 2021, Algorithm 2). On entry: edge weights, `no_path`
/// where there is none; the diagonal is improved to the empty path first. On exit: distances. A
/// symmetric matrix without negative values is recognised and takes half the work.
/// Throws `Error`: usage (no data, not square, unsupported pair), negative_cycle (names a vertex on
/// one),
/// does_not_fit, device, interrupted. What ends a solve that has begun leaves values unspecified.
template <class SemiringTag, class T>
requires(!OwnSemiring<SemiringTag>) void floyd_warshall(MatrixView<T> matrix,
                                                        const FloydWarshallOptions& options = {}) {
  detail::require_square(matrix.data, matrix.rows, matrix.cols, matrix.stride);
  detail::floyd_warshall(SemiringTag::kind, detail::ValueTypeOf<T>::value, matrix.data, matrix.rows,
                         matrix.stride, options);
}

/// The same over a semiring of one's own, on the CPU: on entry `S::zero()` where there is no edge.
/// Symmetric matrices take the whole work, as ⊗ may depend on the order. What an operation throws
/// ends the call, on any number of threads; the matrix is then unspecified. Throws `Error`: usage
/// (not square; a GPU was asked for), negative_cycle (a vertex whose cycle breaks one ⊕ a = one),
/// does_not_fit, interrupted.
template <OwnSemiring S>
void floyd_warshall(MatrixView<typename S::Value> matrix,
                    const FloydWarshallOptions& options = {}) {
  detail::require_square(matrix.data, matrix.rows, matrix.cols, matrix.stride);
  detail::floyd_warshall(detail::own_kernels<S>(), matrix.data, matrix.rows, matrix.stride,
                         options);
}

/// A dense row-major matrix in the memory of a GPU.
struct DeviceMatrix {
  void* data = nullptr;  // [n, n] of `type`, row-major, on the device
  std::int64_t n = 0;
  std::int64_t stride = 0;  ///< values from one row to the next; 0: n
  ValueType type = ValueType::f32;
  int ordinal = 0;            ///< cuda:ordinal
  std::uintptr_t stream = 0;  ///< a cudaStream_t of that GPU; 0: its default stream
};

/// The same on a matrix that lies on a GPU, where it lies, behind what its stream has to do by now;
/// what is given to the stream later comes after the solve. Returns when it is solved; no other
/// stream waits. Rows that do not begin on 16 bytes cost a percent of the time. Reals of both
/// signs and reachability (`boolean`) are copied to the host, solved there and copied back. Of the
/// options, `device` and `device_ordinals` have no effect. Throws `Error` as above, and usage where
/// the matrix does not lie on that GPU, device where this build or machine has none.
void floyd_warshall_on_device(Semiring semiring, const DeviceMatrix& matrix,
                              const FloydWarshallOptions& options = {});

struct MultiplyAddOptions {
  int threads = 0;                     ///< 0: all
  Device device = Device::cpu;         ///< of matrices of the host; automatic: the CPU
  std::vector<int> device_ordinals{};  ///< the first is taken; none: cuda:0
  std::int64_t device_memory = 0;      ///< bytes beside matrices that lie on a GPU; 0: what is free
  Control control{};
};

/// One matrix of a product, by its address. `multiply_add` writes only to C.
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

/// C ← C ⊕ A ⊗ B: C(i,j) becomes C(i,j) ⊕ A(i,0) ⊗ B(0,j) ⊕ … ⊕ A(i,k−1) ⊗ B(k−1,j). C is [m, n],
/// A is [m, k], B is [k, n], all of one type. A and B may be the same matrix. C must not overlap
/// them; windows of one matrix that share no value do not overlap.
/// A sum that reaches "no path" of an integer type is "no path". Values of A and B are looked at
/// first, and C must hold no NaN and nothing beyond "no path". A value of min-plus must not be −∞,
/// and one of max-plus not +∞. Values of or-and are 0 and 1.
/// Packed operands and loops: Goto, van de Geijn: Anatomy of high-performance matrix
/// multiplication (2008), §4; the product of Sao 2021, Algorithm 2, line 11.
/// Throws `Error`: usage (shapes, strides, no data, overlap, an unsupported pair, a NaN or a value
/// beyond "no path" in A or B, with its place), does_not_fit, device, interrupted. Only the last
/// three leave C changed in part.
template <class SemiringTag, class T>
requires(!OwnSemiring<SemiringTag>) void multiply_add(MatrixView<T> c,
                                                      MatrixView<const std::type_identity_t<T>> a,
                                                      MatrixView<const std::type_identity_t<T>> b,
                                                      const MultiplyAddOptions& options = {}) {
  detail::multiply_add(SemiringTag::kind, detail::ValueTypeOf<T>::value,
                       {detail::operand(c), detail::operand(a), detail::operand(b)}, options);
}

/// The same over a semiring of one's own, on the CPU. ⊕ need not be idempotent here: zero is
/// neutral for ⊕ and absorbs in ⊗, and no other law is asked for. What an operation throws ends the
/// call.
template <OwnSemiring S>
void multiply_add(MatrixView<typename S::Value> c, MatrixView<const typename S::Value> a,
                  MatrixView<const typename S::Value> b, const MultiplyAddOptions& options = {}) {
  detail::multiply_add(detail::own_kernels<S>(),
                       {detail::operand(c), detail::operand(a), detail::operand(b)}, options);
}

/// The matrices of a product in the memory of a GPU.
struct DeviceOperands {
  Operands operands;  // of `type`, on the device
  ValueType type = ValueType::f32;
  int ordinal = 0;            ///< cuda:ordinal
  std::uintptr_t stream = 0;  ///< a cudaStream_t of that GPU; 0: its default stream
};

/// The same on matrices that lie on a GPU, where they lie, behind what the stream has to do by now.
/// Returns when C is complete, and leaves the GPU that the calling thread has in use. The GPU of
/// the matrices keeps the memory of packed operands for the next call, up to 512 MiB for each
/// semiring, type and sign. Signed sums of int32 must stay below 2^28 in magnitude. Reachability
/// (`boolean`) goes through the host. Throws `Error` as above, and usage where a matrix does not
/// lie on that GPU, does_not_fit where int32 sums may be too large.
void multiply_add_on_device(Semiring semiring, const DeviceOperands& operands,
                            const MultiplyAddOptions& options = {});

/// ⊕ and ⊗ by name, for values of any type that has them. `plus`: "min", "max", "+", "or".
/// `times`: "+", "-", "*", "min", "max", "and". "or" and "and" are of bits, for integers and
/// `boolean`. No law is asked for: ⊕ takes the products in any order.
struct SemiringExpressions {
  std::string_view plus = "min";
  std::string_view times = "+";
};

/// C ← C ⊕ A ⊗ B over ⊕ and ⊗ by name, as `multiply_add_on_device`. The kernel is compiled by NVRTC
/// at the first call of a pair and type, in about a second, and kept by the process. Values are not
/// looked at, and integers wrap. In C++ for nvcc, `apsp/device_product.cuh` takes any struct.
/// Throws `Error`: usage (shapes, strides, overlap; an unknown name, or one that the type does not
/// have; a matrix is not on that GPU), device (no GPU; no NVRTC, with the libraries looked for).
void multiply_add_on_device(const SemiringExpressions& semiring, const DeviceOperands& operands,
                            const MultiplyAddOptions& options = {});

}  // namespace apsp
