#include "io/edge_list_rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <limits>

#include "base/units.hpp"
#include "io/plain_rows.hpp"

namespace apsp::io {

// Plain rows between names are read in parallel; the table of names grows only between pieces, in
// the order of the file. Rows with doubled quotation marks or errors are read one by one.
namespace {

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
  const bool fits = edge.from >= 1 && edge.from <= layout.bipartite_offset && edge.to >= 1 &&
                    edge.to < std::numeric_limits<Vertex>::max() - layout.bipartite_offset;
  edge.to += layout.bipartite_offset;
  return fits;
}

template <Separator kSeparator>
[[gnu::always_inline]] inline bool read_row(const char*& at, const char* end,
                                            const EdgeListLayout& layout, std::size_t row,
                                            Edge& edge) {
  NumberRow numbers;
  if (!layout.counted && take_usual_row<kSeparator>(at, end, layout.weight >= 0, numbers)) {
    edge.from = static_cast<Vertex>(numbers.from);
    edge.to = static_cast<Vertex>(numbers.to);
    edge.weight = numbers.weight;
    return layout.bipartite_offset == 0 || place_right(edge, layout);
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
  if (layout.weight >= 0 && (!skip_separator<kSeparator>(at, end) ||
                             read_number(at, end, edge.weight) != NumberFault::none)) {
    return false;
  }
  if (layout.bipartite_offset != 0 && !place_right(edge, layout)) return false;
  return take_row_end(at, end, kSeparator, layout.has_rest);
}

template <Separator kSeparator>
std::shared_ptr<graph::ArcBuckets> read_rows(TextCursor& cursor, const EdgeListLayout& layout,
                                             bool mirrored, EdgeListComments& comments) {
  RowArcs rows(cursor, {.mirrored = mirrored, .numbered = layout.counted},
               [layout](TextCursor& text, std::size_t row, RowEdges& edges) {
                 const char* at = text.at();
                 Edge edge;
                 if (!read_row<kSeparator>(at, text.end(), layout, row, edge)) return false;
                 edges.add(edge.from, edge.to, edge.weight);
                 text.move_to(at);
                 return true;
               });
  while (comments.find_row(cursor, kSeparator)) {
    if (!is_digit(TextCursor(cursor).peek()) || !rows.append(cursor)) return nullptr;
  }
  return rows.arcs();
}

Vertex take_vertex(const TextCursor& cursor, const TableFields& fields, int column,
                   const EdgeListLayout& layout, VertexNames& names) {
  const TableField& field = fields[static_cast<std::size_t>(column)];
  if (!field.quoted && is_missing_value(field.text)) {
    cursor.fail(field.at,
                "an end of the edge is missing: column {} holds {}; leave the row out, or, if a "
                "vertex is called so, put it in quotation marks{}",
                column + 1, field.text.empty() ? "nothing" : field.text,
                note_on_tabs(layout.separator));
  }
  const std::string number = layout.number_ids ? integer_in(field.text) : std::string();
  const std::string_view name = layout.number_ids ? number : field.text;
  return names.intern(name, VertexNames::hash(name), field.at);
}

double take_weight(const TextCursor& cursor, const TableFields& fields, int column) {
  return field_number(cursor, fields[static_cast<std::size_t>(column)], "the weight ");
}

inline bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  const char c = text[0];  // of marks for missing values
  return ((c | 0x20) == 'n' || c < '0' || (c == '1' && text.starts_with("1.#")) || c == '<' ||
          c == '?' || c == '[' || c == '\\') &&
         is_missing_value(text);
}

/// Reads a field and moves `at` after it. Returns false for a missing field, and for one with
/// doubled quotation marks.
inline bool take_plain_field(const char*& at, const char* end, Separator separator,
                             std::string_view& field) {
  skip_padding(at, end, separator);
  if (at == end || (separator == Separator::blank && *at == '\n')) return false;
  if (*at != '"') {
    field = take_unquoted(at, end, separator);
    return true;
  }
  const char* const first = ++at;
  while (at != end && *at != '"' && *at != '\n') ++at;
  if (at == end || *at++ == '\n' || (at != end && *at == '"')) return false;
  field = {first, static_cast<std::size_t>(at - 1 - first)};
  const bool ends =
      at == end || is_blank(*at) || *at == '\n' || *at == static_cast<char>(separator);
  skip_padding(at, end, separator);
  return ends;
}

constexpr int kForward = 1, kBackward = 2;

/// The directions of an edge by the value of a column such as `oneway`; 0 if it says none.
int ways_in(std::string_view value, const EdgeListLayout& layout) {
  if (value == "T" || value == "F") return 0;  // forward in one program's files, or true and false
  if (is_missing_value(value)) return layout.says_both_ways ? 0 : kForward | kBackward;
  std::string word = value.size() > 10 ? std::string() : lower_case(value);
  if (word.ends_with(".0")) word.resize(word.size() - 2);  // truth values with gaps in pandas
  constexpr std::string_view kYes[] = {"true", "yes", "1", "t", "y", "ft", "f-t", "directed"};
  constexpr std::string_view kReversed[] = {"-1", "reverse", "reversed", "tf", "t-f"};
  constexpr std::string_view kNo[] = {"false", "no", "0", "f", "n", "b", "undirected"};
  const bool yes = is_one_of(kYes, word), no = is_one_of(kNo, word);
  if (layout.says_both_ways) return yes ? kForward | kBackward : no ? kForward : 0;
  return yes ? kForward : is_one_of(kReversed, word) ? kBackward : no ? kForward | kBackward : 0;
}

/// The edges of a row: there with one weight, back with another.
struct NamedRow {
  std::string_view from = {}, to = {};
  double weight = 1, back = 1;
  int ways = kForward;

