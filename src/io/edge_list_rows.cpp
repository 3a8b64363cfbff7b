#include "io/edge_list_rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cctype>
#include <limits>

#include "base/units.hpp"
#include "io/plain_rows.hpp"
#include "io/text_matrix.hpp"

namespace apsp::io {
namespace {

/// Whether titles are needed to find the columns: false for numbered columns.
bool needs_titles(const ReadOptions& options) {
  const auto is_title = [](const Column& column) { return !column.title.empty(); };
  const EdgeListColumns columns = options.columns.value_or(EdgeListColumns());
  return !options.weight.empty() || is_title(columns.from) || is_title(columns.to) ||
         is_title(columns.weight) || is_title(options.oneway) || is_title(options.reverse_cost);
}

TableColumns located_columns(const TextCursor& cursor, const char* at,
                             const std::vector<std::string>& titles) {
  try {
    return choose_columns(titles, cursor.source().options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    cursor.fail(at, "{}", error.what());
  }
}

void take_columns(EdgeListLayout& layout, TableColumns&& columns,
                  const std::vector<std::string>& titles) {
  columns.remarks.insert(columns.remarks.begin(), layout.remarks.begin(), layout.remarks.end());
  layout.says_both_ways =
      columns.oneway >= 0 && says_both_ways(titles[static_cast<std::size_t>(columns.oneway)]);
  static_cast<TableColumns&>(layout) = std::move(columns);
}

void take_untitled(const TextCursor& cursor, const TableFields& fields, EdgeListLayout& layout) {
  const ReadOptions& options = cursor.source().options;
  const char* const at = fields.front().at;
  if (options.columns || !options.oneway.none() || !options.reverse_cost.none()) {
    std::vector<std::string> titles(fields.size());
    if (!options.columns)
      cursor.fail(at, "name the ends and the weight, too: `columns=FROM,TO,WEIGHT`");
    take_columns(layout, located_columns(cursor, at, titles), titles);
  } else if (layout.width == 3) {
    layout.weight = 2;
  } else if (layout.width == 4 && fields[0].text == "0" &&
             std::ranges::all_of(fields, is_number_like, &TableField::text)) {
    layout.counted = true;
    layout.from = 1;
    layout.to = 2;
    layout.weight = 3;
  } else if (layout.width != 2) {
    cursor.fail(at,
                "{}: an edge is 'from to' or 'from to weight'; with more, say "
                "which columns they are (`columns=FROM,TO,WEIGHT`)",
                base::counted(layout.width, "column", "columns"));
  }
}

/// Rows "from to [weight [time]]". Right vertices are numbered after left ones.
void take_konect(const TextCursor& cursor, const EdgeListComments& comments,
                 EdgeListLayout& layout) {
  constexpr Vertex kBehindAllLeft = Vertex{1} << 31;
  const bool sides = comments.konect == EdgeListComments::Konect::bip;
  if (sides && cursor.source().options.columns) {
    throw Error(ErrorKind::usage,
                "`columns` is not for bipartite files of KONECT, whose first two columns are the "
                "ends: leave it out");
  }
  if (layout.width < 2)
    cursor.fail_here("one column: a row of KONECT is 'from to [weight [time]]'");
  layout.has_rest = layout.width > 3;
  layout.weight = layout.width > 2 ? 2 : -1;
  layout.width = std::min(layout.width, 3);
  if (!sides) return;
  const bool sized = comments.sizes.size() == 3 && comments.sizes[1] < kBehindAllLeft;
  layout.right = sized ? static_cast<Vertex>(comments.sizes[1]) : kBehindAllLeft;
}

class FirstRows {
 public:
  FirstRows(TextCursor& cursor, EdgeListComments& comments)
      : cursor_(cursor), comments_(comments), options_(cursor.source().options) {}

  std::optional<EdgeListLayout> layout() {
    const bool annotated = !comments_.annotations.empty();
    const bool konect = comments_.konect != EdgeListComments::Konect::none;
    EdgeListLayout layout;
    layout.separator =
        konect ? options_.separator.value_or(Separator::blank) : table_separator(cursor_);
    RowSplitter splitter(layout.separator), next_splitter(layout.separator);
    const TextCursor first_row = cursor_;
    TextCursor behind = cursor_;
    const TableFields& first = splitter.split(behind);
    layout.width = static_cast<int>(first.size());
    if (konect && (!options_.columns || comments_.konect == EdgeListComments::Konect::bip)) {
      take_konect(cursor_, comments_, layout);
      return layout;
    }
    const bool open = !annotated && !options_.columns && !options_.format;
    if (open && holds_matrix(cursor_, layout.separator)) {
      layout.matrix = true;
      return layout;
    }
    TextCursor ahead = behind;
    const bool has_next = io::find_row(ahead);
    const TableFields& next = has_next ? next_splitter.split(ahead) : first;
    const std::vector<std::string> titles = texts_of(first);
    if (!annotated) require_row(first, next);
    if (needs_titles(options_) ||
        (!annotated && are_titles(first, next, ahead, layout.separator))) {
      return titled(std::move(layout), first_row, behind, titles);
    }
    if (!annotated) take_titles_above(first_row, layout, first);
    if (!from_comment_) take_untitled(cursor_, first, layout);
    return layout;
  }

 private:
  /// Throws `Error` (input) for a first row that may be a comment, or either an edge or titles.
  void require_row(const TableFields& first, const TableFields& next) const {
    const TableField& begin = first.front();
    for (const char* const mark : {"//", "--", "!"}) {
      if (begin.quoted || !begin.text.starts_with(mark)) continue;
      cursor_.fail(begin.at,
                   "a row that begins with '{0}' may be a comment; comments begin with # or %, and "
                   "names that begin with '{0}' are in quotation marks",
                   mark);
    }
    if (needs_titles(options_) || &first == &next || first.size() != next.size()) return;
    const bool above = has_end_titles(texts_of(first)), below = has_end_titles(texts_of(next));
    const auto stem = [](std::string_view text) {
      return text.substr(0, text.find_last_not_of("0123456789") + 1);
    };
    for (std::size_t i = 0; i < first.size() && (above || below); ++i) {
      const std::string_view title = stem(first[i].text);
      if (title.empty() || title == first[i].text || stem(next[i].text) != title) continue;
      if (!above) return;
      cursor_.fail(first[i].at,
                   "'{}' may be a title or a vertex, as '{}' below it is; say which columns are "
                   "meant (`columns={},{}`), or write titles above the first edge (source,target)",
                   first[i].text, next[i].text, first[0].text, first[1].text);
    }
    if (above || !below) return;
    cursor_.fail(next.front().at,
                 "this row looks like titles, which are in the first row; begin lines above them "
                 "with #, or say which columns are meant (`columns=FROM,TO,WEIGHT`)");
  }

  static bool are_titles(const TableFields& first, const TableFields& next,
                         const TextCursor& behind_next, Separator separator) {
    return std::ranges::none_of(first, is_number_like, &TableField::text) &&
           (has_end_titles(texts_of(first)) ||
            (is_above_numbers(first, next) &&
             stays_above_numbers(first, next, behind_next, separator)));
  }

  /// Whether a column that begins with a word has only numbers below in the first rows; names are
  /// not all numbers.
  static bool stays_above_numbers(const TableFields& first, const TableFields& next,
                                  TextCursor rows, Separator separator) {
    constexpr int kRows = 32;
    const auto is_number = [](const TableFields& fields, std::size_t i) {
      return i < fields.size() &&
             (is_number_text(fields[i].text) || is_missing_value(fields[i].text));
    };
    std::vector<bool> holds(first.size());
    for (std::size_t i = 0; i < holds.size(); ++i) {
      holds[i] =
          !is_missing_value(first[i].text) && i < next.size() && is_number_text(next[i].text);
    }
    RowSplitter splitter(separator);
    for (int row = 0; row < kRows && io::find_row(rows); ++row) {
      const TableFields& fields = splitter.split(rows);
      for (std::size_t i = 0; i < holds.size(); ++i) holds[i] = holds[i] && is_number(fields, i);
    }
    return std::ranges::find(holds, true) != holds.end();
  }

  std::optional<EdgeListLayout> titled(EdgeListLayout layout, const TextCursor& first_row,
                                       const TextCursor& behind,
                                       const std::vector<std::string>& titles) {
    TextCursor line = first_row;
    layout.remarks.push_back("the first row is taken as titles: " + shortened(line.take_line()));
    take_columns(layout, located_columns(cursor_, first_row.at(), titles), titles);
    layout.end_titles = {titles[static_cast<std::size_t>(layout.from)],
                         titles[static_cast<std::size_t>(layout.to)]};
    cursor_.move_to(behind.at());
    if (!comments_.find_row(cursor_)) return std::nullopt;
    if (!layout.has_directions() && !options_.directed) take_type(layout, titles);
    return layout;
  }

  /// Gephi's column "Type" holds "Directed" or "Undirected".
  void take_type(EdgeListLayout& layout, const std::vector<std::string>& titles) {
    const auto column = find_title(titles, {"type"});
    TextCursor row = cursor_;
    RowSplitter splitter(layout.separator);
    const TableFields& fields = splitter.split(row);
    if (!column || *column >= fields.size()) return;
    const std::string word = lower_case(fields[*column].text);
    if (word != "directed" && word != "undirected") return;
    comments_.directed = word == "directed";
    while (io::find_row(row)) {
      const TableFields& next = splitter.split(row);
      const bool other = *column < next.size() && lower_case(next[*column].text) != word;
      if (other) layout.oneway = static_cast<int>(*column);
    }
    layout.remarks.push_back(
        fmt::format("the column '{}' says which edges are directed", titles[*column]));
  }

  void take_titles_above(const TextCursor& first_row, EdgeListLayout& layout,
                         const TableFields& first) {
    const std::string_view comment = comments_.last;
    const char* const behind = comment.data() + comment.size();
    if (comment.empty() || std::find_if_not(behind, first_row.at(), [](char c) {
                             return is_blank(c) || c == '\n';
                           }) != first_row.at()) {
      return;
    }
    for (const Separator separator : {layout.separator, Separator::blank}) {
      const std::vector<std::string> titles = split_titles(without_blanks(comment), separator);
      if (titles.size() != first.size() || !has_end_titles(titles)) continue;
      TableColumns columns = located_columns(cursor_, comment.data(), titles);
      const bool usual = columns.from == 0 && columns.to == 1 && titles.size() < 4 &&
                         columns.weight == (titles.size() == 3 ? 2 : -1);
      if (usual && !options_.columns) return;
      take_columns(layout, std::move(columns), titles);
      layout.remarks.push_back("the comment above the first row is taken as titles: " +
                               shortened(comment));
      from_comment_ = true;
      return;
    }
  }

  TextCursor& cursor_;
  EdgeListComments& comments_;
  const ReadOptions& options_;
  bool from_comment_ = false;
};

}  // namespace

std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments) {
  if (!comments.find_row(cursor)) return std::nullopt;
  return FirstRows(cursor, comments).layout();
}

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view comment) {
  Words words;
  bool within = false;
  for (const char c : lower_case(comment)) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter && !within) words.emplace_back();
    if (letter) words.back() += c;
    within = letter;
  }
  return words;
}

