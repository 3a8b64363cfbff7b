#include "io/table_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/titles.hpp"

namespace apsp::io {
namespace {

bool ends_field(char c, Separator separator) {
  return separator == Separator::blank ? is_blank(c) : c == static_cast<char>(separator);
}

}  // namespace

std::vector<std::string_view> split_line(std::string_view line, Separator separator) {
  std::vector<std::string_view> fields;
  std::size_t first = 0;
  const auto end_field = [&](std::size_t end) {
    const std::string_view field = without_blanks(line.substr(first, end - first));
    if (separator != Separator::blank || !field.empty()) fields.push_back(field);
    first = end + 1;
  };
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    // Quotation marks open a field after a separator; doubled marks continue it.
    constexpr std::string_view kBefore = " \t\r,;\"";
    const bool opens = i == 0 || kBefore.find(line[i - 1]) != kBefore.npos;
    if (line[i] == '"') quoted = !quoted && opens;
    if (!quoted && ends_field(line[i], separator)) end_field(i);
  }
  end_field(line.size());
  return fields;
}

bool is_number_text(std::string_view text) {
  return is_number_like(text) && (text.find_first_of("0123456789") == text.npos ||
                                  text.find_first_not_of("0123456789+-.,eE") == text.npos);
}

bool is_number_like(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  const std::string word = text.size() > 8 ? std::string() : lower_case(text);
  if (word == "inf" || word == "infinity" || word == "nan") return true;
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]);
}

bool is_above_numbers(const TableFields& first, const TableFields& next) {
  const auto is_datum = [](std::string_view text) {
    return is_number_like(text) || (!text.empty() && is_missing_value(text));
  };
  if (std::ranges::any_of(first, is_datum, &TableField::text)) return false;
  for (std::size_t i = 0; i < std::min(first.size(), next.size()); ++i) {
    if (!first[i].text.empty() && is_number_text(next[i].text)) return true;
  }
  return false;
}

std::vector<std::string> texts_of(const TableFields& fields) {
  std::vector<std::string> texts;
  for (const TableField& field : fields) texts.emplace_back(field.text);
  return texts;
}

std::string_view without_quotes(std::string_view field) {
  return is_quoted(field) ? field.substr(1, field.size() - 2) : field;
}

std::vector<std::string> split_titles(std::string_view line, Separator separator) {
  std::vector<std::string> titles;
  for (const std::string_view field : split_line(line, separator)) {
    titles.emplace_back(without_quotes(field));
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

const TableFields& RowSplitter::split(TextCursor& cursor, const Graph* whole) & {
  fields_.clear();
  unescaped_.clear();
  if (whole != nullptr) {
    TextCursor next = cursor;
    const std::string_view line = without_blanks(next.take_line());
    if (whole->find(line)) {
      cursor.move_to(next.at());
      fields_.push_back({line.data(), line, false});
      return fields_;
    }
  }
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
      --at;
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

void remark_on_titles(Remarks* remarks, const TextCursor& cursor, const TableFields& fields) {
  if (remarks == nullptr) return;
  remarks->push_back(fmt::format("{}: the first row is taken as titles: {}", cursor.source().name,
                                 listed(texts_of(fields))));
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
