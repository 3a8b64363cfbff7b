#include "io/separator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/table_rows.hpp"
#include "io/titles.hpp"

namespace apsp::io {
namespace {

using Views = std::vector<std::string_view>;

constexpr std::array kSeparators = {Separator::tab, Separator::semicolon, Separator::comma,
                                    Separator::blank};
constexpr std::size_t kFirstRows = 100, kManyRows = 10;

bool is_mark(char c) { return c == ',' || c == ';'; }
bool holds(std::string_view field, Separator separator) {
  return !is_quoted(field) && split_line(field, separator).size() > 1;
}

/// Whether a field begins or ends with a comma or semicolon, unlike names.
bool has_loose_mark(std::string_view field) {
  return !field.empty() && !is_quoted(field) && (is_mark(field.front()) || is_mark(field.back()));
}

bool holds_only_numbers(std::string_view field) {
  return holds(field, Separator::blank) &&
         std::ranges::all_of(split_line(field, Separator::blank), is_number_text);
}

bool may_be_number(std::string_view field) {
  return is_number_text(without_quotes(field)) || is_missing_value(without_quotes(field));
}

/// Whether the last field is a weight; a comma in it is decimal if no name has another comma.
bool is_weight(const Views& row) {
  const auto has_comma = [](std::string_view field) { return field.find(',') != field.npos; };
  return may_be_number(row.back()) && !(has_comma(row.back()) && has_comma(row[row.size() - 2]));
}

class Reading {
 public:
  Reading(const Views& lines, Separator separator, bool any_columns)
      : separator_(separator), any_columns_(any_columns) {
    for (const std::string_view line : lines) rows_.push_back(split_line(line, separator));
    titled_ = width() > 1 && has_end_titles(split_titles(lines[0], separator));
    possible_ = is_table() && makes_edges();
  }

  Separator separator() const { return separator_; }
  bool possible() const { return possible_; }
  bool has_loose_marks() const { return any_field(has_loose_mark); }
  bool has_numbers_in_one_field() const { return any_field(holds_only_numbers); }
  /// Whether titles or weights support this separator.
  bool shown() const { return titled_ || width() > 2; }

  /// Whether this separator is preferred although `other` is possible.
  bool outweighs(const Reading& other) const {
    const auto after_number = [&](std::string_view field) {
      return holds(field, other.separator_) && !is_number_text(field) && is_digit(field.front()) &&
             is_number_text(split_line(field, other.separator_).front());
    };
    if (any_field(after_number)) return false;
    if ((titled_ && !other.titled_) || (shown() && !other.shown())) return true;
    return rows_.size() >= kManyRows && (!other.shown() || names_alike(other.separator_));
  }

  std::string first_row() const {
    return listed(std::vector<std::string>(rows_[0].begin(), rows_[0].end()));
  }

 private:
  std::size_t width() const { return rows_[0].size(); }

  template <class Is>
  bool any_field(const Is& is) const {
    return std::ranges::any_of(rows_,
                               [&](const Views& row) { return std::ranges::any_of(row, is); });
  }

  /// Whether all rows have equally many fields and none looks as if it held another separator.
  bool is_table() const {
    const bool equal =
        std::ranges::all_of(rows_, [&](const Views& row) { return row.size() == width(); });
    return equal && width() > 1 && !any_field([&](std::string_view field) {
             const bool open = field.find('"') != field.npos && !is_quoted(field);
             return open || has_loose_mark(field) || holds(field, Separator::tab) ||
                    holds_only_numbers(field);
           });
  }

  bool makes_edges() const {
    if (any_columns_ || titled_ || width() == 2) return true;
    const bool words = std::ranges::none_of(rows_[0], is_number_like);
    const auto first = rows_.begin() + (words && rows_.size() > 1 ? 1 : 0);
    if (width() == 3) return std::all_of(first, rows_.end(), is_weight);
    return rows_[0][0].empty() || !any_field(std::not_fn(may_be_number));
  }

  /// Whether both names of every row contain a separator alike: "node 3;node 4".
  bool names_alike(Separator separator) const {
    return std::ranges::all_of(rows_, [&](const Views& row) {
      return split_line(row[0], separator).size() == split_line(row[1], separator).size();
    });
  }

  Separator separator_;
  bool any_columns_;
  std::vector<Views> rows_;
  bool titled_ = false, possible_ = false;
};

Views first_rows(TextCursor cursor) {
  Views lines;
  while (lines.size() < kFirstRows && find_row(cursor)) lines.push_back(cursor.take_line());
  return lines;
}

/// Whether a separator is in every row, and not only next to another one.
bool is_in_every_row(const Views& lines, Separator separator) {
  return std::ranges::all_of(lines, [&](std::string_view line) {
    const Views fields = split_line(without_blanks(line), separator);
    const bool pads = separator == Separator::tab && std::ranges::any_of(fields, has_loose_mark);
    return fields.size() > 1 && !pads;
  });
}

/// The index of the first separator that is in every row, else of the blank.
std::size_t first_in_every_row(const Views& lines) {
  std::size_t first = 0;
  while (first + 1 < kSeparators.size() && !is_in_every_row(lines, kSeparators[first])) ++first;
  return first;
}

std::string_view name_of(Separator separator) {
  return separator == Separator::tab         ? "tab"
         : separator == Separator::semicolon ? "semicolon"
         : separator == Separator::comma     ? "comma"
                                             : "blank";
}

[[noreturn]] void ask(const TextCursor& cursor, const Reading& one, const Reading& other) {
  const std::string_view first = name_of(one.separator()), second = name_of(other.separator());
  cursor.fail_here(
      "a {0} and a {1} may both separate: this row is {2}, or {3}; say which (`separator={0}` or "
      "`separator={1}`), or put names that hold one in quotation marks",
      first, second, one.first_row(), other.first_row());
}

}  // namespace

Separator table_separator(const TextCursor& cursor) {
  const ReadOptions& options = cursor.source().options;
  if (options.separator) return *options.separator;
  const Views lines = first_rows(cursor);
  const std::size_t first = first_in_every_row(lines);
  const bool any_columns = options.columns || !options.weight.empty() ||
                           options.format == GraphFormat::matrix || !options.oneway.none() ||
                           !options.reverse_cost.none();
  const Reading meant(lines, kSeparators[first], any_columns);
  if (meant.possible() && kSeparators[first] == Separator::tab) return Separator::tab;
  if (kSeparators[first] == Separator::blank && meant.has_loose_marks()) {
    cursor.fail_here(
        "commas or semicolons are next to blanks, but not in every row; say which separates "
        "(`separator=comma`, semicolon or blank), or begin lines that are no rows with #");
  }
  if (meant.has_numbers_in_one_field()) ask(cursor, meant, {lines, Separator::blank, any_columns});
  for (std::size_t i = first + 1; i < kSeparators.size(); ++i) {
    const Reading other(lines, kSeparators[i], any_columns);
    if (other.possible() && !(meant.possible() && meant.outweighs(other))) {
      ask(cursor, meant, other);
    }
  }
  return kSeparators[first];
}

Separator list_separator(const TextCursor& cursor) {
  const auto asked = cursor.source().options.separator;
  return asked ? *asked : kSeparators[first_in_every_row(first_rows(cursor))];
}

}  // namespace apsp::io
