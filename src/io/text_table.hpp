// The one reader of text tables: separators, titles, fields, missing values and numbers, for lists
// of edges, matrices, and lists of vertices, pairs, weights and coordinates.
//
// The separator of a table is the first of tab, semicolon and comma that is in every row, else the
// blank. If another separator also makes the rows a table of edges, the table is ambiguous unless
// the first one gives more columns.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text_cursor.hpp"

namespace apsp::io {

/// The separator of a table of edges, whose first row is at the cursor, by options, else by the
/// first rows. Throws `Error` (input) for ambiguous rows.
Separator table_separator(const TextCursor& cursor);

/// The same for a list of vertices, pairs or weights. Never ambiguous; wrong choices give unknown
/// names. Throws `Error` (input) for a text of a known other format.
Separator list_separator(const TextCursor& cursor);

inline bool begins_comment(char c) { return c == '#' || c == '%'; }

inline bool at_row(const TextCursor& cursor) {
  const char first = TextCursor(cursor).peek();
  return !cursor.at_end() && first != '\n' && !begins_comment(first);
}

/// Skips blank lines and comments. Returns whether a row follows, which then begins at the cursor.
inline bool find_row(TextCursor& cursor) {
  while (!cursor.at_end() && !at_row(cursor)) cursor.skip_line();
  return !cursor.at_end();
}

std::vector<std::string_view> split_line(std::string_view line, Separator separator);

inline bool is_quoted(std::string_view field) {
  return field.size() > 1 && field.starts_with('"') && field.ends_with('"');
}

std::string_view without_quotes(std::string_view field);

struct TableField {
  const char* at;
  std::string_view text;
  bool quoted;
};
using TableFields = std::vector<TableField>;

/// Skips blanks, except tabs that separate.
inline void skip_padding(const char*& at, const char* end, Separator separator) {
  while (at != end && is_blank(*at) && (*at != '\t' || separator != Separator::tab)) ++at;
}

/// Returns the unquoted field at `at` without trailing blanks, and moves `at` to the next separator
/// or line end.
inline std::string_view take_unquoted(const char*& at, const char* end, Separator separator) {
  const char* const first = at;
  if (separator == Separator::blank) {
    while (at != end && !is_blank(*at) && *at != '\n') ++at;
  } else {
    while (at != end && *at != static_cast<char>(separator) && *at != '\n') ++at;
  }
  const char* last = at;
  while (last != first && is_blank(last[-1])) --last;
  return {first, static_cast<std::size_t>(last - first)};
}

class RowSplitter {
 public:
  explicit RowSplitter(Separator separator) : separator_(separator) {}

  /// Returns the fields of the cursor's line, valid until the next call, and moves the cursor to
  /// the next line. A line that is the name of a vertex of `whole` is one field.
  const TableFields& split(TextCursor& cursor, const Graph* whole = nullptr) &;

 private:
  TableField take_field(const TextCursor& cursor, const char*& at);
  TableField take_quoted(const TextCursor& cursor, const char*& at);

  Separator separator_;
  TableFields fields_;
  std::deque<std::string> unescaped_;
};

using Remarks = std::vector<std::string>;

template <class Words>
bool is_one_of(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// Adds a remark that a first row is taken as titles. `remarks` may be null.
void remark_on_titles(Remarks* remarks, const TextCursor& cursor, const TableFields& fields);

/// Reads a list: calls take(fields) for each row but titles. The first row is titles if
/// titled(fields, next), or, with a remark, if it has no numbers and is_row holds only for the next
/// row. `next` is empty if there is one row. `whole`: a line that is a vertex's name is one field;
/// may be null.
template <class Titled, class Take, class IsRow = bool (*)(const TableFields&)>
void read_list(
    TextCursor& cursor, const Titled& titled, const Take& take,
    const IsRow& is_row = [](const TableFields&) { return true; }, Remarks* remarks = nullptr,
    const Graph* whole = nullptr) {
  if (!find_row(cursor)) return;
  const Separator separator = list_separator(cursor);
  RowSplitter splitter(separator), second(separator);
  const TableFields& first = splitter.split(cursor, whole);
  TextCursor ahead = cursor;
  const TableFields next = find_row(ahead) ? second.split(ahead, whole) : TableFields();
  if (!titled(first, next)) {
    const bool below = std::ranges::none_of(first, is_number_like, &TableField::text) &&
                       !is_row(first) && !next.empty() && is_row(next);
    below ? remark_on_titles(remarks, cursor, first) : take(first);
  }
  while (find_row(cursor)) take(splitter.split(cursor, whole));
}

/// Whether a first row can only be titles: it has neither numbers nor missing values, and the next
/// row has a number below one of its words.
bool is_above_numbers(const TableFields& first, const TableFields& next);

std::vector<std::string> texts_of(const TableFields& fields);

/// The fields of a line without enclosing quotation marks.
std::vector<std::string> split_titles(std::string_view line, Separator separator);

/// Throws `Error` (input) with the position unless the field is a finite number. `what`: as in
/// `TextCursor::fail_number`.
double field_number(const TextCursor& cursor, const TableField& field, std::string_view what = {});

/// The same for a weight, which may be infinite ("inf", no edge).
double field_weight(const TextCursor& cursor, const TableField& field);

Vertex field_vertex(const TextCursor& cursor, const TableField& field, const Graph& graph);

/// The first title among `words`, which are in lower case; ignores the case of titles.
std::optional<std::size_t> find_title(std::span<const std::string> titles,
                                      std::initializer_list<std::string_view> words);

/// The two columns with usual titles for ends of edges. Empty if there are none, or for `tail` and
/// `head`, whose meaning varies. Throws `Error` (input) if there are two such pairs.
std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles);

bool has_end_titles(std::span<const std::string> titles);

/// Whether a column of directions says yes for both ways, as GTFS's `is_bidirectional`.
bool says_both_ways(std::string_view title);

/// The column with a usual title for vertices in lists: vertex or node, else id, else name.
std::optional<std::size_t> find_vertex_title(std::span<const std::string> titles);

/// Whether a word is a usual title for vertices: "from", "Target", "node".
bool is_vertex_title(std::string_view text);

/// "'a', 'b' and 'c'" for a message; at most 12.
std::string listed(std::span<const std::string> words);

}  // namespace apsp::io
