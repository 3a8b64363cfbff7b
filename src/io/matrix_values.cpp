#include "io/matrix_values.hpp"

#include <algorithm>
#include <apsp/matrix.hpp>
#include <cstring>
#include <limits>

#include "base/fail.hpp"
#include "io/npy_values.hpp"
#include "io/number.hpp"

namespace apsp::io {
namespace {

template <class T>
using HeldAs = std::conditional_t<
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint16_t>, T,
    std::conditional_t<sizeof(T) <= 2 || std::is_same_v<T, float>, float, double>>;

/// Converts `count` values. Returns the number before the first inexact one.
template <class From>
std::int64_t convert_values(const char* from, bool swapped, std::int64_t count, char* to) {
  using To = HeldAs<From>;
  for (std::int64_t i = 0; i < count; ++i) {
    const From value = npy_value<From>(from + i * std::int64_t{sizeof(From)}, swapped);
    if (!exact_in_f8(value)) return i;
    const To weight = static_cast<To>(weight_of(value));
    std::memcpy(to + i * std::int64_t{sizeof(To)}, &weight, sizeof(To));
  }
  return count;
}

[[noreturn]] void refuse_entry(const MatrixInFile& matrix, std::int64_t place,
                               const std::string& name) {
  const std::int64_t line = place / matrix.n, at = place % matrix.n;
  base::fail_input(name,
                   "the entry [{}, {}] (row, column; counted from 0) {}; if it means no edge, "
                   "save infinity there, in a matrix of f8",
                   matrix.by_columns ? at : line, matrix.by_columns ? line : at,
                   describe(NumberFault::inexact_integer));
}

constexpr std::int64_t kColumns =
    64;  // unpacked at a time: a run in every column fills cache lines

WeightMatrix matrix_of(const HeldBytes& held, std::int64_t n) {
  WeightMatrix matrix;
  matrix.type = ValueType::f64;
  matrix.n = n;
  matrix.data = held.bytes.data();
  keep_bytes(held, matrix);
  return matrix;
}

/// Unpacks columns [first, first + columns) from the packed lower triangle. `out`: [columns, n].
void unpack_columns(const double* packed, std::int64_t n, std::int64_t first, std::int64_t columns,
                    double* out) {
  const auto column = [&](std::int64_t c) { return packed + c * n - c * (c - 1) / 2 - c; };
  for (std::int64_t r = 0; r < first + columns; ++r) {  // row r of these columns is column r
    for (std::int64_t c = std::max(first, r + 1); c < first + columns; ++c) {
      out[(c - first) * n + r] = column(r)[c];
    }
  }
  for (std::int64_t c = first; c < first + columns; ++c) {
    std::copy(column(c) + c, column(c) + n, out + (c - first) * n + c);
  }
}

}  // namespace

bool held_as_they_are(const MatrixInFile& matrix) {
  return !matrix.header.swapped && with_npy_type(matrix.header, "", [](auto value) {
    return std::is_same_v<decltype(value), HeldAs<decltype(value)>>;
  });
}

MatrixInFile locate_matrix(std::span<const char> bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  if (header.shape.size() != 2 || header.shape[0] != header.shape[1]) {
    base::fail_input(name, "an array of shape ({}) is not a graph: a graph is a square matrix",
                     fmt::join(header.shape, ", "));
  }
  MatrixInFile matrix;
  matrix.type = with_npy_type(header, name, [](auto value) -> ValueType {
    return detail::ValueTypeOf<HeldAs<decltype(value)>>::value;
  });
  const auto item = static_cast<std::uint64_t>(header.item_size);
  const auto n = static_cast<std::uint64_t>(header.shape[0]);
  const std::uint64_t present = bytes.size() - header.data_offset;
  const bool fits = n == 0 || n <= present / item / n;
  if (!fits || n * n * item != present) {
    base::fail_input(name, "{} bytes of values do not make a {} by {} matrix of {}-byte values",
                     present, n, n, item);
  }
  matrix.n = header.shape[0];
  matrix.by_columns = header.fortran_order;
  matrix.data = bytes.data() + header.data_offset;
  matrix.header = header;
  return matrix;
}

MatrixInFile converted(const MatrixInFile& matrix, const std::string& name,
                       ReadProgress& progress) {
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 18;
  const auto convert = with_npy_type(matrix.header, name,
                                     [](auto value) { return &convert_values<decltype(value)>; });
  const std::int64_t item = matrix.header.item_size;
  const std::int64_t count = matrix.n * matrix.n, size = size_of(matrix.type);
  const char* const values = static_cast<const char*>(matrix.data);
  StreamedBytes stream;
  for (std::int64_t first = 0; first < count; first += kAtOnce) {
    const std::int64_t some = std::min(kAtOnce, count - first);
    const auto bytes = static_cast<std::size_t>(some * size);
    const std::int64_t exact =
        convert(values + first * item, matrix.header.swapped, some, stream.spare(bytes).data());
    if (exact < some) refuse_entry(matrix, first + exact, name);
    stream.added(bytes);
    progress.reached(matrix.header.data_offset + static_cast<std::size_t>((first + some) * item));
  }
  const HeldBytes held = stream.finish();
  MatrixInFile result = matrix;
  result.data = held.bytes.data();
  keep_bytes(held, result);
  return result;
}

void ArrayValues::flush() {
  stream_.append({reinterpret_cast<const char*>(block_.data()), block_.size() * sizeof(double)});
  block_.clear();
}

WeightMatrix ArrayValues::general(std::int64_t n) {
  flush();
  WeightMatrix matrix = matrix_of(stream_.finish(), n);
  matrix.by_columns = true;
  return matrix;
}

WeightMatrix ArrayValues::symmetric(std::int64_t n) {
  flush();
  const HeldBytes packed = stream_.finish();
  StreamedBytes whole;
  const auto band = static_cast<std::size_t>(std::min(kColumns, n) * n) * sizeof(double);
  for (std::int64_t first = 0; first < n; first += kColumns) {
    const std::int64_t columns = std::min(kColumns, n - first);
    unpack_columns(reinterpret_cast<const double*>(packed.bytes.data()), n, first, columns,
                   reinterpret_cast<double*>(whole.spare(band).data()));
    whole.added(static_cast<std::size_t>(columns * n) * sizeof(double));
  }
  return matrix_of(whole.finish(), n);
}

}  // namespace apsp::io
