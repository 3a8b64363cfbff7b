#include <algorithm>
#include <limits>

#include "io/edge_list.hpp"

namespace apsp::io {
namespace {

/// An integer id below 2^32 − 1; `at` moves behind it.
inline bool read_id(const char*& at, const char* end, Vertex& id) {
  constexpr std::ptrdiff_t kMostDigits = 10;
  const char* const first = at;
  std::uint64_t number = 0;
  while (at != end && is_digit(*at)) number = number * 10 + static_cast<unsigned char>(*at++ - '0');
  const std::ptrdiff_t digits = at - first;
  if (digits == 0 || digits > kMostDigits || (*first == '0' && digits > 1)) return false;
  id = static_cast<Vertex>(number);
  return number < std::numeric_limits<Vertex>::max();
}

inline void skip_blanks(const char*& at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
}

template <bool kCommas>
inline bool skip_separator(const char*& at, const char* end) {
  const char* const first = at;
  skip_blanks(at, end);
  if constexpr (kCommas) {
    if (at == end || *at != ',') return false;
    ++at;
    skip_blanks(at, end);
  }
  return at != first;
}

/// One row; `at` moves to its end.
template <bool kCommas>
inline bool read_row(const char*& at, const char* end, const EdgeListLayout& layout,
                     std::size_t row, Edge& edge) {
  if (layout.counted) {
    Vertex count = 0;
    if (!read_id(at, end, count) || count != row || !skip_separator<kCommas>(at, end)) return false;
  }
  if (!read_id(at, end, edge.from) || !skip_separator<kCommas>(at, end) ||
      !read_id(at, end, edge.to)) {
    return false;
  }
  if (layout.weight >= 0) {
    if (!skip_separator<kCommas>(at, end) ||
        read_number(at, end, edge.weight) != NumberFault::none) {
      return false;
    }
  }
  skip_blanks(at, end);
  return at == end || *at == '\n';
}

/// Room for as many edges as the rows so far make likely.
void reserve_likely(std::vector<Edge>& edges, std::ptrdiff_t bytes_read, std::ptrdiff_t bytes) {
  const double rows_a_byte = static_cast<double>(edges.size()) / static_cast<double>(bytes_read);
  constexpr double kMargin = 1.05;
  edges.reserve(static_cast<std::size_t>(static_cast<double>(bytes) * rows_a_byte * kMargin));
}

template <bool kCommas>
bool read_rows(TextCursor& cursor, const EdgeListLayout& layout, EdgeListComments& comments,
               NumberedRows& rows) {
  constexpr std::size_t kSampleRows = 4096;
  const char* const begin = cursor.at();
  const char* const end = cursor.end();
  while (!cursor.at_end()) {
    const char first = cursor.peek();
    if (is_digit(first)) {
      const char* at = cursor.at();
      Edge edge;
      if (!read_row<kCommas>(at, end, layout, rows.edges.size(), edge)) return false;
      rows.greatest = std::max({rows.greatest, edge.from, edge.to});
      rows.edges.push_back(edge);
      cursor.move_to(at);
      cursor.expect_line_end();
      if (rows.edges.size() == kSampleRows) reserve_likely(rows.edges, at - begin, end - begin);
    } else if (first == '\n') {
      cursor.skip_line();
    } else if (begins_comment(first)) {
      comments.read(cursor);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

bool read_numbered_rows(TextCursor& cursor, const EdgeListLayout& layout,
                        EdgeListComments& comments, NumberedRows& rows) {
  const int first = layout.counted ? 1 : 0;
  const bool in_order = layout.from == first && layout.to == first + 1 &&
                        layout.weight == (layout.width == first + 2 ? -1 : first + 2) &&
                        layout.width <= first + 3;
  if (!in_order) return false;
  return layout.commas ? read_rows<true>(cursor, layout, comments, rows)
                       : read_rows<false>(cursor, layout, comments, rows);
}

}  // namespace apsp::io
