// Headers of NumPy .npy files (NumPy Enhancement Proposal 1): magic "\x93NUMPY", version, length,
// then a Python dictionary with descr, fortran_order and shape, padded to a multiple of 64 bytes.
// Reads versions 1.0 to 3.0 and writes 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace apsp::io
