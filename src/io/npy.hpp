// NumPy .npy files (NumPy Enhancement Proposal 1): magic "\x93NUMPY", version, length, then a
// Python dictionary with descr, fortran_order and shape, padded to a multiple of 64 bytes, then
// values. Reads versions 1.0 to 3.0 and writes 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fail.hpp"
#include "io/held_bytes.hpp"

namespace apsp::io {

struct NpyHeader {
  char kind = 'f';  ///< 'f', 'i', 'u', 'b', … as in NumPy's descr
  int item_size = 0;
  bool swapped = false;  ///< big-endian, where a value has several bytes
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;
};

inline constexpr std::size_t kNpyHeaderBytes = 65536;

bool has_npy_magic(std::span<const char> bytes);

/// Throws `Error` (input) that begins with `name` unless `first_bytes` contain the header of a
/// plain array.
NpyHeader parse_npy_header(std::span<const char> first_bytes, const std::string& name);

/// The header of a C-order array of `descr` ("<f4") and `shape` ("(3, 4)"), padded to a multiple of
/// 64 bytes.
std::string format_npy_header(std::string_view descr, std::string_view shape);
std::string format_npy_header(std::string_view descr, std::int64_t rows, std::int64_t cols);

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

/// Throws `Error` (input) unless `bytes` are the header and exactly the values of its array.
void require_values(const NpyHeader& header, std::span<const char> bytes, const std::string& name);

/// An array of an .npy. Positions of values are those in the file.
class NpyArray {
 public:
  /// Throws `Error` (input) that begins with `name` for a damaged header, and as `require_values`.
  NpyArray(HeldBytes held, std::string name);

  const NpyHeader& header() const { return header_; }
  const std::string& name() const { return name_; }
  std::span<const char> values() const { return held_.bytes.subspan(header_.data_offset); }
  std::int64_t size() const;
  /// "(3, 4)", for a message.
  std::string shape() const;

  /// Calls visit(value) with the value's type; truth values are 0 or 1.
  template <class Visit>
  auto with_value(std::int64_t i, const Visit& visit) const {
    return with_npy_type(header_, name_, [&]<class T>(T) {
      const char* const at = values().data() + i * std::int64_t{sizeof(T)};
      const T value = npy_value<T>(at, header_.swapped);
      if constexpr (std::is_same_v<T, NpyBoolean>) {
        return visit(value.bits);
      } else {
        return visit(value);
      }
    });
  }
  /// Throws `Error` (input) unless the value is an integer.
  std::int64_t index(std::int64_t i) const;
  /// Throws `Error` (input) for NaN and for an integer that no double holds exactly.
  double number(std::int64_t i) const;

 private:
  HeldBytes held_;
  std::string name_;
  NpyHeader header_;
};

}  // namespace apsp::io
