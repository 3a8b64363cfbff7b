// Weights of all edges of a graph, one after another: an .npy, or a text of one on each row.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"
#include "io/source.hpp"
#include "io/table_rows.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::io {
namespace {

/// The value of f4, f8 or a type of integers whose bytes are those of `bits`, in this machine's
/// order. Throws `Error` (input) for an integer beyond 2^53. `i`: its position.
double npy_real(std::uint64_t bits, char kind, int size, const std::string& file, std::int64_t i) {
  if (kind == 'f' && size == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (kind == 'f') return std::bit_cast<double>(bits);
  const int unused = 64 - 8 * size;
  const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
  const bool negative = kind == 'i' && value < 0;
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : bits;
  if (magnitude > std::uint64_t{1} << 53) {
    base::fail_input(file, "weight {}: {}{} is no exact double", i, negative ? "-" : "", magnitude);
  }
  return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
}

std::vector<double> weights_of_npy(std::span<const char> bytes, const std::string& file,
                                   const Control& control) {
  const NpyHeader header = parse_npy_header(bytes, file);
  if (header.shape.size() != 1) {
    base::fail_input(file, "an array of shape ({}) is no list of weights, which has the shape (m,)",
                     fmt::join(header.shape, ", "));
  }
  const std::int64_t count = header.shape[0], size = header.item_size;
  const char kind = header.kind;
  const bool real = kind == 'f' ? size == 4 || size == 8 : kind == 'i' || kind == 'u';
  if (!real || size > 8) {
    base::fail_input(file, "values of type {}{} are no weights; integers, f4 and f8 are", kind,
                     size);
  }
  const std::uint64_t present = bytes.size() - header.data_offset;
  if (present != static_cast<std::uint64_t>(count * size)) {
    base::fail_input(file, "{} bytes of values do not make {} values of {} bytes", present, count,
                     size);
  }
  std::vector<double> weights(static_cast<std::size_t>(count));
  const char* at = bytes.data() + header.data_offset;
  for (std::int64_t i = 0; i < count; ++i, at += size) {
    if (i % (1 << 20) == 0) base::check_cancelled(control);
    char item[8] = {};
    std::copy_n(at, size, item);
    if (header.swapped) std::reverse(item, item + size);
    double& weight = weights[static_cast<std::size_t>(i)];
    weight = npy_real(std::bit_cast<std::uint64_t>(item), kind, header.item_size, file, i);
    if (std::isnan(weight)) {
      base::fail_input(file, "weight {}: nan is no number; inf means no edge", i);
    }
  }
  return weights;
}

}  // namespace

std::vector<double> read_weight_list(const std::string& path, const ListReading& reading) {
  HeldBytes held = hold_input(path, {});
  if (has_npy_magic(held.bytes))
    return weights_of_npy(held.bytes, display_name(path), reading.control);
  const auto read = [](const Source& source) {
    TextCursor cursor(source);
    std::vector<double> weights;
    const auto titled = [](const TableFields& first, const TableFields& next) {
      return is_above_numbers(first, next) || (next.empty() && first[0].text == "weight");
    };
    const auto take = [&](const TableFields& fields) {
      if (fields.size() != 1) {
        cursor.fail(fields.front().at,
                    "{} columns: a list of weights has one weight on each row, in the order of the "
                    "graph",
                    fields.size());
      }
      weights.push_back(field_weight(cursor, fields[0]));
    };
    read_list(
        cursor, nullptr, nullptr, titled, [](const TableFields&) { return true; }, take);
    return weights;
  };
  return with_text(std::move(held), display_name(path), reading.control, read, reading.encoding);
}

}  // namespace apsp::io
