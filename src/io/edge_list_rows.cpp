// Plain rows between names are read in parallel; the table of names grows only between pieces, in
// the order of the file. Rows with quotation marks or errors are read one by one.
#include <fmt/format.h>
#include <array>
#include <limits>

#include "base/units.hpp"
#include "io/edge_list_rows.hpp"
#include "io/number_row.hpp"
#include "io/plain_rows.hpp"
#include "io/vertex_ids.hpp"

namespace apsp::io {
namespace {

constexpr std::string_view kTabsSeparate =
    "; tabs separate here: `separator=blank` takes blanks and tabs alike";

/// Reads an id below 2^32 − 1 and moves `at` after it.
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
  skip_padding(at, end, kSeparator);
  if constexpr (kSeparator != Separator::blank) {
    if (at == end || *at != static_cast<char>(kSeparator)) return false;
    ++at;
    skip_padding(at, end, kSeparator);
  }
  return at != first;
}

/// Skips ignored columns and the row end. Returns false if other text remains.
inline bool take_row_end(const char*& at, const char* end, Separator separator, bool has_rest) {
  if (has_rest && at != end && is_blank(*at)) {
    while (at != end && *at != '\n') ++at;
  }
  skip_padding(at, end, separator);
  if (at == end) return true;
  return *at++ == '\n';
}

/// Renumbers the right end after the left ones. Returns false if a number, counted from 1, is too
/// large.
inline bool place_right(Edge& edge, const EdgeListLayout& layout) {
  const bool fits = edge.from >= 1 && edge.from <= layout.right && edge.to >= 1 &&
                    edge.to < std::numeric_limits<Vertex>::max() - layout.right;
  edge.to += layout.right;
  return fits;
}

template <Separator kSeparator>
inline bool read_row(const char*& at, const char* end, const EdgeListLayout& layout,
                     std::size_t row, Edge& edge) {
  NumberRow numbers;
  if (!layout.counted && take_usual_row<kSeparator>(at, end, layout.weight >= 0, numbers)) {
    edge.from = static_cast<Vertex>(numbers.from);
    edge.to = static_cast<Vertex>(numbers.to);
    edge.weight = numbers.weight;
    return layout.right == 0 || place_right(edge, layout);
  }
  skip_padding(at, end, kSeparator);
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
  if (layout.right != 0 && !place_right(edge, layout)) return false;
  return take_row_end(at, end, kSeparator, layout.has_rest);
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
    if (!is_digit(TextCursor(cursor).peek()) || !rows.append(cursor)) return nullptr;
  }
  return rows.arcs();
}

void require_width(const TextCursor& cursor, const TableFields& fields,
                   const EdgeListLayout& layout) {
  const auto width = static_cast<std::size_t>(layout.width);
  if (fields.size() == width || (layout.has_rest && fields.size() > width)) return;
  const TableField& last = fields.back();
  const char* const at = fields.size() > width ? fields[width].at : last.at;
  cursor.fail(at, "{}, but the first row has {}{}",
              base::counted(std::ssize(fields), "column", "columns"), width,
              layout.separator == Separator::tab ? kTabsSeparate : "");
}

Vertex take_vertex(const TextCursor& cursor, const TableFields& fields, int column,
                   const EdgeListLayout& layout, VertexNames& names) {
  const TableField& field = fields[static_cast<std::size_t>(column)];
  if (!field.quoted && is_missing_value(field.text)) {
    cursor.fail(field.at,
                "an end of the edge is missing: column {} holds {}; leave the row out, or, if a "
                "vertex is called so, put it in quotation marks{}",
                column + 1, field.text.empty() ? "nothing" : field.text,
                layout.separator == Separator::tab ? kTabsSeparate : "");
  }
  const std::string number = layout.number_ids ? integer_in(field.text) : std::string();
  const std::string_view name = layout.number_ids ? number : field.text;
  return names.intern(name, VertexNames::hash(name), field.at);
}

double take_weight(const TextCursor& cursor, const TableFields& fields, int column) {
  const TableField& field = fields[static_cast<std::size_t>(column)];
  if (is_missing_value(field.text)) {
    cursor.fail(field.at,
                "the weight is missing: column {} holds {}; leave the row out, or choose other "
                "columns (`columns=FROM,TO,WEIGHT`)",
                column + 1, field.text.empty() ? "nothing" : field.text);
  }
  const char* at = field.text.data();
  const char* const end = at + field.text.size();
  double weight = 0;
  const NumberFault fault = read_number(at, end, weight);
  if (fault != NumberFault::none || at != end) cursor.fail_number(field.at, field.text, fault);
  return weight;
}

