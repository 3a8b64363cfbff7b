#include "kernels/strict/strict_search.hpp"

#include <fmt/format.h>

#include "kernels/strict/strict_misuse.hpp"

namespace apsp::kernels::strict {
namespace {

/// Rising offsets, and targets that are vertices.
void check_arcs(const SearchedRows& rows, int arc_size) {
  const std::int64_t n = rows.rows.cols;
  for (std::int64_t v = 0; v < n; ++v) {
    require(rows.first[v] <= rows.first[v + 1], "search_rows: offsets do not rise");
  }
  require(rows.first[n] == rows.arc_count, "search_rows: offsets do not end with the arcs");
  for (std::int64_t a = 0; a < rows.arc_count; ++a) {
    std::uint32_t to;
    std::memcpy(&to, rows.arcs + a * arc_size, sizeof to);
    if (to >= n) misuse(fmt::format("search_rows: an arc to vertex {} of {}", to, n));
  }
}

}  // namespace

void check(const Operations& operations, const SearchedRows& rows) {
  require(operations.search_row != nullptr, "search_rows: values are bits");
  require(rows.rows.cols <= kSearchedVertices, "search_rows: too many vertices");
  require(rows.step >= 0 && rows.searches > 0, "search_rows: the step, or no search at a time");
}

void search_rows(Memory& memory, const Accessor& who, const Operations& operations,
                 const SearchedRows& rows) {
  const View& out = rows.rows;
  const std::int64_t n = out.cols;
  if (out.rows == 0 || n == 0) return;
  const auto read = [&](const void* first, std::int64_t count, int size, const char* operand) {
    memory.read(who, {first, 1, count, count}, size, operand);
  };
  read(rows.sources, out.rows, sizeof(std::uint32_t), "sources");
  read(rows.first, n + 1, sizeof(std::uint32_t), "first");
  if (rows.arc_count > 0) read(rows.arcs, rows.arc_count, operations.arc_size, "arcs");
  check_arcs(rows, operations.arc_size);
  const std::int64_t scratch = search_bytes(n, rows.searches);
  memory.write(who, View{rows.scratch, 1, scratch, scratch}, 1, "scratch");
  memory.write(who, out, operations.value_size, "rows");
  for (std::int64_t i = 0; i < out.rows; ++i) {
    require(rows.sources[i] < n, "search_rows: a source that is no vertex");
    operations.search_row(part(out, operations.value_size, i, 0, 1, n), rows.sources[i], rows.first,
                          rows.arcs);
  }
}

}  // namespace apsp::kernels::strict
