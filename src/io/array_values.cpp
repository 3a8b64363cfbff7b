#include "io/array_values.hpp"

#include <algorithm>
#include <cstring>

namespace apsp::io {
namespace {

constexpr std::int64_t kColumns = 64;  // unpacked at once: a stretch of every column fills lines

WeightMatrix matrix_of(HeldBytes held, std::int64_t n) {
  WeightMatrix matrix;
  matrix.type = ValueType::f64;
  matrix.n = n;
  matrix.data = held.bytes.data();
  matrix.owner = std::move(held.owner);
  matrix.mapped = held.mapped;
  matrix.memory = held.memory;
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
