// The rows of an edge list: as columns of integers, or between names. Plain rows between names are
// read by all threads, which look names up in a table that only grows between their pieces, in the
// order of the file; quotes, and whatever is wrong, row by row.
#include <fmt/format.h>
#include <array>
#include <limits>

#include "base/units.hpp"
#include "io/edge_list.hpp"
#include "io/number_row.hpp"
#include "io/plain_rows.hpp"

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
  while (comments.find_row(cursor)) {
    if (!is_digit(cursor.peek()) || !rows.append(cursor)) return nullptr;
  }
  return rows.arcs();
}

void require_width(const TextCursor& cursor, const TableFields& fields,
                   const EdgeListLayout& layout) {
  const auto width = static_cast<std::size_t>(layout.width);
  if (fields.size() == width) return;
  const TableField& last = fields.back();
  const char* const at = fields.size() > width ? fields[width].at : last.at;
  cursor.fail(at, "{}, but the first row has {}",
              base::counted(std::ssize(fields), "column", "columns"), width);
}

Vertex take_vertex(const TextCursor& cursor, const TableField& field, VertexNames& names) {
  if (field.text.empty() && !field.quoted) {
    cursor.fail(field.at, "expected a vertex, found an empty field");
  }
  return names.intern(field.text, VertexNames::hash(field.text), field.at);
}

double take_weight(const TextCursor& cursor, const TableField& field) {
  const char* at = field.text.data();
  const char* const end = at + field.text.size();
  double weight = 0;
  const NumberFault fault = read_number(at, end, weight);
  if (fault != NumberFault::none || at != end) cursor.fail_number(field.at, field.text, fault);
  return weight;
}

/// Ends of a field in a row without quotes; `at` moves behind it and its separator. False where a
/// row has fewer fields, or the field begins with a quotation mark.
inline bool take_plain_field(const char*& at, const char* end, Separator separator,
                             std::string_view& field) {
  skip_blanks(at, end);
  if (at == end || *at == '"' || (separator == Separator::blank && *at == '\n')) return false;
  field = take_unquoted(at, end, separator);
  return true;
}

struct NamedRow {
  std::string_view from, to;
  double weight = 1;
};

/// A row of as many fields as the layout has; `at` moves behind its line end.
bool read_plain_named_row(const char*& at, const char* end, const EdgeListLayout& layout,
                          NamedRow& row) {
  const Separator separator = layout.separator;
  const char mark = static_cast<char>(separator);
  skip_blanks(at, end);
  if (at == end || *at == '\n' || begins_comment(*at)) return false;
  for (int i = 0; i < layout.width; ++i) {
    std::string_view field;
    if (i > 0 && separator != Separator::blank && (at == end || *at++ != mark)) return false;
    if (!take_plain_field(at, end, separator, field)) return false;
    if (i == layout.from) row.from = field;
    if (i == layout.to) row.to = field;
    if (i != layout.weight) continue;
    const char* number = field.data();
    const char* const behind = number + field.size();
    if (read_number(number, behind, row.weight) != NumberFault::none || number != behind) {
      return false;
    }
  }
  return !row.from.empty() && !row.to.empty() && take_line_end(at, end);
}

/// Takes rows a few at a time, so that the table's memory is asked for before it is needed.
void read_named_piece(Piece& piece, const char* end, const EdgeListLayout& layout,
                      const VertexNames& names) {
  constexpr std::size_t kRows = 32;
  struct Use {
    std::string_view text;
    std::uint64_t hash;
  };
  std::array<Use, 2 * kRows> uses;
  const char* at = piece.begin;
  bool plain = true;
  while (plain && at != piece.end) {
    const std::size_t first = piece.edges.size();
    std::size_t count = 0;
    while (count < 2 * kRows && at != piece.end) {
      NamedRow row;
      const char* next = at;
      plain = read_plain_named_row(next, end, layout, row);
      if (!plain) break;
      at = next;
      piece.edges.push_back({0, 0, row.weight});
      for (const std::string_view text : {row.from, row.to}) {
        uses[count] = {text, VertexNames::hash(text)};
        names.prefetch_slot(uses[count++].hash);
      }
    }
    for (std::size_t i = 0; i < count; ++i) names.prefetch_record(uses[i].hash);
    for (std::size_t i = 0; i < count; ++i) {
      Edge& edge = piece.edges[first + i / 2];
      const Vertex vertex = names.find(uses[i].text, uses[i].hash);
      (i % 2 == 0 ? edge.from : edge.to) = vertex;
      if (vertex != VertexNames::kNone) continue;
      piece.new_names.push_back({2 * first + i, uses[i].hash, uses[i].text});
    }
  }
  piece.rows = piece.edges.size();
  piece.reached = at;
}

/// New names get their numbers in the order of the file.
void number_names(Piece& piece, VertexNames& names) {
  for (const NewName& name : piece.new_names) {
    Edge& edge = piece.edges[name.end / 2];
    (name.end % 2 == 0 ? edge.from : edge.to) =
        names.intern(name.text, name.hash, name.text.data());
  }
  piece.greatest = static_cast<Vertex>(std::max<std::size_t>(names.count(), 1) - 1);
}

Edge read_careful_row(TextCursor& cursor, RowSplitter& splitter, const EdgeListLayout& layout,
                      std::size_t row, VertexNames& names) {
  const TableFields& fields = splitter.split(cursor);
  require_width(cursor, fields, layout);
  if (layout.counted && fields[0].text != fmt::format_int(row).c_str()) {
    cursor.fail(fields[0].at,
                "the first of four columns should count the rows, and {} comes next; if "
                "it means something else, say which columns to use (--columns "
                "FROM,TO,WEIGHT)",
                row);
  }
  Edge edge;
  edge.from = take_vertex(cursor, fields[static_cast<std::size_t>(layout.from)], names);
  edge.to = take_vertex(cursor, fields[static_cast<std::size_t>(layout.to)], names);
  if (layout.weight >= 0) {
    edge.weight = take_weight(cursor, fields[static_cast<std::size_t>(layout.weight)]);
  }
  return edge;
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

NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout, bool mirrored,
                          EdgeListComments& comments) {
  NamedRows named;
  RowArcs rows(cursor.source(), mirrored, 0,
               [&names = named.names, &layout, end = cursor.end()](Piece& piece) {
                 read_named_piece(piece, end, layout, names);
               });
  rows.set_settle([&names = named.names](Piece& piece) { number_names(piece, names); });
  RowSplitter splitter(layout.separator);
  while (comments.find_row(cursor)) {
    if (!layout.counted && rows.append(cursor)) continue;
    rows.add(read_careful_row(cursor, splitter, layout, rows.rows(), named.names));
  }
  named.arcs = rows.arcs();
  return named;
}

}  // namespace apsp::io
