#include "io/edge_list_rows.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/numbers.hpp"
#include "io/lower_case.hpp"

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
  while (!comment.empty() && is_blank(comment.front())) comment.remove_prefix(1);
  const char* digits = comment.data();
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

using Fields = std::vector<EdgeListField>;

bool is_header(const Fields& fields, const std::optional<EdgeListColumns>& columns) {
  const bool has_number = std::any_of(fields.begin(), fields.end(), [](const EdgeListField& field) {
    return is_number_like(field.text);
  });
  if (has_number) return false;
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
    cursor.fail(
        "a semicolon and a comma both make two columns of this row; put a field that holds one of "
        "them in quotation marks");
  }
  return separator;
}

/// Refuses a row that blanks might have separated.
void refuse_decimal_comma(const TextCursor& cursor, std::string_view line) {
  if (const auto number = decimal_comma_behind_blanks(line)) {
    cursor.fail(number->data(),
                fmt::format("'{}' looks like a number with a decimal comma; write a point, or put "
                            "names that hold blanks in quotation marks",
                            *number));
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
EdgeListLayout layout_of(const TextCursor& cursor, const Fields& fields, Separator separator,
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
      cursor.fail(fields.front().at,
                  fmt::format("column {} is asked for, but there are {}", last, layout.width));
    }
  } else if (layout.width == 3) {
    layout.weight = 2;
  } else if (layout.width == 4 && fields[0].text == "0" &&
             std::all_of(fields.begin(), fields.end(),
                         [](const EdgeListField& field) { return is_number_like(field.text); })) {
    layout.counted = true;
    layout.from = 1;
    layout.to = 2;
    layout.weight = 3;
  } else if (layout.width != 2) {
    cursor.fail(fields.front().at,
                fmt::format("{}: an edge is 'from to' or 'from to weight'; with more, say "
                            "which columns they are (--columns FROM,TO,WEIGHT)",
                            base::counted(layout.width, "column", "columns")));
  }
  return layout;
}

}  // namespace

bool is_column_title(std::string_view text) {
  constexpr std::array kTitles = {
      "source",     "target",   "src",         "dst",      "dest",  "from",   "to",
      "fromnodeid", "tonodeid", "u",           "v",        "node1", "node2",  "id1",
      "id2",        "head",     "tail",        "start",    "end",   "origin", "node",
      "vertex1",    "vertex2",  "destination", "fromnode", "tonode"};
  return std::find(kTitles.begin(), kTitles.end(), lower_case(text)) != kTitles.end();
}

void EdgeListComments::read(TextCursor& cursor) {
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
  while (!cursor.at_end()) {
    const char first = cursor.peek();
    if (first == '\n') {
      cursor.skip_line();
    } else if (begins_comment(first)) {
      comments.read(cursor);
    } else {
      const char* const row = cursor.at();
      TextCursor ahead = cursor;
      const std::string_view line = ahead.take_line();
      if (!separator) {
        separator = clear_separator(cursor, line, !comments.annotations.empty());
        splitter.emplace(*separator);
      }
      if (separator == Separator::comma) refuse_decimal_comma(cursor, line);
      const Fields& fields = splitter->split(cursor);
      if (titles.empty() && comments.annotations.empty() && is_header(fields, columns)) {
        titles = line;
        continue;
      }
      cursor.move_to(row);
      EdgeListLayout layout = layout_of(cursor, fields, *separator, columns);
      layout.titles = titles;
      return layout;
    }
  }
  return std::nullopt;
}

EdgeListField RowSplitter::take_quoted(TextCursor& cursor) {
  const char* const at = cursor.at();
  const char* const end = cursor.end();
  const char* p = at + 1;
  bool doubled = false;
  for (;; ++p) {
    if (p == end || *p == '\n') cursor.fail(at, "the quotation mark is not closed on its line");
    if (*p != '"') continue;
    if (p + 1 == end || p[1] != '"') break;
    doubled = true;
    ++p;
  }
  std::string_view text(at + 1, static_cast<std::size_t>(p - at - 1));
  if (doubled) {
    std::string& plain = unescaped_.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
      plain += text[i];
      if (text[i] == '"') ++i;
    }
    text = plain;
  }
  cursor.move_to(p + 1);
  const bool ends_here = p + 1 == end || is_blank(p[1]) || p[1] == '\n' ||
                         (separator_ != Separator::blank && p[1] == static_cast<char>(separator_));
  if (!ends_here) cursor.fail("expected the end of the field behind the quotation mark");
  return {at, text, true};
}

EdgeListField RowSplitter::take_field(TextCursor& cursor) {
  if (cursor.peek() == '"') return take_quoted(cursor);
  const char* const at = cursor.at();
  const char* p = at;
  if (separator_ == Separator::blank) {
    while (p != cursor.end() && !is_blank(*p) && *p != '\n') ++p;
  } else {
    while (p != cursor.end() && *p != static_cast<char>(separator_) && *p != '\n') ++p;
  }
  cursor.move_to(p);
  while (p != at && is_blank(p[-1])) --p;
  return {at, std::string_view(at, static_cast<std::size_t>(p - at)), false};
}

const std::vector<EdgeListField>& RowSplitter::split(TextCursor& cursor) {
  fields_.clear();
  unescaped_.clear();
  const char mark = static_cast<char>(separator_);
  if (separator_ == Separator::blank) {
    while (cursor.peek() != '\n') fields_.push_back(take_field(cursor));
  } else {
    do {
      fields_.push_back(take_field(cursor));
      if (cursor.peek() != mark && cursor.peek() != '\n') {
        cursor.fail(fmt::format("expected a {} or the end of the line",
                                separator_ == Separator::comma ? "comma" : "semicolon"));
      }
    } while (cursor.take(mark));
  }
  cursor.expect_line_end();
  return fields_;
}

}  // namespace apsp::io