struct Direction {
  std::optional<bool> stated;
  bool mentioned = false;  ///< the word occurs without a statement about the whole graph
};

/// A statement is a comment that begins with the word, "directed graph", "not directed", or
/// "directed: false".
Direction direction_in(const Words& words) {
  constexpr std::string_view kWords[] = {"directed", "undirected", "nondirected", "isdirected"};
  const auto found =
      std::ranges::find_if(words, [&](auto& word) { return is_one_of(kWords, word); });
  if (found == words.end()) return {};
  const auto at = static_cast<std::size_t>(found - words.begin());
  const auto word = [&](std::size_t i) {
    return i < words.size() ? std::string_view(words[i]) : std::string_view();
  };
  const bool article = at >= 2 && (word(at - 1) == "a" || word(at - 1) == "an");
  constexpr std::string_view kNots[] = {"not", "non", "no", "isn", "t"};
  constexpr std::string_view kFalse[] = {"false", "no", "0"}, kTrue[] = {"true", "yes", "1"};
  constexpr std::string_view kGraphs[] = {"graph", "network",  "edges",     "links",
                                          "edge",  "weighted", "unweighted"};
  bool directed = *found == "directed" || *found == "isdirected";
  const bool negated = at > 0 && is_one_of(kNots, word(at - (article ? 2 : 1)));
  const bool refuted = is_one_of(kFalse, word(at + 1));
  if (negated != refuted) directed = !directed;
  const bool stated = negated || refuted || at == 0 || is_one_of(kTrue, word(at + 1)) ||
                      is_one_of(kGraphs, word(at + 1));
  return {stated ? std::optional(directed) : std::nullopt, !stated};
}

