// Weights of all edges of a graph, one after another: an .npy, or a text of one on each row.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"
#include "io/npy_values.hpp"
#include "io/source.hpp"
#include "io/table_rows.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::io {
namespace {

template <class T>
std::vector<double> values_as(const char* at, std::int64_t count, bool swapped,
                              const std::string& file, const Control& control) {
  constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 20;
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % kBetweenLooks == 0) base::check_cancelled(control);
    const T value = npy_value<T>(at + i * static_cast<std::int64_t>(sizeof(T)), swapped);
    const auto weight = static_cast<double>(value);
    if constexpr (std::numeric_limits<T>::digits > 53 && std::is_integral_v<T>) {
      if (std::abs(weight) > 0x1p53 || (std::abs(weight) == 0x1p53 && value % 2 != 0)) {
        base::fail_input(file, "weight {}: {} is no exact double", i, value);
      }
    }
    if (std::isnan(weight)) {
      base::fail_input(file, "weight {}: nan is no number; inf means no edge", i);
    }
    weights[static_cast<std::size_t>(i)] = weight;
  }
  return weights;
}

std::vector<double> weights_of_npy(std::span<const char> bytes, const std::string& file,
                                   const Control& control) {
  const NpyHeader header = parse_npy_header(bytes, file);
  if (header.shape.size() != 1) {
    base::fail_input(file, "an array of shape ({}) is no list of weights, which has the shape (m,)",
                     fmt::join(header.shape, ", "));
  }
  const std::int64_t count = header.shape[0], size = header.item_size;
  const std::uint64_t present = bytes.size() - header.data_offset;
  if (present != static_cast<std::uint64_t>(count * size)) {
    base::fail_input(file, "{} bytes of values do not make {} values of {} bytes", present, count,
                     size);
  }
  const auto as = [&]<class T>(T) {
    return values_as<T>(bytes.data() + header.data_offset, count, header.swapped, file, control);
  };
  switch (header.kind * 256 + header.item_size) {
    case 'f' * 256 + 4:
      return as(float{});
    case 'f' * 256 + 8:
      return as(double{});
    case 'i' * 256 + 1:
      return as(std::int8_t{});
    case 'i' * 256 + 2:
      return as(std::int16_t{});
    case 'i' * 256 + 4:
      return as(std::int32_t{});
    case 'i' * 256 + 8:
      return as(std::int64_t{});
    case 'u' * 256 + 1:
      return as(std::uint8_t{});
    case 'u' * 256 + 2:
      return as(std::uint16_t{});
    case 'u' * 256 + 4:
      return as(std::uint32_t{});
    case 'u' * 256 + 8:
      return as(std::uint64_t{});
    default:
      base::fail_input(file, "values of type {}{} are no weights; integers, f4 and f8 are",
                       header.kind, size);
  }
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
