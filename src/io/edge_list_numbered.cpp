#include <limits>

#include "io/edge_list.hpp"
#include "io/number_row.hpp"
#include "io/row_arcs.hpp"

namespace apsp::io {
namespace {

/// An integer id below 2^32 − 1; `at` moves behind it.
inline bool read_id(const char*& at, const char* end, Vertex& id) {
  const char* const first = at;
  std::uint64_t number = 0;
  if (!read_unsigned(at, end, number) || (*first == '0' && at - first > 1)) return false;
  id = static_cast<Vertex>(number);
  return number < std::numeric_limits<Vertex>::max();
}

template <Separator kSeparator>
inline bool skip_separator(const char*& at, const char* end) {
  const char* const first = at;
  skip_blanks(at, end);
  if constexpr (kSeparator != Separator::blank) {
    if (at == end || *at != static_cast<char>(kSeparator)) return false;
    ++at;
    skip_blanks(at, end);
  }
  return at != first;
}

/// One row; `at` moves behind its line end.
template <Separator kSeparator>
inline bool read_row(const char*& at, const char* end, const EdgeListLayout& layout,
                     std::size_t row, Edge& edge) {
  NumberRow numbers;
  if (!layout.counted && take_usual_row<kSeparator>(at, end, layout.weight >= 0, numbers)) {
    edge.from = static_cast<Vertex>(numbers.from);
    edge.to = static_cast<Vertex>(numbers.to);
    edge.weight = numbers.weight;
    return true;
  }
  skip_blanks(at, end);
  if (layout.counted) {
    Vertex count = 0;
    if (!read_id(at, end, count) || count != row || !skip_separator<kSeparator>(at, end))
      return false;
  }
  if (!read_id(at, end, edge.from) || !skip_separator<kSeparator>(at, end) ||
      !read_id(at, end, edge.to)) {
    return false;
  }
  if (layout.weight >= 0) {
    if (!skip_separator<kSeparator>(at, end) ||
        read_number(at, end, edge.weight) != NumberFault::none) {
      return false;
    }
  }
  return take_line_end(at, end);
}

template <Separator kSeparator>
std::shared_ptr<graph::ArcBuckets> read_rows(TextCursor& cursor, const EdgeListLayout& layout,
                                             bool mirrored, EdgeListComments& comments) {
  const auto row_of = [layout, end = cursor.end()](const char*& at, std::size_t row, Edge& edge) {
    return read_row<kSeparator>(at, end, layout, row, edge);
  };
  RowArcs rows(
      cursor.source(), mirrored, 0, [row_of](Piece& piece) { read_piece(piece, row_of); },
      layout.counted);
  while (!cursor.at_end()) {
    const char first = cursor.peek();
    if (is_digit(first)) {
      if (!rows.append(cursor)) return nullptr;
    } else if (first == '\n') {
      cursor.skip_line();
    } else if (begins_comment(first)) {
      comments.read(cursor);
    } else {
      return nullptr;
    }
  }
  return rows.arcs();
}

}  // namespace

std::shared_ptr<graph::ArcBuckets> read_numbered_rows(TextCursor& cursor,
                                                      const EdgeListLayout& layout, bool mirrored,
                                                      EdgeListComments& comments) {
  const int first = layout.counted ? 1 : 0;
  const bool in_order = layout.from == first && layout.to == first + 1 &&
                        layout.weight == (layout.width == first + 2 ? -1 : first + 2) &&
                        layout.width <= first + 3;
  if (!in_order) return nullptr;
  switch (layout.separator) {
    case Separator::comma:
      return read_rows<Separator::comma>(cursor, layout, mirrored, comments);
    case Separator::semicolon:
      return read_rows<Separator::semicolon>(cursor, layout, mirrored, comments);
    default:
      return read_rows<Separator::blank>(cursor, layout, mirrored, comments);
  }
}

}  // namespace apsp::io
