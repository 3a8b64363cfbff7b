#include "io/text_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "graph/label_twins.hpp"

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

void remark_on_titles(Remarks* remarks, const TextCursor& cursor, const TableFields& fields) {
  if (remarks == nullptr) return;
  remarks->push_back(fmt::format("{}: the first row is taken as titles: {}", cursor.source().name,
                                 listed(texts_of(fields))));
}

double field_number(const TextCursor& cursor, const TableField& field, std::string_view what) {
  double value = 0;
  const NumberFault fault = read_whole_number(field.text, value);
  if (fault == NumberFault::none) return value;
  cursor.fail_number(field.at, field.text, fault, what);
}

double field_weight(const TextCursor& cursor, const TableField& field) {
  std::string_view text = field.text;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::string word = text.size() > 8 ? std::string() : lower_case(text);
  if (word == "inf" || word == "infinity") return std::numeric_limits<double>::infinity();
  return field_number(cursor, field);
}

Vertex field_vertex(const TextCursor& cursor, const TableField& field, const Graph& graph) {
  if (const auto found = graph.find(field.text)) return *found;
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
  const std::string_view first = lines.empty() ? "" : without_quotes(without_blanks(lines[0]));
  if (first.starts_with("sep=") && first.size() < 7)
    cursor.fail(first.data(), "'{}' is a line for Excel: leave it out", first);
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

namespace {

using Word = std::string_view;

constexpr std::pair<Word, Word> kEnds[] = {{"source", "target"}, {"source", "destination"},
                                           {"source", "dest"},   {"from", "to"},
                                           {"src", "dst"},       {"src", "dest"},
                                           {"u", "v"},           {"origin", "destination"},
                                           {"orig", "dest"},     {"o", "d"},
                                           {"start", "end"},     {"node1", "node2"},
                                           {"nodea", "nodeb"},   {"vertex1", "vertex2"},
                                           {"id1", "id2"}};
constexpr Word kWeights[] = {
    "weight",  "weights", "w",       "wt",         "distance",  "dist",      "length",   "len",
    "cost",    "costs",   "time",    "traveltime", "minutes",   "seconds",   "hours",    "metres",
    "meters",  "metre",   "meter",   "km",         "miles",     "m",         "duration", "delay",
    "latency", "price",   "lengthm", "lengthkm",   "distancem", "distancekm"};
constexpr Word kCounters[] = {"id", "index", "edgeid", "rowid", "fid", "gid", "unnamed", "type"};

/// Lower case without separators of words: "From Node_ID" becomes "fromnodeid".
/// Types and units after a title do not count, such as Neo4j's ":START_ID(Place)".
std::string joined_lower(Word title) {
  std::string word = lower_case(title.substr(0, title.find_first_of(":(", 1)));
  std::erase_if(word, [](char c) { return Word(" _-.:").find(c) != Word::npos; });
  return word;
}

/// The same without a suffix such as "id" or "node": "from".
std::string end_word(Word title) {
  std::string word = joined_lower(title);
  for (const Word ending : {"nodeid", "vertexid", "stopid", "node", "vertex", "id", "name"}) {
    if (word.size() > ending.size() && word.ends_with(ending)) {
      return word.substr(0, word.size() - ending.size());
    }
  }
  return word;
}

[[noreturn]] void refuse_titles(const std::string& message) {
  throw Error(ErrorKind::input, message);
}

constexpr Word kChoose =
    "`columns=FROM,TO,WEIGHT` names the columns, `columns=FROM,TO` those of "
    "edges without weights";

std::size_t position(const Column& column, std::span<const std::string> titles) {
  if (column.title.empty()) {
    if (column.number <= std::ssize(titles)) return static_cast<std::size_t>(column.number - 1);
    refuse_titles(
        fmt::format("column {} is asked for, but there are {}", column.number, titles.size()));
  }
  const auto named = std::ranges::count(titles, column.title);
  if (named == 0) {
    refuse_titles(
        fmt::format("no column is called '{}'; the titles are {}", column.title, listed(titles)));
  }
  if (named > 1) {
    refuse_titles(
        fmt::format("{} columns are called '{}'; choose one by its number, counted from 1", named,
                    column.title));
  }
  return static_cast<std::size_t>(std::ranges::find(titles, column.title) - titles.begin());
}

int optional_position(const Column& column, std::span<const std::string> titles) {
  return column.none() ? -1 : static_cast<int>(position(column, titles));
}

void require_usable(const EdgeListColumns& columns) {
  const auto& [from, to, weight] = columns;
  if (from.none() || to.none() || std::min({from.number, to.number, weight.number}) < 0) {
    throw Error(ErrorKind::usage,
                "the columns of an edge list are titles, or numbers counted from 1 (weight: 0 for "
                "none)");
  }
}

class ColumnChoice {
 public:
  ColumnChoice(std::span<const std::string> titles, const ReadOptions& options)
      : titles_(titles), options_(options) {}

  TableColumns choose() {
    chosen_.oneway = optional_position(options_.oneway, titles_);
    chosen_.reverse_cost = optional_position(options_.reverse_cost, titles_);
    if (options_.columns) {
      take_asked(*options_.columns);
    } else {
      choose_ends();
      if (options_.weight.empty()) {
        choose_weight();
      } else if (options_.weight != kNoWeight) {
        chosen_.weight = static_cast<int>(position(Column(options_.weight), titles_));
      }
    }
    require_different();
    remark_on_directions();
    return std::move(chosen_);
  }

 private:
  Word title(int column) const { return titles_[static_cast<std::size_t>(column)]; }
  int count() const { return static_cast<int>(titles_.size()); }
  std::array<int, 5> columns() const {
    return {chosen_.from, chosen_.to, chosen_.weight, chosen_.oneway, chosen_.reverse_cost};
  }
  bool is_direction(int i) const {
    return i == chosen_.oneway || i == chosen_.reverse_cost || is_oneway(i) || is_reverse_cost(i);
  }
  bool is_oneway(int i) const {
    return joined_lower(title(i)) == "oneway" || says_both_ways(title(i));
  }
  bool is_reverse_cost(int i) const {
    const std::string word = joined_lower(title(i));
    return word == "reversecost" || word == "rcost";
  }

  void take_asked(const EdgeListColumns& columns) {
    require_usable(columns);
    chosen_.from = optional_position(columns.from, titles_);
    chosen_.to = optional_position(columns.to, titles_);
    chosen_.weight = optional_position(columns.weight, titles_);
  }

  /// Only columns with a title may be ends.
  void choose_ends() {
    if (const auto ends = find_end_titles(titles_)) {
      chosen_.from = static_cast<int>(ends->first);
      chosen_.to = static_cast<int>(ends->second);
      return;
    }
    const auto may_be_end = [](const std::string& text) {
      const std::string word = joined_lower(text);
      return !word.empty() && !is_number_like(text) &&
             (word == "type" || !is_one_of(kCounters, word));
    };
    if (count() < 2 || count() > 3 || !std::ranges::all_of(titles_, may_be_end)) {
      refuse_titles(fmt::format(
          "no two of {} are usual titles of ends, and a list of vertices has no edges; {}",
          listed(titles_), kChoose));
    }
    chosen_.from = 0;
    chosen_.to = 1;
    chosen_.remarks.push_back(fmt::format("columns 1 and 2, '{}' and '{}', are taken as the ends",
                                          title(chosen_.from), title(chosen_.to)));
  }

  void choose_weight() {
    std::vector<int> left;
    for (int i = 0; i < count(); ++i) {
      if (i == chosen_.from || i == chosen_.to || is_direction(i)) continue;
      const std::string word = joined_lower(title(i));
      if (word == "weight") {
        if (chosen_.weight >= 0) refuse_weights();
        chosen_.weight = i;
        continue;
      }
      if (word.empty() || is_one_of(kCounters, word)) {
        chosen_.remarks.push_back(word.empty()
                                      ? fmt::format("column {} has no title and is not used", i + 1)
                                      : fmt::format("the column '{}' is not used", title(i)));
      } else {
        left.push_back(i);
      }
    }
    if (chosen_.weight >= 0 || left.empty()) return;
    if (left.size() > 1) refuse_weights();
    const std::string word = joined_lower(title(left[0]));
    if (word == "key") {
      chosen_.remarks.push_back("the column 'key' is not used, and every weight is 1");
      return;
    }
    chosen_.weight = left[0];
    if (!is_one_of(kWeights, word)) {
      chosen_.remarks.push_back(
          fmt::format("the column '{}' is taken as the weight", title(left[0])));
    }
  }

  [[noreturn]] void refuse_weights() const {
    refuse_titles(fmt::format("the weight may be any of several columns; the titles are {}; {}",
                              listed(titles_), kChoose));
  }

  void require_different() const {
    std::array used = columns();
    std::ranges::sort(used);
    for (std::size_t i = 1; i < used.size(); ++i) {
      if (used[i] < 0 || used[i] != used[i - 1]) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("column {} is asked for twice: ends, weight and direction are "
                              "different columns",
                              used[i] + 1));
    }
  }

  /// A column of directions is never ignored without a remark.
  void remark_on_directions() {
    for (int i = 0; i < count(); ++i) {
      if (std::ranges::count(columns(), i) > 0) continue;
      if (is_oneway(i)) {
        chosen_.remarks.push_back(fmt::format(
            "the column '{0}' is not used; `oneway={0}` makes edges of one direction", title(i)));
      } else if (is_reverse_cost(i)) {
        chosen_.remarks.push_back(fmt::format(
            "the column '{0}' is not used; `reverse_cost={0}` makes edges of the way back",
            title(i)));
      }
    }
  }

  std::span<const std::string> titles_;
  const ReadOptions& options_;
  TableColumns chosen_;
};

constexpr std::ptrdiff_t kNone = -1, kSeveral = -2;

/// The column of an end: the only one with this word, or with this word as the whole title.
std::ptrdiff_t place_of(std::span<const std::string> titles, const std::vector<std::string>& words,
                        Word wanted) {
  std::ptrdiff_t found = kNone, whole = kNone;
  const auto note = [](std::ptrdiff_t& place, std::size_t i) {
    place = place == kNone ? static_cast<std::ptrdiff_t>(i) : kSeveral;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == wanted) note(found, i);
    if (words[i] == wanted && joined_lower(titles[i]) == wanted) note(whole, i);
  }
  return whole == kNone ? found : whole;
}

