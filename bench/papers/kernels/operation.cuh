// A step of Floyd-Warshall on two values. float and int32: lengths of paths. uint8: 1
// where there is a path.
#pragma once

#include <cstdint>

namespace apsp::baselines {

template <class T>
struct Operation {
  /// The path that consists of both.
  static __device__ T joined(T a, T b) { return a + b; }
  static __device__ bool better(T a, T b) { return a < b; }
};

template <>
struct Operation<std::uint8_t> {
  static __device__ std::uint8_t joined(std::uint8_t a, std::uint8_t b) { return a & b; }
  static __device__ bool better(std::uint8_t a, std::uint8_t b) { return a > b; }
};

template <class T>
__device__ void relax(T& value, T a, T b) {
  const T through = Operation<T>::joined(a, b);
  if (Operation<T>::better(through, value)) value = through;
}

}  // namespace apsp::baselines
