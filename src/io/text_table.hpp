// The one reader of text tables: separators, titles, fields, missing values and numbers, for lists
// of edges, matrices, and lists of vertices, pairs, weights and coordinates.
//
// The separator of a table is the first of tab, semicolon and comma that is in every row, else the
// blank. If another separator also makes the rows a table of edges, the table is ambiguous unless
// the first one gives more columns.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text_cursor.hpp"
#include "io/titles.hpp"

namespace apsp::io {

/// The separator of a table of edges, whose first row is at the cursor, by options, else by the
/// first rows. Throws `Error` (input) for ambiguous rows.
Separator table_separator(const TextCursor& cursor);

/// The same for a list of vertices, pairs or weights. Never ambiguous; wrong choices give unknown
/// names. Throws `Error` (input) for a text of a known other format.
Separator list_separator(const TextCursor& cursor);

inline bool begins_comment(char c) { return c == '#' || c == '%'; }

/// Whether the cursor's line is "sep=;", which tells Excel the separator. More separators may
/// follow.
bool at_line_of_excel(const TextCursor& cursor);

inline bool at_row(const TextCursor& cursor) {
  const char first = TextCursor(cursor).peek();
  return !cursor.at_end() && first != '\n' && !begins_comment(first) && !at_line_of_excel(cursor);
}

/// Whether the cursor is at a row with a field that is not empty. Spreadsheets write rows of
/// separators; in a matrix such rows have no edges. `separator`: empty: commas and semicolons.
inline bool at_filled_row(const TextCursor& cursor, std::optional<Separator> separator) {
  const auto separates = [&](char c) {
    return separator ? c == static_cast<char>(*separator) : c == ',' || c == ';';
  };
  const char* at = cursor.at();
  while (at != cursor.end() && (is_blank(*at) || separates(*at))) ++at;
  return at != cursor.end() && *at != '\n' && at_row(cursor);
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

/// The text of a cell whose kind is not read. It counts as missing.
inline constexpr const char* kUnread = "(a date or duration or list or bytes: not read)";

/// The end of a number of a Parquet file that its float may have rounded, as in 16777216e+0: a
/// weight, but no vertex.
inline constexpr std::string_view kOfFloat = "e+0";

template <class Words, class Word>
bool is_one_of(const Words& words, const Word& word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// Throws `Error` (input) for a comment that may be a row, as it has the name of a vertex.
[[noreturn]] void fail_hidden_row(const TextCursor& cursor, std::string_view line,
                                  std::string_view name);

/// Adds a remark that begins with the name of the file. `remarks` may be null.
template <class... Args>
void add_remark(Remarks* remarks, const TextCursor& cursor, fmt::format_string<Args...> text,
                Args&&... args) {
  if (remarks == nullptr) return;
  remarks->push_back(cursor.source().name + ": " + fmt::format(text, std::forward<Args>(args)...));
}

std::vector<std::string> texts_of(const TableFields& fields);

/// Moves to the next row of a list that has a field or is the name of a vertex. Throws `Error`
/// (input) for a comment that is, or begins with, the name of a vertex. `graph` may be null.
bool find_list_row(TextCursor& cursor, Separator separator, const Graph* graph);

/// Throws `Error` (input) unless a row has as many fields as the first row.
void require_width(const TextCursor& cursor, const TableFields& fields, std::size_t width,
                   Separator separator);

/// A hint for messages about fields between tabs; else empty.
std::string_view note_on_tabs(Separator separator);

/// Reads a list about `graph`, which may be null: calls take(fields) for each row but titles. The
/// first row is titles if titled(fields, next), or, with a remark, if it has no numbers and is_row
/// holds only for the next row, and rows then have as many fields. `next` is empty if there is one
/// row. `whole`: a line that is a vertex's name is one field. Returns what separates.
template <class Titled, class Take, class IsRow = bool (*)(const TableFields&)>
Separator read_list(
    TextCursor& cursor, const Graph* graph, const Titled& titled, const Take& take,
    const IsRow& is_row = [](const TableFields&) { return true; }, Remarks* remarks = nullptr,
    bool whole = false) {
  TextCursor begin = cursor;
  find_row(begin);
  const Separator separator = list_separator(begin);
  if (!find_list_row(cursor, separator, graph)) return separator;
  const Graph* const names = whole ? graph : nullptr;
  RowSplitter splitter(separator), second(separator);
  const TableFields& first = splitter.split(cursor, names);
  const std::size_t width = first.size();
  TextCursor ahead = cursor;
  const TableFields next =
      find_list_row(ahead, separator, graph) ? second.split(ahead, names) : TableFields();
  const bool has_titles = titled(first, next);
  const bool below = !has_titles &&
                     std::ranges::none_of(first, is_number_like, &TableField::text) &&
                     !is_row(first) && !next.empty() && is_row(next);
  if (below)
    add_remark(remarks, cursor, "the first row is taken as titles: {}", listed(texts_of(first)));
  if (!has_titles && !below) take(first);
  while (find_list_row(cursor, separator, graph)) {
    const TableFields& fields = splitter.split(cursor, names);
    const bool is_name = whole && fields.size() == 1;
    if ((has_titles || below) && !is_name) require_width(cursor, fields, width, separator);
    take(fields);
  }
  return separator;
}

/// Whether a first row can only be titles: it has neither numbers nor missing values, and the next
/// row has a number below one of its words.
bool is_above_numbers(const TableFields& first, const TableFields& next);

/// Returns f(), whose errors about titles get the position `at`.
template <class F>
auto located(const TextCursor& cursor, const char* at, const F& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input || !error.location().file.empty()) throw;
    cursor.fail(at, "{}", error.what());
  }
}

/// The fields of a line without enclosing quotation marks.
std::vector<std::string> split_titles(std::string_view line, Separator separator);

/// Throws `Error` (input) with the position unless the field is a finite number. `what`: as in
/// `TextCursor::fail_number`.
double field_number(const TextCursor& cursor, const TableField& field, std::string_view what = {});

/// The same for a weight, which may be infinite ("inf", no edge).
double field_weight(const TextCursor& cursor, const TableField& field);

/// Throws `Error` (input) unless x is a longitude and y a latitude. `field`: that of x.
void require_degrees(const TextCursor& cursor, const TableField& field, double x, double y);

/// Throws `Error` (input) for a float of a Parquet file that may be rounded (`kOfFloat`).
void require_exact_id(const TextCursor& cursor, const char* at, std::string_view text);

Vertex field_vertex(const TextCursor& cursor, const TableField& field, const Graph& graph);

}  // namespace apsp::io
