#include "io/separator.hpp"

#include <algorithm>
#include <vector>

#include "io/number.hpp"

namespace apsp::io {
namespace {

bool ends_field(char c, Separator separator) {
  return separator == Separator::blank ? is_blank(c) : c == static_cast<char>(separator);
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
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

bool is_made_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

constexpr std::string_view kDigits = "0123456789";

/// Whether a field is a number, perhaps with a comma in it.
bool may_be_number(std::string_view text) {
  return is_made_of(text, "0123456789+-.,eE") && text.find_first_of(kDigits) != text.npos;
}

Separator comma_or_blank(std::string_view line) {
  return has_outside_quotes(line, ',') ? Separator::comma : Separator::blank;
}

}  // namespace

Separator separator_of(std::string_view line, bool annotated) {
  const Separator other = comma_or_blank(line);
  if (!has_outside_quotes(line, ';')) return other;
  const auto fields = fields_of(line, Separator::semicolon), others = fields_of(line, other);
  const bool holds_tab = std::any_of(fields.begin(), fields.end(), [](std::string_view field) {
    return has_outside_quotes(field, '\t');
  });
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

bool is_number_with_comma(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return is_made_of(text, "0123456789,.") && is_digit(text.front()) && is_digit(text.back()) &&
         text.find(',') != text.npos;
}

}  // namespace apsp::io
