#include "io/text_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/units.hpp"
#include "graph/label_twins.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {
namespace {

std::string_view name_of(Separator separator) {
  return separator == Separator::tab         ? "tab"
         : separator == Separator::semicolon ? "semicolon"
         : separator == Separator::comma     ? "comma"
                                             : "blank";
}

bool ends_field(char c, Separator separator) {
  return separator == Separator::blank ? is_blank(c) : c == static_cast<char>(separator);
}

}  // namespace

bool at_line_of_excel(const TextCursor& cursor) {
  std::string_view left(cursor.at(), static_cast<std::size_t>(cursor.end() - cursor.at()));
  if (left.starts_with('"')) left.remove_prefix(1);
  if (left.empty() || (left[0] | 0x20) != 's' || lower_case(left.substr(0, 4)) != "sep=")
    return false;
  const std::size_t behind = left.find_first_not_of(" \t\r,;|\"", 4);
  return behind == left.npos || left[behind] == '\n';
}

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
      cursor.fail(at, "expected a {} or the end of the line", name_of(separator_));
    }
  }
  cursor.move_to(at);
  cursor.expect_line_end();
  return fields_;
}

void fail_hidden_row(const TextCursor& cursor, std::string_view line, std::string_view name) {
  cursor.fail(line.data(),
              "'{}' is a vertex, but a line that begins with {} is a comment: put the name in "
              "quotation marks, or a blank behind the mark of a comment",
              name, line.front());
}

bool find_list_row(TextCursor& cursor, Separator separator, const Graph* graph) {
  // A list of one column may have rows of commas or semicolons.
  const auto known = separator == Separator::blank ? std::nullopt : std::optional(separator);
  while (!cursor.at_end() && !at_filled_row(cursor, known)) {
    const TextCursor row = cursor;
    const std::string_view line = without_blanks(cursor.take_line());
    if (graph == nullptr || line.empty()) continue;
    if (!begins_comment(line.front())) {
      if (!graph->find(line)) continue;
      cursor.move_to(row.at());
      return true;
    }
    for (const std::string_view name : {line, split_line(line, separator).front()}) {
      if (graph->find(name)) fail_hidden_row(cursor, line, name);
    }
  }
  return !cursor.at_end();
}

std::string_view note_on_tabs(Separator separator) {
  return separator == Separator::tab
             ? "; tabs separate here: `separator=blank` takes blanks and tabs alike"
             : "";
}

void require_width(const TextCursor& cursor, const TableFields& fields, std::size_t width,
                   Separator separator) {
  if (fields.size() == width) return;
  cursor.fail(fields[std::min(fields.size() - 1, width)].at,
              "{}, but the first row has {}; lines that are no rows begin with #{}{}",
              base::counted(std::ssize(fields), "column", "columns"), width,
              fields.size() == width + 1 ? "; if column 1 names the rows, it needs a title" : "",
              note_on_tabs(separator));
}

double field_number(const TextCursor& cursor, const TableField& field, std::string_view what) {
  double value = 0;
  const NumberFault fault = read_whole_number(field.text, value);
  if (fault == NumberFault::none) return value;
  if (field.text == kUnread) {
    cursor.fail(field.at, "{}'{}' is of no kind that is read: convert it to a number", what,
                field.text);
  }
  if (is_missing_value(field.text)) {
    cursor.fail(field.at, "{}'{}' is a missing value: leave the row out, or fill it", what,
                field.text);
  }
  cursor.fail_number(field.at, field.text, fault, what);
}

double field_weight(const TextCursor& cursor, const TableField& field) {
  double value = 0;
  const bool infinite = read_whole_number(field.text, value) == NumberFault::not_finite &&
                        lower_case(field.text).find("inf") != std::string::npos;
  return infinite ? std::numeric_limits<double>::infinity() : field_number(cursor, field);
}

void require_degrees(const TextCursor& cursor, const TableField& field, double x, double y) {
  if (std::abs(x) <= 360 && std::abs(y) <= 90) return;
  cursor.fail(field.at, "({}, {}) is no longitude and latitude", x, y);
}

void require_exact_id(const TextCursor& cursor, const char* at, std::string_view text) {
  constexpr double kFirstRounded = 0x1p24;
  double value = 0;
  if (!text.ends_with(kOfFloat) || read_whole_number(text, value) != NumberFault::none ||
      std::abs(value) < kFirstRounded) {
    return;
  }
  cursor.fail(at,
              "the vertex {} is a float so large that floats no longer hold every integer: store "
              "integers, or texts",
              text.substr(0, text.size() - kOfFloat.size()));
}

