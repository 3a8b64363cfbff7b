// Rows of a table as text: what separates their fields (blanks and tabs, commas, or semicolons, as
// in tables from places where the comma is the decimal mark), the fields, and what they may hold.
#pragma once

#include <apsp/graph.hpp>

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_cursor.hpp"

namespace apsp::io {

inline bool begins_comment(char c) { return c == '#' || c == '%'; }

/// Skips blank lines and comments; whether a row follows, which then begins at the cursor.
inline bool find_row(TextCursor& cursor) {
  for (; !cursor.at_end(); cursor.skip_line()) {
    const char first = cursor.peek();
    if (!cursor.at_end() && first != '\n' && !begins_comment(first)) return true;
  }
  return false;
}

enum class Separator : char { blank = ' ', comma = ',', semicolon = ';' };

/// What separates the fields of a table whose first row is `line`: semicolons if there are any
/// outside quotation marks, else commas, else blanks. Semicolons are parts of names where a tab
/// stands inside of what they would separate, and where only commas or blanks leave a number at the
/// end. `annotated`: the file has annotations, so it may be our own, which has blanks or commas;
/// they are taken where both ways give two columns.
Separator separator_of(std::string_view line, bool annotated = false);

/// Whether semicolons and commas both make two columns of a row.
bool has_two_separators(std::string_view line);

/// The number with a decimal comma ("1,5", "1,234,567") at the end of a row between blanks, which
/// commas would cut; empty: there is none.
std::optional<std::string_view> decimal_comma_behind_blanks(std::string_view line);

struct TableField {
  const char* at;  ///< where it stands in the text
  std::string_view text;
  bool quoted;
};
using TableFields = std::vector<TableField>;

/// The field without quotation marks at `at`, which moves to the separator or line end behind it;
/// without blanks at its end.
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

  /// The fields of the cursor's line, valid until the next call and as long as this lives; the
  /// cursor moves to the next line.
  const TableFields& split(TextCursor& cursor) &;

 private:
  TableField take_field(TextCursor& cursor);
  TableField take_quoted(TextCursor& cursor);

  Separator separator_;
  TableFields fields_;
  std::deque<std::string> unescaped_;  // texts of fields with doubled quotation marks
};

/// Calls take(fields, first) for each row of a table, whose first row tells what separates fields;
/// `first`: whether it is that row.
template <class Take>
void for_each_row(TextCursor& cursor, const Take& take) {
  std::optional<RowSplitter> splitter;
  while (find_row(cursor)) {
    const bool first = !splitter;
    if (first) splitter.emplace(separator_of(TextCursor(cursor).take_line()));
    take(splitter->split(cursor), first);
  }
}

/// Whether a word is a usual title of a column of vertices: "from", "Target".
bool is_column_title(std::string_view text);

/// Throws `Error` (input), with the place of the field, if it is no finite number.
double field_number(const TextCursor& cursor, const TableField& field);

/// The same of a weight that may be infinite ("inf"), which means no edge.
double field_weight(const TextCursor& cursor, const TableField& field);

/// The vertex that a field names. Throws `Error` (input), with its place, if there is none.
Vertex field_vertex(const TextCursor& cursor, const TableField& field, const Graph& graph);

}  // namespace apsp::io
