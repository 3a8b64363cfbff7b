// Typed access to the values of an .npy file.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "base/fail.hpp"
#include "io/npy_header.hpp"

namespace apsp::io {

struct NpyBoolean {
  std::uint8_t bits;
};
struct NpyHalf {
  std::uint16_t bits;
};

/// True is an edge of weight 1, False is none.
inline float weight_of(NpyBoolean value) {
  return value.bits != 0 ? 1.0f : std::numeric_limits<float>::infinity();
}
/// Exact, also for subnormal numbers: a multiplication changes the exponent's bias.
inline float weight_of(NpyHalf value) {
  constexpr std::uint32_t kSpecial = 0x7C00, kInfinity = 0x7F800000;
  const std::uint32_t magnitude = std::uint32_t{value.bits & 0x7FFFu} << 13;
  const bool special = (value.bits & kSpecial) == kSpecial;
  const float number = special ? std::bit_cast<float>(magnitude | kInfinity)
                               : std::bit_cast<float>(magnitude) * 0x1p112f;
  return value.bits >> 15 != 0 ? -number : number;
}
template <class T>
requires std::is_arithmetic_v<T> T weight_of(T value) { return value; }

/// Whether the value is not an integer beyond 2^53.
template <class T>
bool exact_in_f8(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr T kMost = T{1} << 53;
    return value <= kMost && (std::is_unsigned_v<T> || value >= T{0} - kMost);
  }
  return true;
}

/// Reads a value, which may be unaligned. `swapped`: in foreign byte order.
template <class T>
T npy_value(const char* at, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value{};
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

inline std::string type_name(const NpyHeader& header) {
  return fmt::format("{}{}", header.kind, header.item_size);
}

/// Calls visit(T{}) with the type of the values. Throws `Error` (input) for unsupported types.
template <class Visit>
auto with_npy_type(const NpyHeader& header, const std::string& name, const Visit& visit) {
  const auto of_size = [&]<class One, class Two, class Four, class Eight>(One, Two, Four, Eight) {
    switch (header.item_size) {
      case 1:
        return visit(One{});
      case 2:
        return visit(Two{});
      case 4:
        return visit(Four{});
      default:
        return visit(Eight{});
    }
  };
  using namespace std;
  const int size = header.item_size;
  if (header.kind == 'b' && size == 1) return visit(NpyBoolean{});
  if (has_single_bit(static_cast<unsigned>(size)) && size <= 8) {
    if (header.kind == 'i') return of_size(int8_t{}, int16_t{}, int32_t{}, int64_t{});
    if (header.kind == 'u') return of_size(uint8_t{}, uint16_t{}, uint32_t{}, uint64_t{});
    if (header.kind == 'f' && size > 1) return of_size(NpyHalf{}, NpyHalf{}, float{}, double{});
  }
  base::fail_input(name, "values of type {} are not read; booleans, integers, f2, f4 and f8 are",
                   type_name(header));
}

}  // namespace apsp::io
