#include "io/matrix_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/fail.hpp"
#include "io/number.hpp"

namespace apsp::io {
namespace {

struct Boolean {
  std::uint8_t bits;
};
struct HalfFloat {
  std::uint16_t bits;
};

/// True is an edge of weight 1, False is none.
float weight_of(Boolean value) {
  return value.bits != 0 ? 1.0f : std::numeric_limits<float>::infinity();
}

/// Exact: the exponent's bias becomes that of a float by a product, also of subnormal numbers.
float weight_of(HalfFloat value) {
  constexpr std::uint32_t kSpecial = 0x7C00, kInfinity = 0x7F800000;
  const std::uint32_t magnitude = std::uint32_t{value.bits & 0x7FFFu} << 13;
  const bool special = (value.bits & kSpecial) == kSpecial;
  const float number = special ? std::bit_cast<float>(magnitude | kInfinity)
                               : std::bit_cast<float>(magnitude) * 0x1p112f;
  return value.bits >> 15 != 0 ? -number : number;
}

template <class T>
requires std::is_arithmetic_v<T> T weight_of(T value) { return value; }

template <class T>
bool exact_in_f8(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr T kMost = T{1} << 53;
    return value <= kMost && (std::is_unsigned_v<T> || value >= T{0} - kMost);
  } else {
    return true;
  }
}

/// The value of T at `at`, of this machine's byte order or the other one.
template <class T>
T value_at(const char* at, bool swapped) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

/// What a type of NumPy's is here.
struct NpyType {
  char kind;
  int item_size;
  ValueType held;
  bool same;        // the held type is this one
  double greatest;  // of integers; else 0
  /// Converts `count` values; returns how many came before the first that is not exact.
  std::int64_t (*convert)(const char* from, bool swapped, std::int64_t count, char* to);
};

template <class From, class To>
std::int64_t convert_values(const char* from, bool swapped, std::int64_t count, char* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    const From value = value_at<From>(from + i * std::int64_t{sizeof(From)}, swapped);
    if (!exact_in_f8(value)) return i;
    const To weight = static_cast<To>(weight_of(value));
    std::memcpy(to + i * std::int64_t{sizeof(To)}, &weight, sizeof(To));
  }
  return count;
}

template <class From, class To>
NpyType type_of(char kind, ValueType held) {
  double greatest = 0;
  if constexpr (std::is_integral_v<From>) {
    greatest = static_cast<double>(std::numeric_limits<From>::max());
  }
  return {kind, sizeof(From), held, std::is_same_v<From, To>, greatest, convert_values<From, To>};
}

const NpyType* find_type(const NpyHeader& header) {
  using enum ValueType;
  static const std::array kTypes = {
      type_of<Boolean, float>('b', f32),
      type_of<HalfFloat, float>('f', f32),
      type_of<float, float>('f', f32),
      type_of<double, double>('f', f64),
      type_of<std::int8_t, float>('i', f32),
      type_of<std::int16_t, float>('i', f32),
      type_of<std::int32_t, std::int32_t>('i', i32),
      type_of<std::int64_t, double>('i', f64),
      type_of<std::uint8_t, float>('u', f32),
      type_of<std::uint16_t, std::uint16_t>('u', u16),
      type_of<std::uint32_t, double>('u', f64),
      type_of<std::uint64_t, double>('u', f64),
  };
  const auto found = std::ranges::find_if(kTypes, [&](const NpyType& type) {
    return type.kind == header.kind && type.item_size == header.item_size;
  });
  return found == kTypes.end() ? nullptr : &*found;
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

constexpr std::int64_t kColumns = 64;  // unpacked at once: a stretch of every column fills lines

WeightMatrix matrix_of(const HeldBytes& held, std::int64_t n) {
  WeightMatrix matrix;
  matrix.type = ValueType::f64;
  matrix.n = n;
  matrix.data = held.bytes.data();
  keep_bytes(held, matrix);
  return matrix;
}

/// Columns [first, first + columns) of the whole matrix, from its packed lower triangle.
/// `out`: [columns, n].
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

std::string type_name(const NpyHeader& header) {
  return fmt::format("{}{}", header.kind, header.item_size);
}

std::optional<double> greatest_of_type(const NpyHeader& header) {
  const NpyType* const type = find_type(header);
  if (type == nullptr || type->greatest == 0) return std::nullopt;
  return type->greatest;
}

bool held_as_they_are(const MatrixInFile& matrix) {
  return find_type(matrix.header)->same && !matrix.header.swapped;
}

MatrixInFile locate_matrix(std::span<const char> bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  if (header.shape.size() != 2 || header.shape[0] != header.shape[1]) {
    base::fail_input(name, "an array of shape ({}) is not a graph: a graph is a square matrix",
                     fmt::join(header.shape, ", "));
  }
  const NpyType* const type = find_type(header);
  if (type == nullptr) {
    base::fail_input(name,
                     "values of type {} are not read; booleans, integers, f2, f4 and f8 "
                     "are",
                     type_name(header));
  }
  const auto item = static_cast<std::uint64_t>(header.item_size);
  const auto n = static_cast<std::uint64_t>(header.shape[0]);
  const std::uint64_t present = bytes.size() - header.data_offset;
  const bool fits = n == 0 || n <= present / item / n;
  if (!fits || n * n * item != present) {
    base::fail_input(name, "{} bytes of values do not make a {} by {} matrix of {}-byte values",
                     present, n, n, item);
  }
  MatrixInFile matrix;
  matrix.type = type->held;
  matrix.n = header.shape[0];
  matrix.by_columns = header.fortran_order;
  matrix.data = bytes.data() + header.data_offset;
  matrix.header = header;
  return matrix;
}

MatrixInFile converted(const MatrixInFile& matrix, const std::string& name,
                       ReadProgress& progress) {
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 18;  // values
  const NpyType& type = *find_type(matrix.header);
  const std::int64_t count = matrix.n * matrix.n, size = size_of(matrix.type);
  const char* const values = static_cast<const char*>(matrix.data);
  StreamedBytes stream;
  for (std::int64_t first = 0; first < count; first += kAtOnce) {
    const std::int64_t some = std::min(kAtOnce, count - first);
    const auto bytes = static_cast<std::size_t>(some * size);
    const std::int64_t exact = type.convert(values + first * type.item_size, matrix.header.swapped,
                                            some, stream.spare(bytes).data());
    if (exact < some) refuse_entry(matrix, first + exact, name);
    stream.added(bytes);
    progress.reached(matrix.header.data_offset +
                     static_cast<std::size_t>((first + some) * type.item_size));
  }
  const HeldBytes held = stream.finish();
  MatrixInFile result = matrix;
  result.data = held.bytes.data();
  keep_bytes(held, result);
  return result;
}

void ArrayValues::flush() {
  const std::size_t bytes = block_.size() * sizeof(double);
  if (bytes > 0) std::memcpy(stream_.spare(bytes).data(), block_.data(), bytes);
  stream_.added(bytes);
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
