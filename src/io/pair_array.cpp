// Pairs of vertices in a NumPy .npy file.
#include "io/vertex_lists.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "io/npy_header.hpp"
#include "io/npy_values.hpp"

namespace apsp::io {
namespace {

/// The vertex that is called by a number.
template <class T>
std::optional<Vertex> vertex_numbered(const Graph& graph, T number) {
  if (!graph.labels().empty()) return graph.find(fmt::format("{}", number));
  if constexpr (std::is_signed_v<T>) {
    if (number < 0) return std::nullopt;
  }
  const auto from_first = static_cast<std::uint64_t>(number) - graph.first_id();
  if (from_first >= static_cast<std::uint64_t>(graph.vertex_count())) return std::nullopt;
  return static_cast<Vertex>(from_first);
}

struct PairValues {
  const char* at;
  std::int64_t row_step, column_step;  // bytes
  bool swapped;
};

template <class T>
std::vector<VertexPair> read_pairs_as(const PairValues& values, std::int64_t rows,
                                      const std::string& file, const Graph& graph,
                                      const Control& control) {
  constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 20;
  std::vector<VertexPair> pairs;
  pairs.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row % kBetweenLooks == 0) base::check_cancelled(control);
    Vertex ends[2];
    for (std::int64_t column = 0; column < 2; ++column) {
      const T number = npy_value<T>(values.at + row * values.row_step + column * values.column_step,
                                    values.swapped);
      const std::optional<Vertex> vertex = vertex_numbered(graph, number);
      if (!vertex) {
        base::fail_input(file, "row {}: unknown vertex {} in a graph of {} vertices", row, number,
                         graph.vertex_count());
      }
      ends[column] = *vertex;
    }
    pairs.push_back({ends[0], ends[1]});
  }
  return pairs;
}

}  // namespace

std::vector<VertexPair> pairs_of_npy(std::span<const char> bytes, const std::string& file,
                                     const Graph& graph, const Control& control) {
  const NpyHeader header = parse_npy_header(bytes, file);
  if (header.shape.size() != 2 || header.shape[1] != 2) {
    base::fail_input(file, "an array of shape ({}) is no list of pairs, which has the shape (k, 2)",
                     fmt::join(header.shape, ", "));
  }
  const std::int64_t rows = header.shape[0], size = header.item_size;
  const std::uint64_t present = bytes.size() - header.data_offset;
  const bool is_integer = header.kind == 'i' || header.kind == 'u';
  if (!is_integer) {
    base::fail_input(file, "values of type {}{} name no vertices; integers do", header.kind, size);
  }
  if (size > 8) base::fail_input(file, "integers of {} bytes are not read; 8 at most", size);
  const auto pair = static_cast<std::uint64_t>(2 * size);
  if (static_cast<std::uint64_t>(rows) != present / pair || present % pair != 0) {
    base::fail_input(file, "{} bytes of values do not make {} pairs of {}-byte values", present,
                     rows, size);
  }
  const PairValues values{bytes.data() + header.data_offset, header.fortran_order ? size : 2 * size,
                          header.fortran_order ? rows * size : size, header.swapped};
  const auto read = [&]<class T>(T) {
    return read_pairs_as<T>(values, rows, file, graph, control);
  };
  const bool is_signed = header.kind == 'i';
  switch (size) {
    case 1:
      return is_signed ? read(std::int8_t{}) : read(std::uint8_t{});
    case 2:
      return is_signed ? read(std::int16_t{}) : read(std::uint16_t{});
    case 4:
      return is_signed ? read(std::int32_t{}) : read(std::uint32_t{});
    case 8:
      return is_signed ? read(std::int64_t{}) : read(std::uint64_t{});
    default:
      base::fail_input(file, "integers of {} bytes are not read", size);
  }
}

}  // namespace apsp::io
