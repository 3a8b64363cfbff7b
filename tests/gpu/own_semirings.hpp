// Semirings of one's own for GPUs, the same on the host: values of each size that kernels tell
// apart (apsp/device_product.cuh).
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define APSP_EVERYWHERE __host__ __device__
#else
#define APSP_EVERYWHERE
#endif

namespace apsp {

template <class T>
struct OwnMinPlus {
  using Value = T;
  static APSP_EVERYWHERE T plus(T a, T b) { return a < b ? a : b; }
  static APSP_EVERYWHERE T times(T a, T b) { return static_cast<T>(a + b); }
};

/// ⊕ of three values is an operation of its own.
struct OwnLeast {
  using Value = std::int32_t;
  static APSP_EVERYWHERE Value plus(Value a, Value b) { return a < b ? a : b; }
  static APSP_EVERYWHERE Value plus(Value a, Value b, Value c) { return plus(plus(a, b), c); }
  static APSP_EVERYWHERE Value times(Value a, Value b) { return a > b ? a : b; }
};

/// 3 values: 12 bytes. The label is that of the first operand.
struct OwnLabelled {
  struct Value {
    std::int32_t length = 0, width = 0, label = 0;
    bool operator==(const Value&) const = default;
  };
  static APSP_EVERYWHERE Value plus(Value a, Value b) { return b.length < a.length ? b : a; }
  static APSP_EVERYWHERE Value times(Value a, Value b) {
    return {a.length + b.length, a.width < b.width ? a.width : b.width, a.label};
  }
};

/// 16 bytes.
struct OwnPair {
  struct alignas(16) Value {
    double length = 0, label = 0;
    bool operator==(const Value&) const = default;
  };
  static APSP_EVERYWHERE Value plus(Value a, Value b) { return b.length < a.length ? b : a; }
  static APSP_EVERYWHERE Value times(Value a, Value b) { return {a.length + b.length, a.label}; }
};

/// Sizes and addresses of C [m, n], A [m, k] and B [k, n]; rows lie `beside` values further apart.
template <class T>
struct OwnOperands {
  std::int64_t m, n, k, beside;
  T* c;
  const T* a;
  const T* b;
};

/// C ← C ⊕ A ⊗ B on the GPU, for the semirings above. Returns what CUDA says, 0: no error.
template <class S>
int multiply_on_gpu(const OwnOperands<typename S::Value>& operands);

/// Memory that the host and the GPU see.
void* managed_memory(std::size_t bytes);
void release_managed(void* memory);

}  // namespace apsp