std::optional<std::uint64_t> nodes_in_words(std::string_view comment) {
  constexpr std::string_view kMark = "Nodes:";
  const std::size_t found = comment.find(kMark);
  if (found == comment.npos) return std::nullopt;
  const char* at = comment.data() + found + kMark.size();
  const char* const end = comment.data() + comment.size();
  skip_blanks(at, end);
  const auto count = [&](const char* from) { return std::find_if_not(from, end, is_digit) - from; };
  std::string digits(at, static_cast<std::size_t>(count(at)));
  for (at += digits.size(); at != end && *at == ',' && count(at + 1) == 3; at += 4) {
    digits.append(at + 1, 3);
  }
  const char* text = digits.data();
  std::uint64_t nodes = 0;
  if (!read_unsigned(text, text + digits.size(), nodes)) return std::nullopt;
  return nodes;
}

EdgeListComments::Konect konect_in(const Words& words) {
  using enum EdgeListComments::Konect;
  constexpr std::string_view kWeights[] = {"unweighted",    "positive",    "posweighted",
                                           "signed",        "multisigned", "weighted",
                                           "multiweighted", "dynamic",     "multiposweighted"};
  if (words.size() != 2 || !is_one_of(kWeights, words[1])) return none;
  return words[0] == "asym" ? asym : words[0] == "sym" ? sym : words[0] == "bip" ? bip : none;
}

