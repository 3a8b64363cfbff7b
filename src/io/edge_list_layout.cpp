// What the comments of an edge list say, and what its first row tells of the others.
#include "io/edge_list.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <cctype>

#include "base/units.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// The first word "directed" or "undirected" of a comment.
std::optional<bool> direction_in_words(std::string_view comment) {
  const std::string text = lower_case(comment);
  for (std::size_t at = text.find("directed"); at != text.npos;
       at = text.find("directed", at + 1)) {
    const bool negated = at >= 2 && text.compare(at - 2, 2, "un") == 0;
    const std::size_t start = negated ? at - 2 : at;
    if (start == 0 || !is_letter(text[start - 1])) return !negated;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> nodes_in_words(std::string_view comment) {
  constexpr std::string_view kMark = "Nodes:";
  const std::size_t at = comment.find(kMark);
  if (at == comment.npos) return std::nullopt;
  comment.remove_prefix(at + kMark.size());
  const char* digits = comment.data();
  skip_blanks(digits, comment.data() + comment.size());
  std::uint64_t nodes = 0;
  if (!read_unsigned(digits, comment.data() + comment.size(), nodes)) return std::nullopt;
  return nodes;
}

/// Whether a field is meant as a number, even if it is a bad one.
bool is_number_like(std::string_view text) {
  const std::string word = lower_case(text.substr(0, 4));
  std::string_view rest = word;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
  if (rest.substr(0, 3) == "inf" || rest.substr(0, 3) == "nan") return true;
  if (!rest.empty() && rest[0] == '.') rest.remove_prefix(1);
  return !rest.empty() && is_digit(rest[0]);
}

bool is_header(const TableFields& fields, const std::optional<EdgeListColumns>& columns) {
  if (std::ranges::any_of(fields, is_number_like, &TableField::text)) return false;
  const auto width = static_cast<int>(fields.size());
  if (columns ? columns->weight > 0 : width > 2) return true;
  const int from = columns ? columns->from : 1, to = columns ? columns->to : 2;
  return from <= width && to <= width &&
         is_column_title(fields[static_cast<std::size_t>(from - 1)].text) &&
         is_column_title(fields[static_cast<std::size_t>(to - 1)].text);
}

/// That of a first row; refuses one that can be read in two ways.
Separator clear_separator(const TextCursor& cursor, std::string_view line, bool annotated) {
  const Separator separator = separator_of(line, annotated);
  if (separator == Separator::semicolon && has_two_separators(line)) {
    cursor.fail_here(
        "a semicolon and a comma both make two columns of this row; put a field that holds one of "
        "them in quotation marks");
  }
  return separator;
}

/// Refuses a row that blanks might have separated.
void refuse_decimal_comma(const TextCursor& cursor, std::string_view line) {
  if (const auto number = decimal_comma_behind_blanks(line)) {
    cursor.fail(number->data(),
                "'{}' looks like a number with a decimal comma; write a point, or put "
                "names that hold blanks in quotation marks",
                *number);
  }
}

void require_usable(const EdgeListColumns& columns) {
  if (columns.from < 1 || columns.to < 1 || columns.weight < 0 || columns.from == columns.to ||
      columns.weight == columns.from || columns.weight == columns.to) {
    throw Error(ErrorKind::usage,
                "the columns of an edge list are three different ones, counted from 1 (weight: 0 "
                "for none)");
  }
}

/// The layout that the first row of data shows.
EdgeListLayout layout_of(const TextCursor& cursor, const TableFields& fields, Separator separator,
                         const std::optional<EdgeListColumns>& columns) {
  EdgeListLayout layout;
  layout.separator = separator;
  layout.width = static_cast<int>(fields.size());
  if (columns) {
    layout.from = columns->from - 1;
    layout.to = columns->to - 1;
    layout.weight = columns->weight - 1;
    const int last = std::max({columns->from, columns->to, columns->weight});
    if (last > layout.width) {
      cursor.fail(fields.front().at, "column {} is asked for, but there are {}", last,
                  layout.width);
    }
  } else if (layout.width == 3) {
    layout.weight = 2;
  } else if (layout.width == 4 && fields[0].text == "0" &&
             std::ranges::all_of(fields, is_number_like, &TableField::text)) {
    layout.counted = true;
    layout.from = 1;
    layout.to = 2;
    layout.weight = 3;
  } else if (layout.width != 2) {
    cursor.fail(fields.front().at,
                "{}: an edge is 'from to' or 'from to weight'; with more, say "
                "which columns they are (--columns FROM,TO,WEIGHT)",
                base::counted(layout.width, "column", "columns"));
  }
  return layout;
}

}  // namespace

bool EdgeListComments::find_row(TextCursor& cursor) {
  for (; !cursor.at_end(); take_comment(cursor)) {
    while (!cursor.at_end() && cursor.peek() == '\n') cursor.skip_line();
    if (cursor.at_end() || !begins_comment(cursor.peek())) break;
  }
  return !cursor.at_end();
}

void EdgeListComments::take_comment(TextCursor& cursor) {
  cursor.move_to(cursor.at() + 1);
  TextCursor ahead = cursor;
  ahead.skip_blanks();
  if (ahead.take('a') && ahead.take('p') && ahead.take('s') && ahead.take('p') && ahead.take(':')) {
    annotations.read_comment(cursor);
    return;
  }
  const std::string_view comment = cursor.take_line();
  if (!directed) directed = direction_in_words(comment);
  if (!nodes) nodes = nodes_in_words(comment);
}

std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments) {
  const std::optional<EdgeListColumns>& columns = cursor.source().options.columns;
  if (columns) require_usable(*columns);
  std::optional<Separator> separator;
  std::optional<RowSplitter> splitter;
  std::string_view titles;
  while (comments.find_row(cursor)) {
    const char* const row = cursor.at();
    TextCursor ahead = cursor;
    const std::string_view line = ahead.take_line();
    if (!separator) {
      separator = clear_separator(cursor, line, !comments.annotations.empty());
      splitter.emplace(*separator);
    }
    if (separator == Separator::comma) refuse_decimal_comma(cursor, line);
    const TableFields& fields = splitter->split(cursor);
    if (titles.empty() && comments.annotations.empty() && is_header(fields, columns)) {
      titles = line;
      continue;
    }
    cursor.move_to(row);
    EdgeListLayout layout = layout_of(cursor, fields, *separator, columns);
    layout.titles = titles;
    return layout;
  }
  return std::nullopt;
}

}  // namespace apsp::io
