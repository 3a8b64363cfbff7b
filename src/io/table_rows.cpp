#include "io/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

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

/// A tab that only pads another separator separates nothing.
bool tabs_separate(std::string_view line) {
  if (!has_outside_quotes(without_blanks(line), '\t')) return false;
  const auto fields = fields_of(line, Separator::tab);
  return std::ranges::none_of(fields.begin(), fields.end() - 1, [](std::string_view field) {
    return field.ends_with(',') || field.ends_with(';');
  });
}

/// The number with a decimal comma ("1,5", "1,234,567") at the end of a row between blanks, which
/// commas would cut; empty: there is none.
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

/// Whether semicolons make several columns, each of which holds a blank: "node 3;node 4".
bool has_names_between_semicolons(std::string_view line) {
  const auto fields = fields_of(line, Separator::semicolon);
  return fields.size() > 1 && std::ranges::all_of(fields, [](std::string_view field) {
           return has_outside_quotes(field, ' ');
         });
}

/// Whether semicolons and commas both make two columns of a row.
bool has_two_separators(std::string_view line) {
  return fields_of(line, Separator::semicolon).size() == 2 &&
         fields_of(line, Separator::comma).size() == 2;
}

}  // namespace

Separator separator_of(std::string_view line, bool annotated) {
  if (tabs_separate(line)) return Separator::tab;
  const Separator other = has_outside_quotes(line, ',') ? Separator::comma : Separator::blank;
  if (!has_outside_quotes(line, ';')) return other;
  const auto fields = fields_of(line, Separator::semicolon), others = fields_of(line, other);
  const bool other_has_weight =
      others.size() > 2 && may_be_number(others.back()) && !may_be_number(fields.back());
  const bool ours = annotated && fields.size() == 2 && others.size() == 2;
  return other_has_weight || ours ? other : Separator::semicolon;
}

Separator table_separator(const TextCursor& cursor, bool annotated) {
  if (const auto asked = cursor.source().options.separator) return *asked;
  const std::string_view line = TextCursor(cursor).take_line();
  const Separator separator = separator_of(line, annotated);
  if (separator == Separator::blank && !annotated && has_names_between_semicolons(line)) {
    cursor.fail_here(
        "semicolons between names that hold blanks, or blanks between names that hold semicolons; "
        "say which separates (--separator semicolon or --separator blank)");
  }
  if (separator == Separator::semicolon && has_two_separators(line)) {
    cursor.fail_here(
        "a semicolon and a comma both make two columns of this row; say which separates "
        "(--separator semicolon or --separator comma), or put names that hold one in quotation "
        "marks");
  }
  if (const auto number =
          separator == Separator::comma ? decimal_comma_behind_blanks(line) : std::nullopt) {
    cursor.fail(number->data(),
                "'{}' looks like a number with a decimal comma; write a point, or say that commas "
                "separate (--separator comma)",
                *number);
  }
  if (separator != Separator::tab) return separator;
  for (const std::string_view field : fields_of(line, separator)) {
    if (!holds_numbers_between_blanks(field)) continue;
    cursor.fail(field.data(),
                "a tab and a blank both separate numbers in this row; say whether '{}' is one name "
                "(--separator tab) or several fields (--separator blank)",
                field);
  }
  return separator;
}

bool holds_numbers_between_blanks(std::string_view text) {
  if (text.find(' ') == text.npos) return false;
  return std::ranges::all_of(fields_of(text, Separator::blank), may_be_number);
}

bool is_number_like(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const std::string word = text.size() > 8 ? std::string() : lower_case(text);
  if (word == "inf" || word == "infinity" || word == "nan") return true;
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]);
}

bool is_above_numbers(const TableFields& first, const TableFields& next) {
  if (std::ranges::any_of(first, is_number_like, &TableField::text)) return false;
  for (std::size_t i = 0; i < std::min(first.size(), next.size()); ++i) {
    if (!is_missing_value(first[i].text) && is_number_like(next[i].text)) return true;
  }
  return false;
}

std::vector<std::string> texts_of(const TableFields& fields) {
  std::vector<std::string> texts;
  for (const TableField& field : fields) texts.emplace_back(field.text);
  return texts;
}

std::vector<std::string> split_titles(std::string_view line, Separator separator) {
  std::vector<std::string> titles;
  for (std::string_view field : fields_of(without_blanks(line), separator)) {
    const bool quoted = field.size() > 1 && field.front() == '"' && field.back() == '"';
    titles.emplace_back(quoted ? field.substr(1, field.size() - 2) : field);
  }
  return titles;
}

TableField RowSplitter::take_quoted(const TextCursor& cursor, const char*& at) {
  const char* const first = at;
  const char* const end = cursor.end();
  const char* p = first + 1;
  bool doubled = false;
  for (;; ++p) {
    if (p == end || *p == '\n') cursor.fail(first, "the quotation mark is not closed on its line");
    if (*p != '"') continue;
    if (p + 1 == end || p[1] != '"') break;
    doubled = true;
    ++p;
  }
  std::string_view text(first + 1, static_cast<std::size_t>(p - first - 1));
  if (doubled) {
    std::string& plain = unescaped_.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
      plain += text[i];
      if (text[i] == '"') ++i;
    }
    text = plain;
  }
  at = p + 1;
  const bool ends_here = at == end || is_blank(*at) || *at == '\n' ||
                         (separator_ != Separator::blank && *at == static_cast<char>(separator_));
  if (!ends_here) cursor.fail(at, "expected the end of the field after the quotation mark");
  return {first, text, true};
}

TableField RowSplitter::take_field(const TextCursor& cursor, const char*& at) {
  if (at != cursor.end() && *at == '"') return take_quoted(cursor, at);
  const char* const first = at;
  return {first, take_unquoted(at, cursor.end(), separator_), false};
}

const TableFields& RowSplitter::split(TextCursor& cursor) & {
  fields_.clear();
  unescaped_.clear();
  const char* at = cursor.at();
  const char* const end = cursor.end();
  const bool by_blanks = separator_ == Separator::blank;
  for (;; ++at) {
    skip_padding(at, end, separator_);
    const bool ended = at == end || *at == '\n';
    if (by_blanks && ended) break;
    fields_.push_back(take_field(cursor, at));
    skip_padding(at, end, separator_);
    if (at == end || *at == '\n') break;
    if (by_blanks) {
      --at;  // the next field begins here
    } else if (*at != static_cast<char>(separator_)) {
      const std::string_view mark = separator_ == Separator::comma       ? "comma"
                                    : separator_ == Separator::semicolon ? "semicolon"
                                                                         : "tab";
      cursor.fail(at, "expected a {} or the end of the line", mark);
    }
  }
  cursor.move_to(at);
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