  /// Drops one way of a loop, and ways of negative costs if there is a column of costs back.
  void drop(bool loop, bool has_back) {
    if (loop || (has_back && back < 0)) ways &= ~kBackward;
    if (has_back && weight < 0) ways &= ~kForward;
    if (!has_back) back = weight;
  }
};

/// Returns false for a row without an edge, too.
bool read_plain_named_row(const char*& at, const char* end, const EdgeListLayout& layout,
                          NamedRow& row) {
  const Separator separator = layout.separator;
  skip_padding(at, end, separator);
  if (at == end || *at == '\n' || begins_comment(*at)) return false;
  if (layout.reverse_cost >= 0) row.ways = kForward | kBackward;
  for (int i = 0; i < layout.width; ++i) {
    std::string_view field;
    if (i > 0 && separator != Separator::blank &&
        (at == end || *at++ != static_cast<char>(separator)))
      return false;
    if (!take_plain_field(at, end, separator, field)) return false;
    if (i == layout.from) row.from = field;
    if (i == layout.to) row.to = field;
    if (i == layout.oneway) row.ways = ways_in(field, layout);
    if (i != layout.weight && i != layout.reverse_cost) continue;
    double& value = i == layout.weight ? row.weight : row.back;
    if (read_whole_number(field, value) != NumberFault::none) return false;
  }
  row.drop(row.from == row.to, layout.reverse_cost >= 0);
  // The vertices of reversed rows are numbered from the first column on, too.
  return (row.ways & kForward) != 0 && !is_missing(row.from) && !is_missing(row.to) &&
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
  std::array<Use, 2 * kRows + 2> uses;  // the last row may be two edges
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
      ++piece.rows;
      const auto add = [&](std::string_view from, std::string_view to, double weight) {
        piece.edges.push_back({0, 0, weight});
        for (const std::string_view text : {from, to}) {
          uses[count] = {text, VertexNames::hash(text)};
          names.prefetch_slot(uses[count++].hash);
        }
      };
      if ((row.ways & kForward) != 0) add(row.from, row.to, row.weight);
      if ((row.ways & kBackward) != 0) add(row.to, row.from, row.back);
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

RowEdges directed_edges(const TextCursor& cursor, const EdgeListLayout& layout,
                        const TableFields& fields, const Edge& edge) {
  const bool has_back = layout.reverse_cost >= 0;
  NamedRow row{.weight = edge.weight, .ways = has_back ? kForward | kBackward : kForward};
  if (layout.oneway >= 0) {
    const TableField& value = fields[static_cast<std::size_t>(layout.oneway)];
    row.ways = ways_in(value.text, layout);
    if (row.ways == 0) {
      cursor.fail(value.at,
                  "'{}' does not say whether the edge has one direction: yes, true or 1, no, false "
                  "or 0, and -1 for reversed do",
                  value.text);
    }
  }
  if (has_back && (row.ways & kBackward) != 0)
    row.back = take_weight(cursor, fields, layout.reverse_cost);
  row.drop(edge.from == edge.to, has_back);
  RowEdges edges;
  if ((row.ways & kForward) != 0) edges.add(edge.from, edge.to, row.weight);
  if ((row.ways & kBackward) != 0) edges.add(edge.to, edge.from, row.back);
  return edges;
}

Edge read_careful_edge(const TextCursor& cursor, const TableFields& fields,
                       const EdgeListLayout& layout, std::size_t row, VertexNames& names) {
  const auto width = static_cast<std::size_t>(layout.width);
  if (row == 1 && width == 2 && fields.size() == 3 && integer_of(layout.first_ends[0]) > 0) {
    cursor.fail(fields[2].at,
                "3 columns, but the first row has 2: leave it out if it is the numbers of vertices "
                "and edges ({} {})",
                layout.first_ends[0], layout.first_ends[1]);
  }
  if (!layout.has_rest || fields.size() < width)
    require_width(cursor, fields, width, layout.separator);
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
  using enum Separator;
  const auto read = layout.separator == comma       ? read_rows<comma>
                    : layout.separator == tab       ? read_rows<tab>
                    : layout.separator == semicolon ? read_rows<semicolon>
                                                    : read_rows<blank>;
  return read(cursor, layout, mirrored, comments);
}

NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout, bool mirrored,
                          EdgeListComments& comments) {
  NamedRows named;
  VertexNames& names = named.names;
  RowArcs rows(
      cursor.source(), {.mirrored = mirrored},
      [&, end = cursor.end()](Piece& piece) { read_named_piece(piece, end, layout, names); },
      [&](Piece& piece) { number_names(piece, names); });
  RowSplitter splitter(layout.separator);
  while (comments.find_row(cursor, layout.separator)) {
    if (!layout.counted && !layout.number_ids && rows.append(cursor)) continue;
    const TableFields& fields = splitter.split(cursor);
    const Edge edge = read_careful_edge(cursor, fields, layout, rows.rows(), names);
    rows.add_row(directed_edges(cursor, layout, fields, edge));
  }
  named.arcs = rows.arcs();
  return named;
}

}  // namespace apsp::io
