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
  if (header.kind != 'i' && header.kind != 'u') {
    base::fail_input(file, "values of type {} name no vertices; integers do", type_name(header));
  }
  const auto pair = static_cast<std::uint64_t>(2 * size);
  if (static_cast<std::uint64_t>(rows) != present / pair || present % pair != 0) {
    base::fail_input(file, "{} bytes of values do not make {} pairs of {}-byte values", present,
                     rows, size);
  }
  const char* const values = bytes.data() + header.data_offset;
  const std::int64_t row_step = header.fortran_order ? size : 2 * size;
  const std::int64_t column_step = header.fortran_order ? rows * size : size;
  return with_npy_type(header, file, [&]<class T>(T) {
    constexpr std::int64_t kBetweenLooks = std::int64_t{1} << 20;
    std::vector<VertexPair> pairs;
    pairs.reserve(static_cast<std::size_t>(rows));
    const auto vertex = [&](std::int64_t row, std::int64_t column) {
      const T number = npy_value<T>(values + row * row_step + column * column_step, header.swapped);
      if constexpr (std::is_integral_v<T>) {
        if (const auto found = vertex_numbered(graph, number)) return *found;
        base::fail_input(file, "row {}: unknown vertex {} in a graph of {} vertices", row, number,
                         graph.vertex_count());
      }
      return Vertex{};
    };
    for (std::int64_t row = 0; row < rows; ++row) {
      if (row % kBetweenLooks == 0) base::check_cancelled(control);
      const Vertex from = vertex(row, 0);
      pairs.push_back({from, vertex(row, 1)});
    }
    return pairs;
  });
}

}  // namespace apsp::io