std::vector<std::uint64_t> numbers_in(const Words& words) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : words) {
    const auto number = integer_of(word);
    if (!number) return {};
    numbers.push_back(static_cast<std::uint64_t>(*number));
  }
  return numbers;
}

}  // namespace

bool EdgeListComments::find_row(TextCursor& cursor) {
  while (!cursor.at_end() && !at_row(cursor)) {
    cursor.peek() == '\n' ? cursor.skip_line() : take_comment(cursor);
  }
  return !cursor.at_end();
}

void EdgeListComments::take_comment(TextCursor& cursor) {
  const bool by_percent = *cursor.at() == '%';
  cursor.move_to(cursor.at() + 1);
  TextCursor ahead = cursor;
  ahead.skip_blanks();
  if (ahead.take('a') && ahead.take('p') && ahead.take('s') && ahead.take('p') && ahead.take(':')) {
    annotations.read_comment(cursor);
    return;
  }
  last = cursor.take_line();
  const Words words = words_of(last);
  if (first_ && by_percent) konect = konect_in(words);
  if (first_ && konect != Konect::none) directed = konect == Konect::asym;
  if (!first_ && konect != Konect::none && sizes.empty()) sizes = numbers_in(words);
  first_ = false;
  const Direction direction = direction_in(words);
  if (!directed) directed = direction.stated;
  if (direction.mentioned && unclear.empty()) unclear = without_blanks(last);
  if (!nodes) nodes = nodes_in_words(last);
}