Vertex field_vertex(const TextCursor& cursor, const TableField& field, const Graph& graph) {
  if (const auto found = graph.find(field.text)) return *found;
  require_exact_id(cursor, field.at, field.text);
  if (field.text.find_first_of(".eE") != field.text.npos) {  // 2.0 is 2, as in edge lists
    const std::string number = integer_in(field.text);
    if (const auto found = graph.find(number); found && !number.empty()) return *found;
  }
  const std::int64_t n = graph.vertex_count();
  std::string note = graph::note_on_twin(graph.labels(), field.text);
  if (note.empty() && n > 0) {
    note = fmt::format("; vertices are {} to {}", graph.name(0),
                       graph.name(static_cast<Vertex>(n - 1)));
  }
  cursor.fail(field.at, "unknown vertex '{}'{}", field.text,
              n == 0 ? "; the graph has none" : note);
}

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

[[noreturn]] void ask(const TextCursor& cursor, const Reading& one, const Reading& other) {
  const std::string_view first = name_of(one.separator()), second = name_of(other.separator());
  cursor.fail_here(
      "a {0} and a {1} may both separate: this row is {2}, or {3}; say which (`separator={0}` or "
      "`separator={1}`), or put names that hold one in quotation marks",
      first, second, one.first_row(), other.first_row());
}

/// Throws `Error` (input) if a comma, semicolon or tab is in most rows, but not in all.
void require_most_rows(const TextCursor& cursor, const Views& lines) {
  for (std::size_t i = 0; i + 1 < kSeparators.size(); ++i) {
    const auto lacks = [&](std::string_view line) {
      return !is_in_every_row({line}, kSeparators[i]);
    };
    const auto others = std::ranges::count_if(lines, lacks);
    if (2 * others >= std::ssize(lines)) continue;
    cursor.fail(std::ranges::find_if(lines, lacks)->data(),
                "this row has no {0}, as most rows have: begin lines that are no rows with #, and "
                "take line breaks out of fields; or say what separates (`separator={0}` or "
                "`separator=blank`)",
                name_of(kSeparators[i]));
  }
}

}  // namespace

Separator table_separator(const TextCursor& cursor) {
  const ReadOptions& options = cursor.source().options;
  if (options.separator) return *options.separator;
  const Views lines = first_rows(cursor);
  const std::size_t first = first_in_every_row(lines);
  if (kSeparators[first] == Separator::blank) require_most_rows(cursor, lines);
  const auto ends_in_tab = [](std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \r") + 1).ends_with('\t');
  };
  const bool any_columns = options.columns || !options.weight.empty() ||
                           options.format == GraphFormat::matrix || !options.oneway.none() ||
                           !options.reverse_cost.none();
  const Reading meant(lines, kSeparators[first], any_columns);
  // The last column is empty, or the tab ends the row.
  if (kSeparators[first] != Separator::tab && std::ranges::all_of(lines, ends_in_tab)) {
    const Reading by_tabs(lines, Separator::tab, any_columns);
    if (by_tabs.possible() && !(meant.possible() && meant.outweighs(by_tabs)))
      ask(cursor, by_tabs, meant);
  }
  if (meant.possible() && kSeparators[first] == Separator::tab) return Separator::tab;
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
  refuse_foreign({cursor.source().bytes.data(), cursor.source().bytes.size()},
                 cursor.source().name);
  const auto asked = cursor.source().options.separator;
  return asked ? *asked : kSeparators[first_in_every_row(first_rows(cursor))];
}

}  // namespace apsp::io

namespace apsp {

bool is_missing_value(std::string_view text) {
  constexpr std::array kMarks = {"",         "NA",       "N/A",    "NaN",      "nan",    "null",
                                 "NULL",     "None",     "<NA>",   "#N/A",     "NaT",    "n/a",
                                 "#N/A N/A", "#NA",      "-NaN",   "-nan",     "1.#IND", "-1.#IND",
                                 "1.#QNAN",  "-1.#QNAN", "#REF!",  "#VALUE!",  "#NAME?", "#DIV/0!",
                                 "#NULL!",   "#NUM!",    "(null)", "[NULL]",   "?",      ".",
                                 "-",        "--",       "\\N",    io::kUnread};
  return std::ranges::find(kMarks, text) != kMarks.end();
}

}  // namespace apsp
