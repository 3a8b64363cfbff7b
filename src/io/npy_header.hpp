// The header of a NumPy .npy file, read and written.
//
// Magic "\x93NUMPY", version, length, then a Python dictionary with descr, fortran_order and shape,
// padded so that the data begin on a multiple of 64 bytes. Versions 1.0 to 3.0 are read, 1.0 is
// written. Source: NumPy Enhancement Proposal 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::io {

struct NpyHeader {
  char kind = 'f';       ///< 'f', 'i', 'u', 'b', … as in NumPy's descr
  int item_size = 0;     ///< bytes of one value
  bool swapped = false;  ///< big-endian, where a value has several bytes
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;  ///< bytes before the first value
};

/// As many first bytes of a file as surely hold a header that `parse_npy_header` accepts.
inline constexpr std::size_t kNpyHeaderBytes = 65536;

/// Whether the bytes begin like an .npy file.
bool has_npy_magic(std::span<const char> bytes);

/// Throws `Error` (input), naming `name`, for anything but the header of one plain array that lies
/// wholly within `first_bytes`.
NpyHeader parse_npy_header(std::span<const char> first_bytes, const std::string& name);

/// The header of a C-order array of `descr` ("<f4") and `shape` ("(3, 4)"), padded to a multiple of
/// 64 bytes.
std::string format_npy_header(std::string_view descr, std::string_view shape);
/// The same of a matrix.
std::string format_npy_header(std::string_view descr, std::int64_t rows, std::int64_t cols);

}  // namespace apsp::io