// Plain rows between names are read in parallel; the table of names grows only between pieces, in
// the order of the file. Rows with quotation marks or errors are read one by one.
namespace {

constexpr std::string_view kTabsSeparate =
    "; tabs separate here: `separator=blank` takes blanks and tabs alike";

/// Reads an id below 2^32 − 1 and moves `at` after it.
inline bool read_id(const char*& at, const char* end, Vertex& id) {
  const char* const first = at;
  std::uint64_t number = 0;
  if (!read_unsigned(at, end, number) || (*first == '0' && at - first > 1)) return false;
  id = static_cast<Vertex>(number);
  return number < std::numeric_limits<Vertex>::max();
}

template <Separator kSeparator>
inline bool skip_separator(const char*& at, const char* end) {
  const char* const first = at;
  skip_padding(at, end, kSeparator);
  if constexpr (kSeparator != Separator::blank) {
    if (at == end || *at != static_cast<char>(kSeparator)) return false;
    ++at;
    skip_padding(at, end, kSeparator);
  }
  return at != first;
}

/// Skips ignored columns and the row end. Returns false if other text remains.
inline bool take_row_end(const char*& at, const char* end, Separator separator, bool has_rest) {
  if (has_rest && at != end && is_blank(*at)) {
    while (at != end && *at != '\n') ++at;
  }
  skip_padding(at, end, separator);
  if (at == end) return true;
  return *at++ == '\n';
}

/// Renumbers the right end after the left ones. Returns false if a number, counted from 1, is too
/// large.
inline bool place_right(Edge& edge, const EdgeListLayout& layout) {
  const bool fits = edge.from >= 1 && edge.from <= layout.right && edge.to >= 1 &&
                    edge.to < std::numeric_limits<Vertex>::max() - layout.right;
  edge.to += layout.right;
  return fits;
}

template <Separator kSeparator>
[[gnu::always_inline]] inline bool read_row(const char*& at, const char* end,
                                            const EdgeListLayout& layout, std::size_t row,
                                            Edge& edge) {
  NumberRow numbers;
  if (!layout.counted && take_usual_row<kSeparator>(at, end, layout.weight >= 0, numbers)) {
    edge.from = static_cast<Vertex>(numbers.from);
    edge.to = static_cast<Vertex>(numbers.to);
    edge.weight = numbers.weight;
    return layout.right == 0 || place_right(edge, layout);
  }
  skip_padding(at, end, kSeparator);
  if (layout.counted) {
    Vertex count = 0;
    if (!read_id(at, end, count) || count != row || !skip_separator<kSeparator>(at, end))
      return false;
  }
  if (!read_id(at, end, edge.from) || !skip_separator<kSeparator>(at, end) ||
      !read_id(at, end, edge.to)) {
    return false;
  }
  if (layout.weight >= 0 && (!skip_separator<kSeparator>(at, end) ||
                             read_number(at, end, edge.weight) != NumberFault::none)) {
    return false;
  }
  if (layout.right != 0 && !place_right(edge, layout)) return false;
  return take_row_end(at, end, kSeparator, layout.has_rest);
}

template <Separator kSeparator>
std::shared_ptr<graph::ArcBuckets> read_rows(TextCursor& cursor, const EdgeListLayout& layout,
                                             bool mirrored, EdgeListComments& comments) {
  RowArcs rows(cursor, {.mirrored = mirrored, .numbered = layout.counted},
               [layout](TextCursor& text, std::size_t row, RowEdges& edges) {
                 const char* at = text.at();
                 Edge edge;
                 if (!read_row<kSeparator>(at, text.end(), layout, row, edge)) return false;
                 edges.add(edge.from, edge.to, edge.weight);
                 text.move_to(at);
                 return true;
               });
  while (comments.find_row(cursor)) {
    if (!is_digit(TextCursor(cursor).peek()) || !rows.append(cursor)) return nullptr;
  }
  return rows.arcs();
}

void require_width(const TextCursor& cursor, const TableFields& fields,
                   const EdgeListLayout& layout) {
  const auto width = static_cast<std::size_t>(layout.width);
  if (fields.size() == width || (layout.has_rest && fields.size() > width)) return;
  const TableField& last = fields.back();
  const char* const at = fields.size() > width ? fields[width].at : last.at;
  cursor.fail(at, "{}, but the first row has {}; lines that are no edges begin with #{}{}",
              base::counted(std::ssize(fields), "column", "columns"), width,
              fields.size() == width + 1 ? "; if column 1 names the rows, it needs a title" : "",
              layout.separator == Separator::tab ? kTabsSeparate : "");
}

Vertex take_vertex(const TextCursor& cursor, const TableFields& fields, int column,
                   const EdgeListLayout& layout, VertexNames& names) {
  const TableField& field = fields[static_cast<std::size_t>(column)];
  if (!field.quoted && is_missing_value(field.text)) {
    cursor.fail(field.at,
                "an end of the edge is missing: column {} holds {}; leave the row out, or, if a "
                "vertex is called so, put it in quotation marks{}",
                column + 1, field.text.empty() ? "nothing" : field.text,
                layout.separator == Separator::tab ? kTabsSeparate : "");
  }
  const std::string number = layout.number_ids ? integer_in(field.text) : std::string();
  const std::string_view name = layout.number_ids ? number : field.text;
  return names.intern(name, VertexNames::hash(name), field.at);
}

double take_weight(const TextCursor& cursor, const TableFields& fields, int column) {
  const TableField& field = fields[static_cast<std::size_t>(column)];
  if (is_missing_value(field.text)) {
    cursor.fail(field.at,
                "the weight is missing: column {} holds {}; leave the row out, or choose other "
                "columns (`columns=FROM,TO,WEIGHT`)",
                column + 1, field.text.empty() ? "nothing" : field.text);
  }
  return field_number(cursor, field, "the weight ");
}

inline bool may_be_missing(std::string_view text) {
  return text.empty() ||
         (text.size() < 5 && ((text[0] | 0x20) == 'n' || text[0] == '<' || text[0] == '#'));
}

/// Reads an unquoted field and moves `at` after it and its separator. Returns false for a missing
/// or quoted field.
inline bool take_plain_field(const char*& at, const char* end, Separator separator,
                             std::string_view& field) {
  skip_padding(at, end, separator);
  if (at == end || *at == '"' || (separator == Separator::blank && *at == '\n')) return false;
  field = take_unquoted(at, end, separator);
  return true;
}

constexpr int kThere = 1, kBack = 2;

/// The directions of an edge by the value of a column such as `oneway`; 0 if it says none.
int ways_in(std::string_view value, const EdgeListLayout& layout) {
  const std::string word = value.size() > 10 ? std::string() : lower_case(value);
  constexpr std::string_view kYes[] = {"true", "yes", "1", "t", "y", "ft", "f-t", "directed"};
  constexpr std::string_view kReversed[] = {"-1", "reverse", "reversed", "tf", "t-f"};
  constexpr std::string_view kNo[] = {"false", "no", "0", "f", "n", "b", "undirected"};
  const bool yes = is_one_of(kYes, word), no = is_one_of(kNo, word);
  if (layout.says_both_ways) return yes ? kThere | kBack : no ? kThere : 0;
  return yes ? kThere : is_one_of(kReversed, word) ? kBack : no || value.empty() ? 3 : 0;
}

/// The edges of a row: there with one weight, back with another.
struct NamedRow {
  std::string_view from = {}, to = {};
  double weight = 1, back = 1;
  int ways = kThere;