/// The only column with a usual title for this end; −1: none or several.
template <class Member>
std::ptrdiff_t only_column(const std::vector<std::string>& words, Member member) {
  const auto is_end = [&](const std::string& word) {
    return std::ranges::find(kEnds, Word(word), member) != std::end(kEnds);
  };
  if (std::ranges::count_if(words, is_end) != 1) return -1;
  return std::ranges::find_if(words, is_end) - words.begin();
}

}  // namespace

std::string listed(std::span<const std::string> words) {
  constexpr std::size_t kMostShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMostShown); ++i) {
    const bool last = i + 1 == words.size();
    text += i == 0 ? "" : last ? " and " : ", ";
    text += words[i].empty() ? "(no title)" : fmt::format("'{}'", words[i]);
  }
  return words.size() > kMostShown ? text + ", …" : text;
}

std::optional<std::size_t> find_title(std::span<const std::string> titles,
                                      std::initializer_list<std::string_view> words) {
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (is_one_of(words, joined_lower(titles[i]))) return i;
  }
  return std::nullopt;
}

std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles) {
  std::vector<std::string> words;
  for (const std::string& title : titles) words.push_back(end_word(title));
  std::pair<std::ptrdiff_t, std::ptrdiff_t> found = {-1, -1};
  for (const auto& [from, to] : kEnds) {
    const std::pair columns(place_of(titles, words, from), place_of(titles, words, to));
    if (columns.first == kNone || columns.second == kNone) continue;
    if (found.first >= 0 || columns.first == kSeveral || columns.second == kSeveral) {
      refuse_titles(fmt::format("more than two columns may be the ends; the titles are {}; {}",
                                listed(titles), kChoose));
    }
    found = columns;
  }
  if (found.first < 0) {
    const std::ptrdiff_t tail = place_of(titles, words, "tail"),
                         head = place_of(titles, words, "head");
    if (tail >= 0 && head >= 0) {
      refuse_titles(fmt::format(
          "head and tail of an edge are used in both directions: `columns={0},{1}` "
          "goes from '{0}' to '{1}', `columns={1},{0}` the other way",
          titles[static_cast<std::size_t>(tail)], titles[static_cast<std::size_t>(head)]));
    }
    found = {only_column(words, &std::pair<Word, Word>::first),
             only_column(words, &std::pair<Word, Word>::second)};
  }
  if (found.first < 0 || found.second < 0) return std::nullopt;
  return std::pair<std::size_t, std::size_t>(found);
}

