// Floyd-Warshall on dense matrices of the caller, where they lie: on the host or on a GPU.
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

}  // namespace apsp