  /// Drops one way of a loop, and ways of negative costs if there is a column of costs back.
  void drop(bool loop, bool has_back) {
    if (loop || (has_back && back < 0)) ways &= ~kBack;
    if (has_back && weight < 0) ways &= ~kThere;
    if (!has_back) back = weight;
  }
};

/// Returns false for a row without an edge, too.
bool read_plain_named_row(const char*& at, const char* end, const EdgeListLayout& layout,
                          NamedRow& row) {
  const Separator separator = layout.separator;
  skip_padding(at, end, separator);
  if (at == end || *at == '\n' || begins_comment(*at)) return false;
  if (layout.reverse_cost >= 0) row.ways = kThere | kBack;
  for (int i = 0; i < layout.width; ++i) {
    std::string_view field;
    if (i > 0 && separator != Separator::blank &&
        (at == end || *at++ != static_cast<char>(separator)))
      return false;
    if (!take_plain_field(at, end, separator, field)) return false;
    if (i == layout.from) row.from = field;
    if (i == layout.to) row.to = field;
    if (i == layout.oneway) row.ways = ways_in(field, layout);
    if (i != layout.weight && i != layout.reverse_cost) continue;
    const char* number = field.data();
    const char* const behind = number + field.size();
    double& value = i == layout.weight ? row.weight : row.back;
    if (read_number(number, behind, value) != NumberFault::none || number != behind) return false;
  }
  row.drop(row.from == row.to, layout.reverse_cost >= 0);
  return row.ways != 0 && !may_be_missing(row.from) && !may_be_missing(row.to) &&
         take_row_end(at, end, separator, layout.has_rest);
}

/// Reads a few rows at a time to prefetch entries of the table.
void read_named_piece(Piece& piece, const char* end, const EdgeListLayout& layout,
                      const VertexNames& names) {
  constexpr std::size_t kRows = 32;
  struct Use {
    std::string_view text;
    std::uint64_t hash;
  };
  std::array<Use, 2 * kRows + 2> uses;  // the last row may be two edges
  const char* at = piece.begin;
  bool plain = true;
  while (plain && at != piece.end) {
    const std::size_t first = piece.edges.size();
    std::size_t count = 0;
    while (count < 2 * kRows && at != piece.end) {
      NamedRow row;
      const char* next = at;
      plain = read_plain_named_row(next, end, layout, row);
      if (!plain) break;
      at = next;
      ++piece.rows;
      const auto add = [&](std::string_view from, std::string_view to, double weight) {
        piece.edges.push_back({0, 0, weight});
        for (const std::string_view text : {from, to}) {
          uses[count] = {text, VertexNames::hash(text)};
          names.prefetch_slot(uses[count++].hash);
        }
      };
      if ((row.ways & kThere) != 0) add(row.from, row.to, row.weight);
      if ((row.ways & kBack) != 0) add(row.to, row.from, row.back);
    }
    for (std::size_t i = 0; i < count; ++i) names.prefetch_record(uses[i].hash);
    for (std::size_t i = 0; i < count; ++i) {
      Edge& edge = piece.edges[first + i / 2];
      const Vertex vertex = names.find(uses[i].text, uses[i].hash);
      (i % 2 == 0 ? edge.from : edge.to) = vertex;
      if (vertex != VertexNames::kNone) continue;
      piece.new_names.push_back({2 * first + i, uses[i].hash, uses[i].text});
    }
  }
  piece.reached = at;
}

void number_names(Piece& piece, VertexNames& names) {
  for (const NewName& name : piece.new_names) {
    Edge& edge = piece.edges[name.end / 2];
    (name.end % 2 == 0 ? edge.from : edge.to) =
        names.intern(name.text, name.hash, name.text.data());
  }
  piece.greatest = static_cast<Vertex>(std::max<std::size_t>(names.count(), 1) - 1);
}

RowEdges directed_edges(const TextCursor& cursor, const EdgeListLayout& layout,
                        const TableFields& fields, const Edge& edge) {
  const bool has_back = layout.reverse_cost >= 0;
  NamedRow row{.weight = edge.weight, .ways = has_back ? kThere | kBack : kThere};
  if (layout.oneway >= 0) {
    const TableField& value = fields[static_cast<std::size_t>(layout.oneway)];
    row.ways = ways_in(value.text, layout);
    if (row.ways == 0) {
      cursor.fail(value.at,
                  "'{}' does not say whether the edge has one direction: yes, true or 1, no, false "
                  "or 0, and -1 for reversed do",
                  value.text);
    }
  }
  if (has_back && (row.ways & kBack) != 0)
    row.back = take_weight(cursor, fields, layout.reverse_cost);
  row.drop(edge.from == edge.to, has_back);
  RowEdges edges;
  if ((row.ways & kThere) != 0) edges.add(edge.from, edge.to, row.weight);
  if ((row.ways & kBack) != 0) edges.add(edge.to, edge.from, row.back);
  return edges;
}

Edge read_careful_edge(const TextCursor& cursor, const TableFields& fields,
                       const EdgeListLayout& layout, std::size_t row, VertexNames& names) {
  require_width(cursor, fields, layout);
  if (layout.counted && fields[0].text != fmt::format_int(row).c_str()) {
    cursor.fail(fields[0].at,
                "the first of four columns should count the rows, and {} comes next; if "
                "it means something else, say which columns to use "
                "(`columns=FROM,TO,WEIGHT`)",
                row);
  }
  Edge edge;
  edge.from = take_vertex(cursor, fields, layout.from, layout, names);
  edge.to = take_vertex(cursor, fields, layout.to, layout, names);
  if (layout.weight >= 0) edge.weight = take_weight(cursor, fields, layout.weight);
  return edge;
}

}  // namespace

