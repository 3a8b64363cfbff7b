// Values of an .npy file one by one.
#pragma once

#include <algorithm>
#include <cstring>

namespace apsp::io {

/// The value at `at`, which need not be aligned. `swapped`: of the other byte order.
template <class T>
T npy_value(const char* at, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value{};
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace apsp::io