inline bool may_be_missing(std::string_view text) {
  if (text.size() > 4) return false;
  return text.empty() || (text[0] | 0x20) == 'n' || text[0] == '<' || text[0] == '#';
}

/// Reads an unquoted field and moves `at` after it and its separator. Returns false for a missing
/// or quoted field.
inline bool take_plain_field(const char*& at, const char* end, Separator separator,
                             std::string_view& field) {
  skip_padding(at, end, separator);
  if (at == end || *at == '"' || (separator == Separator::blank && *at == '\n')) return false;
  field = take_unquoted(at, end, separator);
  return true;
}

struct NamedRow {
  std::string_view from, to;
  double weight = 1;
};

bool read_plain_named_row(const char*& at, const char* end, const EdgeListLayout& layout,
                          NamedRow& row) {
  const Separator separator = layout.separator;
  const char mark = static_cast<char>(separator);
  skip_padding(at, end, separator);
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
  return !may_be_missing(row.from) && !may_be_missing(row.to) &&
         take_row_end(at, end, separator, layout.has_rest);
}

/// Reads a few rows at a time to prefetch entries of the table.
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

void number_names(Piece& piece, VertexNames& names) {
  for (const NewName& name : piece.new_names) {
    Edge& edge = piece.edges[name.end / 2];
    (name.end % 2 == 0 ? edge.from : edge.to) =
        names.intern(name.text, name.hash, name.text.data());
  }
  piece.greatest = static_cast<Vertex>(std::max<std::size_t>(names.count(), 1) - 1);
}

constexpr int kThere = 1, kBack = 2;

int ways_of(const TextCursor& cursor, const TableField& value) {
  const std::string word = lower_case(value.text);
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
  };
  if (is({"true", "yes", "1", "t", "y", "ft", "f-t"})) return kThere;
  if (is({"-1", "reverse", "reversed", "tf", "t-f"})) return kBack;
  if (is({"false", "no", "0", "f", "n", "b", ""})) return kThere | kBack;
  cursor.fail(value.at,
              "'{}' does not say whether the edge has one direction: yes, true or 1, no, false or "
              "0, and -1 for reversed do",
              value.text);
}

std::vector<Edge> directed_edges(const TextCursor& cursor, const EdgeListLayout& layout,
                                 const TableFields& fields, const Edge& edge) {
  std::vector<Edge> edges;
  const bool has_back = layout.reverse_cost >= 0;
  int ways = layout.oneway < 0 ? kThere | kBack
                               : ways_of(cursor, fields[static_cast<std::size_t>(layout.oneway)]);
  if (edge.from == edge.to) ways &= ~kBack;
  if ((ways & kThere) != 0 && (!has_back || edge.weight >= 0)) edges.push_back(edge);
  if ((ways & kBack) == 0) return edges;
  const double back = has_back ? take_weight(cursor, fields, layout.reverse_cost) : edge.weight;
  if (!has_back || back >= 0) edges.push_back({edge.to, edge.from, back});
  return edges;
}

Edge read_careful_edge(const TextCursor& cursor, const TableFields& fields,
                       const EdgeListLayout& layout, std::size_t row, VertexNames& names) {
  require_width(cursor, fields, layout);
  if (layout.counted && fields[0].text != fmt::format_int(row).c_str()) {
    cursor.fail(fields[0].at,
                "the first of four columns should count the rows, and {} comes next; if "
                "it means something else, say which columns to use "
                "(`columns=FROM,TO,WEIGHT`)",
                row);
  }
  Edge edge;
  edge.from = take_vertex(cursor, fields, layout.from, layout, names);
  edge.to = take_vertex(cursor, fields, layout.to, layout, names);
  if (layout.weight >= 0) edge.weight = take_weight(cursor, fields, layout.weight);
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
  if (!in_order || layout.has_directions()) return nullptr;
  switch (layout.separator) {
    case Separator::comma:
      return read_rows<Separator::comma>(cursor, layout, mirrored, comments);
    case Separator::tab:
      return read_rows<Separator::tab>(cursor, layout, mirrored, comments);
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
  const bool plain = !layout.counted && !layout.has_directions() && !layout.number_ids;
  while (comments.find_row(cursor)) {
    if (plain && rows.append(cursor)) continue;
    const TableFields& fields = splitter.split(cursor);
    const Edge edge = read_careful_edge(cursor, fields, layout, rows.rows(), named.names);
    if (layout.has_directions()) {
      rows.add_row(directed_edges(cursor, layout, fields, edge));
    } else {
      rows.add(edge);
    }
  }
  named.arcs = rows.arcs();
  return named;
}

}  // namespace apsp::io