std::shared_ptr<graph::ArcBuckets> read_numbered_rows(TextCursor& cursor,
                                                      const EdgeListLayout& layout, bool mirrored,
                                                      EdgeListComments& comments) {
  const int first = layout.counted ? 1 : 0;
  const bool in_order = layout.from == first && layout.to == first + 1 &&
                        layout.weight == (layout.width == first + 2 ? -1 : first + 2) &&
                        layout.width <= first + 3;
  if (!in_order || layout.has_directions()) return nullptr;
  using enum Separator;
  const auto read = layout.separator == comma       ? read_rows<comma>
                    : layout.separator == tab       ? read_rows<tab>
                    : layout.separator == semicolon ? read_rows<semicolon>
                                                    : read_rows<blank>;
  return read(cursor, layout, mirrored, comments);
}

NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout, bool mirrored,
                          EdgeListComments& comments) {
  NamedRows named;
  VertexNames& names = named.names;
  RowArcs rows(
      cursor.source(), {.mirrored = mirrored},
      [&, end = cursor.end()](Piece& piece) { read_named_piece(piece, end, layout, names); },
      [&](Piece& piece) { number_names(piece, names); });
  RowSplitter splitter(layout.separator);
  while (comments.find_row(cursor)) {
    if (!layout.counted && !layout.number_ids && rows.append(cursor)) continue;
    const TableFields& fields = splitter.split(cursor);
    const Edge edge = read_careful_edge(cursor, fields, layout, rows.rows(), names);
    rows.add_row(directed_edges(cursor, layout, fields, edge));
  }
  named.arcs = rows.arcs();
  return named;
}

}  // namespace apsp::io