bool has_end_titles(std::span<const std::string> titles) {
  try {
    return find_end_titles(titles).has_value();
  } catch (const Error&) {
    return true;
  }
}

bool says_both_ways(std::string_view title) {
  return joined_lower(title).ends_with("bidirectional");
}

std::optional<std::size_t> find_vertex_title(std::span<const std::string> titles) {
  auto found = find_title(titles, {"vertex", "node", "vertexid", "nodeid"});
  if (!found) found = find_title(titles, {"id", "osmid"});
  return found ? found : find_title(titles, {"name"});
}

bool is_vertex_title(std::string_view text) {
  const std::string whole = joined_lower(text), word = end_word(text);
  constexpr Word kNames[] = {"node", "nodes", "vertex", "vertices", "name", "id", "head", "tail"};
  if (is_one_of(kNames, whole)) return true;
  return std::ranges::any_of(
      kEnds, [&](const auto& pair) { return pair.first == word || pair.second == word; });
}

}  // namespace apsp::io

namespace apsp {

TableColumns choose_columns(std::span<const std::string> titles, const ReadOptions& options) {
  return io::ColumnChoice(titles, options).choose();
}

bool is_missing_value(std::string_view text) {
  constexpr std::array kMarks = {"",     "NA",   "N/A",  "NaN",  "nan", "null",
                                 "NULL", "None", "<NA>", "#N/A", "NaT", "n/a"};
  return std::ranges::find(kMarks, text) != kMarks.end();
}

}  // namespace apsp
