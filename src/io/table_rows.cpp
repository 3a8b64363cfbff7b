#include "io/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apsp::io {
namespace {

bool ends_field(char c, Separator separator) {
  return separator == Separator::blank ? is_blank(c) : c == static_cast<char>(separator);
}

/// Quotation marks stay.
std::vector<std::string_view> fields_of(std::string_view line, Separator separator) {
  std::vector<std::string_view> fields;
  std::size_t first = 0;
  const auto end_field = [&](std::size_t end) {
    const std::string_view field = without_blanks(line.substr(first, end - first));
    if (separator != Separator::blank || !field.empty()) fields.push_back(field);
    first = end + 1;
  };
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted && ends_field(line[i], separator)) end_field(i);
  }
  end_field(line.size());
  return fields;
}

bool has_outside_quotes(std::string_view line, char wanted) {
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == wanted && !quoted) return true;
  }
  return false;
}

constexpr std::string_view kDigits = "0123456789";

/// Whether a field is a number, perhaps with a comma in it.
bool may_be_number(std::string_view text) {
  return text.find_first_of(kDigits) != text.npos &&
         text.find_first_not_of("0123456789+-.,eE") == text.npos;
}

}  // namespace

Separator separator_of(std::string_view line, bool annotated) {
  const Separator other = has_outside_quotes(line, ',') ? Separator::comma : Separator::blank;
  if (!has_outside_quotes(line, ';')) return other;
  const auto fields = fields_of(line, Separator::semicolon), others = fields_of(line, other);
  const bool holds_tab = std::ranges::any_of(
      fields, [](std::string_view field) { return has_outside_quotes(field, '\t'); });
  const bool other_has_weight =
      others.size() > 2 && may_be_number(others.back()) && !may_be_number(fields.back());
  const bool ours = annotated && fields.size() == 2 && others.size() == 2;
  return holds_tab || other_has_weight || ours ? other : Separator::semicolon;
}

bool has_two_separators(std::string_view line) {
  return fields_of(line, Separator::semicolon).size() == 2 &&
         fields_of(line, Separator::comma).size() == 2;
}

std::optional<std::string_view> decimal_comma_behind_blanks(std::string_view line) {
  const auto words = fields_of(line, Separator::blank);
  if (words.size() < 3 || !is_number_with_comma(words.back())) return std::nullopt;
  // A comma further ahead separates: "New York 1,Los Angeles 2,5" has three columns.
  const auto ahead = static_cast<std::size_t>(words.back().data() - line.data());
  if (has_outside_quotes(line.substr(0, ahead), ',')) return std::nullopt;
  const std::string_view number = words.back();
  const std::size_t first = number.find(','), second = number.find(',', first + 1);
  const bool thousands = second == number.npos || second - first == 4;
  return thousands ? std::optional(number) : std::nullopt;
}

bool is_column_title(std::string_view text) {
  constexpr std::array kTitles = {
      "source",     "target",   "src",         "dst",      "dest",  "from",   "to",
      "fromnodeid", "tonodeid", "u",           "v",        "node1", "node2",  "id1",
      "id2",        "head",     "tail",        "start",    "end",   "origin", "node",
      "vertex1",    "vertex2",  "destination", "fromnode", "tonode"};
  return std::ranges::find(kTitles, lower_case(text)) != kTitles.end();
}

TableField RowSplitter::take_quoted(TextCursor& cursor) {
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
  if (!ends_here) cursor.fail_here("expected the end of the field after the quotation mark");
  return {at, text, true};
}

TableField RowSplitter::take_field(TextCursor& cursor) {
  if (cursor.peek() == '"') return take_quoted(cursor);
  const char* const at = cursor.at();
  const char* behind = at;
  const std::string_view text = take_unquoted(behind, cursor.end(), separator_);
  cursor.move_to(behind);
  return {at, text, false};
}

const TableFields& RowSplitter::split(TextCursor& cursor) & {
  fields_.clear();
  unescaped_.clear();
  const char mark = static_cast<char>(separator_);
  if (separator_ == Separator::blank) {
    while (cursor.peek() != '\n') fields_.push_back(take_field(cursor));
  } else {
    do {
      fields_.push_back(take_field(cursor));
      if (cursor.peek() != mark && cursor.peek() != '\n') {
        cursor.fail_here("expected a {} or the end of the line",
                         separator_ == Separator::comma ? "comma" : "semicolon");
      }
    } while (cursor.take(mark));
  }
  cursor.expect_line_end();
  return fields_;
}

double field_number(const TextCursor& cursor, const TableField& field) {
  const char* at = field.text.data();
  const char* const end = at + field.text.size();
  double value = 0;
  const NumberFault fault = read_number(at, end, value);
  if (fault == NumberFault::none && at == end) return value;
  cursor.fail(field.at, "'{}' {}", field.text, describe(field.text, fault));
}

double field_weight(const TextCursor& cursor, const TableField& field) {
  std::string_view text = field.text;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  for (const std::string_view infinite : {"inf", "Inf", "infinity", "Infinity"}) {
    if (text == infinite) return std::numeric_limits<double>::infinity();
  }
  return field_number(cursor, field);
}

Vertex field_vertex(const TextCursor& cursor, const TableField& field, const Graph& graph) {
  if (const auto found = graph.find(field.text)) return *found;
  const std::int64_t n = graph.vertex_count();
  const std::string there = n == 0 ? "the graph has none"
                                   : fmt::format("vertices are {} to {}", graph.name(0),
                                                 graph.name(static_cast<Vertex>(n - 1)));
  cursor.fail(field.at, "unknown vertex '{}'; {}", field.text, there);
}

}  // namespace apsp::io
